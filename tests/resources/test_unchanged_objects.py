# SPDX-License-Identifier: GPL-3.0-or-later
"""What the results of tasks with many objects contain of those that do not change."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from places import EDGE, HOSTPORT, KEY, ROUTE, seed_edge

POLICY = {
    "name": "office",
    "collection": "ip_policies",
    "find_by": {"description": "Office"},
    "body": {"metadata": "x"},
}
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


@pytest.mark.parametrize(
    ("module", "options", "name"),
    [
        ("https_edge_routes", {"edge_id": EDGE, "routes": [KEY]}, ROUTE_KEYS),
        ("objects", {"objects": [POLICY]}, {"id": "ipp_office", "description": "Office"}),
    ],
)
def test_another_unchanged_object_is_what_identifies_it(
    live: Tasks, module: str, options: dict[str, Any], name: dict[str, Any]
) -> None:
    def shown(**more: Any) -> Any:
        if module == "objects":
            return live.done("estate", **options, **more)["objects"]["office"]
        [one] = live.done(module, **options, **more)[module]
        return one

    assert shown() == name
    whole = shown(unchanged="states")
    assert name.items() < whole.items()
    assert {"created_at", "metadata", "uri"} & whole.keys()


def test_a_changed_object_is_shown_as_a_whole(live: Tasks) -> None:
    routes = [{**KEY, "description": "New"}]
    [route] = live.done("https_edge_routes", edge_id=EDGE, routes=routes)["https_edge_routes"]
    assert {"description": "New", "compression": None, **ROUTE_KEYS}.items() <= route.items()
    policy = {**POLICY, "body": {"metadata": "y"}}
    assert live.done("estate", objects=[policy])["objects"]["office"]["metadata"] == "y"
