# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that let somebody through who does not get through before: what they say, when they are rejected, and that a
digest approves who gets through with them.
"""

from __future__ import annotations

from typing import Any

import pytest

from estates_to_judge import Given, estate, route
from module_task import Tasks, writes
from places import EDGE, KEY, TLS_EDGE, in_each_module, seed_tls_edge

URL = "https://shop.example.com/"
NO_NETWORK = "no longer requires an allowed network"
TAKES = f"{NO_NETWORK}; path_prefix / takes it from path_prefix /"
OTHER_EDGE = "edghts_other"


def openings(result: Given) -> set[tuple[str, str, str]]:
    return {(one["kind"], one["request"], one["text"]) for entry in result["plan"] for one in entry["opens"]}


def edges(*all_edges: Given, purge: str = "") -> Given:
    return {"https_edges": list(all_edges), "purge": purge.split()}


def of_edge(*routes: str, **more: Any) -> Given:
    return edges({"id": EDGE, "routes": [{**KEY, "match": one} for one in routes], **more})


ONE, OTHER = f"[id={EDGE}]", f"[id={OTHER_EDGE} host=blog.example.com]"
BOTH = ["blog.example.com:443", "shop.example.com:443"]
# What is live, what is declared, and what this opens.
CASES: dict[str, tuple[str, Given, set[tuple[str, str, str]]]] = {
    "another edge takes a hostport": (
        f"{ONE} / office",
        edges({**estate("/")["https_edges"][0], "find_by": "none"}, purge="edges"),
        {("unlocked", URL, TAKES)},
    ),
    "a hostport moves by the IDs of its edges": (
        f"{ONE} / office | {OTHER} /",
        edges({"id": EDGE, "hostports": []}, {"id": OTHER_EDGE, "hostports": BOTH}),
        {("unlocked", URL, TAKES)},
    ),
    "a wildcard takes over": (
        f"{ONE} / office | [id={OTHER_EDGE} host=*.example.com] /",
        edges({"id": OTHER_EDGE}, purge="edges"),
        {("unlocked", URL, TAKES)},
    ),
    "a new edge": ("", estate("/"), {("new", URL, "nothing took it before, and everyone gets through now")}),
    "a closed edge": ("", estate("/ -backend"), set()),
    "an edge without hostports": (
        f"[id={EDGE} hostport=] / oidc",
        edges({"id": EDGE, "routes": [{**KEY, "absent_modules": ["oidc"]}]}),
        set(),
    ),
}


def judge(tasks: Tasks, options: Given, *, is_rejected: bool) -> Given:
    """The result of check mode, which opens something that is rejected or not."""
    dry = tasks.done("estate", True, **options)
    for check in (True, False):
        result = tasks.run("estate", check, **options, reject_openings=True)
        assert bool(result.get("failed")) is is_rejected
        if is_rejected:
            assert writes(result) == []
            assert all(request in result["msg"] and text in result["msg"] for _kind, request, text in openings(dry))
    return dry


@pytest.mark.parametrize(("live", "options", "expected"), CASES.values(), ids=CASES)
def test_what_a_plan_opens(tasks: Tasks, live: str, options: Given, expected: set[tuple[str, str, str]]) -> None:
    if live:
        tasks.service.seed(**estate(live))
    options = {**options, "allow_empty": True, "max_deletions": 100}
    dry = judge(tasks, options, is_rejected=bool({kind for kind, *_rest in expected} - {"new"}))
    assert openings(dry) == expected


def test_what_a_plan_opens_on_a_host_that_a_match_names(tasks: Tasks) -> None:
    tasks.service.seed(**estate(f"[id={EDGE} host=a.example.com+b.example.com] a.example.com/x office, / oidc"))
    options = {**of_edge("/"), "purge": ["routes"], "max_deletions": 100}
    assert {kind for kind, *_rest in openings(judge(tasks, options, is_rejected=True))} == {"unlocked"}


KINDS: list[tuple[Any, bool]] = [
    (True, True),
    ("true", True),
    (False, False),
    (["unlocked"], True),
    (["others", "new"], False),
    ("unlocked,new", True),
]


@pytest.mark.parametrize(("given", "is_rejected"), KINDS)
def test_kinds_that_are_rejected(tasks: Tasks, given: Any, is_rejected: bool) -> None:
    tasks.service.seed(**estate(f"{ONE} / oidc"))
    for module, options in in_each_module({"absent_modules": ["oidc"]}).items():
        result = tasks.run(module, True, **options, reject_openings=given)
        assert bool(result.get("failed")) is is_rejected
        assert not is_rejected or f"{URL}: no longer requires a login (unlocked)" in result["msg"]


def test_modules_of_edges_and_of_tls_edges(tasks: Tasks) -> None:
    tasks.service.seed(**estate(f"[id={EDGE} clients] /"))
    seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]})
    certificate = f"{URL}: no longer requires a client certificate"
    for module, options, text in (
        ("https_edge", {"id": EDGE, "absent_modules": ["mutual_tls"]}, certificate),
        ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, "state": "absent"}, f"TLS edge {TLS_EDGE}: {NO_NETWORK}"),
    ):
        result = tasks.failed(module, **options, reject_openings=True)
        assert (text in result["msg"], writes(result)) == (True, [])
        assert tasks.done(module, **options)["changed"]


def test_a_plan_that_is_incomplete_is_rejected(tasks: Tasks) -> None:
    tasks.service.seed(**estate(f"{ONE} /"))
    routes = [{**KEY, "description": "x"}, {**route("/admin"), "id": "edghtsrt_nowhere"}]
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=routes, reject_openings=True)
    assert ("incomplete" in result["msg"], writes(result)) == (True, [])


EXPECTED = "reject_openings: expected true, false, or a list"
NO_KINDS: list[tuple[Any, str]] = [
    (["lost"], "reject_openings[0]: 'lost' is not allowed; expected unlocked, others, reopened, or new"),
    ([], f"{EXPECTED} of unlocked, others, reopened, and new, got a list"),
    ("", EXPECTED),
    (None, "reject_openings"),
    (7, EXPECTED),
]


@pytest.mark.parametrize(("given", "text"), NO_KINDS)
def test_what_is_no_kind_of_opening(tasks: Tasks, given: Any, text: str) -> None:
    assert text in tasks.failed("estate", **edges({"id": EDGE}), reject_openings=given)["msg"]


# What is live when a plan is approved and when it is applied, and what is declared.
APPROVED: dict[str, tuple[str, str, Given]] = {
    "new": (f"[id={EDGE} hostport=] / oidc", f"[id={EDGE} hostport=] /", edges({"id": EDGE, "hostports": BOTH[1:]})),
    "reopened": (
        f"[id={EDGE} clients] / -backend",
        f"[id={EDGE}] / -backend",
        edges({"id": EDGE, "routes": [{**KEY, "backend": {"backend_id": "bk_app", "enabled": True}}]}),
    ),
    "unlocked": (
        f"[id={EDGE} clients] / oidc",
        f"[id={EDGE}] / oidc",
        edges({"id": EDGE, "routes": [{**KEY, "absent_modules": ["oidc"]}]}),
    ),
    "what a route that is deleted leaves": (
        f"[id={EDGE}] / -backend, /admin oidc",
        f"[id={EDGE}] /, /admin oidc",
        {**of_edge("/"), "purge": ["routes"]},
    ),
}


@pytest.mark.parametrize(("approved", "now", "declared"), APPROVED.values(), ids=APPROVED)
def test_a_plan_is_not_applied_if_others_would_get_in_than_was_approved(
    tasks: Tasks, approved: str, now: str, declared: Given
) -> None:
    """The live account has changed since."""
    for text in (approved, now):
        tasks.service.reset()
        live = estate(text)
        for number, one in enumerate(live["https_edges"][0]["routes"]):
            one["id"] = f"edghtsrt_{number}"
        tasks.service.seed(**live)
        if text == approved:
            digest = tasks.done("estate", True, **declared)["plan_digest"]
    result = tasks.failed("estate", **declared, expect_plan=digest)
    assert ("not the one that was approved" in result["msg"], writes(result)) == (True, [])


@pytest.mark.parametrize("module", ["estate", "https_edge_routes"])
def test_a_plan_is_not_applied_if_a_policy_to_which_it_opens_admits_others(tasks: Tasks, module: str) -> None:
    tasks.service.seed(**estate(f"{ONE} / oidc"))
    network = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
    declared = in_each_module({**network, "absent_modules": ["oidc"]})[module]
    digests = []
    for number, cidr in enumerate(("10.0.0.0/8", "0.0.0.0/0")):
        rule = {"id": f"ipr_{number}", "ip_policy_id": "ipp_office", "action": "allow", "cidr": cidr}
        tasks.service.seed(objects={"ip_policy_rules": [rule]})
        digests.append(tasks.done(module, True, **declared)["plan_digest"])
    result = tasks.failed(module, **declared, expect_plan=digests[0])
    assert ("not the one that was approved" in result["msg"], writes(result)) == (True, [])
    assert tasks.done(module, **declared, expect_plan=digests[1])["changed"]
