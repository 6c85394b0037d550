# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about who gets through, although the object is protected elsewhere, or was meant to be protected. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .._access.requirements import demanded, violations
from .._access.routing import prefixes_of
from .._access.views import START
from .._model.declaration import declaration
from .._model.objects import Object, join
from .._model.protection import needs_of
from .._model.secret import Secret
from .finding import Hit, rule
from .judged import Estate, Subject
from .routings import Routing, routings

_SEGMENTS = (
    ".well-known assets css favicon.ico fonts health healthz images img js livez login logout ping public ready readyz "
    "robots.txt security.txt signin signup sitemap.xml static status"
)
PUBLIC_BY_NATURE = frozenset(_SEGMENTS.split())
"""Segments of paths that are usually open on purpose, although everything around them needs a login."""

Placed = tuple[Routing, Subject]
"""A route with those that it competes with."""


@rule(
    "high",
    why="Somebody has decided what these requests need, and exceptions of `accept` do not apply to that.",
    fix="Declare on the route, or on its edge, what the requirement demands, or disable its backend.",
)
def requirement_not_met(estate: Estate) -> Iterator[Hit]:
    """With a request that is part of one of the `requirements`, somebody gets through without what it demands."""
    for one in violations(demanded(estate.account, estate.requirements), START):
        yield Hit(one.taker[1].subject, "", one.text, cause=str(one.number))


@rule(
    "high",
    why=(
        "A protected prefix is usually meant to protect everything below it. A more specific route does not inherit "
        "its traffic modules."
    ),
    fix="Declare the traffic modules of the outer route on this route as well.",
)
def hole_below_protected_prefix(estate: Estate) -> Iterator[Hit]:
    """A public route is below the prefix of a route that requires something, such as `/admin` below `/`."""
    for routing in routings(estate.routes):
        for route in routing.areas:
            outer = routing.around(route) if route.is_open else None
            if outer is not None and outer.required and not _is_public_by_nature(routing, route, outer):
                message = (
                    f"Everyone can reach {route.match}, although {outer.match} around it requires "
                    f"{needs_of(outer.required)}."
                )
                yield Hit(route, "", message, copied_protection(outer, route), [outer.path])


def _is_public_by_nature(routing: Routing, route: Subject, outer: Subject) -> bool:
    path, around = routing.areas[route].path, routing.areas[outer].path
    if not routing.areas[route].is_settled:
        return False  # `/static/../admin` is not below `/static`.
    segments = [segment for segment in path[len(around) :].lower().split("/") if segment]
    return path == "/" or bool(segments and PUBLIC_BY_NATURE.intersection((segments[0], segments[-1])))


@rule(
    "high",
    why="A protection that was disabled for a test is easily forgotten, and the configuration still looks protected.",
    fix="Enable the traffic module, or remove it if everyone is meant to get through.",
)
def protection_disabled(estate: Estate) -> Iterator[Hit]:
    """A traffic module that would restrict access is set but disabled, and nothing else restricts access."""
    for edge in estate.edges:
        open_routes = [route for route in edge.routes if route.is_open]
        if open_routes:
            yield from _disabled(edge, "Everyone can reach its public routes", [route.path for route in open_routes])
        for route in open_routes:
            yield from _disabled(route, "Nothing else protects the route")
    for subject in estate.without_routes:
        if not subject.required and not subject.is_closed:
            yield from _disabled(subject, "Nothing else protects the edge")


def _disabled(subject: Subject, consequence: str, also: list[str] | None = None) -> Iterator[Hit]:
    for name in subject.disabled_protections():
        message = f"{name} is set but disabled. {consequence}."
        yield Hit(subject, f"{name}.enabled", message, {name: {"enabled": True}}, also or [])


@rule(
    "high",
    why="The route was all that protected these requests. Without it, a less specific route takes them.",
    fix="Keep the route, or protect the route that takes its requests.",
)
def protected_route_deleted(estate: Estate) -> Iterator[Hit]:
    """A plan deletes a protected route, or lets it match something else, and a public route then takes its requests,
    such as `/` those of `/admin`. Only `reject_findings` knows what a plan deletes.
    """
    for route, taker in estate.opened:
        message = (
            f"Everyone can reach it through {taker.match}, which takes its requests, although the deleted route "
            f"requires {needs_of(route.required)}."
        )
        yield Hit(route, "", message, also=[taker.path])


