# SPDX-License-Identifier: GPL-3.0-or-later
"""All requests that one route takes, whichever these are, and the backends that they get to. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from .access import Access
from .account import Account, Edge
from .backends import backend_ids
from .parts import At, Part, View
from .policies import Policies
from .probes import Probe, Request, Server, probes
from .routing import ASSUMED, WILDCARD, covers, host_of


class RouteProbe(Probe):
    """All requests that one route takes: to which backend they get, and what they must pass."""

    def __init__(self, edge: Edge, route: Part[View], policies: Policies) -> None:
        states = [view.state for view in route.existing if "match" in view.state]
        request = Request("", f"{states[-1]['match_type']} {states[-1]['match']}" if states else "/")
        super().__init__(request, ASSUMED, [Server(edge, "", {route: ()})], policies)
        self.way = edge, route

    @property
    def is_unclear(self) -> bool:
        """Whether nobody knows which requests the route takes, because of the form of its match."""
        return any(view.area is None for view in self.way[1].existing)

    def access(self, at: At) -> Access | None:
        edge, route = self.way
        view = route.at(at)
        named = view.area.host if view and view.area else ""
        if view is None or not any(not named or covers(host_of(one), named) for one in edge.hosts_at(at)):
            return None
        found = self._access_through(edge, route, at)
        return found and Access(found.admitted, view.backend_id)

    def taker(self, _at: At) -> tuple[Edge, Part[View]]:
        return self.way


class BackendProbe(RouteProbe):
    """Those that get to a backend of which a plan changes what it leads to: who got to one did not get to the other."""

    def __init__(self, edge: Edge, route: Part[View], account: Account, backend: str) -> None:
        super().__init__(edge, route, account.policies)
        self.backends, self.backend = account.backends, backend
        self._deciding = account.backends.ways(backend_ids(route))[backend]

    @cached_property
    def positions(self) -> list[int]:
        return sorted(self.policies.positions(*self.parts) | self.backends.positions(self._deciding))

    @property
    def failed(self) -> list[int]:
        return [*super().failed, *self.backends.failed(self._deciding)]

    def access(self, at: At) -> Access | None:
        found = super().access(at)
        if found is None or not self.backends.leads_to(found.backend_id or "", self.backend, at):
            return None
        return Access(found.admitted, self.backends.at(self.backend, at))


def all_probes(account: Account) -> Iterator[Probe]:
    """Yield probes for requests, for whole routes, and for what is behind backends, as far as they depend on plans."""
    yield from probes(account)
    for one in (account, account.unread) if account.unread else (account,):
        yield from (probe for probe in route_probes(one) if probe.positions)
        yield from backend_probes(one)


def route_probes(account: Account, pattern: str = WILDCARD) -> Iterator[RouteProbe]:
    """Yield probes for the routes of these hosts, whichever requests they take."""
    for edge in account.edges:
        served = [host_of(hostport).rstrip(".") for hostport in edge.hosts]
        if any(covers(pattern, one) or covers(one, pattern) for one in served):
            yield from (RouteProbe(edge, route, account.policies) for route in edge.routes)


def backend_probes(account: Account) -> Iterator[BackendProbe]:
    """Yield probes for each changed backend, and each route that may lead to it."""
    for edge in account.edges if account.backends.changed else ():
        for route in edge.routes:
            passed = (*edge.parts, route)
            own = edge.failed or account.policies.positions(*passed) or account.policies.failed(*passed)
            for backend, deciding in account.backends.ways(backend_ids(route)).items():
                # A single change leads from the state before to the one after.
                if own or not account.backends.changes_at_once(deciding):
                    yield BackendProbe(edge, route, account, backend)
