# SPDX-License-Identifier: GPL-3.0-or-later
"""Other objects in fields: references, which are IDs in requests and {id, uri} in responses, and parts. Pure.

Parts belong to an object and are returned with it, such as the routes of an edge.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._errors import Contradiction, UnexpectedType
from .._values.identifiers import id_errors
from .._values.kinds import Body, Given, Kind, Mark, Normal, StringSet, Text, Wire
from .._values.option_error import OptionErrors, members_of
from .objects import Object


@dataclass(frozen=True)
class Reference(Text):
    """The ID of an object `of` this kind. The response contains a Ref instead, which has this ID."""

    of: str = ""

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        if given:  # If it must not be empty, its field is required.
            yield from id_errors(self.normal(given), self.of, path)

    def read(self, wire: Wire, path: str) -> Normal:
        ids = _ids(wire, path)
        return ids[0] if ids else ""


class OneOf(list[str]):
    """The value of a service that returns a single Ref even if several IDs were sent: this ID is one of them."""


@dataclass(frozen=True)
class References(StringSet):
    """A set of IDs of objects `of` this kind. The response contains a list of Ref instead, or a single Ref."""

    of: str = ""

    def _member_errors(self, name: str, path: str) -> OptionErrors:
        yield from id_errors(name, self.of, path)

    def read(self, wire: Wire, path: str) -> Normal:
        ids = _ids(wire, path)
        return OneOf(ids) if ids and isinstance(wire, dict) else self.normal(ids)

    def resend(self, current: Normal, path: str) -> Body:
        if isinstance(current, OneOf):
            raise Contradiction(f"{path}: required, because the service returns only one of the current IDs.")
        return super().resend(current, path)

    def same(self, current: Normal, desired: Normal) -> bool:
        if isinstance(current, OneOf) and desired:
            return set(current) <= set(desired)
        return super().same(current, desired)

    def completed(self, predicted: Normal, desired: Normal) -> Normal:
        return predicted if desired is Mark.KEEP or not isinstance(predicted, OneOf) else desired

    def shown(self, value: Normal) -> Given:
        return list(value)


@dataclass(frozen=True)
class OnlyRead(Kind):
    """A value that is only read, by this function: `ref_in`, `refs_in`, or `string_map_in`."""

    read_as: Callable[[Wire, str], Normal]

    def read(self, wire: Wire, path: str) -> Normal:
        return self.read_as(wire, path)


def ref_in(wire: Wire, path: str) -> dict[str, str] | None:
    return next(iter(refs_in(wire, path)), None)


def refs_in(wire: Wire, path: str) -> list[dict[str, str]]:
    """Return references as a list of {id, uri}, even if a service returns a single one."""
    if wire is None:
        return []
    refs = []
    for ref in wire if isinstance(wire, list) else [wire]:
        if isinstance(ref, str):
            refs.append({"id": ref, "uri": ""})
        elif isinstance(ref, dict) and isinstance(ref.get("id"), str):
            refs.append({"id": ref["id"], "uri": str(ref.get("uri") or "")})
        elif ref:
            raise UnexpectedType(path, "a reference with an ID", ref)
    return refs


def _ids(wire: Wire, path: str) -> list[str]:
    return [ref["id"] for ref in refs_in(wire, path) if ref["id"]]


def reference_names(name: str) -> Iterator[str]:
    """Yield the names under which services return the Refs of the IDs in a field."""
    stem = name.removesuffix("_ids")
    if name.endswith("_id"):
        yield name.removesuffix("_id")
    elif stem != name:
        if stem.endswith("y"):
            yield f"{stem[:-1]}ies"
        yield from (f"{stem}s", f"{stem}es", stem)


def identifier_in(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 1:
        return identifier_in(value[0])
    is_reference = isinstance(value, Mapping) and (value.get("id") is None or isinstance(value["id"], str))
    return value.get("id") if is_reference and "id" in value else value


def identifiers_in(value: Any) -> Any:
    if isinstance(value, list):
        return [each for each in map(identifier_in, value) if each not in (None, "")]
    identifier = identifier_in(value)
    return OneOf([identifier]) if isinstance(identifier, str) and identifier else identifier


@dataclass(frozen=True)
class Listing(Kind):
    """A list of objects that is only read here, such as the routes of an edge."""

    of: Object

    empty = []  # noqa: RUF012 - never changed

    def read(self, wire: Wire, path: str) -> Normal:
        if wire is None:
            return []
        if not isinstance(wire, list):
            raise UnexpectedType(path, "a list", wire)
        if None in wire:
            raise UnexpectedType(f"{path}[{wire.index(None)}]", "an object", None)
        return [self.of.read(item, f"{path}[{number}]") for number, item in enumerate(wire)]

    def shown(self, value: Normal) -> Given:
        return [self.of.shown(item) for item in value]


def wholeness(kind: Object, fields: Collection[str] | None = None) -> Callable[[Mapping[str, Any]], bool]:
    """Return a function that says whether a response has these fields, or all, and so have the objects in its lists.

    A null field is there. What the service writes, such as `created_at`, is not needed. There may be thousands of
    responses, so everything else is computed once.
    """
    written = (f for f in kind.fields if isinstance(f.kind, Listing) or not f.read_only)
    needed = [f for f in written if fields is None or f.name in fields]
    names = frozenset(f.names_in_responses[0] for f in needed)
    members = [(f.name, wholeness(f.kind.of, fields)) for f in needed if isinstance(f.kind, Listing)]

    def is_whole(wire: Mapping[str, Any]) -> bool:
        if not wire.keys() >= names and any(wire.keys().isdisjoint(f.names_in_responses) for f in needed):
            return False
        return all(is_member_whole(one) for name, is_member_whole in members for one in members_of(wire.get(name)))

    return is_whole


def parts(kind: Object, state: Mapping[str, Any]) -> Iterator[tuple[str, Object, Sequence[Normal]]]:
    """Yield the objects that belong to this one and are deleted with it: their name, their kind, and their states."""
    return ((f.name, f.kind.of, state[f.name]) for f in kind.fields if isinstance(f.kind, Listing))
