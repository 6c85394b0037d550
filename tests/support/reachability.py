# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through an estate: a simulator of the traffic, for what a service holds. Pure.

It shares nothing with the collection, because it judges what that sends.

A request goes to the edge that serves its hostport, and there to the most specific route that matches: an exact path
before a prefix, a longer path before a shorter one, a match that names the host before one that does not. That route
takes the request, even if it leads nowhere. The visitor must have everything that the enabled modules require. A TLS
edge takes all requests to its hostports.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from networks import ADDRESSES, WITHOUT_RULES, Admitted, admitted, verdicts_of

SETS = {"mutual_tls": ("certificate", "certificate_authority_ids"), "ip_restriction": ("network", "ip_policy_ids")}
"""Modules that admit whatever one member of a set admits: the fewer members, the fewer visitors. Networks are those of
the rules of policies.
"""

CONTENTS = {
    "webhook_verification": ("provider", "secret"),
    "oauth": ("provider",),
    "oidc": ("issuer", "client_id"),
    "saml": ("idp_metadata", "authorized_groups"),
}
"""The other protecting modules, with the fields that say who gets in. Other fields, such as timeouts, do not."""

NOWHERE = ""


@dataclass(frozen=True)
class Requirement:
    """What a visitor must have. `admitted` are the IDs of a set, networks, or the only content that is as strict."""

    kind: str
    admitted: frozenset[str] | Admitted

    def is_as_strict_as(self, other: Requirement) -> bool:
        """Whether this lets in nobody whom the other does not let in."""
        if self.kind != other.kind:
            return False
        if isinstance(self.admitted, Admitted) and isinstance(other.admitted, Admitted):
            return self.admitted.is_within(other.admitted)
        if isinstance(self.admitted, Admitted) or isinstance(other.admitted, Admitted):
            return False
        is_set = self.kind in {kind for kind, _field in SETS.values()}
        return self.admitted <= other.admitted if is_set else self.admitted == other.admitted

    def __str__(self) -> str:
        shown = self.admitted if isinstance(self.admitted, Admitted) else "|".join(sorted(self.admitted))
        return f"{self.kind} {shown}"


Access = frozenset[Requirement] | None
"""Everything that a visitor must have; None if nobody gets through."""

PUBLIC: Access = frozenset()


@dataclass(frozen=True)
class Way:
    """What becomes of a request: the backend that it gets to, and what it takes."""

    backend: str = NOWHERE
    access: Access = None

    def __str__(self) -> str:
        return f"{shown(self.access)}{' -> ' + self.backend if self.access is not None else ''}"


def is_as_strict_as(access: Access, other: Access) -> bool:
    """Whether nobody gets through who does not get through with the other one."""
    if access is None:
        return True
    return other is not None and all(any(has.is_as_strict_as(need) for has in access) for need in other)


def is_as_strict_as_any(access: Access, others: Collection[Access]) -> bool:
    """Whether nobody gets through who does not get through with one of the others, if need be address by address."""
    if any(is_as_strict_as(access, other) for other in others):
        return True
    everyone = [access, *others]
    networks = [one.admitted for each in everyone for one in each or () if isinstance(one.admitted, Admitted)]
    verdicts = list(verdicts_of(frozenset().union(*(one.unknown for one in networks))))
    return bool(networks) and all(
        any(is_as_strict_as(_from(address, said, access), _from(address, said, other)) for other in others)
        for address in ADDRESSES
        for said in verdicts
    )


def _from(address: str, verdicts: Mapping[str, str], access: Access) -> Access:
    """What somebody with this address must have in addition, if this is what the unknown policies say."""
    networks = [one.admitted for one in access or () if isinstance(one.admitted, Admitted)]
    if access is None or not all(one.lets_in(address, verdicts) for one in networks):
        return None
    return frozenset(one for one in access if not isinstance(one.admitted, Admitted))


def lost(was: Access, now: Access) -> frozenset[str]:
    """What kinds of things visitors no longer need; if there are none, those of which others are enough now."""
    gone = {_thing(need) for need in was or ()} - {_thing(has) for has in now or ()}
    unmet = (need for need in was or () if not any(has.is_as_strict_as(need) for has in now or ()))
    return frozenset(gone or {need.kind for need in unmet})


