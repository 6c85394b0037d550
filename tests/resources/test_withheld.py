# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left undone, and foretold as that: what hangs together with an object that could not be planned, and purges
next to a replacement that was rejected.
"""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from convergence import converges
from estates_to_judge import modules, route
from module_task import WRITES, Given, Tasks, received, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, held_route, in_each_module, seed_edge, seed_edges, seed_subscription
from scripted_service import Response, rejecting
from served_names import estate, hostports, seed

OIDC = {"issuer": "https://login.example.com", "client_id": "shop"}
LOGIN = {**OIDC, "client_secret": "canary"}
BACKEND = {"backend": {"backend_id": "bkd_one"}}
UNKNOWN_ROUTE = {"id": "edghtsrt_typo", **KEY}
# Its secret is not shown by the service, and is needed to switch the login on.
NEEDS_SECRET = {**KEY, "oidc": OIDC}
MUTUAL_TLS = {"certificate_authority_ids": ["ca_one"]}
NOT_CHANGED = "Not changed, because https_edge_route"
BOTH = pytest.mark.parametrize("check", [True, False])


# What is declared of an edge with client certificates, and whether it is done if a route with a disabled login, which
# is to be enabled, cannot be planned.
OPENED: list[tuple[Given, bool]] = [
    ({"absent_modules": ["mutual_tls"]}, False),
    ({"mutual_tls": {**MUTUAL_TLS, "enabled": False}}, False),
    ({"purge_modules": True}, False),
    ({"hostports": [HOSTPORT, *hostports("m")]}, False),
    ({"description": "new"}, True),
]


@BOTH
@pytest.mark.parametrize("route", [NEEDS_SECRET, UNKNOWN_ROUTE], ids=["secret", "id"])
@pytest.mark.parametrize(("edge", "is_done"), OPENED, ids=str)
def test_an_edge_is_not_opened_whose_login_could_not_be_planned(
    tasks: Tasks, edge: Given, is_done: bool, route: Given, check: bool
) -> None:
    tasks.service.switches(secrets="redacted")
    seed_edge(
        tasks, mutual_tls=MUTUAL_TLS, routes=[{"id": ROUTE, **KEY, **BACKEND, "oidc": {**LOGIN, "enabled": False}}]
    )
    result = tasks.failed("estate", check, https_edges=[{"id": EDGE, **edge, "routes": [route]}])
    assert [one["method"] for one in result["operations"]] == ["PATCH"] * is_done
    assert writes(result) == [f"PATCH /edges/https/{EDGE}"] * (is_done and not check)
    assert (NOT_CHANGED in result["msg"], len(result["failures"])) == (not is_done, 1 if is_done else 2)


# What is declared while edge a serves a and x, b serves b, and c serves c; nothing of it can be done.
LOST = {
    "by an edge that is not known": "a:a typo:tx",
    "by an edge that wants what another one has": "a:a b:bcx",
    "by an edge whose route is not known": "a:a b:bx",
    "by an edge that two declarations match": ":a :x c:cx",
    "by a chain of edges": "a:a b:x typo:bt",
    "in a circle with one that is not known": "a:a b:t typo:ax",
}


@BOTH
@pytest.mark.parametrize("name", LOST)
def test_no_hostport_is_given_up_for_an_edge_that_failed(tasks: Tasks, name: str, check: bool) -> None:
    routes = [{**KEY, **BACKEND}] if "route" in name else []
    seed(tasks, "a:ax c:c").service.seed(https_edges=[{**estate("b:b")["https_edges"][0], "routes": routes}])
    before, declared = tasks.service.state(), estate(LOST[name])
    edges = declared["https_edges"]
    if routes:
        edges[-1]["routes"] = [UNKNOWN_ROUTE]
    result = tasks.failed("estate", check, **declared)
    assert (writes(result), result["operations"]) == ([], [])
    failed = {one["object"] for one in result["failures"]}
    assert len([one for one in failed if one.startswith("https_edge ")]) == len(edges)
    assert tasks.service.state() == before


# The live route, what is declared of it, and the match of a route that is not known.
KEPT: dict[str, tuple[Given, Given, str]] = {
    "a match": ({"match": "/a"}, {"id": ROUTE, "match": "/b"}, "/a"),
    "a login": ({**BACKEND, "oidc": LOGIN}, {"absent_modules": ["oidc"]}, "/q"),
}


@BOTH
@pytest.mark.parametrize("module", ["https_edge_routes", "estate"])
@pytest.mark.parametrize(("live", "declared", "match"), KEPT.values(), ids=KEPT)
def test_a_route_gives_up_nothing_for_one_that_failed(
    tasks: Tasks, live: Given, declared: Given, match: str, module: str, check: bool
) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, **live}])
    routes = [{**KEY, **declared}, {**UNKNOWN_ROUTE, "match": match}]
    result = tasks.failed(module, check, **in_each_module(*routes)[module])
    assert (writes(result), result["operations"]) == ([], [])
    assert (f"{NOT_CHANGED} path_prefix {match}" in result["msg"], "warnings" in result) == (True, False)


@BOTH
def test_routes_of_an_edge_that_is_not_known_are_counted(tasks: Tasks, check: bool) -> None:
    seed_edge(tasks)
    declared = [{"id": f"edghts_{number}", "routes": [KEY, {**KEY, "match": "/b"}]} for number in range(25)]
    result = tasks.failed("estate", check, https_edges=[*declared, {"id": EDGE, "routes": [KEY]}])
    assert (result["summary"]["failed"], result["summary"]["withheld"], len(result["failures"])) == (25, 50, 75)
    head, unknown, not_tried = result["msg"].splitlines()
    assert head.startswith("25 of 77 objects failed, and 50 were withheld; the other 2 are ")
    assert unknown.startswith("- Edges with these IDs do not exist.")
    assert unknown.endswith("(25 edges: (edghts_0), (edghts_1), (edghts_2) and 22 more)")
    assert not_tried.startswith("- Withheld, because other objects failed that they wait for (50 routes: ")


def test_what_was_not_given_up_is_not_said_to_be_gone(tasks: Tasks) -> None:
    """A route that is purged keeps its login until then, and some services reject another one."""
    tasks.service.switches(one_login_per_edge=True)
    seed_edge(tasks, routes=[{**KEY, "match": "/old", "oidc": LOGIN}])
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=[{**KEY, "oidc": LOGIN}], purge=True)
    assert "ERR_ONE_LOGIN_PER_EDGE" in result["msg"]
    assert "Possibly no object has" not in result["msg"]


@pytest.mark.parametrize("check", [True, False, None], ids=["planned", "planning", "rejected"])
def test_routes_stay_whose_edge_fails(tasks: Tasks, check: bool | None) -> None:
    """It is to get a hostport that another edge keeps, or the service rejects its description."""
    seed(tasks, "kept:k")
    seed_edge(tasks, mutual_tls=MUTUAL_TLS, routes=[{"id": ROUTE, **KEY, "match": "/undeclared"}, KEY])
    change = {"description": "new"} if check is None else {"hostports": [HOSTPORT, *hostports("k")]}
    edges = [{"id": EDGE, **change, "routes": [KEY]}, *estate("kept:k")["https_edges"]]
    instead = rejecting("PATCH", EDGE, Response(402))
    result = tasks.failed("estate", bool(check), instead, https_edges=edges, purge=["routes"])
    assert received(result, *WRITES) == [f"PATCH /edges/https/{EDGE}"] * (check is None)
    assert result["operations"] == []
    assert f"Not purged, because https_edge {HOSTPORT}" in result["msg"]
    [why] = [one["why"] for one in result["undeclared"] if "/undeclared" in one["object"]]
    assert why == "not purged, because other objects failed"


NEW = {**KEY, "match": "/new"}
NOT_PURGED = "Not purged, because "
SOURCES = ["ip_policy_created.v0", "ip_policy_updated.v0"]

# The task that replaces what is there, and what its creation is called. Another test rejects anything in estates.
REPLACEMENTS = cases(
    """
    a route of a set       | https_edge_routes | {edge_id: edghts_place, routes: [*NEW], purge: true} | routes
    an edge not looked for | estate | {https_edges: [{<<: *EDGE, find_by: none}], purge: [edges]} | edges
    a source of a set      | event_sources | {subscription_id: esb_place, types: *SOURCES, purge: true} | sources
    """,
    NEW=NEW,
    EDGE={"hostports": ["new.example.com:443"]},
    SOURCES=SOURCES[1:],
)


@pytest.mark.parametrize(("module", "options", "rejected"), REPLACEMENTS.values(), ids=REPLACEMENTS)
def test_nothing_is_purged_for_what_was_rejected(tasks: Tasks, module: str, options: Given, rejected: str) -> None:
    seed_edge(tasks, routes=[KEY])
    seed_subscription(tasks, SOURCES[0])
    before = tasks.service.state()
    tasks.service.switches(rejected_creations=rejected)
    assert NOT_PURGED in tasks.failed(module, **options)["msg"]
    after = tasks.service.state()
    assert [edge for edge in after["https_edges"] if edge["id"] == EDGE] == before["https_edges"]
    assert after["event_subscriptions"] == before["event_subscriptions"]
    # When it is taken, the purge is made up for.
    tasks.service.switches()
    assert tasks.done(module, **options)["operations"][-1]["method"] == "DELETE"


def test_a_purge_that_fails_spares_no_other(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"id": f"edghtsrt_{name}", "match_type": "path_prefix", "match": name} for name in "ab"])
    options = {"edge_id": EDGE, "routes": [NEW], "purge": True}
    result = tasks.failed("https_edge_routes", instead=rejecting("DELETE", "edghtsrt_a"), **options)
    assert len(result["failures"]) == 1
    assert [one["method"] for one in result["operations"]] == ["POST", "DELETE"]


@BOTH
def test_a_failed_declaration_spares_undeclared_edges(tasks: Tasks, check: bool) -> None:
    """An edge that could not be planned may be any of those that nothing declares."""
    seed_edge(tasks)
    result = tasks.failed("estate", check, https_edges=[{"id": "edghts_nowhere"}], purge=["edges"])
    assert (writes(result), result["operations"]) == ([], [])
    assert f"{HOSTPORT} ({EDGE}): {NOT_PURGED}" in result["msg"]


@pytest.mark.parametrize(("declared", "login"), [({"description": "d"}, "oidc"), (modules("saml"), "saml")])
@pytest.mark.parametrize(("module", "purge"), [("https_edge_routes", True), ("estate", ["routes"])])
def test_a_route_that_matches_in_another_way_is_the_same_route(
    tasks: Tasks, module: str, purge: Any, declared: Given, login: str
) -> None:
    """It keeps its login, unless another one is declared, with which the undeclared route would be purged."""
    tasks.service.switches(match_unique="alone")
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "match_type": "exact_path", **BACKEND, "oidc": LOGIN}])
    converges(tasks, module, **in_each_module(declared)[module], purge=purge)
    held = held_route(tasks)
    assert (held["id"], held["match_type"]) == (ROUTE, "path_prefix")
    assert {"backend", "oidc", "saml"} & set(held) == {"backend", login}


# The live route, the declared ones, whether others are purged, and the writes.
DIFFERENT = cases("""
    the other route is somebody else's | =/  | /     | false | POST
    both are declared                  | =/  | =/, / | true  | POST
    two matches                        | =/a | /b    | true  | POST, DELETE
""")


@pytest.mark.parametrize(("live", "declared", "purge", "expected"), DIFFERENT.values(), ids=DIFFERENT)
def test_other_routes_are_not_replaced(tasks: Tasks, live: str, declared: str, purge: bool, expected: str) -> None:
    seed_edges(tasks, live)
    result = tasks.done("https_edge_routes", edge_id=EDGE, routes=[*map(route, declared.split(","))], purge=purge)
    assert ", ".join(write.split()[0] for write in writes(result)) == expected
