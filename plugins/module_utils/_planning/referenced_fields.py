# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of objects to which others refer, such as the address that a reservation gets, and their values. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .named_references import name_in_ids, parts_of
from .placeholders import placeholder

RESERVED = {"reserved_addrs": "addr", "reserved_domains": "domain"}
"""The fields with the names that objects in these collections reserve for edges, which refer to them by the names."""


def referenced_fields(references: Iterable[str], collections: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the fields of each object to which these references refer, or that it reserves.

    `collections` are those of the objects, by their names.
    """
    fields = {name: {RESERVED[one]} if one in RESERVED else set() for name, one in collections.items()}
    for reference in references:
        name, field = parts_of(reference, collections)
        if field:
            fields[name].add(field)
    return {name: sorted(found) for name, found in fields.items()}


def value_of(field: str, name: str, wire: Mapping[str, Any] | None, declared: Mapping[str, Any]) -> str:
    """Return the value of a field of an object, or a placeholder if it has none (yet)."""
    known = text_at(declared if wire is None else wire, field)
    return known or placeholder(f"unknown_{name_in_ids(name)}.{field}_")


def text_at(value: Any, path: str) -> str | None:
    """Return the string at a path, or None if there is no string that is not empty."""
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) and value else None


def names_in(strings: Iterable[str]) -> Iterator[str]:
    """Yield strings that may be IDs. Hostports also refer to reserved domains, of which some begin with a wildcard."""
    for one in strings:
        yield one
        host, _colon, port = one.lower().rpartition(":")
        if host and port.isdigit():
            yield from (one.lower(), host, f"*.{host.partition('.')[2]}")


def names_of(identity: Mapping[str, str]) -> Iterator[str]:
    """Yield the values by which others refer to an object, apart from its ID. Hostports have no letter case."""
    for name, value in identity.items():
        yield from () if name == "id" else (value, value.lower())
