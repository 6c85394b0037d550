# SPDX-License-Identifier: GPL-3.0-or-later
"""Events: what has changed between two readings of an account. Pure."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from .objects import EDGE, FINDING, ROUTE, SOURCE, TLS_EDGE, TUNNEL_KIND, Entries, Entry

Event = dict[str, Any]

_CREATED, _CHANGED, _DELETED = "created", "changed", "deleted"

_TYPES = {
    TUNNEL_KIND: {_CREATED: "tunnel_online", _DELETED: "tunnel_offline"},
    FINDING: {_CREATED: "finding_opened", _DELETED: "finding_closed"},
    EDGE: dict.fromkeys((_CREATED, _CHANGED, _DELETED), "edge_changed"),
    TLS_EDGE: dict.fromkeys((_CREATED, _CHANGED, _DELETED), "edge_changed"),
    ROUTE: dict.fromkeys((_CREATED, _CHANGED, _DELETED), "route_changed"),
    SOURCE: dict.fromkeys((_CREATED, _CHANGED, _DELETED), "source_changed"),
}
"""The types of events by kind of object and by what has happened to it. Other changes of tunnels are ignored."""

POLLING_FAILED, POLLING_RECOVERED = "polling_failed", "polling_recovered"


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


def events_between(before: Entries, after: Entries, moment: Moment) -> Iterator[Event]:
    """Yield what has happened to the objects of a part of the account, in the order of their keys."""
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        action = _CREATED if old is None else _DELETED if new is None else _CHANGED
        entry = new or old
        if entry is None or (old and new and old["state"] == new["state"]) or action not in _TYPES[entry["kind"]]:
            continue
        states = [one and one["state"] for one in (old, new)]
        yield moment.event(_TYPES[entry["kind"]][action], _about(entry, action, *states), *states)


def _about(entry: Entry, action: str, before: Any, after: Any) -> dict[str, Any]:
    about = {"kind": entry["kind"], "object": entry["object"], "ids": entry["ids"]}
    if len(set(_TYPES[entry["kind"]].values())) > 1:
        return about
    names = sorted(before.keys() | after.keys()) if before and after else []
    return {**about, "action": action, "changed": [one for one in names if before.get(one) != after.get(one)]}
