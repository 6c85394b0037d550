# SPDX-License-Identifier: GPL-3.0-or-later
"""Visitors who simply try every request: who gets through an account, found out with plain loops. Pure.

They share nothing with the collection, because they judge what that says and sends: they know no sets, no order, and
no requests that stand for others. What the API does not define is as the collection documents that it assumes it: an
exact host comes before the longest wildcard, an exact path before the longest prefix, a match that names the host
before one that does not, and a prefix ends at a slash. Of several IP policies, one must allow an address, and none may
deny it.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address, ip_network
from typing import Any, NamedTuple

Fields = Mapping[str, Any]

EDGE, ROUTE, RULE, POLICY = "edge", "route", "rule", "policy"


class Place(NamedTuple):
    """Where an object of an account can be: its kind, and the edge of a route."""

    kind: str
    name: str
    edge: str = ""


class Request(NamedTuple):
    hostport: str
    path: str
    method: str = "GET"


ASKED_FOR = {
    "network": ("policies", "address"),
    "certificate": ("certificate",),
    "signature": ("signature",),
    "login": ("oauth", "oidc", "saml"),
    "policy": ("actions",),
}
"""What a visitor can be asked for, and the properties of visitors that it depends on."""

EMPTY = "through the empty "
"""Begins the address of a visitor who gets through a policy as long as that has no rules: nobody knows who does."""

Passers = frozenset[int]
"""Those who get through, by their numbers."""


@dataclass(frozen=True)
class Reached:
    """For each request, the route that takes it and who gets through; and whom each route lets to its backend."""

    by_request: Mapping[Request, tuple[str, Passers]]
    by_backend: Mapping[tuple[str, str], Passers]


class Crowd:
    """Visitors of all kinds, who try all requests. `properties` are the values that each property of theirs can have.

    `knows_rules` says whether whom IP policies let through follows from their rules. Otherwise, the property `policies`
    says which ones allow or deny a visitor.
    """

    def __init__(
        self,
        places: Sequence[Place],
        requests: Iterable[Request],
        properties: Mapping[str, Sequence[Any]],
        *,
        knows_rules: bool = False,
    ) -> None:
        self._places, self._requests, self.knows_rules = places, tuple(requests), knows_rules
        self.visitors = [dict(zip(properties, one, strict=True)) for one in itertools.product(*properties.values())]
        self.kinds = [kind for kind, own in ASKED_FOR.items() if any(name in properties for name in own)]
        self.reached = cache(self._reached)
        self.tried = cache(self._tried)
        self.asks_for = cache(self._asks_for)
        self._passers = cache(self._who_passes)

    def is_possible(self, states: tuple[str | None, ...]) -> bool:
        """Whether no two edges have the same hostport."""
        edges = [state for place, state in zip(self._places, states, strict=True) if place.kind == EDGE and state]
        hostports = [one for state in edges for one in _parsed(state)["hostports"]]
        return len(hostports) == len(set(hostports))

    def _reached(self, states: tuple[str | None, ...]) -> Reached:
        """Who gets through, if these are the states of the objects, as JSON; None is one that does not exist."""
        by_request = {request: self.tried(states, request) for request in self._requests}
        held = [(place, state) for place, state in zip(self._places, states, strict=True) if state is not None]
        edges = {place.name: state for place, state in held if place.kind == EDGE and _parsed(state)["hostports"]}
        by_backend = {
            (place.name, (_parsed(state).get("backend") or {}).get("backend_id", "")): self._passers(
                edges[place.edge], state, self._rules(states), "GET"
            )
            for place, state in held
            if place.kind == ROUTE and place.edge in edges
        }
        return Reached(by_request, by_backend)

    def _tried(self, states: tuple[str | None, ...], request: Request) -> tuple[str, Passers]:
        """The route that takes a request, "" if none does, and who gets through."""
        held = [(place, state) for place, state in zip(self._places, states, strict=True) if state is not None]
        edges = {place.name: state for place, state in held if place.kind == EDGE}
        edge = _serving({name: _parsed(state)["hostports"] for name, state in edges.items()}, request.hostport)
        host = request.hostport.rpartition(":")[0]
        taking = [
            (rank, place.name, state)
            for place, state in held
            if place.kind == ROUTE and place.edge == edge
            for rank in [_rank(_parsed(state), host, request.path)]
            if rank is not None
        ]
        if edge is None or not taking:
            return "", frozenset()
        _rank_of_it, name, route = max(taking)
        return name, self._passers(edges[edge], route, self._rules(states), request.method)

    def _rules(self, states: tuple[str | None, ...]) -> tuple[str, ...] | None:
        rules = (state for place, state in zip(self._places, states, strict=True) if place.kind == RULE and state)
        return tuple(rules) if self.knows_rules else None

    def _who_passes(self, edge: str, route: str, rules: tuple[str, ...] | None, method: str) -> Passers:
        backend = _parsed(route).get("backend")
        if not backend or not backend["enabled"]:
            return frozenset()
        known = None if rules is None else [_parsed(one) for one in rules]
        checks = [
            _CHECKS[name](module, known)
            for owner in (_parsed(edge), _parsed(route))
            for name, module in owner.items()
            if name in _CHECKS
            and module
            and module["enabled"]
            # Some services ask for no login if a browser asks what it may ask for.
            and not (method == "OPTIONS" and module.get("options_passthrough"))
        ]
        return frozenset(
            number for number, visitor in enumerate(self.visitors) if all(passes(visitor) for passes in checks)
        )

    def _asks_for(self, passers: Passers) -> frozenset[str]:
        """What decides whether somebody gets through: of visitors who differ in nothing else, one does, another not."""
        return frozenset(kind for kind in self.kinds if self._depends_on(passers, ASKED_FOR[kind]))

    def _depends_on(self, passers: Passers, names: Collection[str]) -> bool:
        fates: dict[tuple[Any, ...], set[bool]] = {}
        for number, visitor in enumerate(self.visitors):
            others = tuple(value for name, value in visitor.items() if name not in names)
            fates.setdefault(others, set()).add(number in passers)
        return any(len(one) == 2 for one in fates.values())


@cache
def _parsed(state: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(state)
    return parsed


def _serving(hostports: Mapping[str, Sequence[str]], wanted: str) -> str | None:
    """The edge that serves a hostport: the one that names it, or the longest wildcard around it."""
    found = [
        (one == wanted, len(one), name)
        for name, own in hostports.items()
        for one in own
        if one == wanted or (one.startswith("*") and wanted.endswith(one[1:]))
    ]
    return max(found)[-1] if found else None


def _rank(route: Fields, host: str, path: str) -> tuple[bool, int, bool] | None:
    """What is higher for the route that takes a request which several match; None for one that does not match it."""
    named, slash, rest = route["match"].partition("/")
    own, is_exact = slash + rest, route["match_type"] == "exact_path"
    is_below = not is_exact and path.startswith(own.rstrip("/") + "/")
    return (is_exact, len(own), bool(named)) if named in ("", host) and (path == own or is_below) else None


Check = Callable[[Fields], bool]


def _by_policies(module: Fields, rules: Sequence[Fields] | None) -> Check:
    ids = module["ip_policy_ids"]
    if rules is None:
        # A visitor knows which policies allow, and which deny: ("office", "allow").
        return lambda visitor: (
            any((one, "allow") in visitor["policies"] for one in ids)
            and not any((one, "deny") in visitor["policies"] for one in ids)
        )

    with_rules = {one["ip_policy_id"] for one in rules}

    def is_in(visitor: Fields, action: str) -> bool:
        policy = visitor["address"].partition(EMPTY)[2]
        if policy:
            # A new policy has a longer ID, which contains a placeholder.
            return action == "allow" and any(one.startswith(policy) and one not in with_rules for one in ids)
        own = [ip_network(one["cidr"]) for one in rules if one["ip_policy_id"] in ids and one["action"] == action]
        return any(ip_address(visitor["address"]) in one for one in own)

    return lambda visitor: is_in(visitor, "allow") and not is_in(visitor, "deny")


def _by_accounts(module: Fields, _rules: object) -> Check:
    """An account is a provider and an address, such as ("google", "a@one.example")."""

    def passes(visitor: Fields) -> bool:
        for provider, address in visitor["oauth"]:
            own = module["provider"].get(provider)
            lists = own and [*(own.get("email_addresses") or ()), *(own.get("email_domains") or ())]
            if own is not None and (not lists or address in lists or address.partition("@")[2] in lists):
                return True
        return False

    return passes


_CHECKS: Mapping[str, Callable[[Fields, Sequence[Fields] | None], Check]] = {
    "mutual_tls": lambda module, _: lambda visitor: visitor["certificate"] in module["certificate_authority_ids"],
    "ip_restriction": _by_policies,
    "webhook_verification": lambda module, _: lambda visitor: visitor["signature"] == module["provider"],
    "oauth": _by_accounts,
    "oidc": lambda module, _: lambda visitor: visitor["oidc"] == module["issuer"],
    "saml": lambda module, _: (
        lambda visitor: (
            visitor["saml"][0] == module["idp_metadata"]
            and (not module.get("authorized_groups") or visitor["saml"][1] in module["authorized_groups"])
        )
    ),
    "policy": lambda module, _: lambda visitor: all(one["name"] in visitor["actions"] for one in module["inbound"]),
}
