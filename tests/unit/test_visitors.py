# SPDX-License-Identifier: GPL-3.0-or-later
"""The visitors who try every request, the changes that the tests draw, and what the tests with failures conclude from
both: who gets through, what is open meanwhile, and whether a plan says it.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from typing import Any

import pytest

from any_change import any_change
from any_served import POLICIES, RULES, TLS, with_objects
from estates_to_judge import edges, modules
from meddling import without_them
from opened import DENIED, UNSAID, Ends, complaints_of_openings, settled
from trial import change_of
from visitors import ALL, Crowd, Request, Seen, Traffic, requests

SHOP = "shop.example.com:443"


def state(text: str, *rules: str, **more: Any) -> dict[str, Any]:
    """What a service holds if this is declared, with rules such as `deny ::/0` of the IP policy `ipp_office`.

    The ID of a route is its match, unless it has another one.
    """
    found = edges(text)
    for number, one in enumerate(found["https_edges"]):
        one |= {"id": f"edge{number or ''}", "routes": [{"id": each["match"], **each} for each in one["routes"]]}
    objects = {"ip_policies": [{"id": "ipp_office"}], "ip_policy_rules": [*map(rule, rules)]} if rules else {}
    return {**found, "objects": objects, **more}


def rule(text: str) -> dict[str, Any]:
    action, cidr = text.split()
    return {"id": f"ipr_{cidr}", "ip_policy_id": "ipp_office", "action": action, "cidr": cidr}


# What the accounts of `test_every_change` do not have; that test tries everything else.
CASES = """
shop.example.com:8443/: / -> nothing
b.example.com:8443/: [host=*.example.com] / -> nothing
shop.example.com:443/x: / >one, shop.example.com >two -> two
shop.example.com:443/: / >one, b.example.com/ >two -> one
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_where_a_request_gets_to(case: str) -> None:
    request, text, backend = re.split(": | -> ", case)
    hostport, _, path = request.partition("/")
    held = state(text)
    assert (Traffic(Crowd(held), held).way(Request(hostport, f"/{path}")).backend or "nothing") == backend


def test_requests_are_at_each_match_below_it_and_next_to_it() -> None:
    held = state("b.example.com/admin")
    assert {str(one).removeprefix(SHOP) for one in requests(Traffic(Crowd(held), held))} == {
        *("/", "/.probe", "/-other", "/admin", "/admin/.probe", "/admin-other")
    }


@pytest.mark.parametrize("asked", ["networks=other", "google=other", "saml=other", "hook=other", "certificates=other"])
def test_what_no_visitor_shows_is_an_error(asked: str) -> None:
    """Otherwise, nobody would get through, and nothing would be found."""
    [(name, module)] = modules(asked).items()
    more = {"rules": [], "unknown": [], "empty": []} if name == "ip_restriction" else {}
    with pytest.raises(ValueError, match="no visitor has"):
        Crowd(state("/ office")).admitted(name, json.dumps({**module, **more}))


def test_each_network_needs_an_address_of_its_own() -> None:
    with pytest.raises(ValueError, match="not each of"):
        Crowd([rule("allow 10.0.0.0/8"), rule("allow 10.0.0.0/16")])


KNOWN = frozenset({"edge", "ipp_office", "edgtls_one", "/x"})


def opened(before: Any, after: Any, now: Any, seen: Seen = ALL, known: frozenset[str] = KNOWN) -> set[str]:
    return {*Ends(Crowd(before, after, now), known, before, after, seen=seen).opened(now)}


def test_a_new_object_is_known_by_its_description() -> None:
    before, after = (
        {**state(f"/ >made-up-{one} id=x"), "objects": {"backends": [{"id": f"made-up-{one}", "description": name}]}}
        for one, name in enumerate(("shop", "shop"))
    )
    assert not opened(before, before, after, known=frozenset("x"))
    after["objects"]["backends"][0]["description"] = "other"
    assert opened(before, before, after, known=frozenset("x")) == {"route x to other"}


