# SPDX-License-Identifier: GPL-3.0-or-later
"""References from edges and subscriptions of an estate to its named objects, and the errors in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._definition import Options
from .._model.option_error import OptionError, OptionErrors, members_of
from .._model.reference_syntax import PREFIX
from .._model.schema import TLS_EDGE_MODULES
from .._planning.named_references import Misplaced, may_refer, misplaced_references, referenced_names, resolved
from .named_object_errors import gone_errors, named_objects_errors, unknown_name_errors, with_stand_ins
from .object_errors import fields_declared_by

REFERRING = ("https_edges", "tls_edges", "event_subscriptions")
"""The lists whose members can refer to named objects."""

_PARTS = (("tls_edges", "edge_id", tuple(TLS_EDGE_MODULES)), ("event_subscriptions", "subscription_id", ("sources",)))
"""The lists whose members manage parts of an object, the option with its ID, and the fields with these parts."""


def with_references_resolved(options: Options, ids: Mapping[str, str]) -> Options:
    """Return the options with the IDs of the named objects in place of references."""
    return {**options, **{name: resolved(options[name], ids) for name in REFERRING if ids}}


def reference_warnings(options: Options) -> list[str]:
    """Return a warning for each text of the user that would be a reference elsewhere, because it is sent as it is."""
    return [
        f"{one.path} looks like a reference, but is sent as it is, because `{PREFIX}NAME` is replaced only in fields "
        "that contain IDs, such as `backend_id`, and in `backends` and `hostports`."
        for one in _misplaced(options)
        if one.is_text
    ]


def _misplaced(options: Mapping[str, Any]) -> list[Misplaced]:
    names = [str(one.get("name")) for one in members_of(options.get("objects"))]
    return misplaced_references({name: options.get(name) for name in ("objects", *REFERRING)}, names)


def _referring(options: Options) -> list[str]:
    """Return the lists in which there may be references."""
    return [name for name in REFERRING if may_refer(options.get(name))]


def without_references(options: Options) -> dict[str, Any]:
    """Return the options with an ID in place of each reference, so that they can be checked."""
    objects = options.get("objects")
    lists = {name: with_stand_ins(options.get(name), objects) for name in _referring(options)}
    return {**options, **lists}


def reference_option_errors(options: Options, check_mode: bool) -> OptionErrors:
    """Yield the errors in the named objects of an estate, and in the references to them."""
    yield from named_objects_errors(options.get("objects"), check_mode)
    for name in _referring(options):
        yield from unknown_name_errors(options.get(name), options.get("objects"), name)
        yield from gone_errors(options.get(name), options.get("objects"), name)
    yield from (OptionError(one.path, one.problem) for one in _misplaced(options) if not one.is_text)
    yield from _declared_twice_errors(options)


def _declared_twice_errors(options: Options) -> OptionErrors:
    """Yield an error for each part of an object that an edge or a subscription manages as well: each would undo it."""
    objects = members_of(options.get("objects"))
    for option, key, parts in _PARTS:
        for number, member in enumerate(members_of(options.get(option)) if objects else ()):
            managed = [part for part in parts if _is_managed(member, part, options)]
            for position in _positions(objects, key, member.get(key)):
                for part in managed:
                    if fields_declared_by(objects[position]).get(part) is not None:
                        where = f"objects[{position}].body.{part}"
                        yield OptionError(where, f"{option}[{number}] manages it as well; declare it in one of the two")


def _positions(objects: Sequence[Mapping[str, Any]], key: str, identifier: Any) -> list[int]:
    """Return the positions of the objects that this ID, or reference, means."""
    names = referenced_names({key: identifier}, ())
    return [
        number
        for number, one in enumerate(objects)
        if one.get("name") in names or (identifier and one.get("id") == identifier)
    ]


def _is_managed(member: Mapping[str, Any], part: str, options: Options) -> bool:
    are_purged = "modules" in (options.get("purge") or ()) and part in TLS_EDGE_MODULES
    return member.get(part) is not None or part in (member.get("absent_modules") or ()) or are_purged
