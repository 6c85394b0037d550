# SPDX-License-Identifier: GPL-3.0-or-later
"""Visitors who simply try every request: who gets through what a service holds, found out with plain loops. Pure.

They share nothing with the collection, because they judge what that says and sends: they know no order, and no requests
that stand for others. What the API does not define is as the collection documents that it assumes it: an exact host
comes before the longest wildcard, an exact path before the longest prefix, a match that names the host before one that
does not, and a prefix ends at a slash. The route that takes a request keeps it, even if it leads nowhere. A TLS edge
takes all requests to its hostports. Of several IP policies, one must allow an address, and none may deny it.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from ipaddress import ip_address, ip_network
from typing import Any, NamedTuple

Fields = Mapping[str, Any]

ASKS_FOR = {
    "mutual_tls": "certificate",
    "ip_restriction": "network",
    "webhook_verification": "signature",
    **dict.fromkeys(("oauth", "oidc", "saml"), "login"),
    "policy": "policy",
}
"""What each traffic module asks for. Visitors have one property for each of these modules."""

BESIDE = ("172.16.0.1", "2001:db9::1")
"""Addresses that no network contains but those of all IPv4 or IPv6 addresses."""

ANYBODY_AT = "@"
"""Begins what stands for all accounts of a domain."""

OF_NO_MATTER = ("id", "uri", "created_at", "description", "metadata", "edge")
"""Fields of a backend that do not matter to what is behind it."""

Passers = int
"""Those who get through: the bits that are set."""


class Request(NamedTuple):
    hostport: str
    path: str
    method: str = "GET"

    def __str__(self) -> str:
        return f"{'OPTIONS ' if self.method == 'OPTIONS' else ''}{self.hostport}{self.path}"


class Way(NamedTuple):
    """What becomes of a request: the edge that serves it, the route that takes it, its backend, and who gets there."""

    edge: str = ""
    taker: str = ""
    backend: str = ""
    passers: Passers = 0


class Crowd:
    """Visitors of all kinds: somebody for each combination of what is asked for anywhere in these states and options.

    Of a policy of which nobody knows the rules, each visitor knows what it says about them.
    """

    def __init__(self, *given: Any) -> None:
        found = [*_asked_in(given)]
        self._asked = {name: list(dict.fromkeys(one for owner, one in found if owner == name)) for name in ASKS_FOR}
        self.values: dict[str, list[Any]] = {name: [None, *own] for name, own in self._asked.items()}
        # A visitor can satisfy any of the rules of traffic policies.
        rules = self._asked["policy"]
        sizes = range(len(rules) + 1)
        self.values["policy"] = [frozenset(one) for size in sizes for one in itertools.combinations(rules, size)]
        self.values["ip_restriction"] = [*_callers(self._asked["ip_restriction"])]
        numbers = [len(one) for one in self.values.values()]
        around = [(math.prod(numbers[:place]), math.prod(numbers[place + 1 :])) for place in range(len(numbers))]
        self._around = dict(zip(self.values, around, strict=True))
        self.everybody: Passers = (1 << math.prod(numbers)) - 1
        self.admitted = cache(self._admitted)
        self.asked_for = cache(self._asked_for)

    def _with_property(self, name: str, is_so: Callable[[Any], bool]) -> Passers:
        before, after = self._around[name]
        return int("".join(("1" if is_so(one) else "0") * after for one in self.values[name]) * before, 2)

    def _admitted(self, name: str, settings: str) -> Passers:
        """Whom a traffic module lets in, by its settings as JSON. One that asks for nothing protects nothing here."""
        module = json.loads(settings)
        asked = _asked(name, module)
        unknown = [one for owner, one in _asked_in({name: module}) if one not in self._asked[owner]]
        if unknown:
            raise ValueError(f"no visitor has {unknown}, which {name} asks for")
        if not asked:
            return self.everybody
        if name == "ip_restriction":
            return self._with_property(name, lambda value: _gets_in_from(module, *value))
        if name == "policy":
            return self._with_property(name, lambda value: value >= {(one, "") for one in asked})
        return self._with_property(name, lambda value: value is not None and _is_one_of(asked, *value))

    def _asked_for(self, passers: Passers) -> frozenset[str]:
        """What decides whether somebody gets through: of visitors who differ in nothing else, one does, another not."""
        return frozenset(kind for name, kind in ASKS_FOR.items() if self._depends_on(passers, name))

    def _depends_on(self, passers: Passers, name: str) -> bool:
        last = self.values[name][-1]
        others = self._with_property(name, lambda value: value != last)
        return bool((passers ^ (passers << self._around[name][1])) & others)

    def shown(self, passers: Passers) -> str:
        """One of them."""
        number = self.everybody.bit_length() - passers.bit_length()
        values = ((name, own[number // self._around[name][1] % len(own)]) for name, own in self.values.items())
        return ", ".join(f"{name} {value}" for name, value in values if value)


def _asked_in(given: Any) -> Iterator[tuple[str, Any]]:
    """Yield what traffic modules anywhere in this ask for, with their names; and the networks of rules."""
    for member in given.values() if isinstance(given, Mapping) else given:
        if isinstance(member, (Mapping, list, tuple)):
            yield from _asked_in(member)
    for name in ASKS_FOR.keys() & given.keys() if isinstance(given, Mapping) else ():
        for what, members in _asked(name, given[name] or {}).items():
            accounts = (f"somebody{one}" if one[:1] == ANYBODY_AT else one for one in ("", *members))
            yield from ((name, (what, one)) for one in accounts)
    if isinstance(given, Mapping) and "cidr" in given:
        yield "ip_restriction", ip_network(given["cidr"])


def _asked(name: str, module: Fields) -> dict[Any, list[str]]:
    """What a traffic module asks for: one of these, of one of these accounts, or of any account if there are none."""
    found: dict[Any, list[str]] = {}
    match name:
        case "mutual_tls":
            found = {one: [] for one in module.get("certificate_authority_ids") or ()}
        case "ip_restriction":
            found = {one.removeprefix("ref:"): [] for one in module.get("ip_policy_ids") or ()}
        case "webhook_verification":
            found = {(module["provider"], module.get("secret")): []} if module.get("provider") else {}
        case "oidc":
            found = {(module["issuer"], module["client_id"]): []} if module.get("issuer") else {}
        case "saml":
            groups = module.get("authorized_groups") or []
            found = {module["idp_metadata"]: groups} if module.get("idp_metadata") else {}
        case "oauth":
            providers = module.get("provider") or {}
            found = {one: _accounts(own) for one, own in providers.items() if own is not None}
        case "policy":
            found = {str(one.get("name")): [] for one in module.get("inbound") or () if one.get("actions")}
    return found


def _accounts(provider: Fields) -> list[str]:
    named = [one for name in ("email_addresses", "teams", "organizations") for one in provider.get(name) or ()]
    return [*named, *(f"{ANYBODY_AT}{one}" for one in provider.get("email_domains") or ())]


def _is_one_of(asked: Mapping[Any, Sequence[str]], what: Any, account: str) -> bool:
    if not asked.get(what):
        return what in asked
    return any(account == one or (one[:1] == ANYBODY_AT and account.endswith(one)) for one in asked[what])


def _callers(asked: Sequence[Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """An address of each network, with everything that policies can say about it of which nobody knows the rules."""
    networks = [one for one in asked if not isinstance(one, tuple)]
    addresses = {str(one[1]) for one in networks}
    if len(addresses) < len(networks):
        raise ValueError(f"not each of {networks} has an address of its own")
    policies = [one[0] for one in asked if isinstance(one, tuple)]
    for said in itertools.product(("nothing", "allow", "deny"), repeat=len(policies)):
        yield from ((address, dict(zip(policies, said, strict=True))) for address in (*BESIDE, *sorted(addresses)))


def _gets_in_from(restriction: Fields, address: str, said: Mapping[str, str]) -> bool:
    verdicts = {one["action"] or "allow" for one in restriction["rules"] if _contains(one["cidr"], address)}
    verdicts |= {said[one] for one in restriction["unknown"]}
    # Nobody knows whether a policy without rules lets nobody through, or everybody.
    verdicts |= {said[one] for one in restriction["empty"]} - {"deny"}
    return "allow" in verdicts and "deny" not in verdicts


@cache
def _contains(network: str, address: str) -> bool:
    return ip_address(address) in ip_network(network)


@dataclass(frozen=True)
class Seen:
    """The IP policies of which not all rules are known, and those of their rules that are.

    If the service `lists_all` rules, a policy that does not exist is known to have none.
    """

    unread: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    lists_all: bool = False


ALL = Seen()


class Traffic:
    """What becomes of requests, if a service holds this. `names` are the names of IDs that differ from run to run."""

    def __init__(self, crowd: Crowd, state: Fields, names: Mapping[str, str] | None = None, seen: Seen = ALL) -> None:
        self.crowd, self._names, self._seen = crowd, names or {}, seen
        self.edges: list[Fields] = [*state["https_edges"], *map(_as_edge, state.get("tls_edges", ()))]
        self._serving = {one.lower(): edge for edge in self.edges for one in edge.get("hostports") or ()}
        objects = state.get("objects", {})
        self._policies = {one["id"] for one in objects.get("ip_policies", ())}
        self._rules: Sequence[Fields] = objects.get("ip_policy_rules", ())
        backends = [each for path, held in objects.items() if path.startswith("backends/") for each in held]
        self._backends = {one["id"]: one for one in backends}
        self.way = cache(self._way)
        self._passers = cache(self._who_passes)

    @cached_property
    def by_route(self) -> dict[tuple[str, str], Passers]:
        """Whom each route lets to its backend, and to each of those that this one leads to, with whatever request."""
        found = {}
        for edge in self.edges:
            for number, route in enumerate(edge["routes"]):
                named, _path = _split(route["match"])
                is_served = any(_covers(one, named) for one in edge.get("hostports") or ())
                passers = self._passers(self.edges.index(edge), number, "GET") if is_served else 0
                for backend in (self._backend(route), *self._reached((route.get("backend") or {}).get("backend_id"))):
                    found[self.name(route["id"]), backend] = passers if self._backend(route) else 0
        return found

    def _way(self, request: Request) -> Way:
        host = request.hostport.rpartition(":")[0]
        wanted = request.hostport
        around = (one for one in self._serving if one == wanted or (one[0] == "*" and wanted.endswith(one[1:])))
        best = max(around, key=lambda one: (one == wanted, len(one)), default=None)
        if best is None:
            return Way()
        edge = self._serving[best]
        ranks = [(_rank(route, host, request.path) or (), number) for number, route in enumerate(edge["routes"])]
        rank, number = max(ranks, default=((), 0))
        if not rank:
            return Way(self.name(edge["id"]))
        route, passers = edge["routes"][number], self._passers(self.edges.index(edge), number, request.method)
        return Way(self.name(edge["id"]), self.name(route["id"]), self._backend(route), passers)

    def _backend(self, route: Fields) -> str:
        return self.name(str(route["backend"].get("backend_id") or "")) if _is_enabled(route, "backend") else ""

    def _reached(self, identifier: Any) -> Iterator[str]:
        """The backends that one leads to, with itself, as they are."""
        if identifier in self._backends:
            own = {name: value for name, value in self._backends[identifier].items() if name not in OF_NO_MATTER}
            text = json.dumps(own, sort_keys=True)
            known = reduce(lambda shown, one: shown.replace(*one), self._names.items(), text)
            yield f"{self.name(identifier)} as {known}"
            for other in own.get("backends") or ():
                yield from self._reached(other)

    def _who_passes(self, edge: int, number: int, method: str) -> Passers:
        own = self.edges[edge]
        route = own["routes"][number]
        passers = self.crowd.everybody if self._backend(route) else 0
        for owner, name in ((own, "mutual_tls"), *((route, name) for name in ASKS_FOR)):
            # Some services ask for no login if a browser asks what it may ask for.
            if _is_enabled(owner, name) and not (method == "OPTIONS" and owner[name].get("options_passthrough")):
                module = self._with_rules(owner[name]) if name == "ip_restriction" else owner[name]
                passers &= self.crowd.admitted(name, json.dumps(module, sort_keys=True))
        return passers

    def _with_rules(self, restriction: Fields) -> Fields:
        ids = {*(restriction.get("ip_policy_ids") or ())}
        known = (ids if self._seen.lists_all else ids & self._policies) - self._seen.unread
        rules = [one for one in self._rules if one["ip_policy_id"] in ids]
        rules = [one for one in rules if one["ip_policy_id"] in known or one["id"] in self._seen.rules]
        return {
            "ip_policy_ids": sorted(map(self.name, ids)),
            "rules": [{"action": one.get("action"), "cidr": one["cidr"]} for one in rules],
            "unknown": sorted(map(self.name, ids - known)),
            "empty": sorted(map(self.name, known - {one["ip_policy_id"] for one in rules})),
        }

    def name(self, identifier: str) -> str:
        return self._names.get(identifier, identifier)


def requests(*states: Traffic) -> list[Request]:
    """The requests in which these states can differ: at each hostport, each match, just below it, and next to it."""
    edges = [edge for state in states for edge in state.edges]
    hostports = {hostport.lower() for edge in edges for hostport in edge.get("hostports") or ()}
    matches = {"/", *(_split(route["match"])[1] for edge in edges for route in edge["routes"])}
    paths = {path for match in matches for path in (match, f"{match.rstrip('/')}/.probe", f"{match}-other")}
    modules = (one for edge in edges for route in edge["routes"] for one in route.values() if isinstance(one, dict))
    methods = ("GET", "OPTIONS") if any(one.get("options_passthrough") for one in modules) else ("GET",)
    return [Request(*one) for one in itertools.product(sorted(hostports), sorted(paths), methods)]


def _as_edge(tls_edge: Fields) -> Fields:
    route = {"match_type": "path_prefix", "match": "/", **tls_edge}
    return {"id": f"the edge of {tls_edge['id']}", "hostports": tls_edge.get("hostports", []), "routes": [route]}


def _is_enabled(owner: Fields, name: str) -> bool:
    """Whether a module has an effect; the service may store it without `enabled`, which is true."""
    return owner.get(name) is not None and bool(owner[name].get("enabled", True))


def _covers(hostport: str, host: str) -> bool:
    """Whether a hostport is one of this host; every one is if there is no host."""
    own = hostport.rpartition(":")[0].lower()
    return host in ("", own) or (own[:1] == "*" and host.endswith(own[1:]))


@cache
def _split(match: str) -> tuple[str, str]:
    """The host and the path of a match. Without a path, it matches all of them."""
    host, slash, rest = match.partition("/")
    return host.lower(), slash + rest or "/"


def _rank(route: Fields, host: str, path: str) -> tuple[bool, int, bool] | None:
    """What is higher for the route that takes a request which several match; None for one that does not match it."""
    (named, own), is_exact = _split(route["match"]), route["match_type"] == "exact_path"
    is_below = not is_exact and path.startswith(own.rstrip("/") + "/")
    return (is_exact, len(own), bool(named)) if named in ("", host) and (path == own or is_below) else None
