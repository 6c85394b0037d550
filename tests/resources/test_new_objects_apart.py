# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that do not exist yet have no ID: what distinguishes them instead, in plans and for later tasks."""

from __future__ import annotations

from typing import Any

import pytest

from estates_to_judge import route
from module_task import Tasks, writes
from places import EDGE, HOSTPORT, seed_edge

Given = dict[str, Any]

ADMIN, SHOP = route("/admin"), route("/shop")
CLIENTS = {"mutual_tls": {"certificate_authority_ids": ["ca_1"]}}


def by_metadata(name: str, routes: str = "/admin", **more: Any) -> Given:
    return {"find_by": "metadata", "metadata": name, "routes": [*map(route, routes.split(","))], **more}


def unidentified(routes: str, **more: Any) -> Given:
    return {"find_by": "none", "routes": [*map(route, routes.split(","))], **more}


# Two edges each, of which the second pair is another configuration, although all of its objects look the same.
SWAPS: dict[str, tuple[list[Given], list[Given]]] = {
    "metadata": (
        [by_metadata("one", "/admin office"), by_metadata("two")],
        [by_metadata("one"), by_metadata("two", "/admin office")],
    ),
    "description": (
        [unidentified("/admin office", description="one"), unidentified("/admin", description="two")],
        [unidentified("/admin", description="one"), unidentified("/admin office", description="two")],
    ),
    "only their routes": (
        [unidentified("/admin office, /shop"), unidentified("/admin, /shop office")],
        [unidentified("/admin office, /shop office"), unidentified("/admin, /shop")],
    ),
    "a module of their own": (
        [by_metadata("one", **CLIENTS), by_metadata("two", "/admin office")],
        [by_metadata("one", "/admin office", **CLIENTS), by_metadata("two")],
    ),
}


@pytest.mark.parametrize(("edges", "swapped"), SWAPS.values(), ids=SWAPS)
def test_the_digest_says_which_new_edge_a_route_belongs_to(
    tasks: Tasks, edges: list[Given], swapped: list[Given]
) -> None:
    digests = [
        tasks.done("estate", True, https_edges=each)["plan_digest"] for each in (edges, edges[::-1], swapped, edges)
    ]
    assert digests[0] == digests[1] == digests[3] != digests[2]
    rejected = tasks.failed("estate", https_edges=swapped, expect_plan=digests[0])
    assert not writes(rejected)
    assert tasks.done("estate", https_edges=edges, expect_plan=digests[0])["changed"]


def test_people_read_which_new_edge_it_is(tasks: Tasks) -> None:
    edges = [
        by_metadata("one"),
        {**by_metadata(""), "metadata": {"name": "two"}},
        unidentified("/admin", description="three"),
        {"hostports": [HOSTPORT], "metadata": "four", "routes": [ADMIN]},
    ]
    names = ["'one'", '\'{"name":"two"}\'', "'three'", HOSTPORT]
    for check in (True, False):
        result = tasks.done("estate", check, https_edges=edges)
        assert [one["object"] for one in result["plan"]] == [
            text for name in names for text in (f"https_edge {name}", f"https_edge_route path_prefix /admin of {name}")
        ]
    judged = tasks.done("estate", True, https_edges=[by_metadata("five")], reject_findings="high")
    assert [one["object"] for one in judged["plan"]] == [
        "https_edge 'five'",
        "https_edge_route path_prefix /admin of 'five'",
    ]
    tasks.service.switches(rejected_creations="routes")
    failed = tasks.failed("estate", https_edges=[by_metadata("six")])
    assert [one["object"] for one in failed["failures"]] == ["https_edge_route path_prefix /admin of 'six'"]


def test_a_finding_of_a_new_edge_has_the_name_of_the_plan(tasks: Tasks) -> None:
    edge = by_metadata("one", tls_termination={"min_version": "1.0"})
    result = tasks.failed("estate", https_edges=[edge], reject_findings="low")
    assert [one["object"] for one in result["findings"]] == ["https_edge 'one'"]


POLICIES = [{"collection": "ip_policies", "find_by": {"description": name}} for name in ("Office", "Home")]


def new_id(tasks: Tasks, module: str, options: Given, name: str) -> str:
    identifier: str = tasks.done(module, True, **options)[name]["id"]
    return identifier


def test_a_later_task_keeps_the_objects_of_two_tasks_apart(tasks: Tasks) -> None:
    office, home = (new_id(tasks, "object", one, "object") for one in POLICIES)
    rules = [
        {"name": name, "collection": "ip_policy_rules", "find_by": {"ip_policy_id": policy, "cidr": "192.0.2.0/24"}}
        for name, policy in (("office", office), ("home", home))
    ]
    assert tasks.done("estate", True, objects=rules)["summary"]["created"] == 2
    edges = [new_id(tasks, "https_edge", {"hostports": [f"{name}.example.com:443"]}, "https_edge") for name in "ab"]
    declared = [{"id": edge, "routes": [ADMIN]} for edge in edges]
    assert tasks.done("estate", True, https_edges=declared)["summary"]["created"] == 2


ROUTES = [("https_edge_route", {"edge_id": EDGE, **one}, "https_edge_route") for one in (ADMIN, SHOP)]
EDGES = [
    ("https_edge", one, "https_edge")
    for one in (
        {"hostports": ["a.example.com:443"]},
        {"hostports": ["b.example.com:443"]},
        {"find_by": "metadata", "metadata": "a"},
        {"find_by": "none", "metadata": "b"},
        {"find_by": "none", "description": "b"},
    )
]
OBJECTS = [
    ("object", {"collection": collection, "find_by": find_by}, "object")
    for collection, find_by in (
        ("ip_policies", {"description": "a"}),
        ("ip_policies", {"metadata": "a"}),
        ("ip_policies", {"description": "a", "metadata": "a"}),
        ("backends/http_response", {"description": "a"}),
        ("backends/tunnel_group", {"description": "a"}),
    )
]
CALLS = [
    ("api", {"method": "POST", "path": path, "body": {"description": text}}, "json")
    for path, text in (("/things", "a"), ("/things", "b"), ("/others", "a"))
]


def test_each_object_has_a_placeholder_of_its_own(tasks: Tasks) -> None:
    seed_edge(tasks)
    everything = [*EDGES, *ROUTES, *OBJECTS, *CALLS]
    ids = [new_id(tasks, *one) for one in everything]
    assert len(set(ids)) == len(ids)
    assert [new_id(tasks, *one) for one in everything] == ids


def test_the_placeholder_depends_only_on_what_finds_the_object(tasks: Tasks) -> None:
    found: Given = {"collection": "ip_policies", "find_by": {"description": "Office", "metadata": {"a": 1, "b": 2}}}
    again = {**found, "find_by": {"metadata": {"b": 2, "a": 1}, "description": "Office"}, "body": {"more": True}}
    assert new_id(tasks, "object", found, "object") == new_id(tasks, "object", again, "object")
    spelled: list[Given] = [
        {"hostports": [HOSTPORT, "a.example.com:443"]},
        {"hostports": ["A.example.com:443", HOSTPORT], "description": "x"},
    ]
    assert len({new_id(tasks, "https_edge", one, "https_edge") for one in spelled}) == 1
