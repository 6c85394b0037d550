# SPDX-License-Identifier: GPL-3.0-or-later
"""The smallest accounts in which everything can happen: what each of their objects can be.

There is one for each kind of lock, so that all changes of it can be tried, and more for edges, matches, moves of
hostports, and IP policies with rules. The states are as they are declared, in the words of `estates_to_judge`; `none`
is an object that does not exist.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from estates_to_judge import modules, route
from visitors import Request

EDGE, ROUTE, RULE, POLICY, BACKEND, SPLIT = "edge", "route", "rule", "policy", "backend", "split"


class Place(NamedTuple):
    """Where an object of an account can be: its kind, its ID, and the edge of a route."""

    kind: str
    name: str
    edge: str = ""


State = dict[str, Any] | None
Account = tuple[int, ...]
"""The number of the state of each object."""

ANY, EXACT, WILD = "b.example.com:443", "a.example.com:443", "*.example.com:443"
PATHS = ("/", "/p", "/p/", "/p/q", "/pq", "/r")


@dataclass(frozen=True)
class Smallest:
    """An account: the states that its objects can have, and those who try to get in.

    The states begin with those without which nothing happens: the `first` ones of each object make a smaller account,
    whose changes can all be tried in no time; None is all of them. So many changes are `refused`, because no order of
    them is safe whichever of two edges a service takes.
    """

    states: Mapping[Place, Sequence[State]]
    first: Sequence[int | None]
    refused: int = 0

    @property
    def places(self) -> list[Place]:
        return list(self.states)

    @cached_property
    def knows_rules(self) -> bool:
        """Whether the task lists the rules of IP policies."""
        return any(place.kind == POLICY for place in self.states)

    @property
    def requests(self) -> list[Request]:
        held = json.dumps(list(self.states.values()))
        hostports = (EXACT, ANY) if WILD in held else (EXACT,)
        methods = ("GET", "OPTIONS") if '"options_passthrough": true' in held else ("GET",)
        return [Request(*one) for one in itertools.product(hostports, PATHS, methods)]

    def accounts(self) -> list[Account]:
        return [one for one in itertools.product(*(range(len(each)) for each in self.states.values())) if self._is(one)]

    def smaller(self) -> Smallest:
        states = zip(self.states.items(), self.first, strict=True)
        return replace(self, states={place: own[:first] for (place, own), first in states}, refused=0)

    def changes(self) -> Iterator[tuple[Account, Account]]:
        return itertools.product(self.accounts(), repeat=2)

    def shown(self, account: Account) -> str:
        return json.dumps({place.name: state for place, state in zip(self.places, self.of(account), strict=True)})

    def of(self, account: Account) -> list[State]:
        return [states[number] for number, states in zip(account, self.states.values(), strict=True)]

    def _is(self, account: Account) -> bool:
        """Whether a service accepts it: what an object refers to exists, and no two edges have the same hostport."""
        held = [(place, state) for place, state in zip(self.places, self.of(account), strict=True) if state]
        there = {(place.kind, place.name) for place, _state in held}
        needed = {(EDGE, place.edge) for place, _state in held if place.edge}
        if self.knows_rules:
            policies = [state.get("ip_restriction", {}).get("ip_policy_ids", []) for _place, state in held]
            policies += [[state["ip_policy_id"]] for place, state in held if place.kind == RULE]
            needed |= {(POLICY, one) for each in policies for one in each}
        hostports = [one for _place, state in held for one in state.get("hostports", ())]
        return needed <= there and len(hostports) == len(set(hostports))


def states(texts: str, of: Callable[[str], dict[str, Any]]) -> list[State]:
    return [None if text == "none" else of(text) for text in texts.split(" | ")]


def edge(name: str, texts: str) -> dict[Place, list[State]]:
    return {Place(EDGE, f"edghts_{name}"): states(texts, modules)}


def routes(edge_name: str = "one", **texts: str) -> dict[Place, list[State]]:
    return {
        Place(ROUTE, f"edghtsrt_{name}", f"edghts_{edge_name}"): states(each, route) for name, each in texts.items()
    }


def rules(**texts: str) -> dict[Place, list[State]]:
    fields = ("ip_policy_id", "action", "cidr")
    found = {name: dict(zip(fields, text.split(), strict=True)) for name, text in texts.items()}
    return {Place(RULE, f"ipr_{name}"): [None, rule] for name, rule in found.items()}


LOCKS = {
    "network": "networks=ipp_one | networks=ipp_two | networks=ipp_one+ipp_two | -networks=ipp_one",
    "oauth": "google= | google=one.example | google=a@one.example+two.example | -google=one.example",
    "logins": "google= | issuer=https://one | issuer=https://two | -issuer=https://one",
    "saml": "saml=<one/> | saml=<one/>+admins | saml=<one/>+admins+staff | saml=<two/>",
    "signature": "hook=slack | hook=github | -hook=slack",
    "policy": "rules=one | rules=two | rules=",
    "several": "office | issuer=https://one | office issuer=https://one | office google=",
    "options": "preflight=https://one | issuer=https://one | office issuer=https://one",
}


def with_locks(locks: str) -> Smallest:
    """Two routes that are not there, public, closed, or have one of these locks."""
    texts = {
        name: " | ".join(["none", match, f"{match} -backend", *(f"{match} {one}" for one in locks.split(" | "))])
        for name, match in {"root": "/", "p": "/p"}.items()
    }
    return Smallest({**edge("one", "host=a.example.com"), **routes(**texts)}, (None, 5, 5))


ASKING = ("", " certificates=ca_one", " certificates=ca_one+ca_two")
SERVING = ("host=a.example.com", "host=*.example.com", "hostport=")
EDGES = " | ".join(["none", *(f"{serves}{asks}" for asks in ASKING for serves in SERVING)])
"""An edge that serves a host, all hosts of a domain, or none, and that asks for certificates or not."""

LED_TO = " | ".join(
    f"{{0}} >{backend}{lock}" for backend in ("bkdst_one", "bkdwt_split", "x") for lock in ("", " office")
)
"""A route that leads to these backends."""

ACCOUNTS: dict[str, Smallest] = {
    **{kind: with_locks(locks) for kind, locks in LOCKS.items()},
    "edges": Smallest(
        {**edge("one", EDGES), **routes(root="none | / | / office", p="none | /p | /p office")}, (6, None, None)
    ),
    # A route that is a prefix or a path, one below it, and one that is for one host only.
    "matches": Smallest(
        {
            **edge("one", "host=*.example.com | host=a.example.com"),
            **routes(
                root="/ | / office | none",
                p="none | /p office | =/p office | /p",
                q="none | /p/q office | /p/q",
                host="none | a.example.com/p office | a.example.com/p",
            ),
        },
        (1, 2, 3, 2, None),
    ),
    # Two edges, between which a hostport and a wildcard move, each with a route.
    "moves": Smallest(
        {
            **edge(
                "one", "none | hostport= | host=a.example.com | host=*.example.com | host=a.example.com+*.example.com"
            ),
            **edge(
                "two",
                "none | host=a.example.com certificates=ca_one | hostport= certificates=ca_one | host=a.example.com"
                " | host=*.example.com | host=a.example.com+*.example.com | hostport=",
            ),
            **routes("one", first="/ | / office | none"),
            **routes("two", second="/ | / office | none"),
        },
        (3, 5, None, 2),
        # Both edges are deleted, of which one protects what the other one may serve.
        refused=1,
    ),
    # Backends that lead elsewhere, also by way of another one.
    "backends": Smallest(
        {
            **edge("one", "host=a.example.com"),
            Place(BACKEND, "bkdst_one"): [{"address": "a.internal:80"}, {"address": "b.internal:80"}],
            Place(SPLIT, "bkdwt_split"): [{"backends": {"bkdst_one": 1}}, {"backends": {"bkdst_other": 1}}],
            **routes(root=LED_TO.format("/"), p=LED_TO.format("/p")),
        },
        (None, None, None, 3, 3),
    ),
    # A route that uses IP policies, whose rules allow and deny, and which come and go with their rules.
    "policies": Smallest(
        {
            **edge("one", "host=a.example.com"),
            Place(POLICY, "ipp_office"): [None, {"description": "The office"}],
            Place(POLICY, "ipp_guests"): [None, {"description": "The guests"}],
            **rules(
                inner="ipp_office allow 10.1.0.0/16",
                outer="ipp_office allow 10.0.0.0/8",
                all="ipp_office allow 0.0.0.0/0",
                without="ipp_office deny 10.2.0.0/16",
                other="ipp_guests allow 10.2.0.0/16",
            ),
            **routes(root="none | / | / office | / networks=ipp_office+ipp_guests | / networks=ipp_guests"),
        },
        (None, None, None, 1, 1, None, None, 1, 4),
    ),
}
