# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that belong to another one and are returned with it, such as the routes of an edge. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._errors import UnexpectedType
from .kinds import Given, Kind, Normal, Wire
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


def is_whole(kind: Object, wire: Mapping[str, Any], fields: Collection[str] | None = None) -> bool:
    """Return whether a response has these fields, or all, and so have the objects that belong to it.

    A null field is there. What the service writes, such as `created_at`, is not needed.
    """
    for f in kind.fields:
        is_list = isinstance(f.kind, Listing)
        if (f.read_only and not is_list) or (fields is not None and f.name not in fields):
            continue
        names = (f.response or f.name, *f.aliases)
        if wire.keys().isdisjoint(names):
            return False
        members = wire.get(names[0]) if isinstance(f.kind, Listing) else ()
        for member in members if isinstance(members, list) else ():
            if isinstance(f.kind, Listing) and isinstance(member, dict) and not is_whole(f.kind.of, member, fields):
                return False
    return True


def parts(kind: Object, state: Mapping[str, Any]) -> Iterator[tuple[str, Object, Sequence[Normal]]]:
    """Yield the objects that belong to this one and are deleted with it: their name, their kind, and their states."""
    return ((f.name, f.kind.of, state[f.name]) for f in kind.fields if isinstance(f.kind, Listing))
