# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that an update would not contain, in the format of requests, so that it can keep or restore them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._model.free_form_values import Terms, seen_member
from .._model.kinds import MASK
from .._model.named_secrets import SecretFields, without_fields
from .object_export import request_field

ALWAYS_SENT = {"backends/failover": ("backends",), "backends/weighted": ("backends",)}
"""Fields that a PATCH of an object in these collections empties, unless it contains them."""


def carried(
    wire: Mapping[str, Any], names: Sequence[str], declared: Mapping[str, Any], secret: SecretFields
) -> dict[str, Any]:
    """Return the current values of these fields, in the format of requests, unless they are empty or declared.

    Services may mask secrets in their responses, so nothing secret inside of the fields is among them. The mask stands
    for a field that is secret itself: a request that needs it says so if the service does not return the secret.
    """
    wire = {**wire, **{name: _without_secrets(name, wire[name], secret) for name in names if name in wire}}
    undeclared = (name for name in names if name not in declared)
    values = {name: MASK if secret.has(name) else _current(wire, name) for name in undeclared}
    return {name: value for name, value in values.items() if not _is_empty(value)}


def _current(wire: Mapping[str, Any], name: str) -> Any:
    value = seen_member(wire, name, {name: [] if name.endswith("_ids") else None}, "", Terms())
    field, converted = request_field(name, value)
    return converted if field == name else None


def restored(before: Mapping[str, Any], names: Sequence[str], secret: SecretFields) -> dict[str, Any]:
    """Return what must be sent to restore these fields, as far as their values are known."""
    known = (name for name in names if not secret.has(name))
    fields: Iterator[tuple[str, Any]] = (
        request_field(name, _without_secrets(name, before[name], secret)) for name in known
    )
    return {name: value for name, value in fields if not _is_empty(value)}


def _without_secrets(name: str, value: Any, secret: SecretFields) -> Any:
    return without_fields(value, lambda path, _value: secret.has(path), name)


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})
