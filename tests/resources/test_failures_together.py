# SPDX-License-Identifier: GPL-3.0-or-later
"""A task of which many objects fail says each cause once, and its result holds each object."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, result_of
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from module_task import Tasks, work_of
from places import EDGE, HOSTPORT, KEY, ROUTE, ROUTE_PATH, TLS_EDGE, seed_edge
from rich_world import FIRST
from scripted_service import BREAK_OFF, Received, Response, as_json, forwarding, scripted_service

EDGES = [{"hostports": [f"{name}.example.com:443"], "description": "new"} for name in "abcdef"]
REJECTION = as_json({"error_code": "ERR_QUOTA", "msg": "No more edges."}, 403)


def rejecting_all_but_the_first(tasks: Tasks) -> Any:
    to_the_service, seen = forwarding(tasks.service.base_url), []

    def script(request: Received) -> Response:
        if request.method == "POST":
            seen.append(request)
        return REJECTION if len(seen) > 1 and request.method == "POST" else to_the_service(request)

    return script


def test_one_cause_is_said_once(tasks: Tasks) -> None:
    with scripted_service(rejecting_all_but_the_first(tasks)) as between:
        result = tasks.failed("estate", base_url=between.base_url, https_edges=EDGES, concurrency=1)
    assert result["msg"] == (
        "5 of 6 objects failed; the other one is as declared.\n"
        "- The service returned 403 ERR_QUOTA: No more edges. Check `api_key` and the permissions of its account. "
        "(5 edges: b.example.com:443, c.example.com:443, d.example.com:443 and 2 more)"
    )
    assert [failure["object"] for failure in result["failures"]] == [
        f"https_edge {edge['hostports'][0]}" for edge in EDGES[1:]
    ]
    assert all(failure["error"]["error_code"] == "ERR_QUOTA" for failure in result["failures"])
    assert result["summary"]["failed"] == 5


def test_check_mode_promises_nothing_of_the_others(tasks: Tasks) -> None:
    tasks.service.seed(
        https_edges=[{"id": f"edghts_{name}", "hostports": [f"{name}.example.com:443"]} for name in "ab"]
    )
    edges = [{"hostports": ["a.example.com:443", "b.example.com:443"]}, {"hostports": ["c.example.com:443"]}]
    result = tasks.failed("estate", check=True, https_edges=edges)
    assert result["msg"].startswith("1 of 2 objects failed; the other one is planned.\n")


@pytest.mark.parametrize("response", [{}, {"enabled": None}], ids=str)
def test_a_response_without_the_object_is_a_warning_without_an_empty_name(tasks: Tasks, response: Any) -> None:
    def script(request: Received) -> Response:
        return as_json(response if request.method == "PUT" else None)

    with scripted_service(script) as odd:
        options = {"edge_id": TLS_EDGE, "ip_policy_ids": ["ipp_one"]}
        result = tasks.done("tls_edge_ip_restriction", base_url=odd.base_url, **options)
    [warning] = result["warnings"]
    assert "the service accepted the change but returned a response without the object. The next run" in warning


def test_an_object_counts_as_created_even_if_the_response_is_lost(tasks: Tasks) -> None:
    seed_edge(tasks)
    to_the_service = forwarding(tasks.service.base_url)

    def losing(request: Received) -> Response:
        response = to_the_service(request)
        return BREAK_OFF if request.method == "POST" else response

    with scripted_service(losing) as between:
        options = {"edge_id": EDGE, "routes": [KEY], "retries": 1}
        result = tasks.done("https_edge_routes", base_url=between.base_url, **options)
    assert [operation["method"] for operation in result["operations"]] == ["POST"]
    assert {name: number for name, number in result["summary"].items() if number} == {"created": 1}


@pytest.mark.parametrize("module", ["https_edge_routes", "estate"])
def test_what_could_not_be_written_is_shown_as_it_was(tasks: Tasks, module: str) -> None:
    """A new route does not exist after its rejection, and another one is as before."""
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "description": "before"}])
    to_the_service = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        return to_the_service(request) if request.method == "GET" else REJECTION

    routes = [{**KEY, "description": "after"}, {**KEY, "match": "/new"}]
    edge = {"https_edge_routes": {"edge_id": EDGE}, "estate": {"id": EDGE}}[module]
    options = {**edge, "routes": routes}
    given = options if module == "https_edge_routes" else {"https_edges": [options]}
    with scripted_service(script) as between:
        result = tasks.failed(module, base_url=between.base_url, **given)
    [shown] = result[module] if module == "https_edge_routes" else result["https_edges"][0]["routes"]
    assert (shown["id"], shown["match"]) == (ROUTE, "/")
    assert shown.get("description", "before") == "before"


LOGIN = {"oauth": {"provider": {"github": {"organizations": ["shop"]}}}}
OTHER_LOGIN = {"saml": {"idp_metadata": "<xml/>"}, "absent_modules": ["oauth"]}


def test_the_diff_shows_what_became_of_an_object_that_was_partly_changed(tasks: Tasks) -> None:
    """Its login was to be replaced, for which it is closed; then the service accepts nothing more."""
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "backend": {"backend_id": "bkdhr_a"}, **LOGIN}])
    to_the_service, writes = forwarding(tasks.service.base_url), []

    def script(request: Received) -> Response:
        writes.extend([request] if request.method != "GET" else [])
        return to_the_service(request) if len(writes) < 2 or request.method == "GET" else REJECTION

    declared = [{"id": EDGE, "routes": [{**KEY, "description": "new", **OTHER_LOGIN}]}]
    with scripted_service(script) as between:
        result = tasks.failed("estate", base_url=between.base_url, https_edges=declared)
    [diff] = result["diff"]
    assert "closed" in result["msg"]
    assert diff["before_header"].startswith("~ update https_edge_route")
    assert (diff["before"]["backend"]["enabled"], diff["after"]["backend"]["enabled"]) == (True, False)
    assert ("saml" in diff["after"], diff["after"].get("description")) == (False, None)


@pytest.mark.parametrize("module", ["https_edge_routes", "estate"])
def test_the_diff_shows_a_creation_whose_response_is_lost(tasks: Tasks, module: str) -> None:
    seed_edge(tasks)
    to_the_service = forwarding(tasks.service.base_url)

    def losing(request: Received) -> Response:
        response = to_the_service(request)
        return BREAK_OFF if request.method == "POST" else response

    edge = {"https_edge_routes": {"edge_id": EDGE}, "estate": {"id": EDGE}}[module]
    options = {**edge, "routes": [{**KEY, "description": "new"}]}
    given = options if module == "https_edge_routes" else {"https_edges": [options]}
    with scripted_service(losing) as between:
        [diff] = tasks.done(module, base_url=between.base_url, retries=1, **given)["diff"]
    assert diff["before_header"].startswith("+ create https_edge_route path_prefix /")
    assert (diff["before"], diff["after"]["description"]) == (None, "new")


class FirstFailure(Progress):
    """Waits until an object has failed."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = threading.Event()

    def object_done(self, failed: bool) -> None:
        if failed:
            self.seen.set()


