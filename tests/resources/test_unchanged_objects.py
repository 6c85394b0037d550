# SPDX-License-Identifier: GPL-3.0-or-later
"""What the results of tasks with many objects contain of those that do not change."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Given, Tasks
from places import EDGE, HOSTPORT, KEY, ROUTE, seed_edge

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
