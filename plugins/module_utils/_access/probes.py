# SPDX-License-Identifier: GPL-3.0-or-later
"""The finite set of requests that stands for all whose access plans can change. Pure.

For each path of a match, these are the path itself, one below it, and one that only begins like it; for each host, the
named ones, and one that only a wildcard covers. This is the only place that enumerates hosts and paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .access import Access, access_through
from .account import Account, Edge
from .locks import NETWORK
from .policies import Policies
from .routing import (
    ANYWHERE,
    ASSUMED,
    HOSTS_FIRST,
    LAST_TWIN,
    OTHER_READINGS,
    WILDCARD,
    WILDCARDS_FIRST,
    Area,
    Reading,
    below,
    beside,
    covered_by,
    host_of,
    hosts_around,
)
from .views import At, Part, View


class Request(NamedTuple):
    """A request, as far as it decides who gets through. The `hostport` of one to an edge without any is empty."""

    hostport: str
    path: str
    is_options: bool = False


class Server(NamedTuple):
    """An edge that serves a request if it has this hostport, and the routes that may take it, the likeliest first."""

    edge: Edge
    hostport: str
    routes: Sequence[Part]


@dataclass(frozen=True, eq=False)
class Probe:
    """A request to a service with this reading: what it must pass, and on which plans that depends."""

    request: Request
    reading: Reading
    servers: Sequence[Server]
    policies: Policies

    @cached_property
    def positions(self) -> list[int]:
        """The plans on which it depends who gets through."""
        parts = [part for server in self.servers for part in (*server.edge.parts, *server.routes)]
        found = {part.position for part in parts if part.position is not None}
        return sorted(found | {one for part in parts for one in self.policies.positions(_policies_of(part))})

    @property
    def failed(self) -> list[int]:
        return [position for server in self.servers for position in server.edge.failed]

    def access(self, at: At) -> Access | None:
        """Return who gets through; None if nobody does."""
        found = self.taker(at)
        if found is None:
            return None
        edge, route = found
        view = route.at(at)
        if view is None or view.backend_id is None:
            return None
        views = [*_views(edge, at), view] if route is not edge.own else _views(edge, at)
        return access_through(views, self.policies, at, is_options=self.request.is_options)

    def taker(self, at: At) -> tuple[Edge, Part] | None:
        """Return the edge and the route that take the request; None if nothing does."""
        for edge, hostport, routes in self.servers:
            if edge.serves(hostport, at):
                best = self._best(routes, at)
                return None if best is None else (edge, best)
        return None

    def _best(self, routes: Sequence[Part], at: At) -> Part | None:
        best, highest = None, tuple[bool | int, ...]()
        for route in routes:
            view = route.at(at)
            rank = _rank(view, self.request, self.reading) if view is not None else None
            is_better = rank is not None and (rank > highest or (rank == highest and self.reading.takes_last_twin))
            if rank is not None and is_better:
                best, highest = route, rank
        return best


@dataclass(frozen=True, eq=False)
class RouteProbe:
    """All requests that one route takes: to which backend they get, and what they must pass."""

    edge: Edge
    route: Part
    policies: Policies
    reading: Reading = ASSUMED

    @property
    def is_unclear(self) -> bool:
        """Whether nobody knows which requests the route takes, because of the form of its match."""
        return any(view.area is None for view in self.route.existing)

    @property
    def request(self) -> Request:
        state = self.route.existing[-1].state
        return Request("", f"{state['match_type']} {state['match']}")

    @property
    def positions(self) -> list[int]:
        parts = (*self.edge.parts, self.route)
        found = {part.position for part in parts if part.position is not None}
        return sorted(found | {one for part in parts for one in self.policies.positions(_policies_of(part))})

    @property
    def failed(self) -> list[int]:
        return self.edge.failed

    def access(self, at: At) -> Access | None:
        view = self.route.at(at)
        own = self.edge.own
        if view is None or view.backend_id is None:
            return None
        hosts = frozenset({""}) if own is None else (own_view.hosts if (own_view := own.at(at)) else frozenset())
        if own is not None and not any(_is_for(view.area, host_of(host)) for host in hosts):
            return None
        views = [*_views(self.edge, at), view] if self.route is not own else _views(self.edge, at)
        found = access_through(views, self.policies, at)
        return None if found is None else Access(found.admitted, view.backend_id)

    def taker(self, _at: At) -> tuple[Edge, Part]:
        return self.edge, self.route


def _views(edge: Edge, at: At) -> list[View]:
    return [view for part in edge.parts if (view := part.at(at)) is not None]


def _is_for(area: Area | None, host: str) -> bool:
    """Return whether a route takes requests for this host."""
    return area is None or area.host in ("", host) or (host.startswith(WILDCARD) and area.host.endswith(host[1:]))


def _rank(view: View, request: Request, reading: Reading) -> tuple[bool | int, ...] | None:
    area = view.area
    takes = area is not None and area.takes(host_of(request.hostport), request.path, reading)
    return area.rank(reading) if area is not None and takes else None


def _policies_of(part: Part) -> set[str]:
    return {member[-1] for view in part.existing for member in view.locks.get(NETWORK, ())}


def route_probes(account: Account) -> Iterator[RouteProbe]:
    """Yield probes for all routes that plans change, wherever they are."""
    for edge in account.edges:
        for route in edge.routes:
            probe = RouteProbe(edge, route, account.policies)
            if probe.positions:
                yield probe


def probes(account: Account) -> Iterator[Probe]:
    """Yield probes for all requests whose access depends on plans."""
    seen: set[tuple[Request, Reading]] = set()
    for hostport in _hostports(account):
        servers = _servers(account, hostport, ASSUMED)
        for path, readings in _paths(account, servers):
            for probe in _probes_of(account, Request(hostport, path), readings):
                key = (probe.request, probe.reading)
                if key not in seen and probe.positions:
                    seen.add(key)
                    yield probe


def _hostports(account: Account) -> Iterator[str]:
    """Yield one of all hostports that the same edges serve at the same times, and those that routes name."""
    seen: set[object] = set()
    for edge in account.edges:
        if not any(_is_affected(account, part) for part in (*edge.parts, *edge.routes)):
            continue
        named = {view.area.host for route in edge.routes for view in route.existing if view.area} - {""}
        patterns = sorted(edge.hosts)
        wanted = [
            *map(covered_by, patterns),
            *(f"{name}:{one.rpartition(':')[2]}" for one in patterns for name in sorted(named)),
        ]
        for hostport in wanted:
            host = host_of(hostport)
            times = [
                (
                    id(one),
                    tuple(view is not None and pattern in view.hosts for view in one.own.views) if one.own else (),
                )
                for pattern in hosts_around(hostport)
                for one in account.by_host.get(pattern, ())
            ]
            key = (tuple(times), host if host in named else "")
            if times and key not in seen:
                seen.add(key)
                yield hostport


def _is_affected(account: Account, part: Part) -> bool:
    """Return whether plans change a part, or the rules of an IP policy that it uses."""
    return part.position is not None or bool(account.policies.positions(_policies_of(part)))


def _paths(account: Account, servers: Sequence[tuple[Edge, str]]) -> Iterator[tuple[str, Sequence[Reading]]]:
    """Yield paths that stand for all others at a hostport, each with the readings that can differ about it."""
    are_all = len(servers) > 1 or any(_is_affected(account, part) for edge, _hostport in servers for part in edge.parts)
    areas = [
        view.area
        for edge, _hostport in servers
        for route in edge.routes
        if are_all or _is_affected(account, route)
        for view in route.existing
        if view.area is not None
    ]
    for area in dict.fromkeys(areas):
        yield area.path, OTHER_READINGS
        if not area.is_exact:
            yield below(area.path), OTHER_READINGS
            yield from () if area.path.endswith("/") else [(beside(area.path), (ANYWHERE,))]


def _probes_of(account: Account, request: Request, others: Sequence[Reading]) -> Iterator[Probe]:
    """Yield a probe for a request, and for each other reading with which something else may take it."""
    assumed = _serving(account, request, ASSUMED)
    readings = [(ASSUMED, assumed)]
    for reading in others:
        if reading in _differing(account, assumed):
            found = _serving(account, request, reading)
            if reading.takes_last_twin or found != assumed:
                readings.append((reading, found))
    for reading, servers in readings:
        yield Probe(request, reading, servers, account.policies)
        views = (view for one in servers for part in (*one.edge.parts, *one.routes) for view in part.existing)
        if any(view.locks_for_options != view.locks for view in views):
            yield Probe(request._replace(is_options=True), reading, servers, account.policies)


def _differing(account: Account, servers: Sequence[Server]) -> Iterator[Reading]:
    """Yield the readings that could make a difference for a request."""
    yield ANYWHERE
    if account.has_wildcards:
        yield WILDCARDS_FIRST
    if any(server.edge.names_hosts for server in servers):
        yield HOSTS_FIRST
    if any(server.edge.has_twins for server in servers):
        yield LAST_TWIN


def _serving(account: Account, request: Request, reading: Reading) -> list[Server]:
    servers = _servers(account, request.hostport, reading)
    return [Server(edge, hostport, _candidates(edge, request, reading)) for edge, hostport in servers]


def _servers(account: Account, hostport: str, reading: Reading) -> list[tuple[Edge, str]]:
    """Return the edges that may serve a hostport at some time, each with the one that it has."""
    found = []
    for pattern in hosts_around(hostport, reading):
        for edge in account.by_host.get(pattern, ()):
            found.append((edge, pattern))
            if edge.own is None or all(view is not None and pattern in view.hosts for view in edge.own.views):
                return found
    return found


def _candidates(edge: Edge, request: Request, reading: Reading) -> list[Part]:
    """Return the routes that may take a request at some time, those that come first in front."""
    found: list[tuple[tuple[bool | int, ...], Part]] = []
    certain: tuple[bool | int, ...] = ()
    for route in edge.around(request.path, reading):
        views = route.views if route.position is not None else route.views[:1]
        ranks = [None if view is None else _rank(view, request, reading) for view in views]
        best = max((rank for rank in ranks if rank is not None), default=())
        if best and best >= certain:
            found.append((best, route))
            certain = best if all(rank == best for rank in ranks) else certain
        elif best[1:2] < certain[1:2] and best and not reading.puts_hosts_first:
            break  # All others have shorter paths.
    return [route for best, route in sorted(found, key=lambda one: one[0], reverse=True) if best >= certain]
