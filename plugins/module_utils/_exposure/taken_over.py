# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes that are deleted, or that match something else: which routes take their requests then. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .access import needs
from .judged_estate import Edge, Route
from .matches import Routing, area_of, routings


@dataclass(frozen=True)
class TakenOver:
    """A route that is `gone`, and the route that takes some of its requests and lets more visitors through."""

    gone: Route
    taker: Route

    def __str__(self) -> str:
        """Return what the change opens, in words."""
        if self.gone.is_closed:
            return f"{self.taker.match} takes its requests, which led nowhere before"
        lacking = {name: paths for name, paths in self.gone.required.items() if name not in self.taker.required}
        return f"{self.taker.match} takes its requests, and does not require {needs(lacking)}"


def taken_over(then: Edge, now: Edge) -> Iterator[TakenOver]:
    """Yield what more visitors reach once an edge has only the routes that it has `now`."""
    left = {route.match for route in now.routes}
    gone = [route for route in then.routes if (route.is_closed or route.required) and route.match not in left]
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
