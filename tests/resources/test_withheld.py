# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left undone, and foretold as that, because an object that hangs together with it could not be planned."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import WRITES, Tasks, received, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, in_each_module, seed_edge
from scripted_service import Response, rejecting

OIDC = {"issuer": "https://login.example.com", "client_id": "shop"}
UNKNOWN_ROUTE = {"id": "edghtsrt_typo", **KEY}
# Its secret is not shown by the service, and is needed to switch the login on.
NEEDS_SECRET = {**KEY, "oidc": OIDC}
MUTUAL_TLS = {"certificate_authority_ids": ["ca_one"]}
NOT_CHANGED = "Not changed, because https_edge_route"


def port(*names: str) -> list[str]:
    return [f"{name}.example.com:443" for name in names]


def guarded(tasks: Tasks) -> None:
    """An edge with client certificates, and a route whose login is switched off."""
    tasks.service.switches(secrets="redacted")
    login = {**OIDC, "enabled": False, "client_secret": "canary"}
    route = {"id": ROUTE, **KEY, "backend": {"backend_id": "bkd_one"}, "oidc": login}
    seed_edge(tasks, mutual_tls=MUTUAL_TLS, routes=[route])


OPENED: dict[str, dict[str, Any]] = {
    "without client certificates": {"absent_modules": ["mutual_tls"]},
    "with client certificates switched off": {"mutual_tls": {**MUTUAL_TLS, "enabled": False}},
    "without what is not declared": {"purge_modules": True},
    "with another hostport": {"hostports": [HOSTPORT, *port("more")]},
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("route", [NEEDS_SECRET, UNKNOWN_ROUTE], ids=["secret", "id"])
@pytest.mark.parametrize("edge", OPENED.values(), ids=OPENED)
def test_an_edge_is_not_opened_whose_login_could_not_be_planned(
    tasks: Tasks, edge: dict[str, Any], route: dict[str, Any], check: bool
) -> None:
    guarded(tasks)
    result = tasks.failed("estate", check, https_edges=[{"id": EDGE, **edge, "routes": [route]}])
    assert writes(result) == []
    assert result["operations"] == []
    assert NOT_CHANGED in result["msg"]
    assert len(result["failures"]) == 2


def test_an_edge_that_is_not_opened_is_changed_all_the_same(tasks: Tasks) -> None:
    guarded(tasks)
    result = tasks.failed("estate", https_edges=[{"id": EDGE, "description": "new", "routes": [NEEDS_SECRET]}])
    assert writes(result) == [f"PATCH /edges/https/{EDGE}"]


@pytest.mark.parametrize("check", [True, False])
def test_a_hostport_does_not_come_to_an_edge_whose_login_could_not_be_planned(tasks: Tasks, check: bool) -> None:
    public = {"id": ROUTE, **KEY, "backend": {"backend_id": "bkd_one"}}
    tasks.service.seed(https_edges=[{"id": "edghts_ax", "hostports": port("a", "x")}])
    tasks.service.seed(https_edges=[{"id": "edghts_b", "hostports": port("b"), "routes": [public]}])
    declared = [
        {"id": "edghts_ax", "hostports": port("a")},
        {"id": "edghts_b", "hostports": port("b", "x"), "routes": [UNKNOWN_ROUTE]},
    ]
    result = tasks.failed("estate", check, https_edges=declared)
    assert (writes(result), result["operations"]) == ([], [])
    assert "because https_edge_route path_prefix / of b.example.com:443" in result["msg"]


def edge(name: str, *serves: str) -> dict[str, Any]:
    return {"id": f"edghts_{name}", "hostports": port(*serves)}


LOST: dict[str, list[dict[str, Any]]] = {
    # What is declared where edge a serves a and x, b serves b, and c serves c; nothing of it can be done.
    "by an edge that is not known": [edge("a", "a"), edge("typo", "t", "x")],
    "by an edge that wants what another one has": [edge("a", "a"), edge("b", "b", "c", "x")],
    "by a chain of edges": [edge("a", "a"), edge("b", "x"), edge("typo", "b", "t")],
    "in a circle with one that is not known": [edge("a", "b"), edge("b", "t"), edge("typo", "a", "x")],
}


@pytest.mark.parametrize("purge", [[], ["routes"]], ids=["", "purge"])
@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("declared", LOST.values(), ids=LOST)
def test_no_hostport_is_given_up_for_an_edge_that_failed(
    tasks: Tasks, declared: list[dict[str, Any]], check: bool, purge: list[str]
) -> None:
    live = [edge("a", "a", "x"), edge("b", "b"), edge("c", "c")]
    tasks.service.seed(https_edges=live)
    before = tasks.service.state()
    purged = {"purge": purge, "allow_empty": True} if purge else {}
    declared = [{**one, "routes": []} if purge else one for one in declared]
    result = tasks.failed("estate", check, https_edges=declared, **purged)
    assert (writes(result), result["operations"]) == ([], [])
    assert len(result["failures"]) == len(declared)
    assert tasks.service.state() == before


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", ["https_edge_routes", "estate"])
def test_no_match_is_given_up_for_a_route_that_failed(tasks: Tasks, module: str, check: bool) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "match": "/a"}])
    routes = [{"id": ROUTE, **KEY, "match": "/b"}, {**UNKNOWN_ROUTE, "match": "/a"}]
    result = tasks.failed(module, check, **in_each_module(*routes)[module])
    assert (writes(result), result["operations"]) == ([], [])
    assert "Not changed, because https_edge_route path_prefix /a" in result["msg"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", ["https_edge_routes", "estate"])
def test_opening_a_route_is_withheld_in_check_mode_as_well(tasks: Tasks, module: str, check: bool) -> None:
    backend = {"backend": {"backend_id": "bkd_one"}}
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, **backend, "oidc": {**OIDC, "client_secret": "canary"}}])
    routes = [{**KEY, "absent_modules": ["oidc"]}, {**UNKNOWN_ROUTE, "match": "/q"}]
    result = tasks.failed(module, check, **in_each_module(*routes)[module])
    assert (writes(result), result["operations"]) == ([], [])
    assert NOT_CHANGED in result["msg"]
    assert "warnings" not in result


