# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors in a list of named objects and in references to them, found before any request."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from .._model.objects import join
from .._model.option_types import did_you_mean, quoted
from .._planning.named_references import PREFIX, Circle, in_order, is_name, references_in, resolved
from .._planning.placeholders import UNKNOWN_PREFIX
from .collection_of_objects import prefix_of
from .common_options import duplicate_errors
from .object_errors import object_errors


def named_objects_errors(objects: Any, check_mode: bool, path: str = "objects") -> Iterator[str]:
    """Yield the errors in a list of named objects."""
    members = members_of(objects)
    for number, one in enumerate(members):
        where = f"{path}[{number}]"
        yield from _name_errors(one.get("name"), join(where, "name"))
        unnamed = {**one, "name": None}
        yield from unknown_name_errors(unnamed, members, where)
        if one.get("state") != "absent":
            yield from gone_errors(unnamed, members, where)
        yield from object_errors(with_stand_ins(one, members), check_mode, where)
    yield from duplicate_errors([(str(one.get("name") or ""),) for one in members], path)
    yield from _duplicate_object_errors(members, path)
    yield from _circle_errors(members, path)


def unknown_name_errors(value: Any, objects: Any, path: str = "", *, in_id_fields: bool = False) -> Iterator[str]:
    """Yield an error for each reference to an object that is not among these."""
    ids = _stand_ins(objects)
    for where, name in references_in(value, path, in_id_fields=in_id_fields):
        if name not in ids:
            close = did_you_mean([f"{PREFIX}{one}" for one in get_close_matches(name, ids, 1)])
            known = close or f"; the names are {', '.join(ids)}" if ids else "; `objects` is empty"
            yield f"{where}: no object has the name {quoted(name)}{known}"


def with_stand_ins(value: Any, objects: Any, *, in_id_fields: bool = False) -> Any:
    """Return options with an ID in place of each reference, so that they can be checked like those without any."""
    names = {name for _path, name in references_in(value, in_id_fields=in_id_fields)}
    ids = {**{name: f"{UNKNOWN_PREFIX}{name}" for name in names}, **_stand_ins(objects)}
    return resolved(value, ids, in_id_fields=in_id_fields) if names else value


def _stand_ins(objects: Any) -> dict[str, str]:
    return {
        one["name"]: f"{prefix_of(one.get('collection'))}{one['name']}"
        for one in members_of(objects)
        if isinstance(one.get("name"), str)
    }


def members_of(objects: Any) -> list[Mapping[str, Any]]:
    return [one for one in objects if isinstance(one, Mapping)] if isinstance(objects, list) else []


def _name_errors(name: Any, path: str) -> Iterator[str]:
    if isinstance(name, str) and not is_name(name):
        yield (
            f"{path}: {quoted(name)} is not a name; expected ASCII letters, digits, and underscores, with dots or "
            "dashes in between"
        )


def gone_errors(value: Any, objects: Any, path: str, *, in_id_fields: bool = False) -> Iterator[str]:
    """Yield an error for each reference to an object that should not exist."""
    gone = {one.get("name") for one in members_of(objects) if one.get("state") == "absent"}
    for where, name in references_in(value, path, in_id_fields=in_id_fields) if gone else ():
        if name in gone:
            yield f"{where}: the object {name} has `state: absent`; remove the reference, or keep the object"


def _duplicate_object_errors(members: Sequence[Mapping[str, Any]], path: str) -> Iterator[str]:
    """Yield an error for each object that is declared twice, by the same ID or by the same fields."""
    first: dict[str, int] = {}
    for number, one in enumerate(members):
        if not (one.get("id") or one.get("find_by")):
            continue
        found_by = {"id": one["id"]} if one.get("id") else one["find_by"]
        identity = json.dumps([one.get("collection"), found_by], sort_keys=True, default=str)
        if first.setdefault(identity, number) != number:
            yield f"{path}[{number}]: is the same object as {path}[{first[identity]}]; remove one of them"


def _circle_errors(members: Sequence[Mapping[str, Any]], path: str) -> Iterator[str]:
    references = {
        str(one.get("name")): [name for _path, name in references_in({**one, "name": None})] for one in members
    }
    try:
        in_order(references)
    except Circle as circle:
        yield f"{path}: the objects refer to each other in a circle: {circle}; remove one of these references"
