# SPDX-License-Identifier: GPL-3.0-or-later
"""The smallest accounts in which everything can happen: what each of their objects can be, and who could visit them.

There is one for each kind of lock, so that all changes of it can be tried, and more for edges, matches, moves of
hostports, and IP policies with rules. The states are as they are declared; None is an object that does not exist.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from visitors import EDGE, EMPTY, POLICY, ROUTE, RULE, Place, Request

State = dict[str, Any] | None
Account = tuple[int, ...]
"""The number of the state of each object."""

ANY, EXACT, WILD = "b.example.com:443", "a.example.com:443", "*.example.com:443"
PATHS = ("/", "/p", "/p/", "/p/q", "/pq", "/r")


@dataclass(frozen=True)
class Smallest:
    """An account: the states that its objects can have, and those who try to get in.

    The states begin with those without which nothing happens: the `first` ones of each object make a smaller account,
    whose changes can all be tried in no time; None is all of them. `is_possible` says which combinations of states a
    service accepts. `knows_rules` says whether the task lists the rules of IP policies.
    """

    states: Mapping[Place, Sequence[State]]
    visitors: Mapping[str, Sequence[Any]]
    first: Sequence[int | None]
    hostports: Sequence[str] = (EXACT,)
    methods: Sequence[str] = ("GET",)
    knows_rules: bool = False
    is_possible: Callable[[Sequence[State]], bool] = field(default=lambda _states: True)

    @property
    def places(self) -> list[Place]:
        return list(self.states)

    @property
    def requests(self) -> list[Request]:
        return [Request(*one) for one in itertools.product(self.hostports, PATHS, self.methods)]

    def accounts(self) -> list[Account]:
        return [one for one in itertools.product(*(range(len(each)) for each in self.states.values())) if self._is(one)]

    def smaller(self) -> Smallest:
        states = zip(self.states.items(), self.first, strict=True)
        return replace(self, states={place: own[:first] for (place, own), first in states})

    def changes(self) -> Iterator[tuple[Account, Account]]:
        everything = self.accounts()
        return ((before, after) for before in everything for after in everything)

    def shown(self, account: Account) -> str:
        return json.dumps({place.name: state for place, state in zip(self.places, self.of(account), strict=True)})

    def of(self, account: Account) -> list[State]:
        return [states[number] for number, states in zip(account, self.states.values(), strict=True)]

    def _is(self, account: Account) -> bool:
        states = self.of(account)
        edges = {place.name for place, state in zip(self.places, states, strict=True) if state and place.kind == EDGE}
        has_edges = all(
            place.edge in edges for place, state in zip(self.places, states, strict=True) if state and place.edge
        )
        return has_edges and self.is_possible(states)


def module(**settings: Any) -> dict[str, Any]:
    return {"enabled": True, **settings}


def to(backend: str, **locks: Any) -> dict[str, Any]:
    return {"backend": module(backend_id=backend), **locks}


def network(*ids: str) -> dict[str, Any]:
    return {"ip_restriction": module(ip_policy_ids=list(ids))}


def oauth(**settings: Any) -> dict[str, Any]:
    return {"oauth": module(provider={"google": settings})}


def oidc(issuer: str, **settings: Any) -> dict[str, Any]:
    return {"oidc": module(issuer=f"https://{issuer}.example.com", client_id="app", client_secret="shared", **settings)}


def saml(metadata: str, *groups: str) -> dict[str, Any]:
    return {"saml": module(idp_metadata=f"<{metadata}/>", authorized_groups=list(groups))}


def signature(provider: str) -> dict[str, Any]:
    return {"webhook_verification": module(provider=provider, secret="shared")}


def actions(*names: str) -> dict[str, Any]:
    rules = [{"name": name, "expressions": [], "actions": [{"type": "deny", "config": {}}]} for name in names]
    return {"policy": module(inbound=rules, outbound=[])}


def disabled(state: dict[str, Any]) -> dict[str, Any]:
    return {name: {**settings, "enabled": False} for name, settings in state.items()}


def certificates(*ids: str) -> dict[str, Any]:
    return {"mutual_tls": module(certificate_authority_ids=list(ids))} if ids else {}


CLOSED = disabled(to("bkd_one"))
OPEN = to("bkd_one")

PASSING, ASKING = {"options_passthrough": True}, {"options_passthrough": False}

LOCKS: dict[str, tuple[list[dict[str, Any]], dict[str, Sequence[Any]]]] = {
    "network": (
        [network("ipp_one"), network("ipp_two"), network("ipp_one", "ipp_two"), disabled(network("ipp_one"))],
        {
            "policies": [
                *((), (("ipp_one", "allow"),), (("ipp_two", "allow"),), (("ipp_one", "allow"), ("ipp_two", "allow"))),
                *((("ipp_one", "allow"), ("ipp_two", "deny")), (("ipp_one", "deny"), ("ipp_two", "allow"))),
            ]
        },
    ),
    "oauth": (
        [
            oauth(),
            oauth(email_domains=["one.example"]),
            oauth(email_addresses=["a@one.example"], email_domains=["two.example"]),
            disabled(oauth(email_domains=["one.example"])),
        ],
        {"oauth": [(), (("google", "a@one.example"),), (("google", "b@one.example"),), (("google", "a@two.example"),)]},
    ),
    "logins": (
        [oauth(), oidc("one"), oidc("two"), disabled(oidc("one"))],
        {"oauth": [(), (("google", "a"),)], "oidc": [None, "https://one.example.com", "https://two.example.com"]},
    ),
    "saml": (
        [saml("one"), saml("one", "admins"), saml("one", "admins", "staff"), saml("two")],
        {"saml": [("", ""), *itertools.product(("<one/>", "<two/>"), ("", "admins", "staff"))]},
    ),
    "signature": (
        [signature("slack"), signature("github"), disabled(signature("slack"))],
        {"signature": [None, "slack", "github"]},
    ),
    "policy": (
        [actions("one"), actions("two"), {"policy": module(inbound=[], outbound=[])}],
        {"actions": [(), ("one",), ("two",), ("one", "two")]},
    ),
    "several": (
        [network("ipp_one"), oidc("one"), {**network("ipp_one"), **oidc("one")}, {**network("ipp_one"), **oauth()}],
        {
            "policies": [(), (("ipp_one", "allow"),)],
            "oauth": [(), (("google", "a"),)],
            "oidc": [None, "https://one.example.com"],
        },
    ),
    "options": (
        [oidc("one", **PASSING), oidc("one", **ASKING), {**network("ipp_one"), **oidc("one", **ASKING)}],
        {"policies": [(), (("ipp_one", "allow"),)], "oidc": [None, "https://one.example.com"]},
    ),
}
"""The locks of each kind, and the visitors that they tell apart."""


def routes(matches: Mapping[str, str], states: Sequence[State]) -> dict[Place, list[State]]:
    """The routes of the edge `one`, by their names, with these prefixes."""
    return {
        Place(ROUTE, name, "one"): [state and matching(state, match) for state in states]
        for name, match in matches.items()
    }


def matching(state: dict[str, Any], match: str, match_type: str = "path_prefix") -> dict[str, Any]:
    return {"match_type": match_type, "match": match, **state}


ROOT_AND_P = {"root": "/", "p": "/p"}


def with_locks(kind: str, *more: State) -> Smallest:
    """Two routes that are not there, public, closed, or have locks of a kind; and, in addition, in other states."""
    locks, visitors = LOCKS[kind]
    states = [None, OPEN, CLOSED, *({**OPEN, **one} for one in locks), *more]
    edge: dict[Place, Sequence[State]] = {Place(EDGE, "one"): [{"hostports": [EXACT]}]}
    methods = ("GET", "OPTIONS") if kind == "options" else ("GET",)
    return Smallest({**edge, **routes(ROOT_AND_P, states)}, visitors, (None, 5, 5), methods=methods)


OFFICE = {"policies": [(), (("ipp_one", "allow"),)]}
LOCKED = {**OPEN, **network("ipp_one")}


def edges() -> Smallest:
    """An edge that serves a host, all hosts of a domain, or none, and that asks for certificates or not."""
    asking: Sequence[tuple[str, ...]] = ((), ("ca_one",), ("ca_one", "ca_two"))
    serving: Sequence[list[str]] = ([EXACT], [WILD], [])
    own = [{"hostports": serves, **certificates(*asks)} for asks in asking for serves in serving]
    visitors = {**OFFICE, "certificate": [None, "ca_one", "ca_two"]}
    states = {Place(EDGE, "one"): [None, *own], **routes(ROOT_AND_P, [None, OPEN, LOCKED])}
    return Smallest(states, visitors, (6, None, None), hostports=(EXACT, ANY))


def matches() -> Smallest:
    """A route that is a prefix or a path, one below it, and one that is for one host only."""
    states: dict[Place, Sequence[State]] = {
        Place(EDGE, "one"): [{"hostports": [WILD]}, {"hostports": [EXACT]}],
        **routes({"root": "/"}, [OPEN, LOCKED, None]),
        Place(ROUTE, "p", "one"): [
            None,
            matching(LOCKED, "/p"),
            matching(LOCKED, "/p", "exact_path"),
            matching(OPEN, "/p"),
        ],
        **routes({"q": "/p/q", "host": "a.example.com/p"}, [None, LOCKED, OPEN]),
    }
    return Smallest(states, OFFICE, (1, 2, 3, 2, None), hostports=(EXACT, ANY))


def moves() -> Smallest:
    """Two edges, between which a hostport and a wildcard move, each with a route."""
    hostports: list[list[str]] = [[], [EXACT], [WILD], [EXACT, WILD]]
    own = [None, *({"hostports": one} for one in hostports)]
    restricted = [{"hostports": one, **certificates("ca_one")} for one in hostports[1::-1]]

    def is_possible(states: Sequence[State]) -> bool:
        held = [one for edge in states[:2] if edge for one in edge["hostports"]]
        return len(held) == len(set(held))

    states: dict[Place, Sequence[State]] = {
        Place(EDGE, "one"): own,
        Place(EDGE, "two"): [None, *restricted, *own[2:], own[1]],
        Place(ROUTE, "first", "one"): [one and matching(one, "/") for one in (OPEN, LOCKED, None)],
        Place(ROUTE, "second", "two"): [one and matching(one, "/") for one in (OPEN, LOCKED, None)],
    }
    visitors = {**OFFICE, "certificate": [None, "ca_one"]}
    return Smallest(states, visitors, (4, 5, None, 2), hostports=(EXACT, ANY), is_possible=is_possible)


USED = (("office",), ("office", "guests"), ("guests",))
ADDRESSES = (
    *("10.1.0.1", "10.2.0.1", "10.3.0.1", "203.0.113.1", "2001:db8::1"),
    *(f"{EMPTY}{policy}" for policy in ("ipp_office", "ipp_guests")),
)


def policies() -> Smallest:
    """A route that uses IP policies, whose rules allow and deny, and which come and go with their rules."""

    def rule(policy: str, action: str, cidr: str) -> dict[str, Any]:
        return {"ip_policy_id": policy, "action": action, "cidr": cidr}

    rules = {
        "inner": ("office", "allow", "10.1.0.0/16"),
        "outer": ("office", "allow", "10.0.0.0/8"),
        "all": ("office", "allow", "0.0.0.0/0"),
        "without": ("office", "deny", "10.2.0.0/16"),
        "other": ("guests", "allow", "10.2.0.0/16"),
    }

    def is_possible(states: Sequence[State]) -> bool:
        office, guests, *own, route = states
        used = {one["ip_policy_id"] for one in own if one}
        used |= set(route["ip_restriction"]["ip_policy_ids"]) if route and "ip_restriction" in route else set()
        return used <= {*(["office"] if office else []), *(["guests"] if guests else [])}

    using: list[State] = [None, OPEN, *({**OPEN, **network(*ids)} for ids in USED)]
    states: dict[Place, Sequence[State]] = {
        Place(EDGE, "one"): [{"hostports": [EXACT]}],
        Place(POLICY, "office"): [None, {"description": "The office"}],
        Place(POLICY, "guests"): [None, {"description": "The guests"}],
        **{Place(RULE, name): [None, rule(*one)] for name, one in rules.items()},
        Place(ROUTE, "root", "one"): [one and matching(one, "/") for one in using],
    }
    return Smallest(
        states,
        {"address": ADDRESSES},
        (None, None, 1, None, 1, None, None, 1, 3),
        knows_rules=True,
        is_possible=lambda states: is_possible(states[1:]),
    )


ACCOUNTS: dict[str, Callable[[], Smallest]] = {
    **{kind: partial(with_locks, kind) for kind in LOCKS},
    "edges": edges,
    "matches": matches,
    "moves": moves,
    "policies": policies,
}
