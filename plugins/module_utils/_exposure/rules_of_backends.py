# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule about backends that several routes use, of which only some are protected. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

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
            if route.backend_id and not route.is_closed:
                by_backend[route.backend_id].append((routing, route))
    for group in by_backend.values():
        for route, guards, paths in _open_elsewhere(group):
            more = f" and {len(guards) - 1} more" if len(guards) > 1 else ""
            message = (
                f"Everyone can reach backend {route.backend_id} through {route.match}, although {guards[0].name}{more} "
                f"requires {needs(guards[0].required)} for the same paths."
            )
            yield Hit(route, "", message, also=paths)


def _open_elsewhere(group: Sequence[Placed]) -> Iterator[tuple[Route, list[Route], list[str]]]:
    """Yield the public routes of a backend, with the routes that protect the same paths of it elsewhere."""
    guarded = _by_path(one for one in group if one[1].required)
    public = _by_path(one for one in group if one[1].is_open)
    guards: dict[str, list[Placed]] = {}
    exposed: dict[Route, list[str]] = defaultdict(list)
    for path in dict.fromkeys([*guarded, *public]) if guarded and public else ():
        if path.strip("/").rpartition("/")[2].lower() in PUBLIC_BY_NATURE:
            continue
        guards[path] = _takers(path, guarded)
        for _routing, route in _takers(path, public) if guards[path] else ():
            exposed[route].append(path)
    edges = {id(guard.edge) for found in guards.values() for _routing, guard in found}
    # Thousands of public routes may have the same guards, of which one list is enough.
    shared: dict[tuple[str, ...], tuple[list[Route], list[str]]] = {}
    for routing, route in group:
        paths = tuple(exposed.get(route, ()))
        found = shared.get(paths) if id(route.edge) not in edges else None
        if found is None:
            elsewhere = _elsewhere(routing, route, (one for path in paths for one in guards[path]))
            found = elsewhere, [guard.path for guard in elsewhere]
            if id(route.edge) not in edges:
                shared[paths] = found
        if found[0]:
            yield (route, *found)


def _elsewhere(routing: Routing, route: Route, guards: Iterable[Placed]) -> list[Route]:
    """Return the guards on other edges, or for other hosts.

    Of routes of the same edge with and without a host, nobody knows which one takes a request.
    """
    found = (guard for other, guard in guards if guard.edge is not route.edge or (routing.host and other.host))
    return list(dict.fromkeys(found))


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
