# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that let somebody through who does not get through before: what they say, and when they are rejected."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from places import EDGE, HOSTPORT, TLS_EDGE, seed_edge, seed_tls_edge
from rich_world import FIRST

Given = dict[str, Any]

ROOT: Given = {"match_type": "path_prefix", "match": "/"}
BACKEND: Given = {"backend": {"backend_id": "bkd_one"}}
CLOSED: Given = {"backend": {"backend_id": "bkd_one", "enabled": False}}
OFFICE: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
LOGIN: Given = {"oidc": FIRST["oidc"]}
ADMIN: Given = {**ROOT, "match": "/admin"}
PUBLIC: Given = {**ROOT, **BACKEND}
URL = f"https://{HOSTPORT.removesuffix(':443')}"
NO_NETWORK = "no longer requires an allowed network"
OTHER_EDGE = "edghts_other"


def openings(result: Given) -> set[tuple[str, str, str]]:
    return {(one["kind"], one["request"], one["text"]) for entry in result["plan"] for one in entry["opens"]}


def edges(*all_edges: Given, purge: tuple[str, ...] = ()) -> Given:
    return {"https_edges": list(all_edges), "purge": list(purge)}


def of(host: str, *routes: Given, **more: Any) -> Given:
    return {"hostports": [f"{host}.example.com:443"], "routes": list(routes), **more}


# What is live, what is declared, and what this opens.
CASES: dict[str, tuple[list[Given], Given, set[tuple[str, str, str]]]] = {
    "another edge takes a hostport": (
        [{"id": EDGE, **of("shop", {**PUBLIC, **OFFICE})}],
        edges({**of("shop", PUBLIC), "find_by": "none"}, purge=("edges",)),
        {("unlocked", "https://shop.example.com/", f"{NO_NETWORK}; path_prefix / takes it from path_prefix /")},
    ),
    "a hostport moves by the IDs of its edges": (
        [{"id": EDGE, **of("shop", {**PUBLIC, **OFFICE})}, {"id": OTHER_EDGE, **of("blog", PUBLIC)}],
        edges(
            {"id": EDGE, "hostports": []},
            {"id": OTHER_EDGE, "hostports": ["blog.example.com:443", "shop.example.com:443"]},
        ),
        {("unlocked", "https://shop.example.com/", f"{NO_NETWORK}; path_prefix / takes it from path_prefix /")},
    ),
    "a wildcard takes over": (
        [{"id": EDGE, **of("shop", {**PUBLIC, **OFFICE})}, {"id": OTHER_EDGE, **of("*", PUBLIC)}],
        edges({"id": OTHER_EDGE}, purge=("edges",)),
        {("unlocked", "https://shop.example.com/", f"{NO_NETWORK}; path_prefix / takes it from path_prefix /")},
    ),
    "a new edge": (
        [],
        edges(of("shop", PUBLIC)),
        {("new", "https://shop.example.com/", "nothing took it before, and everyone gets through now")},
    ),
    "a closed edge": ([], edges(of("shop", {**ROOT, **CLOSED})), set()),
    "an edge without hostports": (
        [{"id": EDGE, "hostports": [], "routes": [{**PUBLIC, **LOGIN}]}],
        edges({"id": EDGE, "routes": [{**ROOT, "absent_modules": ["oidc"]}]}),
        set(),
    ),
    "a host that the match names": (
        [
            {
                "id": EDGE,
                "hostports": ["a.example.com:443", "b.example.com:443"],
                "routes": [{**PUBLIC, "match": "a.example.com/x", **OFFICE}, {**PUBLIC, **LOGIN}],
            }
        ],
        edges({"id": EDGE, "routes": [{**ROOT}]}, purge=("routes",)),
        {("others", "", "")},
    ),
}