# Before a run, after it, and at a moment in between; and whether that opens something.
MOMENTS: dict[str, tuple[str, str, str, bool]] = {
    "both protections": ("[clients] /", "/ oidc", "[clients] / oidc", False),
    "closed in between": ("/ oidc", "/ issuer=https://other", "/ -backend", False),
    "the old one is gone, and the new one is not there": ("/ oidc", "/ issuer=https://other", "/", True),
    "what is closed at both ends": ("/ -backend", "", "/ oidc", True),
    "a policy less, which may be the one that denies": ("/ branches", "/ oidc", "/ office", True),
    "a wide route opens before the narrow one is there": ("/ oidc", "/, /admin oidc", "/", True),
    "a hostport before the protection": ("[host=other] /", "/ oidc", "/", True),
    "the old backend without the old protection": ("/ oidc >one", "/ >two", "/ >one", True),
    "a closed route that moves leaves its paths to the wide one": (
        *("/, /admin -backend", "/, /admin -backend id=other", "/", True),
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_opens_paths_that_are_closed_before_and_after(name: str) -> None:
    *texts, opens = MOMENTS[name]
    before, after, now = map(state, texts)
    assert bool(opened(before, after, now, known=frozenset())) == opens
    assert opened(before, after, before) == opened(before, after, after) == set()


def test_a_route_that_gets_another_backend_on_another_path() -> None:
    """Seen from outside, somebody got through to `/` without a login before; but not to this backend."""
    before = state("/ >two id=wide, /admin >one oidc id=narrow")
    after, now = state("/ >two id=wide, /pub >two id=narrow"), state("/ >two id=wide, /pub >one id=narrow")
    assert opened(before, after, now, known=frozenset({"wide", "narrow"})) == {"route narrow to one"}


def test_a_rule_that_comes_before_another_one_goes_opens_nothing() -> None:
    one, other, both = (state("/x office", *rules) for rules in (["allow 10.0.0.0/8"], ["allow ::/0"], BOTH_RULES))
    assert not opened(one, other, both)
    assert not opened(one, both, other)
    more = state("/x office", *BOTH_RULES, "allow 192.0.2.0/24")
    assert opened(one, other, more) == {f"{SHOP}/x", f"{SHOP}/x/.probe", "route /x to bk_app"}


BOTH_RULES = ["allow 10.0.0.0/8", "allow ::/0"]


def test_a_policy_that_loses_its_last_rule_may_let_everybody_in() -> None:
    policy = {"ip_policies": [{"id": "ipp_office"}], "ip_policy_rules": []}
    one, other = state("/x office", "allow 10.0.0.0/8"), state("/x office oidc", "allow 10.0.0.0/8")
    none = state("/x office", objects=policy)
    assert f"{SHOP}/x" in opened(one, other, none)
    assert not opened(one, other, none, Seen(frozenset({"ipp_office"}), frozenset({"ipr_10.0.0.0/8"})))


def test_a_tls_edge_takes_all_requests_to_its_hostports() -> None:
    restricted = {"id": "edgtls_one", "hostports": [SHOP], **modules(">one office")}
    before, after = state("/x office >one"), state("", tls_edges=[restricted])
    public = state("", tls_edges=[{**restricted, "ip_restriction": None}])
    assert {f"{SHOP}/", f"{SHOP}/x", "route edgtls_one to one"} <= opened(before, after, public)
    assert not opened(before, after, after)


def opens(request: str, text: str = "no longer requires a login", kind: str = "unlocked") -> list[dict[str, Any]]:
    return [{"opens": [{"kind": kind, "request": request, "text": text}], "opens_count": 1}]


CLOSED, LOCKED, FREE = (state(f"[host=a] /x {words}") for words in ("no-backend", "preflight=https://one", ""))
PASSED_ON = state("", tls_edges=[{"id": "edgtls_one", "hostports": ["a:443"], **modules("backend")}])
BOTH = [UNSAID, UNSAID]
# The states before and after, what a plan says that it opens, and what is wrong with that.
SAID: list[tuple[Any, Any, list[dict[str, Any]], list[str]]] = [
    (LOCKED, FREE, opens("https://a/x"), []),
    (LOCKED, FREE, [], BOTH),
    (LOCKED, FREE, [{"opens": [], "opens_count": 30}], []),  # too many to list
    (LOCKED, FREE, opens("https://a/x", "public, if prefixes also match"), BOTH),  # on some services only
    (LOCKED, FREE, opens("https://a/y"), [*BOTH, DENIED]),
    (FREE, LOCKED, opens("https://a/x"), [DENIED]),
    (CLOSED, LOCKED, opens("https://a/x", kind="reopened"), BOTH),  # without a login, OPTIONS opens otherwise
    (LOCKED, FREE, opens("https://a/x", kind="others"), [DENIED]),
    (LOCKED, FREE, opens("OPTIONS https://a/x"), [*BOTH, DENIED]),  # it was open
    (LOCKED, PASSED_ON, opens("TLS edge edgtls_one"), []),  # nothing else is known of it
]


@pytest.mark.parametrize(("before", "after", "plan", "complaints"), SAID)
def test_what_a_plan_says_is_what_opens(before: Any, after: Any, plan: Any, complaints: list[str]) -> None:
    ends = Ends(Crowd(before, after), KNOWN, before, after).ends
    found = complaints_of_openings(plan, ends, ends)
    assert [one.partition(": ")[0] for one in found] == complaints


# Before and after what other jobs did, the state now, and what it would be without them.
OTHERS: dict[str, tuple[str, str, str, str]] = {
    "they removed a module": ("/ oidc", "/", "/, /admin", "/ oidc, /admin"),
    "it was written over since": ("/ oidc", "/", "/ issuer=y", "/ issuer=y"),
    "they deleted a route": ("/ oidc, /admin", "/ oidc", "/", "/, /admin"),
    "it was created again since": ("/ oidc, /admin", "/ oidc", "/ oidc, /admin id=new", "/ oidc, /admin id=new"),
    "they created a route": ("/ oidc", "/ oidc, /admin", "/ oidc, /admin", "/ oidc"),
    "they changed hostports": ("[host=a] / oidc", "[host=b] / oidc", "[host=b] /", "[host=a] /"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_task_is_not_blamed_for_what_somebody_else_has_changed(name: str) -> None:
    before, after, now, expected = map(state, OTHERS[name])
    assert {**without_them(now, before, after), "objects": {}} == expected


DRAWN = [any_change(f"unit {number}") for number in range(400)]
WITH_OBJECTS = [change_of(f"unit objects {number}") for number in range(300)]
REPLACED = [change_of(f"unit silent replaced objects {number}") for number in range(50)]


def test_a_seed_draws_the_same_change_again_and_objects_are_added_to_a_copy() -> None:
    assert [any_change(f"unit {number}") for number in range(20)] == DRAWN[:20]
    assert [change_of(f"unit objects {number}") for number in range(20)] == WITH_OBJECTS[:20]
    before = copy.deepcopy(DRAWN[1])
    assert with_objects(DRAWN[1], random.Random("x")) != before
    assert DRAWN[1] == before == change_of("unit 1")


WANTED = {
    *("estate", "https_edge_routes", "https_edge_route", "https_edge", "object", "tls_edge_ip_restriction"),
    *("purge edges", "purge routes", "purge modules", "concurrency 1", "concurrency 4", "concurrency None"),
    *("one_auth_module", "one_login_per_edge", "secrets", "a plan is expected", "a module is absent"),
    *("tls_edges", "objects", "live TLS edge", "live allow", "live deny"),
    *(f"{one} {state}" for one in (RULES, POLICIES, TLS) for state in ("present", "absent")),
    *(f"{one} {how}" for one in (RULES, TLS) for how in ("id", "find_by", "body")),
    *(f"{TLS} {how}" for how in ("PUT", "always_send")),
}


def test_every_kind_is_drawn() -> None:
    found: Counter[str] = Counter()
    for change in (*DRAWN, *WITH_OBJECTS, *REPLACED):
        options = change.options
        found.update({change.module, f"concurrency {options.get('concurrency')}", *change.switches, *options})
        found.update(f"purge {kind}" for kind in ("edges", "routes", "modules") if kind in str(options.get("purge")))
        found["a plan is expected"] += change.expects_plan
        found["a module is absent"] += "absent_modules" in str(options)
        found["live TLS edge"] += len(change.live.get("tls_edges", ()))
        found.update(f"live {rule['action']}" for rule in change.live["objects"].get(RULES, ()))
        for one in options.get("objects", ()):
            found[f"{one['collection']} {one.get('state', 'present')}"] += 1
            found.update(f"{one['collection']} {name}" for name in (*one, one.get("update_method")))
    assert {name: found[name] for name in WANTED if found[name] < 2} == {}
    assert all(change.is_silent for change in REPLACED)


def test_states_of_two_runs_are_compared_without_what_the_service_makes_up() -> None:
    def state(identifier: str, **route: object) -> object:
        routes = [{"id": identifier, "description": "new", "created_at": identifier, **route}]
        return settled({"https_edges": [{"id": "edge", "routes": routes}]}, frozenset({"edge"}))

    first = state("x", backend={"enabled": True})
    assert first == state("y", backend={"enabled": True}, metadata="")
    assert first != state("y", backend={"enabled": False})
