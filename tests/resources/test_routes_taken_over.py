# SPDX-License-Identifier: GPL-3.0-or-later
"""A route that goes leaves its requests to a less specific one: who gets through then is warned about and judged."""

from __future__ import annotations

from typing import Any

import pytest

from convergence import WIDENED, widened
from module_task import Tasks, writes
from places import EDGE, HOSTPORT, seed_edge

Given = dict[str, Any]

RULE = "protected_route_deleted"
URL = f"https://{HOSTPORT.removesuffix(':443')}/"
OFFICE = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
OTHER_OFFICE = {"ip_restriction": {"ip_policy_ids": ["ipp_other"]}}
LOGIN = {"oidc": {"issuer": "https://idp.example.com", "client_id": "app", "client_secret": "s3cret"}}
CLOSED = {"backend": {"enabled": False, "backend_id": "bk_app"}}
NETWORK = "no longer requires an allowed network"


def route(match: str, *modules: Given) -> Given:
    merged: Given = {"match_type": "path_prefix", "match": match, "backend": {"backend_id": "bk_app"}}
    for one in modules:
        merged |= one
    return merged


GUARDED = route("/admin", OFFICE)
TAKEN = "path_prefix / takes it from "

# What is live, what stays, what the warning says of `/`, and whether it is a finding.
CASES: dict[str, tuple[list[Given], list[Given], str, bool]] = {
    "to everybody": ([route("/"), GUARDED], [route("/")], NETWORK, True),
    "to those who log in": ([route("/", LOGIN), GUARDED], [route("/", LOGIN)], NETWORK, False),
    "of two protections": ([route("/", OFFICE), route("/a", OFFICE, LOGIN)], [route("/", OFFICE)], "a login", False),
    "to a new route": ([GUARDED], [route("/")], NETWORK, True),
    "to a route that opens": ([route("/", OFFICE), GUARDED], [{**route("/"), "purge_modules": True}], NETWORK, True),
    "of one host": (
        [route("/"), route("a.example.com/admin", OFFICE)],
        [route("/")],
        NETWORK,
        True,
    ),
    "what was closed": ([route("/"), route("/admin", CLOSED)], [route("/")], "nobody got through before", False),
    "what an exact match leaves": (
        [route("/"), {**GUARDED, "match_type": "exact_path"}, GUARDED],
        [route("/"), {**GUARDED, "match_type": "exact_path"}],
        NETWORK,
        True,
    ),
    "to the same network": ([route("/", OFFICE), GUARDED], [route("/", OFFICE)], "", False),
    "to a closed route": ([route("/", CLOSED), GUARDED], [route("/", CLOSED)], "", False),
    "to a route in between": (
        [route("/"), GUARDED, route("/admin/x", OFFICE)],
        [route("/"), GUARDED],
        "",
        False,
    ),
    "to nobody": ([route("/shop"), GUARDED], [route("/shop")], "", False),
    "what was open": ([route("/"), route("/admin")], [route("/")], "", False),
}


def estate(routes: list[Given]) -> Given:
    return {"https_edges": [{"id": EDGE, "routes": routes}], "purge": ["routes"]}


@pytest.mark.parametrize(("live", "left", "text", "is_finding"), CASES.values(), ids=CASES)
def test_a_purge_that_leaves_a_path_to_an_open_route_is_a_finding(
    tasks: Tasks, live: list[Given], left: list[Given], text: str, is_finding: bool
) -> None:
    seed_edge(tasks, hostports=[HOSTPORT, "a.example.com:443"], routes=live)
    judged = tasks.run("estate", True, **estate(left), reject_findings="high")
    assert [one["rule"] for one in judged["findings"]] == [RULE] * is_finding
    assert judged.get("failed", False) is is_finding
    for module, options in (
        ("https_edge_routes", {"edge_id": EDGE, "routes": left, "purge": True}),
        ("estate", estate(left)),
    ):
        check = module != "estate"
        warnings = [one for one in widened(tasks.done(module, check, **options)) if TAKEN in one]
        # If both the deletion and another change are needed to open it, both say so.
        assert (bool(warnings), all(text in one for one in warnings)) == (bool(text), True)


