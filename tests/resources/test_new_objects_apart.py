# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that do not exist yet have no ID: what distinguishes them instead, in plans and for later tasks."""

from __future__ import annotations

from typing import Any

import pytest

from estates_to_judge import route
from module_task import Tasks, writes
from places import EDGE, HOSTPORT, seed_edge
from served_names import hostports

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
    weak = by_metadata("five", tls_termination={"min_version": "1.0"})
    judged = tasks.failed("estate", True, https_edges=[weak], reject_findings="low")
    assert [one["object"] for one in judged["findings"]] == ["https_edge 'five'"]
    assert judged["plan"][1]["object"] == "https_edge_route path_prefix /admin of 'five'"
    tasks.service.switches(rejected_creations="routes")
    failed = tasks.failed("estate", https_edges=[by_metadata("six")])
    assert [one["object"] for one in failed["failures"]] == ["https_edge_route path_prefix /admin of 'six'"]


def new_id(tasks: Tasks, module: str, options: Given) -> str:
    """The ID that an object would get."""
    identifier: str = tasks.done(module, True, **options)["json" if module == "api" else module]["id"]
    return identifier


DESCRIBED, NAMED = {"description": "a"}, {"metadata": "a"}
NEW: list[tuple[str, Given]] = [
    *(("https_edge", {"hostports": hostports(letter)}) for letter in "ab"),
    ("https_edge", {"find_by": "metadata", **NAMED}),
    *(("https_edge", {"find_by": "none", **one}) for one in ({"metadata": "b"}, {"description": "b"})),
    *(("https_edge_route", {"edge_id": EDGE, **one}) for one in (ADMIN, SHOP)),
    *(("object", {"collection": "ip_policies", "find_by": one}) for one in (DESCRIBED, NAMED, {**DESCRIBED, **NAMED})),
    *(("object", {"collection": f"backends/{one}", "find_by": DESCRIBED}) for one in ("http_response", "tunnel_group")),
    *(
        ("api", {"method": "POST", "path": path, "body": {"description": text}})
        for path, text in (("/things", "a"), ("/things", "b"), ("/others", "a"))
    ),
]


def test_each_object_has_a_placeholder_of_its_own(tasks: Tasks) -> None:
    """So that a later task keeps the objects of two tasks apart."""
    seed_edge(tasks)
    ids = [new_id(tasks, *one) for one in NEW]
    assert len(set(ids)) == len(ids)
    assert [new_id(tasks, *one) for one in NEW] == ids


def test_the_placeholder_depends_only_on_what_finds_the_object(tasks: Tasks) -> None:
    found: Given = {"collection": "ip_policies", "find_by": {"description": "Office", "metadata": {"a": 1, "b": 2}}}
    again = {**found, "find_by": {"metadata": {"b": 2, "a": 1}, "description": "Office"}, "body": {"more": True}}
    assert new_id(tasks, "object", found) == new_id(tasks, "object", again)
    spelled: list[Given] = [{"hostports": hostports("ab")}, {"hostports": hostports("Ba"), "description": "x"}]
    assert len({new_id(tasks, "https_edge", one) for one in spelled}) == 1