@rule(
    "medium",
    why="Unless the backend itself distinguishes the host names, the public route bypasses the protection.",
    fix="Protect the public route as well, use another backend for it, or restrict it to paths that may be public.",
)
def backend_open_elsewhere(estate: Estate) -> Iterator[Hit]:
    """A backend is protected on a route of one edge, and a public route of another edge leads to the same paths of
    it.
    """
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
                f"requires {needs_of(guards[0].required)} for the same paths."
            )
            yield Hit(route, "", message, copied_protection(guards[0], route), paths)


def _open_elsewhere(group: Sequence[Placed]) -> Iterator[tuple[Subject, list[Subject], list[str]]]:
    """Yield the public routes of a backend, with the routes that protect the same paths of it elsewhere.

    Of routes of the same edge with and without a host, nobody knows which one takes a request.
    """
    guarded, public = _by_path(group, lambda route: bool(route.required)), _by_path(group, lambda route: route.is_open)
    guards: dict[str, list[Placed]] = {}
    exposed: dict[Subject, list[str]] = defaultdict(list)
    for path in dict.fromkeys([*guarded, *public]) if guarded and public else ():
        # What is open on purpose elsewhere does not explain why it is protected here.
        if path not in guarded and path.strip("/").rpartition("/")[2].lower() in PUBLIC_BY_NATURE:
            continue
        guards[path] = _takers(path, guarded)
        for _routing, route in _takers(path, public) if guards[path] else ():
            exposed[route].append(path)
    edges = {id(guard.edge) for found in guards.values() for _routing, guard in found}
    # Thousands of public routes may have the same guards, of which one list is enough.
    shared: dict[tuple[object, ...], tuple[list[Subject], list[str]]] = {}
    for routing, route in group:
        key = (route if id(route.edge) in edges else None, *exposed.get(route, ()))
        if key not in shared:
            protecting = (one for path in exposed.get(route, ()) for one in guards[path])
            elsewhere = dict.fromkeys(
                guard for other, guard in protecting if guard.edge is not route.edge or (routing.host and other.host)
            )
            shared[key] = list(elsewhere), [guard.path for guard in elsewhere]
        if shared[key][0]:
            yield (route, *shared[key])


def _by_path(group: Iterable[Placed], counts: Callable[[Subject], bool]) -> Mapping[str, list[Placed]]:
    by_path: dict[str, list[Placed]] = defaultdict(list)
    for routing, route in group:
        if counts(route):
            by_path[routing.areas[route].path].append((routing, route))
    return by_path


def _takers(path: str, by_path: Mapping[str, list[Placed]]) -> list[Placed]:
    """Return the routes that take requests for a path. All of them have the path or a prefix of it."""
    return [
        (routing, route)
        for prefix in prefixes_of(path)
        for routing, route in by_path.get(prefix, ())
        if routing.takes(path, route)
    ]


def copied_protection(guard: Subject, route: Subject) -> dict[str, Any]:
    """Return the options with which `route` requires what `guard` does, empty if options of a route cannot do that."""
    paths = [path for requirement in guard.required.values() for path in requirement]
    modules = {
        f.name: f.kind for f in guard.table.fields if isinstance(f.kind, Object) and join(guard.path, f.name) in paths
    }
    if len(modules) < len(paths):
        return {}  # The edge itself protects the other route.
    # A login takes the place of another one, which may have settings that nobody wants to lose.
    others = {name for name in route.table.exclusive if route.state[name] is not None}
    if others and others.isdisjoint(modules) and not modules.keys().isdisjoint(route.table.exclusive):
        return {}
    options = {name: declaration(kind, guard.state[name]) or {} for name, kind in modules.items()}
    return {} if any(_needs_secret(modules[name], options[name]) for name in options) else options


def _needs_secret(kind: Any, options: Mapping[str, Any]) -> bool:
    """Return whether this declaration may have a secret, which nobody could copy. Exports omit it."""
    return any(
        (isinstance(f.kind, Secret) and all(name in options for name in f.needs))
        or (isinstance(f.kind, Object) and f.name in options and _needs_secret(f.kind, options[f.name]))
        for f in kind.declarable
    )