@pytest.mark.parametrize("check", [True, False])
def test_routes_of_an_edge_that_is_not_known_are_counted(tasks: Tasks, check: bool) -> None:
    seed_edge(tasks)
    declared = [{"id": f"edghts_{number}", "routes": [KEY, {**KEY, "match": "/b"}]} for number in range(25)]
    result = tasks.failed("estate", check, https_edges=[*declared, {"id": EDGE, "routes": [KEY]}])
    assert (result["summary"]["failed"], result["summary"]["withheld"]) == (25, 50)
    assert len(result["failures"]) == 75
    head, unknown, not_tried = result["msg"].splitlines()
    assert head.startswith("25 of 77 objects failed, and 50 were withheld; the other 2 are ")
    assert unknown.startswith("- Edges with these IDs do not exist.")
    assert unknown.endswith("(25 edges: (edghts_0), (edghts_1), (edghts_2) and 22 more)")
    assert not_tried.startswith("- Withheld, because other objects failed that they wait for (50 routes: ")


def test_what_another_edge_could_not_give_up_is_not_asked_for(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[edge("a", "a", "x"), edge("b", "b")])
    declared = [edge("a", "a"), edge("b", "b", "x")]
    result = tasks.failed("estate", instead=rejecting("PATCH", "edghts_a"), https_edges=declared)
    assert received(result, *WRITES) == ["PATCH /edges/https/edghts_a"]
    assert "Not changed, because https_edge a.example.com:443, x.example.com:443 (edghts_a) failed" in result["msg"]
    assert "Possibly no object has" not in result["msg"]


def test_what_was_not_given_up_is_not_said_to_be_gone(tasks: Tasks) -> None:
    """A route that is purged keeps its login until then, and some services reject another one."""
    login = {**OIDC, "client_secret": "canary"}
    tasks.service.switches(one_login_per_edge=True)
    seed_edge(tasks, routes=[{**KEY, "match": "/old", "oidc": login}])
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=[{**KEY, "oidc": login}], purge=True)
    assert "ERR_ONE_LOGIN_PER_EDGE" in result["msg"]
    assert "Possibly no object has" not in result["msg"]


def purging_routes(tasks: Tasks, **options: Any) -> dict[str, Any]:
    """The options that change an edge, and purge one of its routes; another edge keeps a hostport."""
    tasks.service.seed(https_edges=[{"id": "edghts_kept", "hostports": port("kept")}])
    seed_edge(tasks, mutual_tls=MUTUAL_TLS, routes=[{"id": ROUTE, **KEY, "match": "/undeclared"}, KEY])
    return {"https_edges": [{"id": EDGE, **options, "routes": [KEY]}, edge("kept", "kept")], "purge": ["routes"]}


def check_spared(result: dict[str, Any]) -> None:
    assert f"Not purged, because https_edge {HOSTPORT}" in result["msg"]
    assert [one["why"] for one in result["undeclared"] if "/undeclared" in one["object"]] == [
        "not purged, because other objects failed"
    ]


@pytest.mark.parametrize("check", [True, False])
def test_routes_stay_whose_edge_could_not_be_planned(tasks: Tasks, check: bool) -> None:
    result = tasks.failed("estate", check, **purging_routes(tasks, hostports=[HOSTPORT, *port("kept")]))
    assert (writes(result), result["operations"]) == ([], [])
    check_spared(result)


def test_routes_stay_whose_edge_the_service_rejects(tasks: Tasks) -> None:
    options = purging_routes(tasks, description="new")
    result = tasks.failed("estate", instead=rejecting("PATCH", EDGE, Response(402)), **options)
    assert received(result, *WRITES) == [f"PATCH /edges/https/{EDGE}"]
    check_spared(result)


def test_objects_that_are_withheld_together_are_listed_with_what_was_not_done(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{**KEY, "match": f"/{name}"} for name in ("one", "two")])
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=[UNKNOWN_ROUTE], purge=True)
    cause = f"https_edge_route path_prefix / of {HOSTPORT} ({UNKNOWN_ROUTE['id']})"
    head, _cause, kept = result["msg"].splitlines()
    assert head == "1 of 3 objects failed, and 2 were withheld."
    assert kept.startswith(f"- Not purged, because {cause} failed (2 routes: path_prefix /one of {HOSTPORT} ")
    assert result["summary"]["withheld"] == 2
