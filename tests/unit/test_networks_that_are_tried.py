# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom IP policies let in, and what plans open, as the tests judge it that try it out."""

from __future__ import annotations

from typing import Any

import pytest

from networks import ADDRESSES, NETWORKS, Admitted, admitted
from opened import OPENED, Ends
from openings import DENIED, UNSAID, Openings
from reachability import ALL, Seen

OFFICE = {"ip_restriction": {"ip_policy_ids": ["office"]}}
BACKEND = {"backend": {"backend_id": "shop"}}
OIDC = {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "options_passthrough": True}}


def policy(*rules: str, unknown: tuple[str, ...] = ()) -> Admitted:
    """Whom rules such as `deny ::/0` let in."""
    words = (rule.split() for rule in rules)
    return admitted([{"action": action, "cidr": cidr} for action, cidr in words], unknown)


@pytest.mark.parametrize("network", NETWORKS)
def test_each_network_has_an_address_that_no_smaller_one_has(network: str) -> None:
    smaller = [f"allow {one}" for one in NETWORKS if one != network]
    own = policy(f"allow {network}")
    assert own.allowed
    assert own.is_everybody is False
    assert network in ("0.0.0.0/0", "::/0") or any(own.allowed - policy(one).allowed for one in smaller)


WITHIN = {  # the rules of the one, those of the other; `?` stands for a policy of which nobody knows the rules
    "allow 10.2.0.0/16 < allow 10.0.0.0/8": True,
    "allow 10.0.0.0/8 < allow 10.2.0.0/16": False,
    "allow 192.0.2.0/24 < allow 10.0.0.0/8": False,
    "allow 10.2.0.0/16, deny 10.0.0.0/8 < ": True,
    "allow 10.0.0.0/8 < allow 10.0.0.0/8, deny 10.2.0.0/16": False,
    "? < ?": True,
    "? < allow 10.0.0.0/8": False,
    "allow 10.0.0.0/8 < allow 10.0.0.0/8, ?": False,
    "deny 0.0.0.0/0, deny ::/0, ? < ": True,
}


def is_within(text: str) -> bool:
    sides = [[one for one in side.split(", ") if one] for side in text.split(" < ")]
    mine, theirs = (policy(*(one for one in side if one != "?"), unknown=("x",) * ("?" in side)) for side in sides)
    return mine.is_within(theirs)


def test_who_is_let_in_is_within() -> None:
    assert {text: is_within(text) for text in WITHIN} == WITHIN


def test_everybody_and_nobody() -> None:
    assert policy("allow 0.0.0.0/0", "allow ::/0").is_everybody
    assert policy("allow 0.0.0.0/0").allowed < set(ADDRESSES)
    assert policy("allow 10.0.0.0/8", "deny 0.0.0.0/0").is_nobody
    assert not policy(unknown=("x",)).is_nobody
    with pytest.raises(ValueError, match=r"10\.9\.0\.0/16"):  # it has no address of its own
        policy("allow 10.9.0.0/16")


def state(*rules: str, modules: Any = OFFICE, tls: Any = None, hostports: tuple[str, ...] = ("a:443",)) -> Any:
    """One edge with one route, and perhaps a TLS edge; and the rules of the policy that they use."""
    words = [rule.split() for rule in rules]
    found = [{"id": f"ipr_{cidr}", "ip_policy_id": "office", "action": one, "cidr": cidr} for one, cidr in words]
    route = {"id": "r", "match_type": "path_prefix", "match": "/x", **BACKEND, **modules}
    return {
        "https_edges": [{"id": "e", "hostports": list(hostports), "routes": [route]}],
        "tls_edges": [{"id": "t", **tls}] if tls else [],
        "objects": {"ip_policies": [{"id": "office"}], "ip_policy_rules": found},
    }


KNOWN = frozenset({"e", "r", "t", "office"})


def opened(before: Any, after: Any, now: Any, seen: Seen = ALL) -> set[str]:
    found = Ends(KNOWN, before, after, seen=seen).opened(now)
    return {one.removeprefix(f"{OPENED}: ").partition(" is ")[0] for one in found}


def test_a_rule_that_comes_before_another_one_goes_opens_nothing() -> None:
    one, other, both = state("allow 10.0.0.0/8"), state("allow ::/0"), state("allow 10.0.0.0/8", "allow ::/0")
    assert not opened(one, other, both)
    assert not opened(one, both, other)
    more = state("allow 10.0.0.0/8", "allow ::/0", "allow 192.0.2.0/24")
    assert opened(one, other, more) == {"a:443/x", "a:443/x/.probe", "route r"}


def test_a_policy_that_loses_its_last_rule_may_let_everybody_in() -> None:
    one, other, none = state("allow 10.0.0.0/8"), state("allow 10.0.0.0/8", modules={**OFFICE, **OIDC}), state()
    assert "a:443/x" in opened(one, other, none)
    assert not opened(one, other, none, Seen(frozenset({"office"}), frozenset({"ipr_10.0.0.0/8"})))


def test_a_tls_edge_takes_all_requests_to_its_hostports() -> None:
    tls = {"hostports": ["a:443"], **BACKEND, **OFFICE}
    before, after = state("allow 10.0.0.0/8"), state("allow 10.0.0.0/8", tls=tls, hostports=())
    public = state("allow 10.0.0.0/8", tls={**tls, "ip_restriction": None}, hostports=())
    assert {"a:443/", "a:443/x", "route t"} <= opened(before, after, public)
    assert not opened(before, after, after)


def opens(request: str, text: str = "no longer requires a login", count: int = 1) -> list[dict[str, Any]]:
    return [{"opens": [{"kind": "unlocked", "request": request, "text": text}], "opens_count": count}]


CLOSED, LOCKED, FREE = (state("allow 10.0.0.0/8", modules=one) for one in ({"backend": None}, OIDC, {}))
TLS = state(tls={"hostports": ["a:443"], **BACKEND}, hostports=())
BOTH = [UNSAID, UNSAID]
# The states before and after, what a plan says that it opens, and what is wrong with that.
SAID: list[tuple[Any, Any, list[dict[str, Any]], list[str]]] = [
    (LOCKED, FREE, opens("https://a/x"), []),
    (LOCKED, FREE, opens("https://a/x/.below"), []),
    (LOCKED, FREE, [], BOTH),
    (LOCKED, FREE, [{"opens": [], "opens_count": 30}], []),  # too many to list
    (LOCKED, FREE, opens("https://a/x", "public, if prefixes also match"), BOTH),  # on some services only
    (LOCKED, FREE, opens("https://a/y"), [*BOTH, DENIED]),
    (FREE, LOCKED, opens("https://a/x"), [DENIED]),
    (CLOSED, LOCKED, opens("https://a/x"), []),  # another method opens alike
    (LOCKED, FREE, opens("OPTIONS https://a/x"), [*BOTH, DENIED]),  # it was open
    (LOCKED, TLS, opens("a:443"), []),
    (LOCKED, TLS, opens("TLS edge t"), []),  # nothing else is known of it
]


@pytest.mark.parametrize(("before", "after", "plan", "complaints"), SAID)
def test_what_a_plan_says_is_what_opens(before: Any, after: Any, plan: Any, complaints: list[str]) -> None:
    found = Openings(before, after, KNOWN, ALL).complaints(plan)
    assert [one.partition(": ")[0] for one in found] == complaints
