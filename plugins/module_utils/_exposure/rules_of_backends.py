# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule about backends that several routes use, of which only some are protected. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from .access import needs
from .finding import Hit
from .matches import Routing, prefixes_of, routings
from .rules_of_routes import PUBLIC_BY_NATURE
from .subjects import Estate, Route

Placed = tuple[Routing, Route]
"""A route with those that it competes with."""


def backends_open_elsewhere(estate: Estate) -> Iterator[Hit]:
    by_backend: dict[str, list[Placed]] = defaultdict(list)
    for routing in routings(estate.routes):
        for route in routing.areas:
            if not route.is_closed:
                by_backend[route.backend_id or ""].append((routing, route))
    for group in by_backend.values():
        for route, guards in _open_elsewhere(group).items():
            more = f" and {len(guards) - 1} more" if len(guards) > 1 else ""
            message = (
                f"Everyone can reach backend {route.backend_id} through {route.match}, although {guards[0].name}{more} "
                f"requires {needs(guards[0].required)} for the same paths."
            )
            yield Hit(route, "", message, also=[guard.path for guard in guards])


def _open_elsewhere(group: Sequence[Placed]) -> dict[Route, list[Route]]:
    """Return the public routes of a backend, each with those that protect the same paths of it elsewhere."""
    guarded = _by_path(one for one in group if one[1].required)
    public = _by_path(one for one in group if one[1].is_open)
    found: dict[Route, dict[Route, None]] = defaultdict(dict)
    for path in dict.fromkeys([*guarded, *public]) if guarded and public else ():
        if path.strip("/").rpartition("/")[2].lower() in PUBLIC_BY_NATURE:
            continue
        guards = _takers(path, guarded)
        for routing, route in _takers(path, public) if guards else ():
            # Of routes of the same edge with and without a host, nobody knows which one takes a request.
            elsewhere = (
                guard for other, guard in guards if guard.edge is not route.edge or (routing.host and other.host)
            )
            found[route].update(dict.fromkeys(elsewhere))
    return {route: list(found[route]) for _routing, route in group if found.get(route)}


def _by_path(routes: Iterator[Placed]) -> Mapping[str, list[Placed]]:
    by_path: dict[str, list[Placed]] = defaultdict(list)
    for routing, route in routes:
        by_path[routing.areas[route].path].append((routing, route))
    return dict(by_path)


def _takers(path: str, by_path: Mapping[str, list[Placed]]) -> list[Placed]:
    """Return the routes that take requests for a path. All of them have the path or a prefix of it."""
    return [
        (routing, route)
        for prefix in prefixes_of(path)
        for routing, route in by_path.get(prefix, ())
        if routing.takes(path) is route
    ]
