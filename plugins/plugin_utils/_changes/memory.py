# SPDX-License-Identifier: GPL-3.0-or-later
"""What is remembered of an account between two polls, and the events that follow from the next reading. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ...module_utils._definition import Options
from .events import POLLING_FAILED, POLLING_RECOVERED, Event, Moment, events_between, shown_time
from .harmless import harmless
from .objects import Entries
from .reading import Reading


@dataclass(frozen=True)
class Memory:
    """The entries of each part that was read, and the findings, None if they were not judged yet.

    `judged` are the parts that the findings are about. `failing` says since when parts cannot be read, if any:
    `since`, in seconds since 1970, and `reported`, the event about it if there was one.
    """

    parts: dict[str, Entries] = field(default_factory=dict)
    findings: Entries | None = None
    judged: list[str] = field(default_factory=list)
    failing: dict[str, Any] | None = None


def next_memory(memory: Memory, reading: Reading, options: Options, moment: Moment) -> tuple[Memory, list[Event]]:
    """Return what is remembered from now on, which is the same object if nothing is new, and the events."""
    events = list(_changes(memory, reading, options["initial_events"], moment))
    kept = {name: memory.parts[name] for name in reading.errors if name in memory.parts}
    then = replace(memory, parts={**kept, **reading.parts})
    if reading.findings is not None:
        judged = sorted(reading.parts)
        if memory.findings is not None and memory.judged == judged:
            events += events_between(memory.findings, reading.findings, moment)
        elif memory.findings is None and options["initial_events"]:
            events += events_between({}, reading.findings, moment)
        then = replace(then, findings=reading.findings, judged=judged)
    failing, report = _failing(memory.failing, reading, options["report_failure_after"], moment)
    then = replace(then, failing=failing)
    return (memory if then == memory else then), [*events, *report]


def _changes(memory: Memory, reading: Reading, is_initial: bool, moment: Moment) -> Iterator[Event]:
    """Yield the events about parts that were read before. What is read for the first time has not changed."""
    for name, entries in reading.parts.items():
        before = memory.parts.get(name, {} if is_initial else None)
        if before is not None:
            yield from events_between(before, entries, moment)


def _failing(
    failing: dict[str, Any] | None, reading: Reading, seconds: float, moment: Moment
) -> tuple[dict[str, Any] | None, list[Event]]:
    """Return since when parts cannot be read, and an event if that is long, or has ended after it was reported."""
    about = {"kind": "polling", "object": f"polling of {moment.account}", "ids": {}}
    if not reading.errors:
        reported = failing and failing["reported"]
        return None, [moment.event(POLLING_RECOVERED, about, reported, None)] if reported else []
    failing = failing or {"since": moment.seconds, "reported": None}
    if failing["reported"] or moment.seconds - failing["since"] < seconds:
        return failing, []
    failure = harmless({"since": shown_time(failing["since"]), "errors": reading.errors})
    return {**failing, "reported": failure}, [moment.event(POLLING_FAILED, about, None, failure)]
