# SPDX-License-Identifier: GPL-3.0-or-later
"""The finite set of requests that stands for all whose access plans can change, and what each must pass. Pure.

For each path of a match, these are the path itself and one below it; for each host, the named ones, and one that only
a wildcard covers. This is the only place that enumerates hosts and paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Union

from .._values.escapes import visible
from .access import Access
from .account import Account, Edge
from .addresses import Addresses
from .locks import NETWORK, Dimension
from .parts import At, Part, View
from .policies import Policies
from .routing import ASSUMED, WILDCARD, Area, Reading, below, covered_by, covers, host_of, hosts_around


class Request(NamedTuple):
    """A request, as far as it decides who gets through. The `hostport` of one to an edge without any is empty."""

    hostport: str
    path: str
    is_options: bool = False


def shown_request(request: Request, edge: Edge) -> str:
    """Return a request in the form of a URL, with its method if that matters."""
    if edge.name:
        return visible(request.hostport or edge.name)
    host, _colon, port = request.hostport.rpartition(":")
    address = host if port in ("443", "") else request.hostport
    url = f"https://{address}{request.path}" if address else request.path
    return visible(f"OPTIONS {url}" if request.is_options else url)


Rank = tuple[Union[bool, int], ...]  # noqa: UP007 - modules can also run on Python 3.9
"""Which of several routes takes a request: that with the highest rank. It is empty if the route does not match."""


class Server(NamedTuple):
    """An edge that serves a request if it has this hostport.

    The `ranks` are those of the routes that may take it at each time, the likeliest route first.
    """

    edge: Edge
    hostport: str
    ranks: Mapping[Part[View], Sequence[Rank]]


@dataclass(frozen=True, eq=False)
class Probe:
    """A request to a service with this reading."""

    request: Request
    reading: Reading
    servers: Sequence[Server]
    policies: Policies

    @property
    def parts(self) -> list[Part[View]]:
        return [part for server in self.servers for part in (*server.edge.parts, *server.ranks)]

    @cached_property
    def positions(self) -> list[int]:
        """The plans on which it depends who gets through."""
        return sorted(self.policies.positions(*self.parts))

    @property
    def failed(self) -> list[int]:
        own = [position for server in self.servers for position in server.edge.failed]
        return [*own, *self.policies.failed(*self.parts)] if self.policies.lacks_rules else own

    def access(self, at: At) -> Access | None:
        """Return who gets through; None if nobody does."""
        found = self.taker(at)
        return None if found is None else self._access_through(*found, at)

    def _access_through(self, edge: Edge, route: Part[View], at: At) -> Access | None:
        view = route.at(at)
        if view is None or view.backend_id is None:
            return None
        admitted: dict[Dimension, Any] = {}
        for each in filter(None, (part.at(at) for part in dict.fromkeys((*edge.parts, route)))):
            for name, members in (each.locks_for_options if self.request.is_options else each.locks).items():
                them: Any = members
                if name == NETWORK:
                    them = self.policies.addresses(each.policies, at)
                    if them.is_nobody:
                        return None
                if not (isinstance(them, Addresses) and them.is_everybody):
                    admitted[name] = them
        return Access(admitted)

    def taker(self, at: At) -> tuple[Edge, Part[View]] | None:
        """Return the edge and the route that take the request; None if nothing does."""
        server = next((one for one in self.servers if one.hostport in one.edge.hosts_at(at)), None)
        best: Part[View] | None = None
        highest: Rank = ()
        for route, ranks in server.ranks.items() if server else ():
            if max(ranks) < highest:
                break  # Those that follow come after it at any time.
            rank = ranks[route.step(at)]
            if rank > highest or (rank and rank == highest and self.reading is Reading.LAST_TWIN):
                best, highest = route, rank
        return (server.edge, best) if server and best else None


def probes(account: Account) -> Sequence[Probe]:
    """Return probes for all requests whose access depends on plans."""
    if account.probes is None:
        account.probes = [
            probe
            for own, hostport in _places(account, are_all=False)
            for path in _paths(own, _servers(own, hostport, ASSUMED))
            for probe in probes_of(own, Request(hostport, path))
            if probe.positions
        ]
    return account.probes


def _places(account: Account, pattern: str = WILDCARD, *, are_all: bool = True) -> Iterator[tuple[Account, str]]:
    """Yield hostports with the account whose edges may serve them: that of one edge alone if its own are not known.

    A request to such an edge gets to no other one. Of an edge that is known by its modules, no host is asked about.
    """
    for hostport in hostports(account, pattern, are_all=are_all):
        edges = [one for one in ([] if hostport else account.by_host[hostport]) if one.own or covers(pattern, "")]
        alone = [Account([edge], account.policies, account.backends) for edge in edges]
        yield from ((one, hostport) for one in alone or [account])


def hostports(account: Account, pattern: str = WILDCARD, *, are_all: bool = True) -> Iterator[str]:
    """Yield one of all hostports that the same edges serve at the same times, and those that routes name.

    These are the hosts of a pattern, such as `*.example.com`, and what a service has returned in place of hosts; unless
    they `are_all`, of edges that plans affect.
    """
    seen: set[object] = set()
    named_anywhere = frozenset().union(*(edge.named_hosts for edge in account.edges))
    for edge in account.edges:
        if not are_all and not account.policies.positions(*edge.parts, *edge.routes):
            continue
        for served in sorted(edge.hosts):
            own, end = host_of(served), "." if host_of(served).endswith(".") else ""
            wanted = [host_of(covered_by(served)), host_of(covered_by(f"{pattern}{end}:")), *sorted(edge.named_hosts)]
            found = [one for one in dict.fromkeys(wanted) if covers(pattern, one.rstrip(".")) and covers(own, one)]
            for host in found if served or edge.own is None else [""]:
                hostport = f"{host}:{served.rpartition(':')[2]}" if served else served
                times = tuple((id(edge), *edge.times(one)) for edge, one in account.serving(hostport))
                key = (times, bool(served), host if host in named_anywhere else "")
                if key not in seen:
                    seen.add(key)
                    yield hostport


def _paths(account: Account, servers: Sequence[tuple[Edge, str]]) -> Iterable[str]:
    """Return paths that stand for all others at a hostport.

    By each reading, the routes that take a path also take all paths below it that no other match names, and all paths
    that only begin like it, apart from exact matches.
    """
    own = [part for edge, _hostport in servers for part in edge.parts]
    are_all = len(servers) > 1 or account.policies.positions(*own)
    areas = [found for edge, _hostport in servers for found in edge.areas()]
    paths = dict.fromkeys(area.path for area, route in areas if are_all or account.policies.positions(route))
    exact = {area.path for area, _route in areas if area.is_exact}
    return dict.fromkeys(one for path in paths for one in ((path, below(path)) if path in exact else (path,)))


def probes_of(account: Account, request: Request) -> Iterator[Probe]:
    """Yield probes for a request by each reading, and for OPTIONS if that passes other locks."""
    for probe in by_reading(account, request):
        yield probe
        if any(view.locks_for_options is not view.locks for part in probe.parts for view in part.existing):
            yield replace(probe, request=request._replace(is_options=True))


def by_reading(account: Account, request: Request) -> Iterator[Probe]:
    """Yield a probe for a request, and for each other reading with which something else may take it."""
    assumed = _probe(account, request, ASSUMED)
    yield assumed
    for reading in _differing(account, assumed):
        probe = _probe(account, request, reading)
        ways = [[(*server[:2], *server.ranks) for server in one.servers] for one in (probe, assumed)]
        if reading is Reading.LAST_TWIN or ways[0] != ways[1]:
            yield probe


def _differing(account: Account, probe: Probe) -> Iterator[Reading]:
    """Yield the readings that could make a difference for a request."""
    edges, path = [server.edge for server in probe.servers], probe.request.path
    if any(edge.around(path, Reading.ANYWHERE) != edge.around(path) for edge in edges):
        yield Reading.ANYWHERE
    if any(one in account.by_host for one in hosts_around(probe.request.hostport)[1:]):
        yield Reading.WILDCARDS_FIRST
    if any(edge.named_hosts for edge in edges):
        yield Reading.HOSTS_FIRST
    ranks = ([rank for own in server.ranks.values() for rank in set(own) if rank] for server in probe.servers)
    if any(len(set(one)) < len(one) for one in ranks):
        yield Reading.LAST_TWIN


def _probe(account: Account, request: Request, reading: Reading) -> Probe:
    servers = _servers(account, request.hostport, reading)
    served = [Server(edge, hostport, _ranks(edge, request, reading)) for edge, hostport in servers]
    return Probe(request, reading, served, account.policies)


def _servers(account: Account, hostport: str, reading: Reading) -> list[tuple[Edge, str]]:
    """Return the edges that may serve a hostport, as far as none before them always does."""
    found = []
    for edge, own in account.serving(hostport, reading):
        found.append((edge, own))
        if all(edge.times(own)):
            break
    return found


def _ranks(edge: Edge, request: Request, reading: Reading) -> Mapping[Part[View], Sequence[Rank]]:
    """Return the ranks of the routes that may take a request at some time, those that come first in front."""
    found: dict[Part[View], list[Rank]] = {}
    certain: Rank = ()
    for route in edge.around(request.path, reading):
        views = route.views if route.position is not None else route.views[:1]
        areas = (view.area if view else None for view in views)
        host, path = host_of(request.hostport), request.path
        ranks = [area.rank(reading) if area and area.takes(host, path, reading) else () for area in areas]
        best = max(ranks)
        if best and best >= certain:
            found[route] = ranks
            certain = best if all(rank == best for rank in ranks) else certain
        elif best[1:2] < certain[1:2] and best and reading is not Reading.HOSTS_FIRST:
            break  # All others have shorter paths.
    in_order = sorted(found.items(), key=lambda one: max(one[1]), reverse=True)
    return {route: ranks for route, ranks in in_order if max(ranks) >= certain}


def probes_within(account: Account, pattern: str, path: str) -> Iterator[Probe]:
    """Yield probes for all requests to these hosts that begin with a path, by each reading."""
    within = Area("", path, is_exact=False)
    for own, hostport in _places(account, pattern):
        areas = {area for edge, _hostport in _servers(own, hostport, ASSUMED) for area, _route in edge.areas()}
        inside = [area for area in areas if within.takes("", area.path) or not area.is_settled]
        paths = {path, below(path), *(area.path for area in inside)}
        paths |= {below(area.path) for area in inside if not area.is_exact}
        for one in sorted(paths):
            yield from probes_of(own, Request(hostport, one))
