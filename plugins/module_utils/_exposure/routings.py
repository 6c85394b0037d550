# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the routes of an edge takes a request, as it is assumed: the most specific one. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
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
        self._by_path: dict[str, list[Route]] = defaultdict(list)
        for route, area in areas.items():
            self._by_path[area.path].append(route)

    def takes(self, path: str, route: Route) -> bool:
        """Return whether a route takes a path as the only one of the most specific ones that match it."""
        exact = [one for one in self._by_path.get(path, ()) if self.areas[one].is_exact]
        return (exact or next(self._prefixes(path), [])) == [route]

    def around(self, route: Route) -> Route | None:
        """Return the most specific prefix around this route that lets anybody through.

        Of several with the same prefix, nobody knows which one counts, so it is one that requires nothing, if possible.
        """
        own = self.areas[route]
        for outer in self._prefixes(own.path):
            around = [one for one in outer if not one.is_closed and (own.is_exact or self.areas[one].path != own.path)]
            if around:
                return min(around, key=lambda other: len(other.required))
        return None

    def _prefixes(self, path: str) -> Iterator[list[Route]]:
        """Yield the routes with each prefix of a path, those with the longest first."""
        for prefix in prefixes_of(path):
            if found := [one for one in self._by_path.get(prefix, ()) if not self.areas[one].is_exact]:
                yield found

    @property
    def overlaps(self) -> bool:
        """Whether several routes match the same requests."""
        around = (len([*self._prefixes(area.path)]) + area.is_exact for area in self.areas.values())
        return any(one > 1 for one in around) or any(self.twins())

    def twins(self) -> Iterator[Route]:
        """Yield the routes that match exactly the same requests as another one."""
        counts = Counter(self.areas.values())
        yield from (route for route, area in self.areas.items() if counts[area] > 1)


def routings(routes: Iterable[Route]) -> list[Routing]:
    """Return the routes by edge and named host, without those whose match is not understood."""
    found: dict[tuple[int, str], dict[Route, Area]] = defaultdict(dict)
    for route in routes:
        area = area_of(route)
        if area is not None:
            found[id(route.edge), area.host][route] = area
    return [Routing(host, areas) for (_edge, host), areas in found.items()]