@pytest.mark.parametrize(("live", "options", "expected"), CASES.values(), ids=CASES)
def test_what_a_plan_opens(
    tasks: Tasks, live: list[Given], options: Given, expected: set[tuple[str, str, str]]
) -> None:
    tasks.service.seed(https_edges=live)
    options = {**options, "allow_empty": True, "max_deletions": 100}
    dry = tasks.done("estate", True, **options)
    if ("others", "", "") in expected:
        assert {one[0] for one in openings(dry)} == {"unlocked"}
    else:
        assert openings(dry) == expected
    is_rejected = bool({kind for kind, _request, _text in expected} - {"new"})
    for check in (True, False):
        result = tasks.run("estate", check, **options, reject_openings=True)
        assert bool(result.get("failed")) is is_rejected
        if is_rejected:
            assert writes(result) == []
            assert all(request in result["msg"] and text in result["msg"] for _kind, request, text in openings(dry))


@pytest.mark.parametrize(
    ("given", "is_rejected"),
    [
        (True, True),
        ("true", True),
        (False, False),
        (["unlocked"], True),
        (["others", "new"], False),
        ("unlocked,new", True),
    ],
)
def test_kinds_that_are_rejected(tasks: Tasks, given: Any, is_rejected: bool) -> None:
    seed_edge(tasks, routes=[{**PUBLIC, **LOGIN}])
    route = {**ROOT, "absent_modules": ["oidc"]}
    for module, options in (
        ("https_edge_route", {"edge_id": EDGE, **route}),
        ("https_edge_routes", {"edge_id": EDGE, "routes": [route]}),
        ("estate", edges({"id": EDGE, "routes": [route]})),
    ):
        result = tasks.run(module, True, **options, reject_openings=given)
        assert bool(result.get("failed")) is is_rejected
        assert not is_rejected or f"{URL}/: no longer requires a login (unlocked)" in result["msg"]


def test_modules_of_edges_and_of_tls_edges(tasks: Tasks) -> None:
    seed_edge(tasks, mutual_tls={"certificate_authority_ids": ["ca_one"]}, routes=[PUBLIC])
    seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]})
    for module, options, text in (
        (
            "https_edge",
            {"id": EDGE, "absent_modules": ["mutual_tls"]},
            f"{URL}/: no longer requires a client certificate",
        ),
        ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, "state": "absent"}, f"TLS edge {TLS_EDGE}: {NO_NETWORK}"),
    ):
        result = tasks.failed(module, **options, reject_openings=True)
        assert (text in result["msg"], writes(result)) == (True, [])
        assert tasks.done(module, **options)["changed"]


def test_a_plan_that_is_incomplete_is_rejected(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[PUBLIC])
    routes = [{**ROOT, "description": "x"}, {**ADMIN, "id": "edghtsrt_nowhere"}]
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=routes, reject_openings=True)
    assert "incomplete" in result["msg"]
    assert writes(result) == []


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (["lost"], "reject_openings[0]: 'lost' is not allowed; expected unlocked, others, reopened, or new"),
        ([], "reject_openings: expected true, false, or a list of unlocked, others, reopened, and new, got a list"),
        ("", "reject_openings: expected true, false, or a list"),
        (None, "reject_openings"),
        (7, "reject_openings: expected true, false, or a list"),
    ],
)
def test_what_is_no_kind_of_opening(tasks: Tasks, given: Any, text: str) -> None:
    result = tasks.failed("estate", **edges({"id": EDGE}), reject_openings=given)
    assert text in result["msg"]


def test_a_digest_approves_what_opens(tasks: Tasks) -> None:
    """Somebody opens `/` after the approval of the deletion of `/admin`, whose requests it would then take."""
    seed_edge(
        tasks, routes=[{"id": "edghtsrt_root", **ROOT, **CLOSED}, {"id": "edghtsrt_admin", **ADMIN, **BACKEND, **LOGIN}]
    )
    options = edges({"id": EDGE, "routes": [ROOT]}, purge=("routes",))
    digest = tasks.done("estate", True, **options)["plan_digest"]
    tasks.done("https_edge_route", edge_id=EDGE, **ROOT, **BACKEND)
    result = tasks.failed("estate", **options, expect_plan=digest)
    assert writes(result) == []
