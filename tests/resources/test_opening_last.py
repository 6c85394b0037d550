# SPDX-License-Identifier: GPL-3.0-or-later
"""What may let more people in waits for what is to keep them out, on the same edge: at no moment is there neither."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from module_task import Tasks, writes
from places import EDGE, HOSTPORT, held_edge, is_active, seed_edge
from rich_world import FIRST
from scripted_service import Received, Response, Script, forwarding, scripted_service

BACKEND = {"backend": {"backend_id": "bkd_one"}}
ROUTE = {"id": "edghtsrt_one", "match_type": "path_prefix", "match": "/"}
MUTUAL_TLS = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
OIDC = {"oidc": FIRST["oidc"]}
RESTRICTION = {"ip_restriction": FIRST["ip_restriction"]}

# What is live of the edge and of its route, and what is declared of both.
EDGES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "certificates are replaced by a login": (MUTUAL_TLS, BACKEND, {"absent_modules": ["mutual_tls"]}, OIDC),
    "certificates are disabled for a login": (
        MUTUAL_TLS,
        BACKEND,
        {"mutual_tls": {"enabled": False, "certificate_authority_ids": ["ca_one"]}},
        OIDC,
    ),
    "a login is replaced by certificates": ({}, {**BACKEND, **OIDC}, MUTUAL_TLS, {"absent_modules": ["oidc"]}),
    "a hostport for a route that gets its login": (
        {"hostports": []},
        BACKEND,
        {"hostports": [HOSTPORT]},
        OIDC,
    ),
}


def is_open(edge: Mapping[str, Any]) -> bool:
    """Whether anybody gets through the edge to its route."""
    [route] = edge["routes"]
    guarded = is_active(edge, "mutual_tls") or is_active(route, "oidc")
    return bool(edge["hostports"]) and is_active(route, "backend") and not guarded


def watched(tasks: Tasks, seen: list[dict[str, Any]], rejects: str = "") -> Script:
    to_the_service = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        is_it = bool(rejects) and request.method == "PATCH" and request.path.endswith(rejects)
        response = Response(403) if is_it else to_the_service(request)
        seen.append(held_edge(tasks))
        return response

    return script


@pytest.mark.parametrize("rejects", ["", EDGE, "edghtsrt_one"])
@pytest.mark.parametrize(("edge", "route", "declared_edge", "declared_route"), EDGES.values(), ids=EDGES)
def test_an_edge_is_never_open(
    tasks: Tasks, edge: Any, route: Any, declared_edge: Any, declared_route: Any, rejects: str
) -> None:
    seed_edge(tasks, **{**edge, "routes": [{**ROUTE, **route}]})
    options = {"https_edges": [{"id": EDGE, **declared_edge, "routes": [{**ROUTE, **declared_route}]}]}
    dry = tasks.done("estate", check=True, **options)
    seen: list[dict[str, Any]] = []
    with scripted_service(watched(tasks, seen, rejects)) as between:
        result = tasks.run("estate", base_url=between.base_url, **options)
    assert not any(is_open(one) for one in seen)
    if not rejects:
        assert [one["reason"] for one in dry["operations"]] == [one["reason"] for one in result["operations"]]
        assert [f"{one['method']} {one['path']}" for one in result["operations"]] == writes(result)
    if result.get("failed"):
        assert "Not changed, because " in result["msg"] or len(result["failures"]) == 1
    assert not tasks.run("estate", **options).get("failed")
    assert not tasks.done("estate", **options)["changed"]


@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("is_rejected", [True, False])
def test_a_wide_route_opens_after_the_narrow_one_is_there(tasks: Tasks, is_rejected: bool, turned: bool) -> None:
    seed_edge(tasks, routes=[{**ROUTE, **BACKEND, **RESTRICTION}])
    narrow = {"match_type": "path_prefix", "match": "/admin", **BACKEND, **RESTRICTION}
    routes = [{**ROUTE, "absent_modules": ["ip_restriction"]}, narrow]
    options = {"edge_id": EDGE, "routes": routes[::-1] if turned else routes}
    if is_rejected:
        tasks.service.switches(rejected_creations="routes")
        result = tasks.failed("https_edge_routes", **options)
        assert [write.split()[0] for write in writes(result)] == ["POST"]
        assert "Not changed, because https_edge_route path_prefix /admin" in result["msg"]
        tasks.service.switches()
    result = tasks.done("https_edge_routes", **options)
    assert [write.split()[0] for write in writes(result)] == ["POST", "DELETE"]
    assert not tasks.done("https_edge_routes", **options)["changed"]


def test_a_failure_does_not_stop_what_opens_nothing(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{**ROUTE, "compression": {"enabled": True}}])
    routes = [{"id": "edghtsrt_nowhere", "description": "x"}, {**ROUTE, "absent_modules": ["compression"]}]
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=routes)
    assert [write.split()[0] for write in writes(result)] == ["DELETE"]
