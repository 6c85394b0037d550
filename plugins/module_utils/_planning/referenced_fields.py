# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of objects to which others refer, such as the address that a reservation gets, and their values. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .._errors import Contradiction
from .._model.free_form_values import text_at
from .._values.identifiers import PREFIX, UNKNOWN_PREFIX, placeholder, strings_in
from .._values.option_wording import enumerated
from .named_references import name_in_ids, parts_of

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
    return known or placeholder(f"{UNKNOWN_PREFIX}{name_in_ids(name)}.{field}_")


def no_such_field(field: str, name: str, wire: Mapping[str, Any]) -> Contradiction:
    known = enumerated(sorted(str(one) for one in wire if text_at(wire, str(one))), "and") or "none"
    return Contradiction(
        f"{PREFIX}{name}.{field}: the object {name} has no string in {field}. Set another field; it has {known}."
    )


def names_in(value: Any) -> Iterator[str]:
    """Yield the strings inside of a body, a state, or a response that may be IDs, and the domains of its hostports."""
    yield from strings_in(value)
    hostports = value.get("hostports") if isinstance(value, Mapping) else None
    for one in hostports if isinstance(hostports, list) else ():
        host = str(one).lower().rpartition(":")[0]
        # Some reserved domains begin with a wildcard.
        yield from (str(one).lower(), host, f"*.{host.partition('.')[2]}")


def hides_references_to(value: Any, identifier: str) -> bool:
    """Return whether an object may refer to this ID, because it shows one object of this kind in place of a list."""
    prefix = identifier[: identifier.find("_") + 1]
    return bool(prefix) and any(one.startswith(prefix) for one in _first_references(value))


def _first_references(value: Any) -> Iterator[str]:
    for name, member in value.items() if isinstance(value, Mapping) else ():
        if str(name).endswith("s") and isinstance(member, Mapping) and isinstance(member.get("id"), str):
            yield member["id"]
        yield from _first_references(member)


def names_of(identity: Mapping[str, str]) -> Iterator[str]:
    """Yield the values by which others refer to an object, apart from its ID. Hostports have no letter case."""
    for name, value in identity.items():
        yield from () if name == "id" else (value, value.lower())
