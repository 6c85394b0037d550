# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes that let somebody through who does not get through before: what is said of them, in check mode and in a real
run, when they are rejected, and that a digest approves who gets through with them.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from cases import cases
from convergence import WIDENED, widened
from estates_to_judge import Given, estate, live_rule, modules
from module_task import Tasks, writes
from places import EDGE, KEY, TLS_EDGE, in_each_module, seed_edges, seed_route, seed_tls_edge
from scripted_service import rejecting

SHOP, URL = "shop.example.com:443", "https://shop.example.com/"
NO_LOGIN, NO_NETWORK = "no longer requires a login", "no longer requires an allowed network"
ONE = f"[id={EDGE}]"
RULE = "protected_route_deleted"


def edges(*all_edges: Given, purge: str = "") -> Given:
    return {"https_edges": list(all_edges), "purge": purge.split(), "allow_empty": True, "max_deletions": 100}


def left(text: str) -> Given:
    """The options that declare these routes of the edge, and purge what else there is of it."""
    return edges({"id": EDGE, "routes": estate(text)["https_edges"][0]["routes"]}, purge="routes modules")


# What is live, what is declared in its place, and the requests that get through with what is said of them. With `=!>`,
# it is a finding that another route takes the requests.
NOBODY = "nobody got through before, and"
ADMIN = f"admin: {NO_NETWORK}; path_prefix / takes it from path_prefix"
BELOW = "path_prefix /b takes it from path_prefix /"
OPENS = f"""
/ oidc -> / => /: {NO_LOGIN}
/ staff -> / => /: {NO_LOGIN}
/ saml -> / => /: {NO_LOGIN}
/ office -> / => /: {NO_NETWORK}
/ hook=github -> / => /: no longer requires a valid signature
/ rules=one -> / => /: no longer requires the rules of its traffic policy
/ issuer=https://a -> / -issuer=https://a => /: {NO_LOGIN}
/ oidc office -> / => /: no longer requires an allowed network and a login
/ office -> / no-policies => /: {NO_NETWORK}
/ saml=<x/>+staff -> / saml=<x/> => /: also admits <x/>
/ google=a@example.com -> / google= => /: also admits google
/ teams -> / everyone-of-github => /: also admits github
/ google=a.example -> / google=a.example+b.example => /: also admits google email_domains b.example
/ google=a.com -> / half-open => /: also admits github
/ oidc -> / google= => /: also admits oauth in place of oidc
/ issuer=https://a -> / issuer=https://b => /: also admits https://b app
/ networks=ipp_a -> / networks=ipp_b => /: also admits ipp_b without rules
/ hook=slack -> / unsigned-hook => /: also admits sns
/ -backend oidc -> / oidc => /: {NOBODY} it requires a login now
/ issuer=https://a -> / preflight=https://a => OPTIONS /: {NO_LOGIN}
/ half-open -> / google=a.com =>
/ google=a.com+b.com -> / google=a.com =>
/ google= -> / own-app =>
/ gzip -> / =>
/ -oidc -> / =>
/ -> / no-policies =>
/ oidc -> / oidc =>
/ -backend oidc -> / -backend =>
/ oidc -> / oidc, /admin =!> /admin: {NO_LOGIN}; path_prefix /admin takes it from path_prefix /
/ office -> / office, =/ok =!> /ok: {NO_NETWORK}; exact_path /ok takes it from path_prefix /
/ office -> / office, /b networks=ipp_b => /b: also admits ipp_b without rules; {BELOW}
/ office, =/b -> / office, /b id=edghtsrt_exact_b =!> /b/.below: {NO_NETWORK}; {BELOW}
/ oidc -> / oidc, /admin oidc office =>
/ oidc -backend -> / oidc -backend, /b => /b: {NOBODY} everyone gets through now; {BELOW}
a.example.com/ oidc -> a.example.com/ oidc, b.example.com/ =>
/, /admin office -> / =!> /{ADMIN} /admin
/ oidc, /admin office -> / oidc => /{ADMIN} /admin
/ office, /a office oidc -> / office => /a: {NO_LOGIN}; path_prefix / takes it from path_prefix /a
/ office, /admin office -> / =!> /: {NO_NETWORK}; {URL}{ADMIN} /admin & /{ADMIN} /admin
/, shop.example.com/admin office -> / =!> /{ADMIN} shop.example.com/admin
/, /b -backend -> / => /b: {NOBODY} everyone gets through now; path_prefix / takes it from path_prefix /b
/, =/a office, /a office -> /, =/a office =!> /a/.below: {NO_NETWORK}; path_prefix / takes it from path_prefix /a
/ -backend, /admin office -> / -backend =>
/, /admin office, /admin/x office -> /, /admin office =>
"""