def _thing(requirement: Requirement) -> str:
    return "login" if requirement.kind in ("oauth", "oidc", "saml") else requirement.kind


def shown(access: Access) -> str:
    if access is None:
        return "closed"
    return " and ".join(sorted(map(str, access))) or "public"


@dataclass(frozen=True)
class Probe:
    """A request, as far as it decides which route takes it, and what that checks."""

    hostport: str
    path: str
    is_options: bool = False

    @property
    def host(self) -> str:
        return self.hostport.rpartition(":")[0]

    def __str__(self) -> str:
        return f"{'OPTIONS ' if self.is_options else ''}{self.hostport}{self.path}"


@dataclass(frozen=True)
class Seen:
    """The IP policies of which not all rules are known, and those of their rules that are.

    If the service `holds_none`, a task that reads the list of rules finds that no policy has any.
    """

    unread: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    holds_none: bool = False


ALL = Seen()


class Reachability:
    """Who gets through, of what a service holds. `names` are the names of IDs that differ from run to run."""

    def __init__(self, state: Mapping[str, Any], names: Mapping[str, str] | None = None, seen: Seen = ALL) -> None:
        self._names, self._seen = names or {}, seen
        self.edges: list[dict[str, Any]] = [*state["https_edges"], *map(_as_edge, state.get("tls_edges", ()))]
        self._serving = {hostport.lower(): edge for edge in self.edges for hostport in edge.get("hostports") or ()}
        objects = state.get("objects", {})
        self._policies = {one["id"] for one in objects.get("ip_policies", ())}
        self._rules: list[dict[str, Any]] = objects.get("ip_policy_rules", [])
        self._networks: dict[frozenset[str], Admitted] = {}
        self._ways: dict[tuple[str, str, bool], Way] = {}
        self._takers: dict[tuple[str, str], tuple[dict[str, Any], dict[str, Any]] | None] = {}

    @property
    def hostports(self) -> set[str]:
        return set(self._serving)

    @property
    def matches(self) -> set[str]:
        return {_split(route["match"])[1] for edge in self.edges for route in edge["routes"]}

    @property
    def exempts_options(self) -> bool:
        """Whether a module does not check requests with the method OPTIONS."""
        modules = (value for edge in self.edges for route in edge["routes"] for value in route.values())
        return any(isinstance(one, dict) and one.get("options_passthrough") for one in modules)

    def way(self, probe: Probe) -> Way:
        found = self._taking(probe)
        if found is None:
            return Way()
        key = (found[0]["id"], found[1]["id"], probe.is_options)
        if key not in self._ways:
            self._ways[key] = self._through(*found, probe.is_options)
        return self._ways[key]

    def taker(self, probe: Probe) -> str:
        """The name of the route that takes a request, or of the TLS edge; empty if nothing does."""
        found = self._taking(probe)
        return "" if found is None else self._name(found[1]["id"])

    def edge_of(self, probe: Probe) -> str:
        """The name of the edge that serves a request; empty if none does."""
        edge = self._serving.get(probe.hostport)
        return "" if edge is None else self._name(edge["id"])

    def routes(self) -> dict[str, Way]:
        """What becomes of a request that a route takes, by the route's name: its ID, or the one that stays the same."""
        return {
            self._name(route["id"]): self._through(edge, route) if _is_served(edge, route) else Way()
            for edge in self.edges
            for route in edge["routes"]
        }

    def _taking(self, probe: Probe) -> tuple[dict[str, Any], dict[str, Any]] | None:
        place = (probe.hostport, probe.path)
        if place not in self._takers:
            edge = self._serving.get(probe.hostport)
            taking = [route for route in edge["routes"] if _takes(route, probe)] if edge else []
            self._takers[place] = (edge, max(taking, key=_specificity)) if edge and taking else None
        return self._takers[place]

    def _through(self, edge: Mapping[str, Any], route: Mapping[str, Any], is_options: bool = False) -> Way:
        backend = route["backend"].get("backend_id") if _is_enabled(route, "backend") else None
        if not backend:
            return Way()
        modules = [(edge, "mutual_tls"), *((route, name) for name in (*SETS, *CONTENTS))]
        checked = [(owner, name) for owner, name in modules if _is_enabled(owner, name)]
        if is_options:
            checked = [(owner, name) for owner, name in checked if not owner[name].get("options_passthrough")]
        required = [one for owner, name in checked if (one := self._required(owner, name))]
        networks = [one.admitted for one in required if isinstance(one.admitted, Admitted)]
        if any(one.is_nobody for one in networks):
            return Way()
        asked = (one for one in required if not (isinstance(one.admitted, Admitted) and one.admitted.is_everybody))
        return Way(self._name(backend), frozenset(asked))

    def _required(self, owner: Mapping[str, Any], name: str) -> Requirement | None:
        module = owner[name]
        if name not in SETS:
            fields = {field: _significant(module.get(field)) for field in CONTENTS[name]}
            return Requirement(name, frozenset({json.dumps(fields, sort_keys=True)}))
        kind, ids = SETS[name]
        # The API does not define what an empty set does, so it protects nothing here.
        if not module.get(ids):
            return None
        members = frozenset(module[ids])
        return Requirement(kind, self._admitted(members) if kind == "network" else frozenset(map(self._name, members)))

    def _admitted(self, policies: frozenset[str]) -> Admitted:
        """Whom IP policies let in together."""
        if policies not in self._networks:
            held = policies if self._seen.holds_none else policies & self._policies
            known = held - self._seen.unread
            rules = [one for one in self._rules if one["ip_policy_id"] in policies]
            rules = [one for one in rules if one["ip_policy_id"] in known or one["id"] in self._seen.rules]
            # Nobody knows whether a policy without rules lets nobody through, or everybody.
            empty = known - {one["ip_policy_id"] for one in rules}
            unknown = {self._name(one) for one in policies - known}
            unknown |= {f"{self._name(one)}{WITHOUT_RULES}" for one in empty}
            self._networks[policies] = admitted(rules, unknown)
        return self._networks[policies]

    def _name(self, identifier: str) -> str:
        return self._names.get(identifier, identifier)


