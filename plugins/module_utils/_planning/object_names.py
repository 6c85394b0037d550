# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of objects in messages, plans, and findings, and the fields in which nameless ones differ. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._model.named_secrets import BY_NAME, SecretFields, is_private_key, masked
from .._model.protection import TLS_EDGES
from .._model.schema import HTTPS_EDGE
from .._values.escapes import visible
from .._values.option_wording import quoted
from .plan import State

_MOST = 20
"""How many hostports or objects a message names."""


def edge_subject(options: Mapping[str, Any], current: State | None) -> str:
    return f"https_edge {edge_name(options, current)}"


def edge_name(options: Mapping[str, Any], current: State | None) -> str:
    """Return the name of the edge: its hostports and its ID, as far as they are known, or else its label."""
    served = joined((current or {}).get("hostports") or ()) or joined_hostports(options)
    edge_id = current["id"] if current else options.get("id")
    known = " ".join(filter(None, (served, f"({edge_id})" if edge_id else "")))
    return visible(known) or edge_label(current or options) or "without hostports"


def edge_label(edge: Mapping[str, Any]) -> str:
    """Return what distinguishes an edge without an ID: its hostports, its metadata, or its description, if any."""
    kinds = ((HTTPS_EDGE.named[name].kind, edge.get(name)) for name in ("metadata", "description"))
    strings = (kind.shown(kind.normal(value)) for kind, value in kinds)
    return joined_hostports(edge) or next((repr(text) for text in strings if text), "")


def joined_hostports(options: Mapping[str, Any]) -> str:
    return joined(HTTPS_EDGE.named["hostports"].kind.normal(options.get("hostports")))


def joined(names: Sequence[str]) -> str:
    """Return the first hostports of an edge, or other names, and the number of those that are left out."""
    more = [f"and {len(names) - _MOST} more"] if len(names) > _MOST else []
    return ", ".join([*names[:_MOST], *more])


def route_subject(route: Mapping[str, Any], edge: str) -> str:
    return f"https_edge_route {route_name(route, edge)}".rstrip()


def route_name(route: Mapping[str, Any], edge: str) -> str:
    match = f"{route.get('match_type')} {route['match']}" if route.get("match") else ""
    edge = f"of {edge}" if edge else ""
    route_id = f"({route['id']})" if route.get("id") else ""
    return visible(" ".join(filter(None, (match, edge, route_id))))


def tls_edge_subject(edge_id: str) -> str:
    return visible(f"TLS edge {edge_id}")


def served_name(collection: str, identifier: str) -> str:
    """Return the name of an object that serves traffic and is not declared."""
    return tls_edge_subject(identifier) if collection == TLS_EDGES else visible(f"object {collection} {identifier}")


_MOST_FIELDS = 3
_FIRST = ("description", "metadata")
_LAST = "created_at"
_NOT_SHOWN = ("id", "uri")


def with_distinguishing_fields(wires: Sequence[Mapping[str, Any]], secret: SecretFields = BY_NAME) -> str:
    """Return the IDs of the objects, each with the fields in which they differ. Secrets are not shown."""
    names = _differing(wires, secret)
    return joined([_described(masked(wire, secret), names) for wire in wires])


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
    for name in (*_FIRST, *sorted(plain - {*_FIRST, _LAST}), _LAST):
        if name in plain and len(names) < _MOST_FIELDS and _kinds(wires, [*names, name]) > _kinds(wires, names):
            names.append(name)
    return names


def _kinds(wires: Sequence[Mapping[str, Any]], names: Sequence[str]) -> int:
    """Return how many different objects these fields show."""
    return len({tuple(repr(wire.get(name)) for name in names) for wire in wires})


def _described(wire: Mapping[str, Any], names: Sequence[str]) -> str:
    fields = ", ".join(f"{name} {quoted(wire[name])}" for name in names if wire.get(name) not in (None, ""))
    return f"{wire.get('id')} ({fields})" if fields else str(wire.get("id"))
