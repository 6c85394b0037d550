# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that fails says what the service said, with what was done before, and of many objects each cause once."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from module_task import Tasks, accepted_writes, applied, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, ROUTE_PATH, TLS_EDGE, held_route, in_each_module, seed_edge, seed_route
from rich_world import FIRST
from scripted_service import Instead, Received, Response, as_json, in_turn, losing, standing_before
from served_names import estate, hostports, seed

EDGES = [{"hostports": hostports(name), "description": "new"} for name in "abcdef"]
REJECTION = as_json({"error_code": "ERR_QUOTA", "msg": "No more edges."}, 403)


def rejecting_after(number: int) -> Instead:
    writes_so_far = itertools.count()
    return lambda request: REJECTION if request.method != "GET" and next(writes_so_far) >= number else None


def test_one_cause_is_said_once(tasks: Tasks) -> None:
    result = tasks.failed("estate", instead=rejecting_after(1), https_edges=EDGES, concurrency=1)
    assert result["msg"] == (
        "5 of 6 objects failed; the other one is as declared.\n"
        "- The service returned 403 ERR_QUOTA: No more edges. Check `api_key` and the permissions of its account. "
        "(5 edges: b.example.com:443, c.example.com:443, d.example.com:443 and 2 more)"
    )
    failed = [(failure["object"], failure["error"]["error_code"]) for failure in result["failures"]]
    assert failed == [(f"https_edge {name}", "ERR_QUOTA") for name in hostports("bcdef")]
    assert result["summary"]["failed"] == 5


def test_check_mode_promises_nothing_of_the_others(tasks: Tasks) -> None:
    result = seed(tasks, "one:a two:b").failed("estate", check=True, **estate(":ab :c"))
    assert result["msg"].startswith("1 of 2 objects failed; the other one is planned.\n")


@pytest.mark.parametrize("response", [{}, {"enabled": None}], ids=str)
def test_a_response_without_the_object_is_a_warning_without_an_empty_name(tasks: Tasks, response: Any) -> None:
    odd = in_turn(as_json(None), as_json(response), as_json(None))
    result = tasks.done("tls_edge_tls_termination", instead=odd, edge_id=TLS_EDGE, min_version="1.2")
    [warning] = result["warnings"]
    assert "the service accepted the change but returned a response without the object. The next run" in warning


@pytest.mark.parametrize("module", ["https_edge_routes", "estate"])
def test_what_could_not_be_written_is_shown_as_it_was(tasks: Tasks, module: str) -> None:
    """A new route does not exist after its rejection, and another one is as before."""
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "description": "before"}])
    options = in_each_module({"description": "after"}, {"match": "/new"})[module]
    result = tasks.failed(module, instead=rejecting_after(0), **options)
    [shown] = result[module] if module == "https_edge_routes" else result["https_edges"][0]["routes"]
    assert (shown["id"], shown["match"]) == (ROUTE, "/")
    assert shown.get("description", "before") == "before"


def test_the_diff_shows_what_became_of_an_object_that_was_partly_changed(tasks: Tasks) -> None:
    """Its login was to be replaced, for which it is closed; then the service accepts nothing more."""
    login = {"oauth": {"provider": {"github": {"organizations": ["shop"]}}}}
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "backend": {"backend_id": "bkdhr_a"}, **login}])
    other_login = {"saml": {"idp_metadata": "<xml/>"}, "absent_modules": ["oauth"]}
    declared = in_each_module({"description": "new", **other_login})["estate"]
    result = tasks.failed("estate", instead=rejecting_after(1), **declared)
    [diff] = result["diff"]
    assert "closed" in result["msg"]
    assert diff["before_header"].startswith("~ update https_edge_route")
    assert (diff["before"]["backend"]["enabled"], diff["after"]["backend"]["enabled"]) == (True, False)
    assert ("saml" in diff["after"], diff["after"].get("description")) == (False, None)


@pytest.mark.parametrize("module", ["https_edge_routes", "estate"])
def test_an_object_counts_as_created_and_is_shown_even_if_the_response_is_lost(tasks: Tasks, module: str) -> None:
    seed_edge(tasks)
    options = in_each_module({"description": "new"})[module]
    result = tasks.done(module, instead=losing(tasks.service.base_url, "POST"), retries=1, **options)
    assert [operation["method"] for operation in result["operations"]] == ["POST"]
    assert result["summary"]["created"] == 1
    [diff] = result["diff"]
    assert diff["before_header"].startswith("+ create https_edge_route path_prefix /")
    assert (diff["before"], diff["after"]["description"]) == (None, "new")


def test_the_cause_is_what_failed_while_the_request_of_another_object_was_running(
    tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Route /b gives up /a, and then cannot lose its login, because the edge got no client certificates."""
    login = {"backend": {"backend_id": "bkd_one"}, "oidc": FIRST["oidc"]}
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "match": "/a", **login}, {**KEY, **login}])
    routes = [
        {"id": ROUTE, **KEY, "match": "/b", "absent_modules": ["oidc"]},
        {**KEY, "match": "/a", "ip_restriction": FIRST["ip_restriction"]},
    ]
    edge = {"id": EDGE, "mutual_tls": {"certificate_authority_ids": ["ca_one"]}, "routes": routes}
    progress, has_failed = Progress(), threading.Event()
    monkeypatch.setattr(progress, "object_done", lambda failed: has_failed.set() if failed else None)

    def instead(request: Received) -> Response | None:
        if (request.method, request.path) == ("PATCH", ROUTE_PATH):
            assert has_failed.wait(20)
        return Response(403) if (request.method, request.path) == ("PATCH", f"/edges/https/{EDGE}") else None

    with standing_before(tasks.service.base_url, instead) as between:
        connection = {"base_url": between.base_url, "api_key": tasks.service.api_key, "retries": 0, "concurrency": 2}
        result = applied("estate", {**connection, "https_edges": [edge]}, progress=progress)
        assert sorted(between.writes()) == [f"PATCH /edges/https/{EDGE}", f"PATCH {ROUTE_PATH}"]
    _edge, given_up, taken = [one["msg"] for one in result["failures"]]
    cause = f"because https_edge {HOSTPORT} ({EDGE}) failed."
    assert given_up.startswith(f"Not finished, {cause}")
    assert taken.startswith(f"Not created, {cause}")


@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize("name", ["compression", "policy", "the route"])
def test_what_the_service_cannot_remove(tasks: Tasks, status: int, name: str) -> None:
    is_module = name != "the route"
    place = seed_route(tasks, **({name: {}} if is_module else {}))
    tasks.service.switches(operations="documented", missing_operation=status)
    what = {"absent_modules": [name], "description": "new"} if is_module else {"state": "absent"}
    result = tasks.failed("https_edge_route", **place, **what)
    # What comes before was done, and is said.
    expected = [f"PATCH {ROUTE_PATH}"] * is_module
    operations = [f"{one['method']} {one['path']}" for one in result["operations"]]
    assert (operations, result["changed"]) == (expected, is_module)
    assert accepted_writes(result) == expected
    assert len(writes(result)) <= 3
    assert all(text in result["msg"] for text in ("This service cannot", *expected))
    assert held_route(tasks)
    if is_module:
        assert f"{name}: {{enabled: false}}" in result["msg"]
        assert tasks.done("https_edge_route", **place, **{name: {"enabled": False}})["changed"]
        assert held_route(tasks)[name]["enabled"] is False
