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
    assert result["https_edge"]["id"] == EDGE
    assert writes(result) == [f"PATCH /edges/https/{EDGE}"]


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
    ids = ["edghts_one", "edghts_two"]
    hostports = [HOSTPORT, OTHER]
    edges = [
        {"id": edge_id, "hostports": [each], "metadata": "m"} for edge_id, each in zip(ids, hostports, strict=True)
    ]
    tasks.service.seed(https_edges=edges)
    tasks.service.switches(page_size=1)
    result = tasks.failed("https_edge", find_by=find_by, hostports=hostports, metadata="m", state=state)
    assert sorted(result["ids"]) == ids
    assert all(edge_id in result["msg"] for edge_id in ids)
    assert not writes(result)


@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_without_the_list_operation_an_edge_needs_its_id(tasks: Tasks, status: int, state: str) -> None:
    seed_edge(tasks)
    tasks.service.switches(operations="documented", missing_operation=status)
    result = tasks.failed("https_edge", hostports=[HOSTPORT], state=state)
    assert (
        "If `base_url` is correct, this service does not support listing them; an edge is then addressed by its ID"
        in result["msg"]
    )
    assert methods(result) == ["GET"]
    assert tasks.done("https_edge", id=EDGE, state=state)["changed"] == (state == "absent")


def test_find_by_none_creates_in_any_case(tasks: Tasks) -> None:
    tasks.service.switches(operations="documented")
    created = {tasks.done("https_edge", find_by="none", description="same")["https_edge"]["id"] for _again in range(2)}
    assert len(created) == 2
    result = tasks.failed("https_edge", find_by="none", state="absent")
    assert "find_by" in result["msg"]
    assert result["sent"] == []


@pytest.mark.parametrize("find_by", ["hostports", "metadata"])
@pytest.mark.parametrize("empty", [{}, {"hostports": [], "metadata": ""}])
def test_an_edge_cannot_be_found_by_nothing(tasks: Tasks, find_by: str, empty: dict[str, Any]) -> None:
    seed_edge(tasks, hostports=[])
    for state in ("present", "absent"):
        result = tasks.failed("https_edge", find_by=find_by, state=state, **empty)
        assert f"{find_by}: " in result["msg"]
        assert result["sent"] == []


def test_unknown_id_fails_instead_of_creating(tasks: Tasks) -> None:
    edge_id = seed_edge(tasks)
    unknown: list[tuple[str, dict[str, Any]]] = [
        ("https_edge", {"id": "edghts_unknown", "hostports": [HOSTPORT]}),
        ("https_edge_route", {"edge_id": edge_id, "id": "edghtsrt_unknown", **KEY}),
        ("https_edge_route", {"edge_id": "edghts_unknown", **KEY}),
    ]
    for module, options in unknown:
        result = tasks.failed(module, **options)
        assert "_unknown" in result["msg"]
        assert methods(result) == ["GET"]


def test_a_missing_object_is_absent_already(tasks: Tasks) -> None:
    edge_id = seed_edge(tasks)
    absent: list[tuple[str, dict[str, Any]]] = [
        ("https_edge", {"id": "edghts_unknown"}),
        ("https_edge", {"hostports": [OTHER]}),
        ("https_edge_route", {"edge_id": edge_id, "id": "edghtsrt_unknown"}),
        ("https_edge_route", {"edge_id": edge_id, **KEY}),
        ("https_edge_route", {"edge_id": "edghts_unknown", **KEY}),
        ("event_source", {"subscription_id": seed_subscription(tasks), "type": SOURCE}),
    ]
    for module, options in absent:
        result = tasks.done(module, **options, state="absent")
        assert not result["changed"]
        assert result[module] is None
        assert methods(result) == ["GET"]


@pytest.mark.parametrize("check", [True, False])
def test_an_edge_that_serves_more_than_is_declared_is_not_deleted(tasks: Tasks, check: bool) -> None:
    seed_edge(tasks, hostports=[HOSTPORT, OTHER, "third.example.com:443"], metadata="m")
    for how in ({"hostports": [HOSTPORT.upper()]}, {"find_by": "metadata", "metadata": "m", "hostports": [HOSTPORT]}):
        result = tasks.failed("https_edge", check=check, state="absent", **how)
        assert OTHER in result["msg"]
        assert "third.example.com:443" in result["msg"]
        assert not writes(result)


def test_an_edge_is_deleted_where_all_it_serves_is_declared(tasks: Tasks) -> None:
    seed_edge(tasks, hostports=[HOSTPORT.upper(), OTHER])
    result = tasks.done("https_edge", state="absent", hostports=["more.example.com:443", OTHER, HOSTPORT])
    assert writes(result) == [f"DELETE /edges/https/{EDGE}"]


@pytest.mark.parametrize("how", [{"id": EDGE}, {"find_by": "metadata", "metadata": "m"}])
def test_an_edge_found_otherwise_is_deleted_with_any_hostports(tasks: Tasks, how: dict[str, Any]) -> None:
    seed_edge(tasks, hostports=[HOSTPORT, OTHER], metadata="m")
    assert tasks.done("https_edge", state="absent", **how)["changed"]
    assert tasks.service.state()["https_edges"] == []


def test_a_route_is_found_by_match_type_and_match_together(tasks: Tasks) -> None:
    seed_edge(
        tasks,
        routes=[
            {"id": "edghtsrt_prefix", "match_type": "path_prefix", "match": "/a"},
            {"id": "edghtsrt_exact", "match_type": "exact_path", "match": "/a"},
            {"id": "edghtsrt_longer", "match_type": "path_prefix", "match": "/a/"},
        ],
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
    key = {"match_type": "path_prefix", "match": "/"}
    edge = {"id": "edghts_a", "hostports": [], "routes": [{"id": f"edghtsrt_{one}", **key} for one in ("b", "c")]}
    instead = in_turn(as_json(edge))
    result = tasks.failed("https_edge_route", instead=instead, edge_id="edghts_a", **key, state=state)
    assert received(result, *WRITES) == []
    assert "2 routes of edge edghts_a match the declared match_type and match: edghtsrt_b, edghtsrt_c." in result["msg"]
    assert result["ids"] == ["edghtsrt_b", "edghtsrt_c"]
