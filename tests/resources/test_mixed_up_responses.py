# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses that belong to something else, or to another moment: nothing else is changed or deleted for them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from module_task import Tasks, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, ROUTE_PATH, held_route, seed_edge, seed_route, seed_subscription
from rich_world import FIRST
from scripted_service import Received, Response, Script, as_json, forwarding, scripted_service

BACKEND = {"backend_id": "bkd_one"}
OTHER = {"id": "edghts_other", "hostports": ["other.example.com:443"], "routes": []}


def changed_first_read(tasks: Tasks, change: Callable[[str], str]) -> Script:
    """The first reading shows something else, as if it was read before another job changed it."""
    to_the_service = forwarding(tasks.service.base_url)
    reads: list[str] = []

    def script(request: Received) -> Response:
        response = to_the_service(request)
        if request.method == "GET":
            reads.append(request.path)
        is_it = request.method == "GET" and len(reads) == 1
        return (
            Response(response.status, change(response.body.decode()).encode(), response.headers) if is_it else response
        )

    return script


@pytest.mark.parametrize("with_routes", [True, False])
def test_a_declared_edge_that_was_purged_by_a_stale_list_stays(tasks: Tasks, with_routes: bool) -> None:
    seed_edge(tasks)
    routes = {"routes": [{"match_type": "exact_path", "match": "/k"}]} if with_routes else {}
    options = {"https_edges": [{"hostports": [HOSTPORT], **routes}], "purge": ["edges"]}
    with scripted_service(changed_first_read(tasks, lambda body: body.replace("place.", "old."))) as between:
        result = tasks.done("estate", base_url=between.base_url, retries=2, **options)
    assert not [write for write in writes(result) if write.startswith("DELETE")]
    assert [edge["id"] for edge in tasks.service.state()["https_edges"]] == [EDGE]
    assert tasks.done("estate", **options)["changed"] is False


@pytest.mark.parametrize("module", ["https_edge_routes", "estate"])
def test_a_declared_route_that_was_purged_by_a_stale_reading_stays(tasks: Tasks, module: str) -> None:
    seed_route(tasks)
    routes = [{**KEY, "match": "/place"}, {"match_type": "exact_path", "match": "/k"}]
    tasks.service.reset()
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "match": "/place"}])
    options: dict[str, Any] = {"edge_id": EDGE, "routes": routes, "purge": True}
    if module == "estate":
        options = {"https_edges": [{"id": EDGE, "routes": routes}], "purge": ["routes"]}
    with scripted_service(changed_first_read(tasks, lambda body: body.replace("/place", "/old"))) as between:
        result = tasks.done(module, base_url=between.base_url, retries=2, **options)
    assert not [write for write in writes(result) if write.startswith("DELETE")]
    [edge] = tasks.service.state()["https_edges"]
    assert sorted(route["match"] for route in edge["routes"]) == ["/k", "/place"]
    assert tasks.done(module, **options)["changed"] is False


ONE_EDGE: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"id": EDGE, "state": "absent"}),
    ("https_edge", {"id": EDGE, "description": "new"}),
    ("https_edge_routes", {"edge_id": EDGE, "routes": [KEY], "purge": True}),
    ("https_edge_route", {"edge_id": EDGE, **KEY}),
    ("https_edge_info", {"id": EDGE}),
    ("estate", {"https_edges": [{"id": EDGE, "routes": [KEY]}]}),
]


@pytest.mark.parametrize("identifier", ["edghts_other", None, ""])
@pytest.mark.parametrize(("module", "options"), ONE_EDGE)
def test_another_edge_is_not_the_one_that_was_asked_for(
    tasks: Tasks, module: str, options: dict[str, Any], identifier: Any
) -> None:
    with scripted_service(lambda request: as_json({**OTHER, "id": identifier})) as odd:
        result = tasks.failed(module, base_url=odd.base_url, **options)
        assert not odd.writes()
    assert EDGE in result["msg"]


