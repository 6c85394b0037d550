# SPDX-License-Identifier: GPL-3.0-or-later
"""The state file: what is remembered, and the events that ansible-rulebook has not taken yet.

Its first line is a JSON object, after the digest of it. Further lines are added as things happen: the ID of one of its
events that was delivered, or the time of a request. Adding a line is quick and cannot damage the first one, so nothing
but the event of this moment is delivered twice if the process is killed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from .memory import Event, Memory

_FORMAT = 1
_REQUEST = "request "
_MOST_REQUESTS = 2000
"""Lines about requests, before the file is replaced by one without those that do not count any more."""

_sent: dict[Hashable, deque[float]] = {}
"""When this process has sent its last requests, by what counts them for itself."""


_DAMAGED = "is damaged, or not a state file. Delete it to begin with an empty one, or use another file"


class UnusableStateFile(Exception):
    """The state file cannot be read or written, or is not the one of this source.

    This ends the source, whereas an IngressError is only about a request.
    """


class StateFile:
    """The state file of one source, which no other source can use at the same time."""

    def __init__(self, path: str, owner: str, seconds: float, sender: Hashable = None) -> None:
        """Open no file yet. A request counts for so many `seconds`; the `sender` counts those of this process."""
        self._path, self._owner, self._seconds = Path(os.path.realpath(path)), owner, seconds
        self._lock: IO[str] | None = None
        self._requests: list[float] = []
        self._sent = _sent.setdefault(sender, deque())

    def open(self) -> tuple[Memory, list[Event]]:
        """Return what is remembered, and the events that were not delivered. Raises UnusableStateFile."""
        try:
            with self._failing("read"):
                if self._path.exists() and not self._path.is_file():
                    raise self._unusable("is not a file")
                self._take_lock()
                memory, events = self._read() if self._path.exists() else (Memory(), [])
                self.save(memory, events)  # so that nobody waits for a change to learn that it cannot be written
        except BaseException:
            self.close()
            raise
        return memory, events

    def save(self, memory: Memory, events: Sequence[Event]) -> None:
        """Write what is remembered, and the events to deliver, in place of everything that the file contains."""
        content = json.dumps({"format": _FORMAT, "owner": self._owner, "memory": vars(memory), "events": list(events)})
        new = self._path.with_name(f".{self._path.name}.new")
        with self._failing("written"):
            new.unlink(missing_ok=True)  # A process that was killed may have left it.
            with open(new, "x", opener=_private, encoding="ascii") as file:
                file.write(f"{_digest(content)} {content}\n")
                file.writelines(f"{_REQUEST}{moment}\n" for moment in self._recent())
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)

    def delivered(self, event: Event) -> None:
        self._add(event["id"])

    def request(self) -> None:
        """Remember that a request is sent now."""
        now = time.time()
        self._requests.append(now)
        self._sent.append(now)
        while self._sent[0] < now - self._seconds:
            self._sent.popleft()
        self._add(f"{_REQUEST}{now}")

    def requests(self) -> list[float]:
        """Return for how many seconds each of the last requests of other senders still counts."""
        now = time.time()
        return [moment + self._seconds - now for moment in self._recent() if moment not in self._sent]

    @property
    def is_long(self) -> bool:
        return len(self._requests) > _MOST_REQUESTS

    def close(self) -> None:
        """Let other sources use the file."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _recent(self) -> list[float]:
        now = time.time()
        # A time in the future is from before the clock was set back.
        self._requests = [min(moment, now) for moment in self._requests if now - self._seconds < moment]
        return self._requests

    def _add(self, line: str) -> None:
        # Without creating it: if somebody has deleted it, a file of such lines alone could not be read.
        flags = os.O_WRONLY | os.O_APPEND
        with self._failing("written"), os.fdopen(os.open(self._path, flags), "a", encoding="ascii") as file:
            file.write(f"{line}\n")

    def _take_lock(self) -> None:
        # The file itself is replaced, so it cannot carry the lock.
        with self._failing("written"):
            try:
                self._lock = open(f"{self._path}.lock", "a", opener=_private, encoding="ascii")  # noqa: SIM115
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise self._unusable("is used by another source; give each its own file") from error

    def _read(self) -> tuple[Memory, list[Event]]:
        try:
            first, *rest = self._path.read_text(encoding="ascii").split("\n")
        except ValueError as error:
            raise self._unusable(_DAMAGED) from error
        digest, _space, text = first.partition(" ")
        if digest != _digest(text):
            raise self._unusable(_DAMAGED)
        content = json.loads(text)
        if content["format"] != _FORMAT:
            raise self._unusable("is of another version of the collection. Use another file, or delete this one")
        ids = {event["id"] for event in content["events"]}
        # The last line may be cut off, if the process was killed while it was added.
        if not rest or not all(line in ids or [*_moments([line])] for line in rest[:-1]):
            raise self._unusable(_DAMAGED)
        if content["owner"] != self._owner:
            raise self._unusable(
                "belongs to another account: the URL, `account`, or, without `account`, the API key is another one. "
                "Use another file, or delete this one"
            )
        done = set(rest)
        self._requests = list(_moments(rest))
        return Memory(**content["memory"]), [event for event in content["events"] if event["id"] not in done]

    @contextmanager
    def _failing(self, what: str) -> Iterator[None]:
        """Say that the file cannot be `read`, or `written`, if the system says so."""
        try:
            yield
        except OSError as error:
            raise self._unusable(f"cannot be {what}: {error.strerror}") from error

    def _unusable(self, problem: str) -> UnusableStateFile:
        return UnusableStateFile(f"state_file: {self._path} {problem}.")


def _private(path: str, flags: int) -> int:
    # If it is a pipe, this must not wait for somebody who reads it.
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _moments(lines: Iterable[str]) -> Iterator[float]:
    for line in lines:
        if line.startswith(_REQUEST):
            with suppress(ValueError):
                yield float(line[len(_REQUEST) :])
