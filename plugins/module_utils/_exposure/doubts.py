# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be judged, because the API does not define or show it. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from .._model.kinds import Mark
from .finding import not_judged
from .judged_estate import Estate, NotJudged
from .routings import area_of, routings
from .subjects import Route

_ORDER = (
    "The API does not define which of several matching routes takes a request. It is assumed that the most specific "
    "one does, and that prefixes end at a slash."
)
ACTIONS = (
    "The API does not define the actions of policies, which may restrict access. They do not count as protection, but "
    "the route does not count as public in any rule either."
)
HOLLOW = (
    "It is enabled, but lacks what it checks visitors with, so it does not count as protection. The service may let "
    "everyone through, or nobody."
)
_BACKEND = "It is enabled, but nothing shows which backend it uses, or whether there is one."
_HOST = "The match names a host, so the route is compared only with routes of the edge that name the same host."
_MATCH = "The API does not define this form of match, so the route is not compared with the others of its edge."
UNSETTLED = (
    "The API does not define how it resolves empty segments, dots, and encoded characters in a path, so other requests "
    "may reach this route as well."
)
_TWIN = "Another route of this edge has the same match. The API does not define which of them takes a request."
_WILDCARD = "The API does not define which edge takes a request if another edge serves a more specific hostport."
UNKNOWN_ROUTES = "Not all routes of this edge are known."
_UNPROVEN = "The service returned 404 for its traffic modules: they are not set, or the edge does not exist."
_TLS_EDGES = (
    "Of TLS edges, the API shows only the IP restriction and the TLS termination. What else protects them, and which "
    "backends they use, is not known."
)
_NO_ADDRESS = "The service does not show the public address of this tunnel, which is not a backend tunnel."
_AGENTS = "Agents can restrict who reaches the public addresses of their tunnels. The API does not show this."


NOT_LISTED = (
    NotJudged("other TLS edges", "tls_edges", "The API reference defines no list of TLS edges."),
    NotJudged(
        "other event subscriptions", "event_subscriptions", "The API reference defines no list of event subscriptions."
    ),
)
"""What can exist on a service besides what is named."""


def doubts(estate: Estate) -> Iterator[NotJudged]:
    yield from _edge_doubts(estate)
    yield from _hollow_doubts(estate)
    for tls_edge in estate.tls_edges:
        if not tls_edge.is_known:
            yield not_judged(tls_edge, "", _UNPROVEN)
        for name, state in tls_edge.state.items():
            if state is Mark.KEEP:
                yield not_judged(tls_edge, name, f"{name} is not declared, so it was not read.")
    ruled = (one for one in estate.served if not one.is_closed and one.has_actions)
    yield from (not_judged(one, "traffic_policy", ACTIONS) for one in ruled)
    if estate.tls_edges:
        yield NotJudged("TLS edges", "tls_edges", _TLS_EDGES)
    if any(not tunnel.is_closed for tunnel in estate.tunnels):
        yield NotJudged("tunnels", "tunnels", _AGENTS)
    for tunnel in estate.tunnels:
        if not tunnel.is_known:
            yield not_judged(tunnel, "public_url", _NO_ADDRESS)
    if not estate.subscriptions:
        yield NotJudged("event subscriptions", "event_subscriptions", "No event subscription was named.")
    yield from estate.not_judged


def _hollow_doubts(estate: Estate) -> Iterator[NotJudged]:
    routes = (route for route in estate.routes if not route.is_closed)
    for subject in (*estate.edges, *routes, *estate.without_routes):
        yield from (not_judged(subject, name, HOLLOW) for name in subject.hollow)


def _edge_doubts(estate: Estate) -> Iterator[NotJudged]:
    known = routings(estate.routes)
    if any(routing.overlaps for routing in known):
        yield NotJudged("routes", "https_edges", _ORDER)
    twins = {route for routing in known for route in routing.twins()}
    for edge in estate.edges:
        if any("*" in hostport for hostport in edge.state["hostports"]):
            yield not_judged(edge, "hostports", _WILDCARD)
        if not edge.knows_routes:
            yield not_judged(edge, "routes", UNKNOWN_ROUTES)
        for route in edge.routes:
            yield from _match_doubts(route)
            if route in twins:
                yield not_judged(route, "match", _TWIN)
            if not route.is_closed:
                yield from _visitor_doubts(route)


def _match_doubts(route: Route) -> Iterator[NotJudged]:
    area = area_of(route)
    if area is None or area.host:
        yield not_judged(route, "match", _HOST if area else _MATCH)
    if area is not None and not area.is_settled:
        yield not_judged(route, "match", UNSETTLED)


def _visitor_doubts(route: Route) -> Iterator[NotJudged]:
    if not route.backend_id:
        yield not_judged(route, "backend", _BACKEND)
    if route.has_actions:
        yield not_judged(route, "policy", ACTIONS)
