# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the routes of an edge takes a request, as it is assumed: the most specific one. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from .._access.routing import Area, area_of_match, host_of, prefixes_of
from .judged import Subject


def area_of(route: Subject) -> Area | None:
    """Return the requests that a route matches; None if its match has a form that the API does not define.

    If all requests to the edge are for the host that the match names, it does not matter that it is named.
    """
    area = area_of_match(route.state["match_type"], route.state["match"])
    hosts = {host_of(hostport) for hostport in route.edge.hostports}
    return replace(area, host="") if area is not None and hosts == {area.host} else area


class Routing:
    """The routes of an edge whose matches name the same host, or none."""

    def __init__(self, host: str, areas: Mapping[Subject, Area]) -> None:
        self.host, self.areas = host, areas
        self._exact: dict[str, list[Subject]] = defaultdict(list)
        self._prefixes: dict[str, list[Subject]] = defaultdict(list)
        for route, area in areas.items():
            (self._exact if area.is_exact else self._prefixes)[area.path].append(route)

    def takes(self, path: str, route: Subject) -> bool:
        """Return whether a route takes a path as the only one of the most specific ones that match it."""
        return (self._exact.get(path) or next(self._with_prefixes_of(path), [])) == [route]

    def around(self, route: Subject) -> Subject | None:
        """Return the most specific prefix around this route that lets anybody through.

        Of several with the same prefix, nobody knows which one counts, so it is one that requires nothing, if possible.
        """
        own = self.areas[route]
        wider = (outer for outer in self._with_prefixes_of(own.path) if own.is_exact or route not in outer)
        found = ([one for one in outer if not one.is_closed] for outer in wider)
        return min(next(filter(None, found), []), key=lambda other: len(other.required), default=None)

    def _with_prefixes_of(self, path: str) -> Iterator[list[Subject]]:
        """Yield the routes with each prefix of a path, those with the longest first."""
        return (self._prefixes[prefix] for prefix in prefixes_of(path) if prefix in self._prefixes)

    @property
    def twins(self) -> list[Subject]:
        """The routes that match exactly the same requests as another one."""
        alike = (*self._exact.values(), *self._prefixes.values())
        return [route for routes in alike if routes[1:] for route in routes]

    @property
    def overlaps(self) -> bool:
        """Whether several routes match the same requests."""
        around = (len([*self._with_prefixes_of(area.path)]) + area.is_exact for area in self.areas.values())
        return any(one > 1 for one in around) or bool(self.twins)


def routings(routes: Iterable[Subject]) -> list[Routing]:
    """Return the routes by edge and named host, without those whose match is not understood."""
    found: dict[tuple[int, str], dict[Subject, Area]] = defaultdict(dict)
    for route in routes:
        area = area_of(route)
        if area is not None:
            found[id(route.edge), area.host][route] = area
    return [Routing(host, areas) for (_edge, host), areas in found.items()]
