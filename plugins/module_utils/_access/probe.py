# SPDX-License-Identifier: GPL-3.0-or-later
"""One request, or all that a route takes: what it must pass at each moment, and on which plans that depends. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .access import Access, access_through
from .account import Edge
from .policies import Policies
from .routing import ASSUMED, Area, Reading, covers, host_of
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
    """A request to a service with this reading."""

    request: Request
    reading: Reading
    servers: Sequence[Server]
    policies: Policies

    @cached_property
    def positions(self) -> list[int]:
        """The plans on which it depends who gets through."""
        parts = [part for server in self.servers for part in (*server.edge.parts, *server.routes)]
        found = {part.position for part in parts if part.position is not None}
        return sorted(found | {one for part in parts for one in self.policies.positions(part.policies)})

    @property
    def failed(self) -> list[int]:
        return [position for server in self.servers for position in server.edge.failed]

    def access(self, at: At) -> Access | None:
        """Return who gets through; None if nobody does."""
        found = self.taker(at)
        return None if found is None else self._access_through(*found, at)

    def _access_through(self, edge: Edge, route: Part, at: At) -> Access | None:
        view = route.at(at)
        if view is None or view.backend_id is None:
            return None
        views = [one for part in edge.parts if (one := part.at(at)) is not None]
        own = [view] if route is not edge.own else []
        return access_through([*views, *own], self.policies, at, is_options=self.request.is_options)

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
            ranks = self._ranks[route]
            if max(ranks) < highest:
                break  # Those that follow come after it at any time.
            rank = ranks[route.step(at)]
            if rank > highest or (rank and rank == highest and self.reading.takes_last_twin):
                best, highest = route, rank
        return best

    @cached_property
    def _ranks(self) -> Mapping[Part, Sequence[tuple[bool | int, ...]]]:
        """The rank of each route at each time; empty if it does not match."""
        routes = (route for server in self.servers for route in server.routes)
        return {route: [rank_of(view, self.request, self.reading) for view in route.views] for route in routes}


class RouteProbe(Probe):
    """All requests that one route takes: to which backend they get, and what they must pass."""

    def __init__(self, edge: Edge, route: Part, policies: Policies) -> None:
        states = [view.state for view in route.existing if "match" in view.state]
        request = Request("", f"{states[-1]['match_type']} {states[-1]['match']}" if states else "/")
        super().__init__(request, ASSUMED, [Server(edge, "", [route])], policies)

    @property
    def is_unclear(self) -> bool:
        """Whether nobody knows which requests the route takes, because of the form of its match."""
        return any(view.area is None for view in self.servers[0].routes[0].existing)

    def access(self, at: At) -> Access | None:
        edge, route = self.taker(at)
        view, own = route.at(at), edge.own.at(at) if edge.own else None
        hosts = own.hosts if own else ()
        if view is None or (edge.own and not any(_is_for(view.area, host_of(host)) for host in hosts)):
            return None
        found = self._access_through(edge, route, at)
        return None if found is None else Access(found.admitted, view.backend_id)

    def taker(self, _at: At) -> tuple[Edge, Part]:
        return self.servers[0].edge, self.servers[0].routes[0]


def _is_for(area: Area | None, host: str) -> bool:
    """Return whether a route takes requests for this host, or for one that it stands for."""
    return area is None or area.host in ("", host) or covers(host, area.host)


def rank_of(view: View | None, request: Request, reading: Reading) -> tuple[bool | int, ...]:
    """Return which of several routes takes a request, that with the highest rank; empty if it does not match."""
    area = view.area if view is not None else None
    takes = area is not None and area.takes(host_of(request.hostport), request.path, reading)
    return area.rank(reading) if area is not None and takes else ()
