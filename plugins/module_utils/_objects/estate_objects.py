# SPDX-License-Identifier: GPL-3.0-or-later
"""The references of an estate to its named objects, and the errors in these objects and in the references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from .._definition import Options
from .._model.free_form import declared_fields
from .._model.free_form_values import Terms, meaning_of
from .._model.schema import TLS_EDGE_MODULES
from .._planning import named_references
from .._planning.named_references import in_order, referenced_names, references_in, resolved
from .._planning.unique_names import UNIQUE
from .._values.hostports import host_key
from .._values.identifiers import PREFIX, UNKNOWN_PREFIX, is_name
from .._values.option_error import OptionError, OptionErrors, dictionary_of, join, list_of, members_of, with_paths
from .._values.option_wording import did_you_mean, quoted
from .collection_of_objects import prefix_of
from .common_options import duplicate_errors
from .finding import matching_objects
from .object_errors import fields_declared_by, object_errors

REFERRING = ("https_edges", "tls_edges", "event_subscriptions")
"""The lists whose members can refer to named objects."""

_PARTS = (("tls_edges", "edge_id", tuple(TLS_EDGE_MODULES)), ("event_subscriptions", "subscription_id", ("sources",)))
"""The lists whose members manage parts of an object, the option with its ID, and the fields with these parts."""


def reference_warnings(options: Options) -> list[str]:
    """Return a warning for each text of the user that would be a reference elsewhere, because it is sent as it is."""
    return [
        f"{one.path} looks like a reference, but is sent as it is, because `{PREFIX}NAME` is replaced only in fields "
        "that contain IDs, such as `backend_id`, and in `backends` and `hostports`."
        for one in _misplaced(options)
        if one.is_text
    ]


def _misplaced(options: Mapping[str, Any]) -> list[named_references.Misplaced]:
    names = [str(one.get("name")) for one in members_of(options.get("objects"))]
    return named_references.misplaced_references({name: options.get(name) for name in ("objects", *REFERRING)}, names)


def without_references(options: Options) -> dict[str, Any]:
    """Return the options with an ID in place of each reference, so that they can be checked."""
    ids = _stand_ins(members_of(options.get("objects")))
    return {**options, **{name: _with_stand_ins(options.get(name), ids) for name in REFERRING}}


def reference_option_errors(options: Options, check_mode: bool) -> OptionErrors:
    members = members_of(options.get("objects"))
    ids = _stand_ins(members)
    for where, one in with_paths(members, "objects"):
        name = one.get("name")
        if isinstance(name, str) and not is_name(name):
            expected = "expected ASCII letters, digits, and underscores, with dots, dashes, or blanks in between"
            yield OptionError(join(where, "name"), f"{quoted(name)} is not a name; {expected}")
        if any(references_in(one.get("id"), is_id=True)):
            text = "is a reference to an object that is declared already; remove one of them"
            yield OptionError(join(where, "id"), text)
        yield from _name_errors(one, members, ids, where, may_be_gone=one.get("state") == "absent")
        yield from object_errors(_with_stand_ins(one, ids), check_mode, where)
    yield from duplicate_errors([(str(one.get("name") or ""),) for one in members], "objects")
    yield from _duplicate_object_errors(members)
    try:
        in_order({str(one.get("name")): referenced_names(one, ids) for one in members})
    except named_references.Circle as circle:
        text = f"the objects refer to each other in a circle: {circle}; remove one of these references"
        yield OptionError("objects", text)
    for name in REFERRING:
        yield from _name_errors(options.get(name), members, ids, name)
    yield from (OptionError(one.path, one.problem) for one in _misplaced(options) if not one.is_text)
    yield from _declared_twice_errors(options)


def errors_between(options: Options, ids: Mapping[str, str]) -> OptionErrors:
    """Yield the errors that show only when `ids` are in place of references: something is declared by both.

    The lists that refer to objects contain their IDs already.
    """
    members = members_of(options["objects"])
    yield from _duplicate_object_errors([resolved(one, ids) for one in members])
    yield from _declared_twice_errors({**options, "objects": [{**one, "id": ids[one["name"]]} for one in members]})
    gone = {ids[one["name"]]: one["name"] for one in members if one["state"] == "absent"}
    for option, key, _parts in _PARTS:
        own = [str(member[key]) for member in options[option] or ()]
        yield from duplicate_errors([(identifier,) for identifier in own], option)
        found = ((number, gone[identifier]) for number, identifier in enumerate(own) if identifier in gone)
        yield from (OptionError(f"{option}[{number}].{key}", _is_gone(name)) for number, name in found)


def _is_gone(name: str) -> str:
    return f"the object {name} has `state: absent`; remove the reference, or keep the object"


def _declared_twice_errors(options: Options) -> OptionErrors:
    """Yield an error for each part of an object that an edge or a subscription manages as well: each would undo it."""
    objects = members_of(options.get("objects"))
    for option, key, parts in _PARTS:
        for number, member in enumerate(members_of(options.get(option))):
            absent = member.get("absent_modules") or ()
            purged = TLS_EDGE_MODULES if "modules" in (options.get("purge") or ()) else ()
            managed = [one for one in parts if member.get(one) is not None or one in absent or one in purged]
            identifier, names = member.get(key), referenced_names({key: member.get(key)}, ())
            for position, one in enumerate(objects):
                is_meant = one.get("name") in names or (identifier and one.get("id") == identifier)
                declared = fields_declared_by(one) if is_meant else {}
                for part in (part for part in managed if declared.get(part) is not None):
                    where = f"objects[{position}].body.{part}"
                    yield OptionError(where, f"{option}[{number}] manages it as well; declare it in one of the two")


def _name_errors(
    value: Any, objects: Sequence[Mapping[str, Any]], ids: Mapping[str, str], path: str, *, may_be_gone: bool = False
) -> OptionErrors:
    """Yield an error for each reference to an object that is not among these, or that should not exist."""
    gone = [one.get("name") for one in objects if one.get("state") == "absent" and not may_be_gone]
    for where, reference in references_in(value, path):
        name = named_references.parts_of(reference, ids)[0]
        if name not in ids:
            names = list(filter(is_name, ids))
            close = did_you_mean([f"{PREFIX}{one}" for one in get_close_matches(name, names, 1)])
            none = "none of the objects has a valid name" if objects else "`objects` is empty"
            known = close or (f"; the names are {', '.join(names)}" if names else f"; {none}")
            yield OptionError(where, f"no object has the name {quoted(name)}{known}")
        elif name in gone:
            yield OptionError(where, _is_gone(name))


def _with_stand_ins(value: Any, ids: Mapping[str, str]) -> Any:
    references = {reference for _path, reference in references_in(value)}
    unknown = {one: f"{UNKNOWN_PREFIX}{named_references.name_in_ids(one)}" for one in references}
    return resolved(value, {**unknown, **ids}) if references else value


def _stand_ins(objects: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return an ID for the name of each object, with which options are checked like those without any references."""
    return {
        one["name"]: f"{prefix_of(one.get('collection'))}{named_references.name_in_ids(one['name'])}"
        for one in objects
        if isinstance(one.get("name"), str)
    }


