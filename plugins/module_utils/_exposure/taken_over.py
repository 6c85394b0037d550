# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes whose requests other routes take, because some are deleted, match something else, or are new. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .classes import needs
from .judged_estate import Edge, Route
from .routings import Routing, area_of, routings


@dataclass(frozen=True)
class TakenOver:
    """A route, and the route that takes some of its requests and lets more visitors through.

    The first one is `gone`, or it stays and the other one is new.
    """

    gone: Route
    taker: Route

    def __str__(self) -> str:
        """Return what the change of the first route opens, in words."""
        if self.gone.is_closed:
            return f"{self.taker.match} takes its requests, which led nowhere before"
        return f"{self.taker.match} takes its requests, and does not require {self._lacking}"

    @property
    def creation(self) -> str:
        """What the creation of the other route opens, in words."""
        return f"it takes requests of {self.gone.match}, and does not require {self._lacking}"

    @property
    def _lacking(self) -> str:
        return needs({name: paths for name, paths in self.gone.required.items() if name not in self.taker.required})


def taken_over(then: Edge, now: Edge) -> Iterator[TakenOver]:
    """Yield what more visitors reach once an edge has only the routes that it has `now`."""
    left = {route.key for route in now.routes}
    gone = [route for route in then.routes if (route.is_closed or route.required) and route.key not in left]
    if not gone:
        return
    before, after = ({one.host: one for one in routings(edge.routes)} for edge in (then, now))
    for route in gone:
        takers = (
            taker
            for host, path in _probes(route)
            if route in _takers(before, host, path)
            for taker in _takers(after, host, path)
        )
        wider = next((taker for taker in takers if _lets_more_through(taker, route)), None)
        if wider is not None:
            yield TakenOver(route, wider)


def taken_by_new(then: Edge, now: Edge) -> Iterator[TakenOver]:
    """Yield each new route that takes requests of one that is restricted, and lets more visitors through."""
    known = {route.key for route in then.routes}
    new = [route for route in now.routes if route.key not in known]
    if not new or not any(route.required for route in then.routes):
        return
    before, after = ({one.host: one for one in routings(edge.routes)} for edge in (then, now))
    for route in new:
        takers = (
            taker
            for host, path in _probes(route)
            if route in _takers(after, host, path)
            for taker in _takers(before, host, path)
        )
        narrower = next((one for one in takers if not one.is_closed and _lets_more_through(route, one)), None)
        if narrower is not None:
            yield TakenOver(narrower, route)


def _probes(route: Route) -> Iterator[tuple[str, str]]:
    """Yield requests that stand for all that a route takes: one for its own path, and one below."""
    area = area_of(route)
    if area is not None:
        yield area.host, area.path
        if not area.is_exact:
            yield area.host, f"{area.path.rstrip('/')}/.below"


def _takers(by_host: Mapping[str, Routing], host: str, path: str) -> Sequence[Route]:
    """Return the routes that take a request: those that name its host come first."""
    found = (by_host[one].takers(path) for one in (host, "") if one in by_host)
    return next(filter(None, found), [])


def _lets_more_through(taker: Route, gone: Route) -> bool:
    return not taker.is_closed and (gone.is_closed or not gone.required.keys() <= taker.required.keys())