@pytest.mark.parametrize("case", OPENS.strip().splitlines())
def test_what_opens(tasks: Tasks, case: str) -> None:
    there, declared, texts = re.split(" -> | =!?>", case)
    seed_edges(tasks, there)
    judged = tasks.run("estate", True, **left(declared), reject_findings="high")["findings"]
    assert (RULE in [one["rule"] for one in judged]) is ("=!>" in case)
    expected = {f"{text.strip().replace('/', URL, 1)}." for text in texts.split(" & ") if text}
    for check in (True, False):
        result = tasks.done("estate", check, **left(declared))
        assert {one.partition(f"{WIDENED}: ")[2] for one in widened(result)} == expected
    assert not widened(tasks.done("estate", **left(declared)))


def test_only_what_an_opening_needs_opens_something(tasks: Tasks) -> None:
    seed_edges(tasks, "/ oidc")
    options = left("/")
    options["https_edges"][0] |= modules("clients")
    dry = tasks.done("estate", True, **options)
    opening = {entry["object"].split()[0]: bool(entry["opens"]) for entry in dry["plan"]}
    assert opening == {"https_edge": False, "https_edge_route": True}


def test_a_policy_whose_rules_are_not_read_may_have_denied_something(tasks: Tasks) -> None:
    place = seed_route(tasks, **modules("backend networks=ipp_a"))
    [warning] = widened(tasks.done("https_edge_route", **place, **modules("networks=ipp_b")))
    assert warning.endswith("/: also admits ipp_b, what ipp_a may have denied.")


def test_a_change_that_failed_before_anything_was_done_does_not_warn(tasks: Tasks) -> None:
    seed_route(tasks, **modules("oidc gzip"))
    options = in_each_module({"purge_modules": True})["https_edge_routes"]
    result = tasks.failed("https_edge_routes", instead=rejecting("DELETE", "compression"), **options)
    # It is the first to be removed, so the login is still there.
    assert ("compression" in result["msg"], widened(result)) == (True, [])


def test_policies_that_are_not_shown_are_not_thrown_away(tasks: Tasks) -> None:
    tasks.service.switches(references="single")
    place = seed_route(tasks, **modules("branches"))
    failed = tasks.failed("https_edge_route", **place, ip_restriction={"enabled": False})
    assert "ip_restriction.ip_policy_ids: required, because the service returns only one" in failed["msg"]
    assert writes(failed) == []


def test_the_finding_names_what_goes_and_what_takes_over(tasks: Tasks) -> None:
    seed_edges(tasks, "/, /admin office")
    rejected = tasks.failed("estate", **left("/"), reject_findings="high")
    [finding] = rejected["findings"]
    name = f"https_edge_route path_prefix /admin of {SHOP}"
    found = (finding["object"], finding["created"], writes(rejected))
    assert found == (f"{name} (edghtsrt_admin)", True, [])
    assert finding["also"] == ["https_edges[0].routes[0]"]
    assert "Everyone can reach it through path_prefix /, which takes its requests" in finding["message"]
    accept = [{"rule": RULE, "object": name, "reason": "It moves to another host."}]
    done = tasks.done("estate", **left("/"), reject_findings="high", accept=accept)
    assert len(writes(done)) == 1
    assert tasks.done("estate", **left("/"), reject_findings="high")["findings"] == []


