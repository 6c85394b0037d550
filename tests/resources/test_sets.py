# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of routes and of event sources: one reading, writes for what differs, and purges of what is not declared. The
results contain of an object that does not change only what identifies it.
"""

from __future__ import annotations

from typing import Any

import pytest

from convergence import converges
from module_task import Given, Tasks, methods, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, SUBSCRIPTION, seed_edge, seed_subscription

FIRST, SECOND, THIRD = "ip_policy_created.v0", "ip_policy_updated.v0", "tcp_connection_closed.v0"


def paths(*matches: str) -> list[Given]:
    return [{**KEY, "match": match} for match in matches]


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
    seed_subscription(tasks, *held)
    tasks.service.switches(sources_uri=sources_uri, page_size=1)
    options = {"subscription_id": SUBSCRIPTION, "types": declared, "purge": purge, "allow_empty": not declared}
    result = converges(tasks, "event_sources", **options)
    assert [write.split()[0] for write in writes(result)] == expected
    left = tasks.service.state()["event_subscriptions"][0]["sources"]
    assert sorted(left) == sorted(declared if purge else {*held, *declared})


POLICY: Given = {"name": "office", "collection": "ip_policies", "find_by": {"description": "Office"}}
POLICY |= {"body": {"metadata": "x"}}
SAME = {"hostports": [HOSTPORT], "routes": [KEY]}
OTHER = {"hostports": [HOSTPORT], "routes": [KEY, {**KEY, "match": "/new"}]}
ROUTE_KEYS = {"id": ROUTE, **KEY}


@pytest.fixture
def live(tasks: Tasks) -> Tasks:
    seed_edge(tasks, description="The shop", routes=[{"id": ROUTE, **KEY, "description": "Everything"}])
    policy = {"id": "ipp_office", "description": "Office", "metadata": "x"}
    tasks.service.seed(objects={"ip_policies": [policy]})
    return tasks


@pytest.mark.parametrize("check", [True, False])
def test_an_unchanged_edge_is_its_id_and_its_hostports(live: Tasks, check: bool) -> None:
    name = {"id": EDGE, "hostports": [HOSTPORT]}
    whole = {**name, "routes": [ROUTE_KEYS]}
    assert live.done("estate", check, https_edges=[SAME])["https_edges"] == [name]
    assert live.done("estate", check, https_edges=[SAME], unchanged="states")["https_edges"] == [whole]
    [changed] = live.done("estate", check, https_edges=[OTHER])["https_edges"]
    assert [route["match"] for route in changed["routes"]] == ["/", "/new"]


def test_another_object_is_what_identifies_it_unless_it_changes(live: Tasks) -> None:
    def shown(policy: Given, route: Given, **more: Any) -> list[Given]:
        office = live.done("estate", objects=[policy], **more)["objects"]["office"]
        return [office, *live.done("https_edge_routes", edge_id=EDGE, routes=[route], **more)["https_edge_routes"]]

    names = [{"id": "ipp_office", "description": "Office"}, ROUTE_KEYS]
    assert shown(POLICY, KEY) == names
    for name, whole in zip(names, shown(POLICY, KEY, unchanged="states"), strict=True):
        assert name.items() < whole.items()
        assert {"created_at", "metadata", "uri"} & whole.keys()
    office, route = shown({**POLICY, "body": {"metadata": "y"}}, {**KEY, "description": "New"})
    assert office["metadata"] == "y"
    assert {"description": "New", "compression": None, **ROUTE_KEYS}.items() <= route.items()
