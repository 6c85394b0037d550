# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that belong to another one and are returned with it, such as the routes of an edge. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._errors import UnexpectedType
from .._values.kinds import Given, Kind, Normal, Wire
from .objects import Object


@dataclass(frozen=True)
class Listing(Kind):
    """A list of objects that is only read here, such as the routes of an edge."""

    of: Object = field(default_factory=Object)

    empty = []  # noqa: RUF012 - never changed

    def read(self, wire: Wire, path: str) -> Normal:
        if wire is None:
            return []
        if not isinstance(wire, list):
            raise UnexpectedType(path, "a list", wire)
        for number, item in enumerate(wire):
            if item is None:
                raise UnexpectedType(f"{path}[{number}]", "an object", item)
        return [self.of.read(item, f"{path}[{number}]") for number, item in enumerate(wire)]

    def shown(self, value: Normal) -> Given:
        return [self.of.shown(item) for item in value]


def wholeness(kind: Object, fields: Collection[str] | None = None) -> Callable[[Mapping[str, Any]], bool]:
    """Return a function that says whether a response has these fields, or all, and so have the objects in its lists.

    A null field is there. What the service writes, such as `created_at`, is not needed. There may be thousands of
    responses, so everything else is computed once.
    """
    needed = [f for f in kind.fields if (isinstance(f.kind, Listing) or not f.read_only)]
    needed = [f for f in needed if fields is None or f.name in fields]
    names = frozenset(f.response or f.name for f in needed)
    others = {f.response or f.name: f.aliases for f in needed}
    members = [(f.name, wholeness(f.kind.of, fields)) for f in needed if isinstance(f.kind, Listing)]

    def is_whole(wire: Mapping[str, Any]) -> bool:
        if not wire.keys() >= names and any(wire.keys().isdisjoint((name, *others[name])) for name in names):
            return False
        lists = [(wire.get(name), is_member_whole) for name, is_member_whole in members]
        return all(
            is_member_whole(member)
            for found, is_member_whole in lists
            if isinstance(found, list)
            for member in found
            if isinstance(member, dict)
        )

    return is_whole


def parts(kind: Object, state: Mapping[str, Any]) -> Iterator[tuple[str, Object, Sequence[Normal]]]:
    """Yield the objects that belong to this one and are deleted with it: their name, their kind, and their states."""
    return ((f.name, f.kind.of, state[f.name]) for f in kind.fields if isinstance(f.kind, Listing))
