# SPDX-License-Identifier: GPL-3.0-or-later
"""What is remembered of an account between two polls, and the events that follow from the next reading. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...module_utils._definition import Options
from .events import POLLING_FAILED, POLLING_RECOVERED, Event, Moment, events_between, shown_time
from .harmless import harmless
from .objects import Entries
from .reading import Reading

_MOST_GONE = 10_000
"""How many deleted objects of a part are remembered."""


@dataclass(frozen=True)
class Memory:
    """The entries of each part that was read, what was among them before (`gone`), and the findings about each part.

    `reported` is the last event about parts that cannot be read, if there are any: their names (`parts`) and what it
    said (`failure`).
    """

    parts: dict[str, Entries] = field(default_factory=dict)
    gone: dict[str, list[str]] = field(default_factory=dict)
    findings: dict[str, Entries] = field(default_factory=dict)
    reported: dict[str, Any] | None = None


def next_memory(memory: Memory, reading: Reading, options: Options, moment: Moment) -> tuple[Memory, list[Event]]:
    """Return what is remembered from now on, which is the same object if nothing is new, and the events."""
    is_initial = options["initial_events"]
    events = [*_changes(memory.parts, reading.parts, is_initial, moment)]
    if reading.findings is not None:
        events += _changes(memory.findings, reading.findings, is_initial, moment)
    reported, report = _failures(memory.reported, reading, options["report_failure_after"], moment)
    gone = {name: _gone(memory, name, entries) for name, entries in reading.parts.items()}
    then = Memory(
        parts={**_those(memory.parts, reading.errors), **reading.parts},
        gone={**_those(memory.gone, reading.errors), **gone},
        findings=memory.findings if reading.findings is None else reading.findings,
        reported=reported,
    )
    return (memory if then == memory else then), [*events, *report]


def _those(members: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: members[name] for name in names if name in members}


def _changes(
    before: Mapping[str, Entries], after: Mapping[str, Entries], is_initial: bool, moment: Moment
) -> Iterator[Event]:
    """Yield the events about parts that were read before. What is read for the first time has not changed."""
    for name, entries in after.items():
        known = before.get(name, {} if is_initial else None)
        if known is not None:
            yield from events_between(known, entries, moment)


def _gone(memory: Memory, name: str, entries: Entries) -> list[str]:
    now = sorted(memory.parts.get(name, {}).keys() - entries.keys())
    before = [key for key in memory.gone.get(name, ()) if key not in entries]
    return [*before, *now][-_MOST_GONE:]


def _failures(
    reported: dict[str, Any] | None, reading: Reading, seconds: float, moment: Moment
) -> tuple[dict[str, Any] | None, list[Event]]:
    """Return what is reported, with an event if a part cannot be read for long, or if all can be read again."""
    about = {"kind": "polling", "object": f"polling of {moment.account}", "ids": {}}
    before = reported and reported["failure"]
    if not reading.errors:
        return None, [moment.event(POLLING_RECOVERED, about, before, None)] if reported else []
    known = [name for name in (reported["parts"] if reported else ()) if name in reading.errors]
    overdue = [name for name, failing in reading.failing.items() if failing >= seconds and name not in known]
    if not overdue:
        return reported and {**reported, "parts": known}, []
    since = shown_time(moment.seconds - max(reading.failing[name] for name in overdue))
    failure = harmless({"since": since, "errors": reading.errors})
    report = {"parts": sorted(reading.errors), "failure": failure}
    return report, [moment.event(POLLING_FAILED, about, before, failure)]
