# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that belong to another one and are returned with it, such as the routes of an edge. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


def parts(kind: Object, state: Mapping[str, Any]) -> Iterator[tuple[str, Object, Sequence[Normal]]]:
    """Yield the objects that belong to this one and are deleted with it: their name, their kind, and their states."""
    return ((f.name, f.kind.of, state[f.name]) for f in kind.fields if isinstance(f.kind, Listing))
