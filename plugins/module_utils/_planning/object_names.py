# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of objects in messages, plans, and findings. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._model.escapes import visible
from .._model.schema import HTTPS_EDGE
from .plan import State

_MOST_HOSTPORTS = 20


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


def joined(hostports: Sequence[str]) -> str:
    """Return the first hostports of an edge, and the number of the others: a name is in many messages."""
    more = [f"and {len(hostports) - _MOST_HOSTPORTS} more"] if len(hostports) > _MOST_HOSTPORTS else []
    return ", ".join([*hostports[:_MOST_HOSTPORTS], *more])


def route_subject(route: Mapping[str, Any], edge: str) -> str:
    return f"https_edge_route {route_name(route, edge)}".rstrip()


def route_name(route: Mapping[str, Any], edge: str) -> str:
    """Return the name of the route: its match, its edge, and its ID."""
    match = f"{route.get('match_type')} {route['match']}" if route.get("match") else ""
    edge = f"of {edge}" if edge else ""
    route_id = f"({route['id']})" if route.get("id") else ""
    return visible(" ".join(filter(None, (match, edge, route_id))))


def tls_edge_subject(edge_id: str) -> str:
    return visible(f"TLS edge {edge_id}")
