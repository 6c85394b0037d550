# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left undone, and foretold as that, because an object that hangs together with it could not be planned."""

from __future__ import annotations

import pytest

from module_task import WRITES, Given, Tasks, received, writes
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


def does_nothing(result: Given) -> None:
    assert (writes(result), result["operations"]) == ([], [])


def guarded(tasks: Tasks) -> None:
    """An edge with client certificates, and a route whose login is switched off."""
    tasks.service.switches(secrets="redacted")
    login = {**OIDC, "enabled": False, "client_secret": "canary"}
    route = {"id": ROUTE, **KEY, "backend": {"backend_id": "bkd_one"}, "oidc": login}
    seed_edge(tasks, mutual_tls=MUTUAL_TLS, routes=[route])


# What is declared of the edge, and what is withheld of it because a route cannot be planned.
OPENED: list[Given] = [
    {"absent_modules": ["mutual_tls"]},
    {"mutual_tls": {**MUTUAL_TLS, "enabled": False}},
    {"purge_modules": True},
    {"hostports": [HOSTPORT, *port("more")]},
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("route", [NEEDS_SECRET, UNKNOWN_ROUTE], ids=["secret", "id"])
@pytest.mark.parametrize("edge", OPENED, ids=str)
def test_an_edge_is_not_opened_whose_login_could_not_be_planned(
    tasks: Tasks, edge: Given, route: Given, check: bool
) -> None:
    guarded(tasks)
    result = tasks.failed("estate", check, https_edges=[{"id": EDGE, **edge, "routes": [route]}])
    does_nothing(result)
    assert (NOT_CHANGED in result["msg"], len(result["failures"])) == (True, 2)


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
    does_nothing(result)
    assert "because https_edge_route path_prefix / of b.example.com:443" in result["msg"]


def edge(name: str, *serves: str) -> Given:
    return {"id": f"edghts_{name}", "hostports": port(*serves)}


# What is declared where edge a serves a and x, b serves b, and c serves c; nothing of it can be done.
LOST = {
    "by an edge that is not known": "a=a typo=tx",
    "by an edge that wants what another one has": "a=a b=bcx",
    "by a chain of edges": "a=a b=x typo=bt",
    "in a circle with one that is not known": "a=b b=t typo=ax",
}


@pytest.mark.parametrize("purge", [[], ["routes"]], ids=["", "purge"])
@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("text", LOST.values(), ids=LOST)
def test_no_hostport_is_given_up_for_an_edge_that_failed(
    tasks: Tasks, text: str, check: bool, purge: list[str]
) -> None:
    tasks.service.seed(https_edges=[edge("a", "a", "x"), edge("b", "b"), edge("c", "c")])
    before = tasks.service.state()
    purged = {"purge": purge, "allow_empty": True} if purge else {}
    pairs = [one.split("=") for one in text.split()]
    declared = [{**edge(name, *serves), **({"routes": []} if purge else {})} for name, serves in pairs]
    result = tasks.failed("estate", check, https_edges=declared, **purged)
    does_nothing(result)
    assert (len(result["failures"]), tasks.service.state()) == (len(declared), before)


OIDC_OF_ROUTE = {"backend": {"backend_id": "bkd_one"}, "oidc": {**OIDC, "client_secret": "canary"}}
# The live route, what is declared of it, and the match of a route that is not known.
KEPT: dict[str, tuple[Given, Given, str]] = {
    "a match": ({"match": "/a"}, {"id": ROUTE, "match": "/b"}, "/a"),
    "a login": (OIDC_OF_ROUTE, {"absent_modules": ["oidc"]}, "/q"),
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", ["https_edge_routes", "estate"])
@pytest.mark.parametrize(("live", "declared", "match"), KEPT.values(), ids=KEPT)
def test_a_route_gives_up_nothing_for_one_that_failed(
    tasks: Tasks, live: Given, declared: Given, match: str, module: str, check: bool
) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, **live}])
    routes = [{**KEY, **declared}, {**UNKNOWN_ROUTE, "match": match}]
    result = tasks.failed(module, check, **in_each_module(*routes)[module])
    does_nothing(result)
    assert (f"{NOT_CHANGED} path_prefix {match}" in result["msg"], "warnings" in result) == (True, False)


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


# What is declared of the edge, and whether that is rejected by the service; if not, check mode knows it as well.
SPARING: dict[str, tuple[Given, bool]] = {
    "planning": ({"hostports": [HOSTPORT, *port("kept")]}, False),
    "the service": ({"description": "new"}, True),
}


@pytest.mark.parametrize(("options", "is_rejected"), SPARING.values(), ids=SPARING)
def test_routes_stay_whose_edge_fails(tasks: Tasks, options: Given, is_rejected: bool) -> None:
    """A hostport that another edge keeps is one cause."""
    tasks.service.seed(https_edges=[edge("kept", "kept")])
    seed_edge(tasks, mutual_tls=MUTUAL_TLS, routes=[{"id": ROUTE, **KEY, "match": "/undeclared"}, KEY])
    edges = [{"id": EDGE, **options, "routes": [KEY]}, edge("kept", "kept")]
    for check in (False,) if is_rejected else (True, False):
        instead = rejecting("PATCH", EDGE, Response(402))
        result = tasks.failed("estate", check, instead, https_edges=edges, purge=["routes"])
        assert received(result, *WRITES) == [f"PATCH /edges/https/{EDGE}"] * is_rejected
        assert result["operations"] == []
        assert f"Not purged, because https_edge {HOSTPORT}" in result["msg"]
        [why] = [one["why"] for one in result["undeclared"] if "/undeclared" in one["object"]]
        assert why == "not purged, because other objects failed"


def test_objects_that_are_withheld_together_are_listed_with_what_was_not_done(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{**KEY, "match": f"/{name}"} for name in ("one", "two")])
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=[UNKNOWN_ROUTE], purge=True)
    cause = f"https_edge_route path_prefix / of {HOSTPORT} ({UNKNOWN_ROUTE['id']})"
    head, _cause, kept = result["msg"].splitlines()
    assert head == "1 of 3 objects failed, and 2 were withheld."
    assert kept.startswith(f"- Not purged, because {cause} failed (2 routes: path_prefix /one of {HOSTPORT} ")
    assert result["summary"]["withheld"] == 2
