# SPDX-License-Identifier: GPL-3.0-or-later
"""A response without content does not prove that a change took effect: look before what it replaces is removed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from module_task import Tasks, received
from places import EDGE, HOSTPORT, KEY, ROUTE, ROUTE_PATH, held_edge, held_route, in_each_module, seed_edge
from rich_world import FIRST
from scripted_service import Instead, Received, Response, losing, rejecting

BACKEND = {"backend": {"backend_id": "bkd_one"}}
RESTRICTION = {"ip_restriction": FIRST["ip_restriction"]}
MUTUAL_TLS = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
EDGE_PATH = f"/edges/https/{EDGE}"
PATCH_ROUTE, PATCH_EDGE = f"PATCH {ROUTE_PATH}", f"PATCH {EDGE_PATH}"
REMOVAL = f"DELETE {ROUTE_PATH}/ip_restriction"
NO_CONTENT = Response(204)


def ignoring(path: str) -> Instead:
    """Return no content for changes of the object at this path, and ignore them."""
    return rejecting("PATCH", path, NO_CONTENT)


MODULES = in_each_module({"oidc": FIRST["oidc"], "absent_modules": ["ip_restriction"]})


def run(tasks: Tasks, module: str, options: dict[str, Any], instead: Instead) -> tuple[dict[str, Any], list[str]]:
    """The result of a task, and all of its requests from the first one on that writes."""
    result = tasks.run(module, instead=instead, **options)
    requests = received(result)
    return result, requests[next(number for number, one in enumerate(requests) if not one.startswith("GET ")) :]


def reads(requests: list[str]) -> list[str]:
    return [one for one in requests if one.startswith("GET ")]


@pytest.mark.parametrize(("module", "options"), MODULES.items(), ids=MODULES)
def test_a_login_that_is_not_there_replaces_nothing(tasks: Tasks, module: str, options: dict[str, Any]) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, **BACKEND, **RESTRICTION}])
    result, requests = run(tasks, module, options, ignoring(ROUTE_PATH))
    assert REMOVAL not in requests
    assert requests[0] == PATCH_ROUTE
    assert len(reads(requests)) == 1
    assert result["failed"]
    assert "oidc" in result["msg"]
    assert "ip_restriction" in held_route(tasks)


@pytest.mark.parametrize(("module", "options"), MODULES.items(), ids=MODULES)
def test_an_existing_login_is_read_once(tasks: Tasks, module: str, options: dict[str, Any]) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, **BACKEND, **RESTRICTION}])
    result, requests = run(tasks, module, options, losing(tasks.service.base_url, "PATCH", NO_CONTENT))
    assert not result.get("failed"), result["msg"]
    assert [requests[0], requests[-1], len(reads(requests)), len(requests)] == [PATCH_ROUTE, REMOVAL, 1, 3]
    assert not tasks.done(module, **options)["changed"]


# What is live of the routes, and what is declared of them.
BEHIND_CERTIFICATES: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "a restriction is removed": (
        [{"id": ROUTE, **KEY, **BACKEND, **RESTRICTION}],
        {**KEY, "absent_modules": ["ip_restriction"]},
    ),
    "a route is created": ([], {**KEY, **BACKEND}),
}


@pytest.mark.parametrize(("live", "route"), BEHIND_CERTIFICATES.values(), ids=BEHIND_CERTIFICATES)
def test_a_route_is_not_opened_behind_certificates_that_are_not_there(
    tasks: Tasks, live: list[dict[str, Any]], route: dict[str, Any]
) -> None:
    seed_edge(tasks, routes=live)
    before = held_edge(tasks)
    options = {"https_edges": [{"id": EDGE, **MUTUAL_TLS, "routes": [route]}]}
    result, requests = run(tasks, "estate", options, ignoring(EDGE_PATH))
    assert [one for one in requests if one not in reads(requests)] == [PATCH_EDGE]
    assert f"because https_edge {HOSTPORT} ({EDGE}) failed" in result["msg"]
    assert "mutual_tls" in result["msg"]
    assert held_edge(tasks) == before
    assert tasks.done("estate", **options)["changed"]


def test_existing_mutual_tls_is_read_once(tasks: Tasks) -> None:
    seed_edge(tasks)
    options = {"https_edges": [{"id": EDGE, **MUTUAL_TLS, "routes": [{**KEY, **BACKEND}]}]}
    result, requests = run(tasks, "estate", options, losing(tasks.service.base_url, "PATCH", NO_CONTENT))
    assert not result.get("failed"), result["msg"]
    assert requests[0] == PATCH_EDGE
    assert requests[-1] == f"POST {EDGE_PATH}/routes"
    assert (len(reads(requests)), len(requests)) == (1, 3)


OTHER_LOGIN = {"edge_id": EDGE, **KEY, "saml": FIRST["saml"], "absent_modules": ["oidc"]}


@pytest.mark.parametrize(
    ("is_enabled", "is_open_before", "says"), [(False, True, False), (True, False, True)], ids=["closing", "reopening"]
)
def test_an_ignored_change_of_the_backend_is_noticed(
    tasks: Tasks, is_enabled: bool, is_open_before: bool, says: bool
) -> None:
    """Says whether the route is closed: it is if only the change that reopens it is ignored."""
    tasks.service.switches(one_auth_module=True)
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, **BACKEND, "oidc": FIRST["oidc"]}])

    def ignored(request: Received) -> Response | None:
        backend = json.loads(request.body or b"{}").get("backend") or {}
        return NO_CONTENT if request.method == "PATCH" and backend.get("enabled") is is_enabled else None

    result, requests = run(tasks, "https_edge_route", OTHER_LOGIN, ignored)
    assert result["failed"]
    assert "returned other values for" in result["msg"]
    assert ("the route is closed" in result["msg"]) == says
    assert result["changed"] == says
    assert held_route(tasks)["backend"].get("enabled", True) is is_open_before
    assert len([one for one in requests if not one.startswith("GET ")]) == (3 if says else 1)


DENIED = {"policy": {"inbound": [{"name": "deny", "expressions": [], "actions": [{"type": "deny", "config": {}}]}]}}

# What is live, what is declared, the request that the service ignores, and the one that must not follow.
IGNORED: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "what replaces a policy": (
        DENIED,
        {**RESTRICTION, "absent_modules": ["policy"]},
        PATCH_ROUTE,
        f"DELETE {ROUTE_PATH}/policy",
    ),
    "the removal of a backend": (
        {"oidc": FIRST["oidc"]},
        {"absent_modules": ["backend", "oidc"]},
        f"DELETE {ROUTE_PATH}/backend",
        f"DELETE {ROUTE_PATH}/oidc",
    ),
}


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize(("live", "declared", "ignored", "withheld"), IGNORED.values(), ids=IGNORED)
def test_nothing_is_removed_after_an_ignored_request(
    tasks: Tasks, live: dict[str, Any], declared: dict[str, Any], ignored: str, withheld: str, module: str
) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, **BACKEND, **live}])
    options, before = in_each_module(declared), held_route(tasks)
    result, requests = run(
        tasks, module, options[module], lambda got: NO_CONTENT if f"{got.method} {got.path}" == ignored else None
    )
    assert (requests[0], withheld in requests, bool(result.get("failed"))) == (ignored, False, True)
    assert held_route(tasks) == before
    assert tasks.done(module, **options[module])["changed"]
