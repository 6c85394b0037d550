# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the routes of an edge takes a request: the most specific one, which is an assumption. Pure.

A prefix ends at a slash: whether `/admin` also matches `/administrator` depends on the service, so it is not assumed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .._model.string_sets import host_key
from .._planning.plan import State
from .subjects import Route

_EXACT, _PREFIX = "exact_path", "path_prefix"


@dataclass(frozen=True)
class Area:
    """The requests that a route matches. The `host` is empty if the match does not name one."""

    host: str
    path: str
    is_exact: bool

    def contains(self, path: str) -> bool:
        if path == self.path or self.is_exact:
            return path == self.path
        return path.startswith(self.path if self.path.endswith("/") else f"{self.path}/")

    @property
    def rank(self) -> tuple[int, bool]:
        """How specific it is, in comparison with others that contain the same path."""
        return len(self.path), self.is_exact


def area_of(route: State) -> Area | None:
    """Return the requests that a route matches; None if its match has a form that the API does not define."""
    match_type, match = route["match_type"], route["match"]
    host, slash, rest = match.partition("/")
    is_exact = match_type == _EXACT
    if match_type not in (_EXACT, _PREFIX) or not match or "*" in match or (is_exact and not slash):
        return None
    return Area(host_key(host), slash + rest or "/", is_exact)


class Routing:
    """The routes of an edge whose matches name the same host, or none."""

    def __init__(self, host: str, areas: Mapping[Route, Area]) -> None:
        self.host, self.areas = host, areas
        self._taken: dict[str, Route | None] = {}

    def takes(self, path: str) -> Route | None:
        """Return the most specific route that matches a path; None if there is none, or not a single one."""
        if path not in self._taken:
            found = [(area.rank, route) for route, area in self.areas.items() if area.contains(path)]
            most = max((rank for rank, _route in found), default=None)
            best = [route for rank, route in found if rank == most]
            self._taken[path] = best[0] if len(best) == 1 else None
        return self._taken[path]

    def around(self, route: Route) -> Route | None:
        """Return the most specific prefix around this route that lets anybody through."""
        own = self.areas[route]
        outer = [
            (len(area.path), other)
            for other, area in self.areas.items()
            if not area.is_exact and area.contains(own.path) and not other.is_closed
            if own.is_exact or area.path != own.path
        ]
        return max(outer, key=lambda one: one[0])[1] if outer else None

    @property
    def overlaps(self) -> bool:
        """Whether several routes match the same requests."""
        areas = self.areas.values()
        return any(one is not other and one.contains(other.path) for one in areas for other in areas)


def routings(routes: Iterable[Route]) -> list[Routing]:
    """Return the routes by edge and named host, without those whose match is not understood."""
    found: dict[tuple[int, str], dict[Route, Area]] = defaultdict(dict)
    for route in routes:
        area = area_of(route.state)
        if area is not None:
            found[id(route.edge), area.host][route] = area
    return [Routing(host, areas) for (_edge, host), areas in found.items()]
