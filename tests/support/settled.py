# SPDX-License-Identifier: GPL-3.0-or-later
"""What a service holds after a run, in a form in which two runs of the same change can be compared. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opened import names_of


def settled(
    state: Mapping[str, Any], known: frozenset[str], closed: frozenset[str] = frozenset(), has_text_fields: bool = True
) -> Any:
    """The edges and the objects, without what the service makes up, and without what a request can omit.

    Of the routes with the IDs in `closed`, it does not matter whether their backends are enabled. Descriptions do not
    matter unless it `has_texts`.
    """
    names = names_of(state, known)
    edges = [_with_routes(edge, closed, has_text_fields) for edge in state["https_edges"]]
    return {
        "https_edges": _by_name(edges, names),
        "tls_edges": _by_name(state.get("tls_edges", []), names),
        "objects": {path: _by_name(members, names) for path, members in state.get("objects", {}).items()},
    }


def _with_routes(edge: Mapping[str, Any], closed: frozenset[str], has_text_fields: bool) -> dict[str, Any]:
    emptied = {} if has_text_fields else {"description": ""}
    return {**edge, "routes": [{**_without_state(route, closed), **emptied} for route in edge["routes"]]}


def _without_state(route: Mapping[str, Any], closed: frozenset[str]) -> Mapping[str, Any]:
    if route["id"] not in closed or "backend" not in route:
        return route
    return {**route, "backend": {**route["backend"], "enabled": None}}


def _by_name(members: list[Any], names: Mapping[str, str]) -> list[Any]:
    return sorted((_meaning(one, names) for one in members), key=lambda one: str(one["id"]))


def _meaning(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        are_objects = any(isinstance(one, dict) for one in value)
        return _by_name(value, names) if are_objects else sorted(names.get(one, one) for one in value)
    if not isinstance(value, dict):
        return names.get(value, value) if isinstance(value, str) else value
    kept = {name: _meaning(one, names) for name, one in value.items() if name != "created_at"}
    return {name: one for name, one in kept.items() if (one or one is False) and (name, one) != ("enabled", True)}
