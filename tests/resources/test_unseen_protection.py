# SPDX-License-Identifier: GPL-3.0-or-later
"""A response without content does not prove that a change took effect: look before what it replaces is removed."""

from __future__ import annotations

import pytest

from cases import cases
from estates_to_judge import Given, estate
from module_task import WRITES, Tasks, received
from places import EDGE, ROUTE, ROUTE_PATH, held_route, in_each_module
from scripted_service import Received, Response, losing, rejecting

NO_CONTENT = Response(204)
PATHS = {"edge": f"/edges/https/{EDGE}", "route": ROUTE_PATH}
# What is live, what is declared, the request that is not certain, and the one that waits for it.
CASES = cases("""
    networks, for a login             | / office   | / oidc         | PATCH route          | DELETE route/ip_restriction
    a policy, for networks            | / actions  | / office       | PATCH route          | DELETE route/policy
    a login, for a closed route       | / oidc     | / no-backend   | DELETE route/backend | DELETE route/oidc
    networks, for client certificates | / office   | '[clients] /'  | PATCH edge           | DELETE route/ip_restriction
    a new route, after certificates   | ""         | '[clients] /'  | PATCH edge           | POST edge/routes
""")
RUNS = {
    f"{name}, {module}": (*case, module)
    for name, case in CASES.items()
    for module in (("estate",) if "[" in case[1] else ("https_edge_route", "https_edge_routes", "estate"))
}


def prepared(tasks: Tasks, live: str, declared: str, module: str) -> Given:
    """Put in an edge with the route that is live, and return what declares the other one as a whole."""
    [edge], [there] = (estate(text)["https_edges"] for text in (declared, live))
    tasks.service.seed(https_edges=[{"id": EDGE, **there, "routes": [{"id": ROUTE, **one} for one in there["routes"]]}])
    options = in_each_module({**edge.pop("routes")[0], "purge_modules": True})[module]
    if module == "estate":
        options["https_edges"][0].update(edge)
    return options


def requests(result: Given) -> tuple[list[str], int]:
    """The requests of a task that write, in short, and how many it has sent since the first one to read something."""
    sent = received(result)
    first = next(number for number, one in enumerate(sent) if not one.startswith("GET "))
    written = [one.replace(PATHS["route"], "route").replace(PATHS["edge"], "edge") for one in received(result, *WRITES)]
    return written, sum(one.startswith("GET ") for one in sent[first:])


@pytest.mark.parametrize(("live", "declared", "uncertain", "waiting", "module"), RUNS.values(), ids=RUNS)
def test_what_is_not_seen_is_not_relied_on(
    tasks: Tasks, live: str, declared: str, uncertain: str, waiting: str, module: str
) -> None:
    options = prepared(tasks, live, declared, module)
    before = tasks.service.state()
    method, path = uncertain.split()
    name, *more = path.split("/")
    ignoring = rejecting(method, "/".join([PATHS[name], *more]), NO_CONTENT)
    result = tasks.failed(module, instead=ignoring, **options)
    assert requests(result) == ([uncertain], 1)
    assert ("accepted the deletion" if method == "DELETE" else "returned other values for") in result["msg"]
    assert tasks.service.state() == before
    result = tasks.done(module, instead=losing(tasks.service.base_url, method, NO_CONTENT), **options)
    assert requests(result) == ([uncertain, waiting], 1)
    assert not tasks.done(module, **options)["changed"]


@pytest.mark.parametrize(("is_enabled", "writes"), [(False, 1), (True, 3)], ids=["closing", "reopening"])
def test_an_ignored_change_of_the_backend_is_noticed(tasks: Tasks, is_enabled: bool, writes: int) -> None:
    """The message says whether the route is closed: it is if only the change that reopens it is ignored."""
    tasks.service.switches(one_auth_module=True)
    options = prepared(tasks, "/ oidc", "/ saml", "https_edge_route")

    def ignored(request: Received) -> Response | None:
        backend = (request.json() or {}).get("backend") or {}
        return NO_CONTENT if request.method == "PATCH" and backend.get("enabled") is is_enabled else None

    result = tasks.failed("https_edge_route", instead=ignored, **options)
    assert "returned other values for" in result["msg"]
    assert ("the route is closed" in result["msg"]) == result["changed"] == is_enabled
    assert held_route(tasks)["backend"].get("enabled", True) is not is_enabled
    assert len(requests(result)[0]) == writes