def _as_edge(tls_edge: Mapping[str, Any]) -> dict[str, Any]:
    hostports = tls_edge.get("hostports", [])
    return {
        "id": f"the edge of {tls_edge['id']}",
        "hostports": hostports,
        "routes": [{"match_type": "path_prefix", "match": "/", **tls_edge}],
    }


def probes(*states: Reachability) -> list[Probe]:
    """The requests in which these states can differ: at each hostport, each match, just below it, and next to it."""
    hostports = set().union(*(state.hostports for state in states))
    matches = {"/"}.union(*(state.matches for state in states))
    paths = {path for match in matches for path in (match, f"{match.rstrip('/')}/.probe", f"{match}-other")}
    methods = (False, True) if any(state.exempts_options for state in states) else (False,)
    return [
        Probe(hostport, path, is_options)
        for hostport in sorted(hostports)
        for path in sorted(paths)
        for is_options in methods
    ]


def _is_enabled(owner: Mapping[str, Any], name: str) -> bool:
    """Whether a module has an effect; the service may store it without `enabled`, which is true."""
    return owner.get(name) is not None and bool(owner[name].get("enabled", True))


def _is_served(edge: Mapping[str, Any], route: Mapping[str, Any]) -> bool:
    """Whether there is a hostport by which the route can be reached."""
    named, _path = _split(route["match"])
    return any(named in ("", hostport.rpartition(":")[0].lower()) for hostport in edge.get("hostports") or ())


def _significant(value: Any) -> Any:
    """A value that is the same for the same visitors: without secrets of apps, and without order."""
    if isinstance(value, dict):
        significant = {name: one for name, one in value.items() if one and name not in ("client_secret", "scopes")}
        return {name: _significant(one) for name, one in significant.items()}
    return sorted(value) if isinstance(value, list) else value


@cache
def _split(match: str) -> tuple[str, str]:
    """The host and the path of a match. Without a path, it matches all of them."""
    host, slash, rest = match.partition("/")
    return host.lower(), slash + rest or "/"


def _takes(route: Mapping[str, Any], probe: Probe) -> bool:
    host, path = _split(route["match"])
    if host not in ("", probe.host):
        return False
    if probe.path == path:
        return True
    return route["match_type"] == "path_prefix" and probe.path.startswith(path.rstrip("/") + "/")


def _specificity(route: Mapping[str, Any]) -> tuple[bool, int, bool]:
    host, path = _split(route["match"])
    return route["match_type"] == "exact_path", len(path), bool(host)
