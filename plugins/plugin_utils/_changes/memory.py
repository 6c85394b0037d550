# SPDX-License-Identifier: GPL-3.0-or-later
"""What is remembered of an account between two polls, and the events that follow from the next reading. Pure."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from ...module_utils._definition import Options
from .harmless import harmless
from .objects import EDGE, FINDING, ROUTE, SOURCE, TLS_EDGE, TUNNEL_KIND, Entries, Entry, Reading

Event = dict[str, Any]

_ENDS = {TUNNEL_KIND: ("tunnel_online", "tunnel_offline"), FINDING: ("finding_opened", "finding_closed")}
"""The types of events about what begins and ends. Other changes of it are ignored."""

_CHANGES = {EDGE: "edge_changed", TLS_EDGE: "edge_changed", ROUTE: "route_changed", SOURCE: "source_changed"}
"""The types of events about what is created, changed, and deleted."""

_MOST_GONE = 10_000
"""How many deleted objects of a part are remembered."""


@dataclass(frozen=True)
class Moment:
    """Which account events are about, and when they were noticed, in seconds since 1970."""

    account: str
    seconds: float

    def event(self, kind: str, about: Mapping[str, Any], before: Any, after: Any) -> Event:
        return {
            "id": uuid.uuid4().hex,
            "type": kind,
            "account": self.account,
            "time": shown_time(self.seconds),
            **about,
            "before": before,
            "after": after,
        }


def shown_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Memory:
    """The entries of each part that was read, what was among them before (`gone`), and the findings about each part.

    `failing` are the parts that cannot be read, each with the time of the first poll that has failed. `reported` is the
    last event about such parts, if there are any: their names (`parts`) and what it said (`failure`).
    """

    parts: dict[str, Entries] = field(default_factory=dict)
    gone: dict[str, list[str]] = field(default_factory=dict)
    findings: dict[str, Entries] = field(default_factory=dict)
    failing: dict[str, float] = field(default_factory=dict)
    reported: dict[str, Any] | None = None


def next_memory(memory: Memory, reading: Reading, options: Options, moment: Moment) -> tuple[Memory, list[Event]]:
    """Return what is remembered from now on, which is the same object if nothing is new, and the events."""
    is_initial = options["initial_events"]
    events = [*_changes(memory.parts, reading.parts, is_initial, moment)]
    if reading.findings is not None:
        events += _changes(memory.findings, reading.findings, is_initial, moment)
    now = moment.seconds
    # A time in the future is from before the clock was set back.
    failing = {name: min(memory.failing.get(name, now), now) for name in reading.errors}
    overdue = {name: since for name, since in failing.items() if now - since >= options["report_failure_after"]}
    reported, report = _failures(memory.reported, reading.errors, overdue, moment)
    gone = {name: _gone(memory, name, entries) for name, entries in reading.parts.items()}
    then = Memory(
        parts={**_those(memory.parts, reading.errors), **reading.parts},
        gone={**_those(memory.gone, reading.errors), **gone},
        findings=memory.findings if reading.findings is None else reading.findings,
        failing=failing,
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
    reported: dict[str, Any] | None, errors: Mapping[str, str], overdue: Mapping[str, float], moment: Moment
) -> tuple[dict[str, Any] | None, list[Event]]:
    """Return what is reported, with an event if a part cannot be read for long, or if all can be read again."""
    about = {"kind": "polling", "object": f"polling of {moment.account}", "ids": {}}
    before = reported and reported["failure"]
    if not errors:
        return None, [moment.event("polling_recovered", about, before, None)] if reported else []
    known = [name for name in (reported["parts"] if reported else ()) if name in errors]
    new = [since for name, since in overdue.items() if name not in known]
    if not new:
        return reported and {**reported, "parts": known}, []
    failure = harmless({"since": shown_time(min(new)), "errors": errors})
    report = {"parts": sorted(errors), "failure": failure}
    return report, [moment.event("polling_failed", about, before, failure)]


def events_between(before: Entries, after: Entries, moment: Moment) -> Iterator[Event]:
    """Yield what has happened to the objects of a part of the account, in the order of their keys."""
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        entry: Entry = new or old or {}
        states: list[Any] = [one and one["state"] for one in (old, new)]
        if states[0] == states[1] or (old and new and entry["kind"] in _ENDS):
            continue
        about = {name: entry[name] for name in ("kind", "object", "ids")}
        if entry["kind"] in _ENDS:
            yield moment.event(_ENDS[entry["kind"]][new is None], about, *states)
        else:
            action = "created" if old is None else "deleted" if new is None else "changed"
            changed = _changed(*states) if all(states) else []
            yield moment.event(_CHANGES[entry["kind"]], {**about, "action": action, "changed": changed}, *states)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]