def _duplicate_object_errors(members: Sequence[Mapping[str, Any]]) -> OptionErrors:
    """Yield an error for each object that is declared twice: by the same ID, or by fields that match another one.

    Each object is compared with one other at most, because lists can contain thousands of the same object.
    """
    declared = [{**fields_declared_by(one), **_found_by(one)} for one in members]
    by_value: dict[tuple[str, str, Any], list[int]] = {}
    # What is deleted comes last: it keeps nothing else from being found.
    for number, one in sorted(enumerate(members), key=lambda each: each[1].get("state") == "absent"):
        for value in _values(one, declared[number]):
            by_value.setdefault(value, []).append(number)
    for number, one in enumerate(members):
        candidates = min((by_value.get(value, []) for value in _values(one, _found_by(one))), key=len, default=[])
        found = (place for place in candidates if place != number and _finds(one, declared[place]))
        other = next(found, None)
        if other is None:
            continue
        another = members[other]
        if _finds(one, _found_by(another)) and _finds(another, _found_by(one)):
            if number > other:
                yield OptionError(f"objects[{number}]", f"is the same object as objects[{other}]; remove one of them")
        elif another.get("state") != "absent":
            effect = ", so the next run could delete that one" if one.get("state") == "absent" else ""
            text = f"also matches objects[{other}]{effect}; set more fields that differ"
            yield OptionError(f"objects[{number}].find_by", text)


def _values(one: Mapping[str, Any], fields: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    return [(str(one.get("collection")), name, _hashable(name, value)) for name, value in fields.items()]


def _finds(one: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Return whether an object would be mistaken for one with these fields."""
    unique = UNIQUE.get(str(one.get("collection")), "")
    unordered = frozenset(filter(None, (*map(str, list_of(one.get("unordered"))), unique)))
    terms = Terms(unordered, unique=unique)
    return bool(matching_objects([dict(fields)], _found_by(one), terms))


def _found_by(one: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": one["id"]} if one.get("id") else declared_fields(dictionary_of(one.get("find_by")))


def _hashable(name: str, value: Any) -> Any:
    """Return what all values have in common that may count as the same, as hosts in any spelling do."""
    if isinstance(value, str):
        return host_key(str(meaning_of(value, name)))
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return frozenset(host_key(one.strip()) for one in value)
    return value if isinstance(value, (int, float)) else type(value)
