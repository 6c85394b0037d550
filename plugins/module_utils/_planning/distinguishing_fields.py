# SPDX-License-Identifier: GPL-3.0-or-later
"""How several objects of the same collection differ, for people who must choose one of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._model.named_secrets import BY_NAME, SecretFields, is_private_key, masked
from .._model.option_wording import quoted

_MOST_FIELDS = 3
_MOST_OBJECTS = 20
_FIRST = ("description", "metadata")
_LAST = "created_at"
_NOT_SHOWN = ("id", "uri")


def with_distinguishing_fields(wires: Sequence[Mapping[str, Any]], secret: SecretFields = BY_NAME) -> str:
    """Return the IDs of the objects, each with the fields in which they differ. Secrets are not shown."""
    shown = [_described(masked(wire, secret), _differing(wires, secret)) for wire in wires[:_MOST_OBJECTS]]
    more = [f"and {len(wires) - _MOST_OBJECTS} more"] if len(wires) > _MOST_OBJECTS else []
    return ", ".join([*shown, *more])


def _differing(wires: Sequence[Mapping[str, Any]], secret: SecretFields) -> list[str]:
    """Return fields that differ, as few as necessary: first those in which people say what an object is."""
    plain = {
        name
        for wire in wires
        for name, value in wire.items()
        if isinstance(value, (str, int, float)) and name not in _NOT_SHOWN and not secret.has(name)
    }
    plain -= {name for wire in wires for name in plain if is_private_key(wire.get(name))}
    names: list[str] = []
    ordered = (*_FIRST, *sorted(plain - {*_FIRST, _LAST}), _LAST)
    for name in (name for name in ordered if name in plain):
        known = _kinds(wires, names)
        if known < len(wires) and len(names) < _MOST_FIELDS and _kinds(wires, [*names, name]) > known:
            names.append(name)
    return names


def _kinds(wires: Sequence[Mapping[str, Any]], names: Sequence[str]) -> int:
    """Return how many different objects these fields show."""
    return len({tuple(repr(wire.get(name)) for name in names) for wire in wires})


def _described(wire: Mapping[str, Any], names: Sequence[str]) -> str:
    fields = ", ".join(f"{name} {quoted(wire[name])}" for name in names if wire.get(name) not in (None, ""))
    return f"{wire.get('id')} ({fields})" if fields else str(wire.get("id"))