def test_the_cause_is_what_failed_while_the_request_of_another_object_was_running(tasks: Tasks) -> None:
    """Route /b gives up /a, and then cannot lose its login, because the edge got no client certificates."""
    login = {"backend": {"backend_id": "bkd_one"}, "oidc": FIRST["oidc"]}
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "match": "/a", **login}, {**KEY, **login}])
    routes = [
        {"id": ROUTE, **KEY, "match": "/b", "absent_modules": ["oidc"]},
        {**KEY, "match": "/a", "ip_restriction": FIRST["ip_restriction"]},
    ]
    edge = {"id": EDGE, "mutual_tls": {"certificate_authority_ids": ["ca_one"]}, "routes": routes}
    failure, to_the_service = FirstFailure(), forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        if (request.method, request.path) == ("PATCH", f"/edges/https/{EDGE}"):
            return Response(403)
        if (request.method, request.path) == ("PATCH", ROUTE_PATH):
            assert failure.seen.wait(20)
        return to_the_service(request)

    with scripted_service(script) as between:
        connection = {"base_url": between.base_url, "api_key": tasks.service.api_key, "retries": 0, "concurrency": 2}
        work = work_of("estate")
        arguments = checked(work, {**connection, "https_edges": [edge]})
        result = result_of(work, arguments.options, arguments.option_errors, progress=failure)
        assert sorted(between.writes()) == [f"PATCH /edges/https/{EDGE}", f"PATCH {ROUTE_PATH}"]
    _edge, given_up, taken = [one["msg"] for one in result["failures"]]
    cause = f"because https_edge {HOSTPORT} ({EDGE}) failed."
    assert given_up.startswith(f"Not finished, {cause}")
    assert taken.startswith(f"Not created, {cause}")
