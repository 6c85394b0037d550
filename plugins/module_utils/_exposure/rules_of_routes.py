# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about who gets through routes, and about what they add to requests. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .access import needs
from .finding import Hit
from .matches import Routing, routings
from .subjects import Estate, Route, Subject

_SEGMENTS = (
    ".well-known assets css favicon.ico fonts health healthz images img js livez login logout ping public ready readyz "
    "robots.txt security.txt signin signup sitemap.xml static status"
)
PUBLIC_BY_NATURE = frozenset(_SEGMENTS.split())
"""Segments of paths that are usually open on purpose, although everything around them needs a login."""

_CREDENTIAL = re.compile(
    r"(?:.*[-_])?(?:authorization|cookie|api[-_]?key|token|secret|password|passwd|credentials?)", re.IGNORECASE
)
_NOT_A_CREDENTIAL = re.compile(r"set-cookie|.*(?:csrf|xsrf)[-_]?token", re.IGNORECASE)
_COMPUTED = "${"
"""Begins a variable, so the value is computed for each request."""


def holes_below_protected_prefixes(estate: Estate) -> Iterator[Hit]:
    for routing in routings(estate.routes):
        for route in routing.areas:
            outer = routing.around(route) if route.is_open else None
            if outer is not None and outer.required and not _is_public_by_nature(routing, route, outer):
                message = (
                    f"Everyone can reach {route.match}, although {outer.match} around it requires "
                    f"{needs(outer.required)}."
                )
                yield Hit(route, "", message, _same_restriction(outer), [outer.path])


def _is_public_by_nature(routing: Routing, route: Route, outer: Route) -> bool:
    path, around = routing.areas[route].path, routing.areas[outer].path
    if not routing.areas[route].is_settled:
        return False  # `/static/../admin` is not below `/static`.
    segments = [segment for segment in path[len(around) :].lower().split("/") if segment]
    return path == "/" or bool(segments and PUBLIC_BY_NATURE.intersection((segments[0], segments[-1])))


def _same_restriction(outer: Route) -> dict[str, object]:
    """Return what restricts the outer route, if that can be declared without secrets."""
    restriction = outer.enabled("ip_restriction")
    if list(outer.required) != ["network"] or not restriction:
        return {}
    return {"ip_restriction": {"enabled": True, "ip_policy_ids": list(restriction["ip_policy_ids"])}}


def disabled_protections(estate: Estate) -> Iterator[Hit]:
    for edge in estate.edges:
        open_routes = [route for route in edge.routes if route.is_open]
        if open_routes:
            yield from _disabled(edge, "Everyone can reach its public routes", [route.path for route in open_routes])
        for route in open_routes:
            yield from _disabled(route, "Nothing else protects the route")
    for tls_edge in estate.tls_edges:
        if not tls_edge.required:
            yield from _disabled(tls_edge, "Nothing else protects the edge")


def _disabled(subject: Subject, consequence: str, also: list[str] | None = None) -> Iterator[Hit]:
    for name in subject.disabled_protections():
        message = f"{name} is set but disabled. {consequence}."
        yield Hit(subject, f"{name}.enabled", message, {name: {"enabled": True}}, also or [])


def restrictions_without_policies(estate: Estate) -> Iterator[Hit]:
    for subject in (*(route for route in estate.routes if not route.is_closed), *estate.tls_edges):
        restriction = subject.enabled("ip_restriction")
        if restriction is not None and not restriction["ip_policy_ids"]:
            yield Hit(subject, "ip_restriction.ip_policy_ids", "ip_restriction is enabled without any IP policy.")


def credentials_in_headers(estate: Estate) -> Iterator[Hit]:
    for route in estate.routes:
        for name, target in (("request_headers", "each request"), ("response_headers", "each response")):
            module = None if route.is_closed else route.enabled(name)
            for header in _credentials(module["add"] if module else {}):
                everyone = ", and everyone gets through" if route.is_open else ""
                message = f"The header {header}, which is added to {target}, looks like a credential{everyone}."
                yield Hit(route, f"{name}.add.{header}", message)


def _credentials(headers: Mapping[str, str]) -> list[str]:
    return [
        name
        for name, value in headers.items()
        if value and _COMPUTED not in value
        if _CREDENTIAL.fullmatch(name) and not _NOT_A_CREDENTIAL.fullmatch(name)
    ]


def routes_without_backend(estate: Estate) -> Iterator[Hit]:
    for route in estate.routes:
        # A policy may respond to requests itself.
        if route.is_closed and not route.backend_id and not route.has_actions:
            yield Hit(route, "backend", "The route has no backend, so requests for it lead nowhere.")
