# SPDX-License-Identifier: GPL-3.0-or-later
"""IDs in responses, in which services return Refs of objects in place of the IDs that requests contain. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .references import OneOf


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