def test_the_finding_names_what_goes_and_what_takes_over(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[route("/"), {"id": "edghtsrt_admin", **GUARDED}])
    rejected = tasks.failed("estate", **estate([route("/")]), reject_findings="high")
    [finding] = rejected["findings"]
    name = f"https_edge_route path_prefix /admin of {HOSTPORT}"
    assert (finding["object"], finding["created"], writes(rejected)) == (f"{name} (edghtsrt_admin)", True, [])
    assert finding["also"] == ["https_edges[0].routes[0]"]
    assert "Everyone can reach it through path_prefix /, which takes its requests" in finding["message"]
    accept = [{"rule": RULE, "object": name, "reason": "It moves to another host."}]
    done = tasks.done("estate", **estate([route("/")]), reject_findings="high", accept=accept)
    assert len(writes(done)) == 1
    assert tasks.done("estate", **estate([route("/")]), reject_findings="high")["findings"] == []


def test_a_single_route_that_is_deleted_or_matches_something_else(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[route("/"), {"id": "edghtsrt_admin", **GUARDED}])
    address = {"edge_id": EDGE, "id": "edghtsrt_admin"}
    for change in ({"state": "absent"}, {"match": "/staff"}):
        [warning] = widened(tasks.done("https_edge_route", True, **address, **change))
        assert warning.endswith(f": {WIDENED}: {URL}admin: {NETWORK}; {TAKEN}path_prefix /admin.")
    assert not widened(tasks.done("https_edge_route", True, **address, description="Staff only"))


# What is live, the new route, and what the warning says of it.
NEW: dict[str, tuple[list[Given], Given, str]] = {
    "a path below a login": ([route("/", LOGIN)], route("/admin"), "no longer requires a login"),
    "one exact path": ([route("/", OFFICE)], {**route("/ok"), "match_type": "exact_path"}, NETWORK),
    "less than both": ([route("/", OFFICE, LOGIN)], route("/admin", LOGIN), NETWORK),
    "another network": ([route("/", OFFICE)], route("/admin", OTHER_OFFICE), "also admits ipp_other"),
    "as much as before": ([route("/", LOGIN)], route("/admin", LOGIN), ""),
    "another login": ([route("/", LOGIN)], route("/admin", LOGIN, OFFICE), ""),
    "a closed route": ([route("/", LOGIN)], route("/admin", CLOSED), ""),
    "below an open route": ([route("/"), route("/shop", LOGIN)], route("/admin"), ""),
    "below a closed route": ([route("/", LOGIN, CLOSED)], route("/admin"), "nobody got through before"),
    "around a login": ([route("/admin", LOGIN)], route("/"), ""),
    "another host": ([route("a.example.com/", LOGIN)], route("b.example.com/"), ""),
    "of an empty edge": ([], route("/"), ""),
}


@pytest.mark.parametrize(("live", "new", "text"), NEW.values(), ids=NEW)
def test_a_new_route_that_lets_more_visitors_through_opens_something(
    tasks: Tasks, live: list[Given], new: Given, text: str
) -> None:
    seed_edge(tasks, hostports=[HOSTPORT, "a.example.com:443"], routes=live)
    for module, options in (
        ("https_edge_route", {"edge_id": EDGE, **new}),
        ("https_edge_routes", {"edge_id": EDGE, "routes": [new]}),
        ("estate", {"https_edges": [{"id": EDGE, "routes": [new]}]}),
    ):
        result = tasks.done(module, True, **options)
        [warning] = widened(result) or [""]
        assert text in warning, module
        assert (" takes it from path_prefix /" in warning) is bool(text)
        if module != "https_edge_route":
            kinds = {one["kind"] for entry in result["plan"] for one in entry["opens"]}
            assert bool(kinds - {"new"}) is bool(text)


def test_a_route_that_moves_below_a_login_opens_something(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[route("/", LOGIN), {"id": "edghtsrt_ok", **route("b.example.com/ok")}])
    [warning] = widened(tasks.done("https_edge_route", True, edge_id=EDGE, id="edghtsrt_ok", match="/ok"))
    assert warning.endswith(f"{URL}ok: no longer requires a login; path_prefix /ok takes it from path_prefix /.")


def test_what_cannot_be_planned_takes_nothing(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"id": "edghtsrt_root", **route("/", OFFICE)}, GUARDED])
    wrong = {"id": "edghtsrt_missing", "description": "x"}
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=[route("/"), wrong], purge=True)
    assert not [one for one in widened(result) if TAKEN in one]
