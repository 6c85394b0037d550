# SPDX-License-Identifier: GPL-3.0-or-later
"""The finite set of requests that stands for all whose access plans can change. Pure.

For each path of a match, these are the path itself and one below it; for each host, the named ones, and one that only
a wildcard covers. This is the only place that enumerates hosts and paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .account import Account, Edge
from .probe import Probe, Request, RouteProbe, Server, rank_of
from .routing import (
    ANYWHERE,
    ASSUMED,
    HOSTS_FIRST,
    LAST_TWIN,
    WILDCARD,
    WILDCARDS_FIRST,
    Area,
    Reading,
    below,
    covered_by,
    covers,
    host_of,
    hosts_around,
)
from .views import Part


def route_probes(account: Account) -> Iterator[RouteProbe]:
    """Yield probes for all routes that plans change, wherever they are."""
    for edge in account.edges:
        for route in edge.routes:
            probe = RouteProbe(edge, route, account.policies)
            if probe.positions:
                yield probe


def probes(account: Account) -> Sequence[Probe]:
    """Return probes for all requests whose access depends on plans."""
    if account.probes is None:
        account.probes = list(_probes(account))
    return account.probes


def _probes(account: Account) -> Iterator[Probe]:
    seen: set[tuple[Request, Reading]] = set()
    for hostport in hostports(account, are_all=False):
        servers = _servers(account, hostport, ASSUMED)
        for path in _paths(account, servers):
            for probe in probes_of(account, Request(hostport, path)):
                key = (probe.request, probe.reading)
                if key not in seen and probe.positions:
                    seen.add(key)
                    yield probe


def hostports(account: Account, pattern: str = WILDCARD, *, are_all: bool = True) -> Iterator[str]:
    """Yield one of all hostports that the same edges serve at the same times, and those that routes name.

    These are the hosts of a pattern, such as `*.example.com`; unless they `are_all`, of edges that plans affect.
    """
    seen: set[object] = set()
    named_anywhere = frozenset().union(*(edge.named_hosts for edge in account.edges))
    for edge in account.edges:
        if not are_all and not any(_is_affected(account, part) for part in (*edge.parts, *edge.routes)):
            continue
        for served in sorted(edge.hosts):
            wanted = [host_of(covered_by(served)), host_of(covered_by(f"{pattern}:")), *sorted(edge.named_hosts)]
            for host in (one for one in dict.fromkeys(wanted) if covers(pattern, one) and covers(host_of(served), one)):
                hostport = f"{host}:{served.rpartition(':')[2]}" if served else served
                key = (_times(account, hostport), host if host in named_anywhere else "")
                if key not in seen:
                    seen.add(key)
                    yield hostport


def _times(account: Account, hostport: str) -> tuple[object, ...]:
    """Return the edges that serve a hostport, each with the times at which it does."""
    around = [(one, pattern) for pattern in hosts_around(hostport) for one in account.by_host.get(pattern, ())]
    views = [(id(one), pattern, one.own.views if one.own else ()) for one, pattern in around]
    return tuple((one, *(view is not None and pattern in view.hosts for view in own)) for one, pattern, own in views)


def _is_affected(account: Account, part: Part) -> bool:
    """Return whether plans change a part, or the rules of an IP policy that it uses."""
    return part.position is not None or bool(account.policies.positions(part.policies))


def _paths(account: Account, servers: Sequence[tuple[Edge, str]]) -> Iterator[str]:
    """Yield paths that stand for all others at a hostport.

    By each reading, the routes that take a path also take all paths below it that no other match names, and all paths
    that only begin like it, apart from exact matches.
    """
    are_all = len(servers) > 1 or any(_is_affected(account, part) for edge, _hostport in servers for part in edge.parts)
    areas = [
        view.area
        for edge, _hostport in servers
        for route in edge.routes
        if are_all or _is_affected(account, route)
        for view in route.existing
        if view.area is not None
    ]
    exact = {path for edge, _hostport in servers for path in edge.exact_paths}
    for path in dict.fromkeys(area.path for area in areas):
        yield path
        if path in exact:
            yield below(path)


def probes_of(account: Account, request: Request) -> Iterator[Probe]:
    """Yield probes for a request by each reading, and for OPTIONS if that passes other locks."""
    for probe in by_reading(account, request):
        yield probe
        views = (view for one in probe.servers for part in (*one.edge.parts, *one.routes) for view in part.existing)
        if any(view.locks_for_options is not view.locks for view in views):
            yield replace(probe, request=request._replace(is_options=True))


def by_reading(account: Account, request: Request) -> Iterator[Probe]:
    """Yield a probe for a request, and for each other reading with which something else may take it."""
    assumed = _serving(account, request, ASSUMED)
    yield Probe(request, ASSUMED, assumed, account.policies)
    for reading in _differing(account, assumed, request.path):
        found = _serving(account, request, reading)
        if reading.takes_last_twin or found != assumed:
            yield Probe(request, reading, found, account.policies)


def _differing(account: Account, servers: Sequence[Server], path: str) -> Iterator[Reading]:
    """Yield the readings that could make a difference for a request."""
    if any(server.edge.around(path, ANYWHERE) != server.edge.around(path) for server in servers):
        yield ANYWHERE
    if account.has_wildcards:
        yield WILDCARDS_FIRST
    if any(server.edge.named_hosts for server in servers):
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
        ranks = [rank_of(view, request, reading) for view in views]
        best = max(ranks)
        if best and best >= certain:
            found.append((best, route))
            certain = best if all(rank == best for rank in ranks) else certain
        elif best[1:2] < certain[1:2] and best and not reading.puts_hosts_first:
            break  # All others have shorter paths.
    return [route for best, route in sorted(found, key=lambda one: one[0], reverse=True) if best >= certain]


def probes_within(account: Account, pattern: str, path: str) -> Iterator[Probe]:
    """Yield probes for all requests to these hosts that begin with a path, by each reading."""
    within = Area("", path, is_exact=False)
    for hostport in hostports(account, pattern):
        routes = (route for edge, _one in _servers(account, hostport, ASSUMED) for route in edge.routes)
        areas = {view.area for route in routes for view in route.existing if view.area}
        inside = [area for area in areas if within.takes("", area.path) or not area.is_settled]
        paths = {path, below(path), *(area.path for area in inside)}
        paths |= {below(area.path) for area in inside if not area.is_exact}
        for one in sorted(paths):
            yield from probes_of(account, Request(hostport, one))


def unclear_within(account: Account, pattern: str) -> Iterator[RouteProbe]:
    """Yield the routes of these hosts of which nobody knows which requests they take."""
    for edge in account.edges:
        if any(covers(pattern, host_of(host)) or covers(host_of(host), pattern) for host in edge.hosts):
            probes_of_routes = (RouteProbe(edge, route, account.policies) for route in edge.routes)
            yield from (one for one in probes_of_routes if one.is_unclear)
