# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody else does to the edges of a service while a task runs, and a state without that."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Mapping
from typing import Any

from any_change import AUTHORITIES, HOSTPORTS, LOGINS, MATCHES
from reference_service_process import API_KEY, ReferenceService
from scripted_service import Received, forwarding
from watched_change import Meddle

GUARDS = ("ip_restriction", "webhook_verification", *LOGINS)
HEADERS = {"Authorization": f"Bearer {API_KEY}", "Svc-Version": "2", "Content-Type": "application/json"}


def any_meddling(chance: random.Random) -> Meddle:
    """One request that is drawn once the state is known. The service may reject it, which is as good as none."""

    def meddle(service: ReferenceService, state: Any) -> None:
        edges = state["https_edges"]
        if edges:
            sending(*_request(chance, chance.choice(edges)))(service, state)

    return meddle


def sending(method: str, path: str, body: Any = None) -> Meddle:
    request = Received(0, method, path, HEADERS, b"" if body is None else json.dumps(body).encode())
    return lambda service, _state: forwarding(service.base_url)(request)


def _request(chance: random.Random, edge: dict[str, Any]) -> tuple[str, str, Any]:
    path = f"/edges/https/{edge['id']}"
    backend = {"backend": {"backend_id": "bkd_two"}}
    drawn: list[tuple[str, str, Any]] = [
        ("POST", f"{path}/routes", {"match_type": "path_prefix", "match": chance.choice(MATCHES), **backend}),
        ("PATCH", path, {"hostports": chance.sample(HOSTPORTS, 2)}),
        ("PATCH", path, {"mutual_tls": {"certificate_authority_ids": chance.sample(AUTHORITIES, 1)}}),
        ("DELETE", f"{path}/mutual_tls", None),
    ]
    if edge["routes"]:
        route = chance.choice(edge["routes"])
        its_path = f"{path}/routes/{route['id']}"
        held = [name for name in GUARDS if name in route]
        drawn += [("DELETE", its_path, None), ("PATCH", its_path, {"match": chance.choice(MATCHES)})]
        drawn += [("PATCH", its_path, backend), *(("DELETE", f"{its_path}/{name}", None) for name in held)]
    return chance.choice(drawn)


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
