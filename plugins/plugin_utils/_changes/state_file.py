# SPDX-License-Identifier: GPL-3.0-or-later
"""The state file: what is remembered, and the events that ansible-rulebook has not taken yet.

Its first line is a JSON object. Each further line is the ID of one of its events that was delivered: adding a line is
quick and cannot damage the first one, so nothing but the event of this moment is delivered twice if the process is
killed.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import IO, Any

from ...module_utils._errors import IngressError
from .events import Event
from .memory import Memory

_FORMAT = 1


class UnusableStateFile(IngressError):
    """The state file cannot be read or written, or is not the one of this source."""


class StateFile:
    """The state file of one source, which no other source can use at the same time."""

    def __init__(self, path: str, owner: str) -> None:
        self._path, self._owner = Path(os.path.realpath(path)), owner
        self._lock: IO[str] | None = None

    def open(self) -> tuple[Memory, list[Event]]:
        """Return what is remembered, and the events that were not delivered. Raises UnusableStateFile."""
        try:
            self._take_lock()
            memory, events = self._read() if self._path.exists() else (Memory(), [])
            self.save(memory, events)  # so that nobody waits for a change to learn that it cannot be written
        except BaseException:
            self.close()
            raise
        return memory, events

    def save(self, memory: Memory, events: Sequence[Event]) -> None:
        """Write what is remembered, and the events to deliver, in place of everything that the file contains."""
        content = {"format": _FORMAT, "owner": self._owner, "memory": vars(memory), "events": list(events)}
        try:
            handle, name = tempfile.mkstemp(prefix=f".{self._path.name}.", dir=self._path.parent)  # with mode 0600
            temporary = Path(name)
            try:
                with os.fdopen(handle, "w", encoding="ascii") as file:
                    file.write(f"{json.dumps(content)}\n")
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(self._path)
            except BaseException:
                with suppress(OSError):
                    temporary.unlink()
                raise
        except OSError as error:
            raise self._unusable(f"cannot be written: {error.strerror}") from error

    def delivered(self, event: Event) -> None:
        """Remember that an event does not have to be delivered again."""
        try:
            with self._path.open("a", encoding="ascii") as file:
                file.write(f"{event['id']}\n")
        except OSError as error:
            raise self._unusable(f"cannot be written: {error.strerror}") from error

    def close(self) -> None:
        """Let other sources use the file."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _take_lock(self) -> None:
        # The file itself is replaced, so it cannot carry the lock.
        try:
            self._lock = open(f"{self._path}.lock", "w", opener=_private, encoding="ascii")  # noqa: SIM115
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise self._unusable("is used by another source; give each its own file") from error
        except OSError as error:
            raise self._unusable(f"cannot be written: {error.strerror}") from error

    def _read(self) -> tuple[Memory, list[Event]]:
        try:
            with self._path.open(encoding="ascii") as file:
                first, *rest = file.read().split("\n")
        except OSError as error:
            raise self._unusable(f"cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise self._damaged() from error
        content = _parsed(first)
        if content is None or not rest:
            raise self._damaged()
        if content["owner"] != self._owner:
            raise self._unusable(
                "belongs to another account: the URL, `account`, or, without `account`, the API key is another one. "
                "Use another file, or delete this one to start anew"
            )
        done = set(rest)
        return Memory(**content["memory"]), [event for event in content["events"] if event["id"] not in done]

    def _damaged(self) -> UnusableStateFile:
        return self._unusable("is damaged, or not a state file. Delete it to start anew, or use another file")

    def _unusable(self, problem: str) -> UnusableStateFile:
        return UnusableStateFile(f"state_file: {self._path} {problem}.")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _parsed(line: str) -> dict[str, Any] | None:
    """Return the content of the first line; None if it is not what this class writes."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or content.keys() != {"format", "owner", "memory", "events"}:
        return None
    memory, events = content["memory"], content["events"]
    is_valid = (
        content["format"] == _FORMAT
        and isinstance(memory, dict)
        and memory.keys() == {one.name for one in fields(Memory)}
        and isinstance(memory["parts"], dict)
        and all(map(_are_entries, memory["parts"].values()))
        and (memory["findings"] is None or _are_entries(memory["findings"]))
        and isinstance(memory["judged"], list)
        and (memory["failing"] is None or _is_failing(memory["failing"]))
        and isinstance(events, list)
        and all(isinstance(event, dict) and isinstance(event.get("id"), str) for event in events)
    )
    return content if is_valid else None


def _are_entries(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(one, dict) and one.keys() == {"kind", "object", "ids", "state"} and isinstance(one["state"], dict)
        for one in value.values()
    )


def _is_failing(value: Any) -> bool:
    is_dictionary = isinstance(value, dict) and value.keys() == {"since", "reported"}
    return is_dictionary and isinstance(value["since"], (int, float)) and not isinstance(value["since"], bool)
