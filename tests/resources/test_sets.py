# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of routes and of event sources: one reading, writes for what differs, and purges of what is not declared."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from convergence import ANY_NUMBER, converges
from declarations import SWITCHES, route
from module_task import Given, Tasks, methods, writes
from places import HOSTPORT, seed_edge

SUBSCRIPTION = "esb_set"
FIRST, SECOND, THIRD = "ip_policy_created.v0", "ip_policy_updated.v0", "tcp_connection_closed.v0"


def paths(*matches: str) -> list[Given]:
    return [{"match_type": "path_prefix", "match": match} for match in matches]


@settings(ANY_NUMBER, max_examples=so_many(20, 50))
@given(switches=SWITCHES, sets=st.lists(st.lists(route(), max_size=3), min_size=2, max_size=2), purge=st.booleans())
def test_any_set_of_routes(tasks: Tasks, switches: Given, sets: list[Any], purge: bool) -> None:
    tasks.service.reset()
    tasks.service.switches(**switches)
    edge_id = tasks.done("https_edge", hostports=["a.example.com:443"])["https_edge"]["id"]
    for routes in sets:
        declared = [{**one, **key} for one, key in zip(routes, paths("/a", "/b", "/c"), strict=False)]
        options = {"purge": purge, "allow_empty": True, "max_deletions": 100}
        converges(tasks, "https_edge_routes", edge_id=edge_id, routes=declared, **options)


def test_a_set_sends_one_read_and_a_write_for_each_change(tasks: Tasks) -> None:
    edge_id = seed_edge(tasks, routes=paths("/same", "/other", "/gone"))
    declared = [*paths("/same", "/new"), {**paths("/other")[0], "description": "changed"}]
    result = tasks.done("https_edge_routes", edge_id=edge_id, routes=declared, purge=True)
    assert methods(result) == ["GET", "POST", "PATCH", "DELETE"]
    headers = [("+ create", "/new"), ("~ update", "/other"), ("- delete", "/gone")]
    assert [diff["after_header"].split(" (")[0] for diff in result["diff"]] == [
        f"{action} https_edge_route path_prefix {match} of {HOSTPORT}" for action, match in headers
    ]
    assert [one["match"] for one in result["https_edge_routes"]] == ["/same", "/new", "/other"]


def test_one_route_declared_twice_is_an_error(tasks: Tasks) -> None:
    edge_id = seed_edge(tasks, routes=[{"id": "edghtsrt_one", **paths("/")[0]}])
    same_key = tasks.failed("https_edge_routes", edge_id=edge_id, routes=paths("/", "/"))
    assert "routes[1]: path_prefix / is already declared in routes[0]" in same_key["msg"]
    by_id_and_key = [{"id": "edghtsrt_one", "description": "one"}, {**paths("/")[0], "description": "two"}]
    result = tasks.failed("https_edge_routes", edge_id=edge_id, routes=by_id_and_key)
    assert len(result["failures"]) == 2
    assert not writes(result)


@pytest.mark.parametrize(
    ("held", "declared", "purge", "expected"),
    [
        ([FIRST], [FIRST], True, []),
        ([FIRST, SECOND], [FIRST], False, []),
        ([FIRST, SECOND], [FIRST], True, ["DELETE"]),
        ([FIRST], [SECOND, THIRD], False, ["POST", "POST"]),
        ([FIRST], [SECOND], True, ["POST", "DELETE"]),
        ([FIRST, SECOND], [], True, ["DELETE", "DELETE"]),
    ],
)
@pytest.mark.parametrize("sources_uri", ["own", "null", "next_page"])
def test_a_set_of_event_sources_converges(
    tasks: Tasks, held: list[str], declared: list[str], purge: bool, expected: list[str], sources_uri: str
) -> None:
    tasks.service.seed(event_subscriptions=[{"id": SUBSCRIPTION, "sources": held}])
    tasks.service.switches(sources_uri=sources_uri, page_size=1)
    options = {"subscription_id": SUBSCRIPTION, "types": declared, "purge": purge, "allow_empty": not declared}
    result = converges(tasks, "event_sources", **options)
    assert [write.split()[0] for write in writes(result)] == expected
    left = tasks.service.state()["event_subscriptions"][0]["sources"]
    assert sorted(left) == sorted(declared if purge else {*held, *declared})
