# SPDX-License-Identifier: GPL-3.0-or-later
"""How each resource finds its object, and that nothing is deleted that was not meant."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import WRITES, Tasks, methods, received, writes
from places import (
    EDGE,
    HOSTPORT,
    KEY,
    ROUTE,
    SOURCE,
    SUBSCRIPTION,
    seed_edge,
    seed_route,
    seed_subscription,
    seed_tls_edge,
)
from scripted_service import as_json, in_turn

OTHER = "other.example.com:443"


def test_an_edge_is_found_by_any_of_its_hostports(tasks: Tasks) -> None:
    seed_edge(tasks, hostports=[HOSTPORT, OTHER])
    result = tasks.done("https_edge", hostports=["new.example.com:443", OTHER.upper()], purge_hostports=True)
    assert (result["https_edge"]["id"], writes(result)) == (EDGE, [f"PATCH /edges/https/{EDGE}"])


def test_an_edge_is_found_by_its_metadata(tasks: Tasks) -> None:
    seed_edge(tasks, metadata='{"app":"shop","env":"live"}')
    declared = {"find_by": "metadata", "metadata": {"env": "live", "app": "shop"}}
    assert not tasks.done("https_edge", **declared)["changed"]
    assert tasks.done("https_edge", **declared, hostports=[OTHER], purge_hostports=True)["https_edge"]["id"] == EDGE
    assert writes(tasks.done("https_edge", find_by="metadata", metadata="shop")) == ["POST /edges/https"]


def test_an_edge_is_found_on_a_later_page_or_created(tasks: Tasks) -> None:
    seed_edge(tasks)
    tasks.service.seed(https_edges=[{"hostports": [f"{number}.example.com:443"]} for number in range(3)])
    for next_page in ("absolute", "relative"):
        tasks.service.switches(page_size=1, next_page=next_page)
        assert tasks.done("https_edge", hostports=[HOSTPORT])["https_edge"]["id"] == EDGE
    assert writes(tasks.done("https_edge", hostports=[OTHER])) == ["POST /edges/https"]


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize("find_by", ["hostports", "metadata"])
def test_two_matches_are_an_error_with_both_ids(tasks: Tasks, find_by: str, state: str) -> None:
    hostports, ids = [HOSTPORT, OTHER], ["edghts_one", "edghts_two"]
    tasks.service.seed(
        https_edges=[
            {"id": one, "hostports": [each], "metadata": "m"} for one, each in zip(ids, hostports, strict=True)
        ]
    )
    tasks.service.switches(page_size=1)
    result = tasks.failed("https_edge", find_by=find_by, hostports=hostports, metadata="m", state=state)
    assert (sorted(result["ids"]), writes(result)) == (ids, [])
    assert all(edge_id in result["msg"] for edge_id in ids)


@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_without_the_list_operation_an_edge_needs_its_id(tasks: Tasks, status: int, state: str) -> None:
    seed_edge(tasks)
    tasks.service.switches(operations="documented", missing_operation=status)
    result = tasks.failed("https_edge", hostports=[HOSTPORT], state=state)
    assert "this service does not support listing them; an edge is then addressed by its ID" in result["msg"]
    assert methods(result) == ["GET"]
    assert tasks.done("https_edge", id=EDGE, state=state)["changed"] == (state == "absent")


def test_find_by_none_creates_in_any_case(tasks: Tasks) -> None:
    tasks.service.switches(operations="documented")
    created = {tasks.done("https_edge", find_by="none", description="same")["https_edge"]["id"] for _again in range(2)}
    result = tasks.failed("https_edge", find_by="none", state="absent")
    assert (len(created), "find_by" in result["msg"], result["sent"]) == (2, True, [])


@pytest.mark.parametrize("find_by", ["hostports", "metadata"])
@pytest.mark.parametrize("empty", [{}, {"hostports": [], "metadata": ""}])
def test_an_edge_cannot_be_found_by_nothing(tasks: Tasks, find_by: str, empty: dict[str, Any]) -> None:
    seed_edge(tasks, hostports=[])
    for state in ("present", "absent"):
        result = tasks.failed("https_edge", find_by=find_by, state=state, **empty)
        assert f"{find_by}: " in result["msg"]
        assert result["sent"] == []


GONE: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"id": "edghts_unknown", "hostports": [HOSTPORT]}),
    ("https_edge_route", {"edge_id": EDGE, "id": "edghtsrt_unknown", **KEY}),
    ("https_edge_route", {"edge_id": "edghts_unknown", **KEY}),
]
NOT_THERE: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"hostports": [OTHER]}),
    ("https_edge_route", {"edge_id": EDGE, **KEY}),
    ("event_source", {"subscription_id": SUBSCRIPTION, "type": SOURCE}),
]


def test_an_unknown_id_fails_and_what_is_missing_is_absent_already(tasks: Tasks) -> None:
    seed_edge(tasks)
    seed_subscription(tasks)
    for module, options in GONE:
        result = tasks.failed(module, **options)
        assert ("_unknown" in result["msg"], methods(result)) == (True, ["GET"])
    for module, options in [*GONE, *NOT_THERE]:
        result = tasks.done(module, **options, state="absent")
        assert (result["changed"], result[module], methods(result)) == (False, None, ["GET"])


@pytest.mark.parametrize("check", [True, False])
def test_an_edge_that_serves_more_than_is_declared_is_not_deleted(tasks: Tasks, check: bool) -> None:
    seed_edge(tasks, hostports=[HOSTPORT, OTHER, "third.example.com:443"], metadata="m")
    for how in ({"hostports": [HOSTPORT.upper()]}, {"find_by": "metadata", "metadata": "m", "hostports": [HOSTPORT]}):
        result = tasks.failed("https_edge", check=check, state="absent", **how)
        assert (OTHER in result["msg"], "third.example.com:443" in result["msg"], writes(result)) == (True, True, [])


HOW = [{"hostports": ["more.example.com:443", OTHER, HOSTPORT]}, {"id": EDGE}, {"find_by": "metadata", "metadata": "m"}]


@pytest.mark.parametrize("how", HOW, ids=str)
def test_an_edge_is_deleted_if_all_it_serves_is_declared_or_no_hostport(tasks: Tasks, how: dict[str, Any]) -> None:
    seed_edge(tasks, hostports=[HOSTPORT.upper(), OTHER], metadata="m")
    assert writes(tasks.done("https_edge", state="absent", **how)) == [f"DELETE /edges/https/{EDGE}"]


def test_a_route_is_found_by_match_type_and_match_together(tasks: Tasks) -> None:
    routes = {"prefix": ("path_prefix", "/a"), "exact": ("exact_path", "/a"), "longer": ("path_prefix", "/a/")}
    seed_edge(
        tasks,
        routes=[{"id": f"edghtsrt_{name}", "match_type": how, "match": match} for name, (how, match) in routes.items()],
    )
    options = {"edge_id": EDGE, "match_type": "exact_path", "match": "/a"}
    assert tasks.done("https_edge_route", **options)["https_edge_route"]["id"] == "edghtsrt_exact"
    result = tasks.done("https_edge_route", **options, state="absent")
    assert writes(result) == [f"DELETE /edges/https/{EDGE}/routes/edghtsrt_exact"]
    assert writes(tasks.done("https_edge_route", **options)) == [f"POST /edges/https/{EDGE}/routes"]


def test_a_route_of_given_id_takes_the_declared_match(tasks: Tasks) -> None:
    seed_route(tasks)
    result = tasks.done("https_edge_route", edge_id=EDGE, id=ROUTE, match_type="exact_path", match="/new")
    assert writes(result) == [f"PATCH /edges/https/{EDGE}/routes/{ROUTE}"]
    assert result["https_edge_route"]["match"] == "/new"


@pytest.mark.parametrize("unset", ["null", "empty_object", "no_content", "not_found"])
@pytest.mark.parametrize("module", ["tls_edge_ip_restriction", "tls_edge_tls_termination"])
def test_a_tls_edge_module_may_be_unset_in_any_form(tasks: Tasks, module: str, unset: str) -> None:
    edge_id = seed_tls_edge(tasks)
    tasks.service.switches(unset_module=unset)
    assert not tasks.done(module, edge_id=edge_id, state="absent")["changed"]
    content: dict[str, Any] = {"ip_policy_ids": ["ipp_one"]} if module == "tls_edge_ip_restriction" else {}
    assert methods(tasks.done(module, edge_id=edge_id, **content)) == ["GET", "PUT"]


def test_an_event_source_is_found_by_its_type(tasks: Tasks) -> None:
    seed_subscription(tasks, SOURCE)
    result = tasks.done("event_source", subscription_id=SUBSCRIPTION, type=SOURCE)
    assert not result["changed"]
    assert [request["path"] for request in result["sent"]] == [f"/event_subscriptions/{SUBSCRIPTION}/sources/{SOURCE}"]


@pytest.mark.parametrize("state", ["present", "absent"])
def test_several_routes_that_match_are_named(tasks: Tasks, state: str) -> None:
    """Some service may let two routes of an edge match the same."""
    edge = {"id": "edghts_a", "hostports": [], "routes": [{"id": f"edghtsrt_{one}", **KEY} for one in ("b", "c")]}
    options = {"edge_id": "edghts_a", **KEY, "state": state}
    result = tasks.failed("https_edge_route", instead=in_turn(as_json(edge)), **options)
    assert received(result, *WRITES) == []
    assert "2 routes of edge edghts_a match the declared match_type and match: edghtsrt_b, edghtsrt_c." in result["msg"]
    assert result["ids"] == ["edghtsrt_b", "edghtsrt_c"]
