# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that an update would not contain, in the format of requests, so that it can keep or restore them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .._model.free_form import RESPONSE, FreeFormObject
from .._model.free_form_values import Terms, is_empty, seen_member
from .._model.named_secrets import SecretFields, without_fields
from .._model.named_strings import PartlyMaskedText
from .._model.references import reference_names
from .._values.kinds import MASK, Mark
from .._values.option_error import join
from .object_export import request_field
from .plan import State

ALWAYS_SENT = {"backends/failover": ("backends",), "backends/weighted": ("backends",)}
"""Fields that a PATCH of an object in these collections empties, unless it contains them."""


def carried(
    wire: Mapping[str, Any], names: Sequence[str], declared: Mapping[str, Any], secret: SecretFields
) -> dict[str, Any]:
    """Return the current values of these fields, in the format of requests, unless they are empty or declared.

    Services may mask secrets in their responses, so nothing secret inside of the fields is among them. The mask stands
    for a field that is secret itself: a request that needs it says so if the service does not return the secret.
    """
    wire = {**wire, **{name: _sendable(name, wire[name], secret, wire) for name in names if name in wire}}
    values: dict[str, Any] = {}
    for name in (name for name in names if name not in declared):
        seen = seen_member(wire, name, {name: [] if name.endswith("_ids") else None}, "", Terms())
        field, value = (name, MASK) if secret.has(name) else request_field(name, seen)
        values.update({} if field != name or is_empty(value) else {name: value})
    return values


def carried_whole(wire: Mapping[str, Any], names: Sequence[str], secret: SecretFields) -> dict[str, Any]:
    """Return the same of those fields that contain no secret: a request would replace the others without it."""
    there = {name: wire[name] for name in names if name in wire}
    known = without_fields(there, lambda path, _member: secret.has(path))
    return carried(wire, [name for name in there if known.get(name) == there[name]], {}, secret)


def restoring(
    kind: FreeFormObject, before: State, state: State, body: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return what must be sent to restore what an update with this body changed although it lacked it.

    The second value are the paths of secrets that are declared with a mask, and so cannot be sent.
    """
    secret, unknown = kind.terms.secret, list[str]()
    # An object that is deleted has all fields of the response, in its format.
    given = [name for name in kind.given if name not in kind.undeclared]
    declared = {other: name for name in given for other in (name, *reference_names(name))}
    unsent = kind.unsent(before, state, body)
    # Nobody sees whether a secret is lost, so those that are declared are sent in any case.
    hidden = [name for name in given if name not in body and _is_hidden(name, kind)]
    wire = before[RESPONSE]
    restored = dict(_undeclared(wire, (name for name in unsent if name not in declared), secret, wire))
    for name in dict.fromkeys([*(declared[name] for name in unsent if name in declared), *hidden]):
        current = kind.replaced(before, [name])[name]
        value = _whole(kind.given[name], current, name, secret, unknown)
        restored.update({} if value is None else {name: value})
    return restored, unknown


def _is_hidden(name: str, kind: FreeFormObject) -> bool:
    value, secret = kind.given[name], kind.terms.secret
    holds_secrets = secret.has(name) or _sendable(name, value, secret, {}) != value
    return holds_secrets and not kind.terms.constant_around(name)


def _whole(declared: Any, current: Any, path: str, secret: SecretFields, unknown: list[str]) -> Any:
    """Return a declared value in the format of requests, with what else the current value contains."""
    if isinstance(declared, Mapping):
        known = current if isinstance(current, Mapping) else {}
        others = dict(_undeclared(known, (name for name in known if name not in declared), secret, {}, path))
        members = {
            name: _whole(member, known.get(name), join(path, name), secret, unknown)
            for name, member in declared.items()
        }
        return {**others, **{name: member for name, member in members.items() if member is not None}}
    if isinstance(declared, list):
        are_alike = isinstance(current, list) and len(current) == len(declared)
        pairs = zip(declared, current if are_alike else [None] * len(declared))
        return [_whole(member, other, path, secret, unknown) for member, other in pairs]
    if declared is not Mark.KEEP:
        return declared
    if isinstance(current, str) and not isinstance(current, PartlyMaskedText):
        return current
    unknown.append(path)
    return None


def _undeclared(
    wire: Mapping[str, Any], names: Iterable[str], secret: SecretFields, whole: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Any]]:
    """Yield these fields of a response in the format of requests, as far as their values are known."""
    for name in names:
        where = join(path, name)
        field, value = request_field(name, _sendable(where, wire[name], secret, whole))
        if not secret.has(where) and not is_empty(value):
            yield field, value


def _sendable(name: str, value: Any, secret: SecretFields, whole: Mapping[str, Any]) -> Any:
    """Return a value without secrets, and without the URIs of parts of the `whole` object, which the service writes."""
    own = f"{whole.get('uri')}/"

    def is_omitted(path: str, member: Any) -> bool:
        return secret.has(path) or (path.endswith(".uri") and isinstance(member, str) and member.startswith(own))

    return without_fields(value, is_omitted, name)
