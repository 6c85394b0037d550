# SPDX-License-Identifier: GPL-3.0-or-later
"""A state without what somebody else has changed in between. Pure."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

Members = dict[str, dict[str, Any]]


def without_them(state: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The state without the difference between two others, as far as nobody has written over it since.

    Objects that they created are gone, those that they deleted are there, and fields that still have the values that
    they set have the ones of before.
    """
    edges = _restored(*(_by_id(each["https_edges"]) for each in (state, before, after)))
    for identifier, edge in edges.items():
        routes = [_routes(each, identifier) for each in (state, before, after)]
        matches = {route["match"] for route in routes[0].values()}
        restored = _restored(*routes)
        # One that was created since in the place of one that they deleted takes its place here, too.
        again = [name for name in restored if name not in routes[0] and restored[name]["match"] in matches]
        edge["routes"] = [route for name, route in restored.items() if name not in again]
    return {**state, "https_edges": list(edges.values())}


def _restored(now: Members, before: Members, after: Members) -> Members:
    theirs = {name for name in after if name not in before}
    restored = {name: copy.deepcopy(one) for name, one in now.items() if name not in theirs}
    restored |= {name: copy.deepcopy(one) for name, one in before.items() if name not in after and name not in now}
    for name in restored.keys() & before.keys() & after.keys():
        _restore_fields(restored[name], before[name], after[name])
    return restored


def _restore_fields(one: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for field in (before.keys() | after.keys()) - {"routes"}:
        is_theirs = before.get(field) != after.get(field)
        if is_theirs and one.get(field) == after.get(field):
            one.pop(field, None)
            one.update({field: before[field]} if field in before else {})


def _by_id(members: list[dict[str, Any]]) -> Members:
    return {one["id"]: one for one in members}


def _routes(state: Mapping[str, Any], edge_id: str) -> Members:
    return _by_id([route for edge in state["https_edges"] if edge["id"] == edge_id for route in edge["routes"]])
