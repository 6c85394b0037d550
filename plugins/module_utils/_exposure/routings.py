# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the routes of an edge takes a request, as it is assumed: the most specific one. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from .._access.routing import Area, area_of_match, prefixes_of
from .subjects import Route


def area_of(route: Route) -> Area | None:
    """Return the requests that a route matches; None if its match has a form that the API does not define.

    If all requests to the edge are for the host that the match names, it does not matter that it is named.
    """
    area = area_of_match(route.state["match_type"], route.state["match"])
    return replace(area, host="") if area is not None and route.edge.hosts == {area.host} else area


class Routing:
    """The routes of an edge whose matches name the same host, or none."""

    def __init__(self, host: str, areas: Mapping[Route, Area]) -> None:
        self.host, self.areas = host, areas
        self._taken: dict[str, list[Route]] = {}
        self._exact: dict[str, list[Route]] = defaultdict(list)
        self._prefixes: dict[str, list[Route]] = defaultdict(list)
        for route, area in areas.items():
            (self._exact if area.is_exact else self._prefixes)[area.path].append(route)

    def takes(self, path: str) -> Route | None:
        """Return the most specific route that matches a path; None if there is none, or not a single one."""
        best = self.takers(path)
        return best[0] if len(best) == 1 else None

    def takers(self, path: str) -> list[Route]:
        """Return the most specific routes that match a path, which are several if they have the same match."""
        if path not in self._taken:
            around = (self._prefixes[prefix] for prefix in prefixes_of(path) if prefix in self._prefixes)
            self._taken[path] = self._exact.get(path) or next(around, [])
        return self._taken[path]

    def around(self, route: Route) -> Route | None:
        """Return the most specific prefix around this route that lets anybody through.

        Of several with the same prefix, nobody knows which one counts, so it is one that requires nothing, if possible.
        """
        own = self.areas[route]
        for prefix in prefixes_of(own.path):
            outer = [other for other in self._prefixes.get(prefix, ()) if not other.is_closed]
            if outer and (own.is_exact or prefix != own.path):
                return min(outer, key=lambda other: len(other.required))
        return None

    @property
    def overlaps(self) -> bool:
        """Whether several routes match the same requests."""
        return any(
            sum(len(self._prefixes.get(prefix, ())) for prefix in prefixes_of(area.path)) + area.is_exact > 1
            for area in self.areas.values()
        ) or any(len(routes) > 1 for routes in self._exact.values())

    def twins(self) -> Iterator[Route]:
        """Yield the routes that match exactly the same requests as another one."""
        for routes in (*self._exact.values(), *self._prefixes.values()):
            if len(routes) > 1:
                yield from routes


def routings(routes: Iterable[Route]) -> list[Routing]:
    """Return the routes by edge and named host, without those whose match is not understood."""
    found: dict[tuple[int, str], dict[Route, Area]] = defaultdict(dict)
    for route in routes:
        area = area_of(route)
        if area is not None:
            found[id(route.edge), area.host][route] = area
    return [Routing(host, areas) for (_edge, host), areas in found.items()]
