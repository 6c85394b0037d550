# SPDX-License-Identifier: GPL-3.0-or-later
"""Another job deletes an edge or a route while a task is at work on it."""

from __future__ import annotations

import re

import pytest

from module_task import Tasks
from places import EDGE, HOSTPORT, KEY, ROUTE, ROUTE_PATH, seed_route
from scripted_service import Instead, Received, forwarding

EDGE_PATH = f"/edges/https/{EDGE}"


def deleted_before(tasks: Tasks, path: str, request_of_task: str) -> Instead:
    """Somebody else deletes the object at this path just before this request."""

    def instead(request: Received) -> None:
        if f"{request.method} {request.path}" == request_of_task:
            forwarding(tasks.service.base_url)(Received(0, "DELETE", path, request.headers, b""))

    return instead


@pytest.mark.parametrize("concurrency", [1, 4])
def test_an_edge_that_vanishes_fails_with_its_routes_alone(tasks: Tasks, concurrency: int) -> None:
    hostports = [f"first.{HOSTPORT}", HOSTPORT, f"second.{HOSTPORT}"]
    for identifier, hostport in zip(("edghts_first", EDGE, "edghts_second"), hostports, strict=True):
        routes = [{"id": ROUTE, **KEY}] if identifier == EDGE else []
        edge = {"id": identifier, "hostports": [hostport], "tls_termination": {"min_version": "1.2"}, "routes": routes}
        tasks.service.seed(https_edges=[edge])
    declared = [{**KEY, "description": "new"}, {**KEY, "match": "/more", "backend": {"backend_id": "bkd_one"}}]
    changes = {"description": "new", "absent_modules": ["tls_termination"], "routes": declared}
    options = {"https_edges": [{"hostports": [one], **changes} for one in hostports], "concurrency": concurrency}
    vanishing = deleted_before(tasks, EDGE_PATH, f"DELETE {EDGE_PATH}/tls_termination")
    result = tasks.failed("estate", instead=vanishing, **options)
    subject = f"https_edge {HOSTPORT} ({EDGE})"
    messages = {one["object"]: one["msg"] for one in result["failures"]}
    assert re.search("no longer exists|does not exist", messages.pop(subject))
    assert len(messages) == 2 or concurrency > 1
    assert all(f" of {HOSTPORT}" in name for name in messages)
    # With more than one request at a time, some of its routes may be on their way.
    assert all(subject in message or (concurrency > 1 and "404" in message) for message in messages.values()), messages
    assert "exception" not in result
    assert result["changed"]
    sent = [f"{one['method']} {one['path']}" for one in result["operations"]]
    of_routes = {f"PATCH {EDGE_PATH}/routes/{ROUTE}", f"POST {EDGE_PATH}/routes"}
    assert {one for one in sent if EDGE_PATH in one} - of_routes == {f"PATCH {EDGE_PATH}"}
    for edge in tasks.service.state()["https_edges"]:
        assert (edge["description"], len(edge["routes"]), "tls_termination" in edge) == ("new", 2, False)
    assert len([one for one in sent if EDGE_PATH not in one]) == 2 * len(["PATCH", "DELETE", "POST", "POST"])


@pytest.mark.parametrize("vanishing", [EDGE_PATH, ROUTE_PATH])
def test_what_is_to_be_absent_may_vanish(tasks: Tasks, vanishing: str) -> None:
    place = seed_route(tasks)
    instead = deleted_before(tasks, vanishing, f"DELETE {ROUTE_PATH}")
    assert tasks.done("https_edge_route", **place, state="absent", instead=instead)
    assert not tasks.done("https_edge_route", **place, state="absent")["changed"]