def responding(tasks: Tasks, method: str, body: Any, status: int = 200) -> Script:
    """The service, with another response to the first request of this method, which takes effect."""
    to_the_service = forwarding(tasks.service.base_url)
    seen: list[str] = []

    def script(request: Received) -> Response:
        response = to_the_service(request)
        if request.method == method:
            seen.append(request.path)
            if len(seen) == 1:
                return Response(status, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return response

    return script


@pytest.mark.parametrize("identifier", ["edghts_other", "edghts_new"])
def test_another_edge_is_not_the_one_that_was_created(tasks: Tasks, identifier: str) -> None:
    tasks.service.seed(https_edges=[{"id": "edghts_other", "hostports": ["other.example.com:443"]}])
    response = {**OTHER, "id": identifier}
    with scripted_service(responding(tasks, "POST", response, 201)) as between:
        options = {"https_edges": [{"hostports": [HOSTPORT], "routes": [KEY]}]}
        tasks.done("estate", base_url=between.base_url, retries=2, **options)
    held = {edge["hostports"][0]: len(edge["routes"]) for edge in tasks.service.state()["https_edges"]}
    assert held == {"other.example.com:443": 0, HOSTPORT: 1}


@pytest.mark.parametrize("response", [{**OTHER}, {}, {"id": None}], ids=str)
def test_edge_is_read_if_a_change_returns_another_one(tasks: Tasks, response: Any) -> None:
    seed_edge(tasks)
    with scripted_service(responding(tasks, "PATCH", response)) as between:
        result = tasks.done("https_edge", base_url=between.base_url, retries=2, id=EDGE, description="new")
    assert result["https_edge"]["description"] == "new"
    assert [request["method"] for request in result["sent"]] == ["GET", "PATCH", "GET"]


@pytest.mark.parametrize("response", [{"id": "edghtsrt_other", **KEY}, {}, {"id": None}], ids=str)
def test_route_is_read_if_a_change_returns_another_one(tasks: Tasks, response: Any) -> None:
    place = seed_route(tasks)
    with scripted_service(responding(tasks, "PATCH", response)) as between:
        result = tasks.done("https_edge_route", base_url=between.base_url, retries=2, **place, description="new")
    assert (result["https_edge_route"]["id"], result["https_edge_route"]["description"]) == (ROUTE, "new")
    assert [request["method"] for request in result["sent"]] == ["GET", "PATCH", "GET"]


@pytest.mark.parametrize(
    "response", [{}, {"status_code": 500, "msg": "not done"}, {"type": "domain_updated.v0"}], ids=str
)
def test_a_source_that_was_not_created_purges_nothing(tasks: Tasks, response: Any) -> None:
    seed_subscription(tasks, "domain_created.v0")
    to_the_service = forwarding(tasks.service.base_url)
    with scripted_service(lambda got: as_json(response) if got.method == "POST" else to_the_service(got)) as between:
        options = {"subscription_id": "esb_place", "types": ["ip_policy_created.v0"], "purge": True}
        result = tasks.failed("event_sources", base_url=between.base_url, **options)
    assert not [write for write in writes(result) if write.startswith("DELETE")]
    assert tasks.service.state()["event_subscriptions"][0]["sources"] == ["domain_created.v0"]


PROTECTED: dict[str, dict[str, Any]] = {
    "another protection": {"ip_restriction": FIRST["ip_restriction"], "absent_modules": ["oauth"]},
    "another login": {"oidc": FIRST["oidc"], "absent_modules": ["oauth"]},
}


@pytest.mark.parametrize("declared", PROTECTED.values(), ids=PROTECTED)
def test_protection_stays_if_its_replacement_is_not_returned(tasks: Tasks, declared: dict[str, Any]) -> None:
    place = seed_route(tasks, backend=BACKEND, oauth=FIRST["oauth"])
    before = held_route(tasks)
    to_the_service = forwarding(tasks.service.base_url)

    seen: list[Any] = []

    def unmoved(request: Received) -> Response:
        if request.method == "PATCH":
            return as_json(seen[0]["routes"][0])
        response = to_the_service(request)
        seen.append(json.loads(response.body or "null"))
        return response

    with scripted_service(unmoved) as between:
        result = tasks.failed("https_edge_route", base_url=between.base_url, **place, **declared)
    assert f"DELETE {ROUTE_PATH}/oauth" not in writes(result)
    assert "that protects the object was removed" in result["msg"]
    assert held_route(tasks) == before
