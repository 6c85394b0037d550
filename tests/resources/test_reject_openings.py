# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that let somebody through who does not get through before: what they say, when they are rejected, and that a
digest approves who gets through with them.
"""

from __future__ import annotations

from typing import Any

import pytest

from estates_to_judge import Given, estate
from module_task import Tasks, writes
from places import EDGE, KEY, TLS_EDGE, in_each_module, seed_tls_edge

URL = "https://shop.example.com/"
NO_NETWORK = "no longer requires an allowed network"
ONE = f"[id={EDGE}]"


def edges(*all_edges: Given, purge: str = "") -> Given:
    return {"https_edges": list(all_edges), "purge": purge.split(), "allow_empty": True, "max_deletions": 100}


# What is live, what is declared, and what this opens.
TAKES = f"{NO_NETWORK}; path_prefix / takes it from path_prefix /"
ANOTHER_EDGE = edges({**estate("/")["https_edges"][0], "find_by": "none"}, purge="edges")
CASES: list[tuple[str, Given, str, str]] = [
    (f"{ONE} / office", ANOTHER_EDGE, "unlocked", TAKES),
    ("[host=blog.example.com]", estate("/"), "new", "nothing took it before, and everyone gets through now"),
]


@pytest.mark.parametrize(("live", "options", "kind", "text"), CASES)
def test_what_a_plan_opens(tasks: Tasks, live: str, options: Given, kind: str, text: str) -> None:
    tasks.service.seed(**estate(live))
    dry = tasks.done("estate", True, **options)
    found = [(one["kind"], one["request"], one["text"]) for entry in dry["plan"] for one in entry["opens"]]
    assert set(found) == {(kind, URL, text)}
    for check in (True, False):
        result = tasks.run("estate", check, **options, reject_openings=True)
        assert bool(result.get("failed")) is (kind != "new")
        assert kind == "new" or (f"{URL}: {text}" in result["msg"], writes(result)) == (True, [])


KINDS: list[tuple[Any, bool]] = [
    (True, True),
    ("true", True),
    (False, False),
    ("no", False),
    (" OFF ", False),
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
    "new": (
        f"[id={EDGE} hostport=] / oidc",
        f"[id={EDGE} hostport=] /",
        edges({"id": EDGE, "hostports": ["shop.example.com:443"]}),
    ),
    "unlocked": (
        f"[id={EDGE} clients] / oidc",
        f"[id={EDGE}] / oidc",
        edges({"id": EDGE, "routes": [{**KEY, "absent_modules": ["oidc"]}]}),
    ),
    "what a route that is deleted leaves": (
        f"[id={EDGE}] / -backend, /admin oidc",
        f"[id={EDGE}] /, /admin oidc",
        edges({"id": EDGE, "routes": [KEY]}, purge="routes"),
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
    for number, cidr in enumerate(("10.0.0.0/8", "192.0.2.0/24")):
        rule = {"id": f"ipr_{number}", "ip_policy_id": "ipp_office", "action": "allow", "cidr": cidr}
        tasks.service.seed(objects={"ip_policy_rules": [rule]})
        digests.append(tasks.done(module, True, **declared)["plan_digest"])
    result = tasks.failed(module, **declared, expect_plan=digests[0])
    assert ("not the one that was approved" in result["msg"], writes(result)) == (True, [])
    assert tasks.done(module, **declared, expect_plan=digests[1])["changed"]
