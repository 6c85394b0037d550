# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about who gets through, although the object is protected elsewhere, or was meant to be protected. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from .._access.locks import ON
from .._access.parts import START
from .._access.requirements import demanded, violations
from .._access.routing import Area, prefixes_of
from .._errors import as_sentence
from .._model.declaration import declaration
from .._model.named_strings import Secret
from .._model.objects import Object
from .._model.protection import CHECKS, needs_of
from .finding import Hit, rule
from .judged import Estate, Subject

_SEGMENTS = (
    ".well-known assets css favicon.ico fonts health healthz images img js livez login logout ping public ready readyz "
    "robots.txt security.txt signin signup sitemap.xml static status"
)
PUBLIC_BY_NATURE = frozenset(_SEGMENTS.split())
"""Segments of paths that are usually open on purpose, although everything around them needs a login."""


@rule(
    "high",
    why="Somebody has decided what these requests need, and exceptions of `accept` do not apply to that.",
    fix="Declare on the route, or on its edge, what the requirement demands, or disable its backend.",
)
def requirement_not_met(estate: Estate) -> Iterator[Hit]:
    """Somebody gets through without what one of the `requirements` demands, or may do so, because something was not
    read.
    """
    for one in violations(demanded(estate.account, estate.requirements), START):
        reason = estate.requirements[one.number].reason
        yield Hit(one.taker[1].subject, "", one.text, cause=str(one.number), requirement=reason)
    for each in estate.unread if estate.requirements else ():
        yield Hit(None, each.name, f"What was not read does not meet `requirements`: {as_sentence(each.why)}")


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
    for route in estate.open_routes:
        outer = _around(route, route.area) if route.is_open and route.area else None
        if outer is not None and outer.required:
            needs = needs_of(outer.required)
            message = f"Everyone can reach {route.match}, although {outer.match} around it requires {needs}."
            yield Hit(route, "", message, copied_protection(outer, route), [outer.path])


def _around(route: Subject, own: Area) -> Subject | None:
    """Return the most specific prefix around a route that lets anybody through; None if it is public by nature.

    Of several with the same prefix, nobody knows which one counts, so it is one that requires nothing, if possible.
    """
    prefixes = ((outer, area) for outer, area in route.competing(own.path) if not area.is_exact and area != own)
    lengths = {outer: len(area.path) for outer, area in prefixes if not outer.is_closed}
    found = min(lengths, key=lambda outer: (-lengths[outer], len(outer.required)), default=None)
    if found is None or own.path == "/":
        return None
    segments = [one for one in own.path[lengths[found] :].lower().split("/") if one]
    # `/static/../admin` is not below `/static`.
    is_public = own.is_settled and not PUBLIC_BY_NATURE.isdisjoint([*segments[:1], *segments[-1:]])
    return None if is_public else found


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


def _disabled(subject: Subject, consequence: str, also: Sequence[str] = ()) -> Iterator[Hit]:
    for name in subject.disabled_protections():
        message = f"{name} is set but disabled. {consequence}."
        yield Hit(subject, f"{name}.enabled", message, {name: {"enabled": True}}, also)


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
    by_backend: dict[str | None, list[Subject]] = defaultdict(list)
    for route in estate.open_routes:
        if route.area:
            by_backend[route.backend_id].append(route)
    for group in by_backend.values():
        for route, guards, paths in _open_elsewhere(group):
            more = f" and {len(guards) - 1} more" if len(guards) > 1 else ""
            message = (
                f"Everyone can reach backend {route.backend_id} through {route.match}, although {guards[0].name}{more} "
                f"requires {needs_of(guards[0].required)} for the same paths."
            )
            yield Hit(route, "", message, copied_protection(guards[0], route), paths)


def _open_elsewhere(group: Sequence[Subject]) -> Iterator[tuple[Subject, list[Subject], list[str]]]:
    """Yield the public routes of a backend, with the routes that protect the same paths of it elsewhere.

    Of routes of the same edge with and without a host, nobody knows which one takes a request.
    """
    guarded, public = _by_path(one for one in group if one.required), _by_path(one for one in group if one.is_open)
    guards: dict[str, list[Subject]] = {}
    exposed: dict[Subject, list[str]] = defaultdict(list)
    for path in dict.fromkeys([*guarded, *public]) if guarded and public else ():
        # What is open on purpose elsewhere does not explain why it is protected here.
        if path not in guarded and path.strip("/").rpartition("/")[2].lower() in PUBLIC_BY_NATURE:
            continue
        guards[path] = _takers(path, guarded)
        for route in _takers(path, public) if guards[path] else ():
            exposed[route].append(path)

    @cache
    def elsewhere(edge: Subject | None, has_host: bool, *paths: str) -> tuple[list[Subject], list[str]]:
        protecting = dict.fromkeys(guard for path in paths for guard in guards[path])
        found = [one for one in protecting if one.edge is not edge or (has_host and one.area and one.area.host)]
        return found, [one.path for one in found]

    edges = {guard.edge for found in guards.values() for guard in found}
    for route in (one for one in group if one in exposed):
        # Thousands of public routes may have the same guards, of which one list is enough.
        own = route.edge if route.edge in edges else None
        found, paths = elsewhere(own, bool(route.area and route.area.host), *exposed[route])
        if found:
            yield route, found, paths


def _by_path(routes: Iterable[Subject]) -> Mapping[str, list[Subject]]:
    found: dict[str, list[Subject]] = defaultdict(list)
    for route in routes:
        found[route.area.path if route.area else ""].append(route)
    return found


def _takers(path: str, by_path: Mapping[str, list[Subject]]) -> list[Subject]:
    """Return the routes that take requests for a path. All of them have the path or a prefix of it."""
    around = (route for prefix in prefixes_of(path) for route in by_path.get(prefix, ()))
    return [route for route in around if route.takes(path)]


def copied_protection(guard: Subject, route: Subject) -> dict[str, Any]:
    """Return the options with which `route` requires what `guard` does, empty if options of a route cannot do that."""
    enabled = [(owner, lock.module) for owner, lock in guard.locks if lock.state == ON and lock.check in CHECKS]
    modules: dict[str, Any] = {name: guard.table.named[name].kind for owner, name in enabled if owner is guard}
    if len(modules) < len(enabled):
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