# What is live, what is declared, and what this opens.
TAKES = f"{NO_NETWORK}; path_prefix / takes it from path_prefix /"
ANOTHER_EDGE = edges({**estate("/")["https_edges"][0], "find_by": "none"}, purge="edges")
EDGES: list[tuple[str, Given, str, str]] = [
    (f"{ONE} / office", ANOTHER_EDGE, "unlocked", TAKES),
    ("[host=blog.example.com]", estate("/"), "new", "nothing took it before, and everyone gets through now"),
]


@pytest.mark.parametrize(("live", "options", "kind", "text"), EDGES)
def test_what_a_plan_opens(tasks: Tasks, live: str, options: Given, kind: str, text: str) -> None:
    tasks.service.seed(**estate(live))
    dry = tasks.done("estate", True, **options)
    found = [(one["kind"], one["request"], one["text"]) for entry in dry["plan"] for one in entry["opens"]]
    assert set(found) == {(kind, URL, text)}
    for check in (True, False):
        result = tasks.run("estate", check, **options, reject_openings=True)
        assert bool(result.get("failed")) is (kind != "new")
        assert kind == "new" or (f"{URL}: {text}" in result["msg"], writes(result)) == (True, [])


def test_what_nothing_took_before_does_not_hide_the_rest(tasks: Tasks) -> None:
    # Twenty are listed, and the new host comes first in any other order.
    seed_edges(tasks, f"[clients id={EDGE}] {', '.join(f'/{number}' for number in range(20))}")
    options = {"hostports": ["a.example.com:443", SHOP], "absent_modules": ["mutual_tls"]}
    [entry] = tasks.done("estate", True, **edges({"id": EDGE, **options}))["plan"]
    assert ({one["kind"] for one in entry["opens"]}, entry["opens_count"]) == ({"unlocked"}, 40)


KINDS: list[tuple[Any, bool]] = [
    (True, True),
    ("true", True),
    (False, False),
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
        if is_rejected:
            assert f"{URL}: no longer requires a login (unlocked)" in result["msg"]
        else:
            [warning] = widened(result)
            name = f"https_edge_route path_prefix / of {SHOP}"
            assert (warning.startswith(name), f": {WIDENED}: {URL}: {NO_LOGIN}" in warning) == (True, True)


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


# What is live when a plan is approved and when it is applied, and what is declared.
APPROVED = cases(
    """
    new      | "[hostport=] / oidc" | "[hostport=] /" | hostports: ["shop.example.com:443"]
    unlocked | "[clients] / oidc"   | / oidc          | routes: [{<<: *KEY, absent_modules: [oidc]}]
    what a route that is deleted leaves | / -backend, /admin oidc | /, /admin oidc | routes: [*KEY]
    """,
    KEY=KEY,
)


@pytest.mark.parametrize(("approved", "now", "declared"), APPROVED.values(), ids=APPROVED)
def test_a_plan_that_lets_others_in_than_approved_fails(tasks: Tasks, approved: str, now: str, declared: Given) -> None:
    """The live account has changed since."""
    options = edges({"id": EDGE, **declared}, purge="routes" if "routes" in declared else "")
    seed_edges(tasks, approved)
    digest = tasks.done("estate", True, **options)["plan_digest"]
    tasks.service.reset()
    seed_edges(tasks, now)
    result = tasks.failed("estate", **options, expect_plan=digest)
    assert ("not the one that was approved" in result["msg"], writes(result)) == (True, [])


@pytest.mark.parametrize("module", ["estate", "https_edge_routes"])
def test_a_plan_is_not_applied_if_a_policy_to_which_it_opens_admits_others(tasks: Tasks, module: str) -> None:
    tasks.service.seed(**estate(f"{ONE} / oidc"))
    declared = in_each_module({**modules("office"), "absent_modules": ["oidc"]})[module]
    digests = []
    for cidr in ("10.0.0.0/8", "192.0.2.0/24"):
        tasks.service.seed(objects={"ip_policy_rules": [live_rule(cidr)]})
        digests.append(tasks.done(module, True, **declared)["plan_digest"])
    result = tasks.failed(module, **declared, expect_plan=digests[0])
    assert ("not the one that was approved" in result["msg"], writes(result)) == (True, [])
    assert tasks.done(module, **declared, expect_plan=digests[1])["changed"]
