# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be judged, because the API does not define or show it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Union

from .._values.kinds import Mark
from .judged import Estate, NotJudged, Subject

_ORDER = (
    "The API does not define which of several matching routes takes a request. It is assumed that the most specific "
    "one does, and that prefixes end at a slash."
)
ACTIONS = (
    "The API does not define the actions of policies, which may restrict access. They do not count as protection, but "
    "what has them does not count as public in any rule either."
)
HOLLOW = (
    "It is enabled, but lacks what it checks visitors with, so it does not count as protection. The service may let "
    "everyone through, or nobody."
)
_BACKEND = "It is enabled, but nothing shows which backend it uses, or whether there is one."
FORM = (
    "It has an unexpected form, so nothing is known about it. It counts neither as protection, nor as a reason why "
    "nobody gets through."
)
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


NOT_LISTED = tuple(
    NotJudged(f"other {kind}", option, f"The API reference defines no list of {kind}.")
    for kind, option in (("TLS edges", "tls_edges"), ("event subscriptions", "event_subscriptions"))
)
"""What can exist on a service besides what is named."""


def doubts(estate: Estate) -> Iterator[NotJudged]:
    for holds, subject, option, why in _doubts(estate):
        if holds:
            yield NotJudged(subject, option, why) if isinstance(subject, str) else subject.not_judged(option, why)
    yield from estate.not_judged


_Doubt = tuple[object, Union[Subject, str], str, str]  # noqa: UP007 - modules can also run on Python 3.9
"""Whether it is one, the object or its name, the option, and why."""


def _doubts(estate: Estate) -> Iterator[_Doubt]:
    overlaps = (len(route.competing(route.area.path)) > 1 for route in estate.routes if route.area)
    yield any(overlaps), "routes", "https_edges", _ORDER
    for edge in estate.edges:
        yield any("*" in hostport for hostport in edge.state["hostports"]), edge, "hostports", _WILDCARD
        yield not edge.knows_routes, edge, "routes", UNKNOWN_ROUTES
        alike = Counter(route.area for route in edge.routes)
        for route in edge.routes:
            area = route.area
            yield area is None, route, "match", _MATCH
            yield area and area.host, route, "match", _HOST
            yield area and not area.is_settled, route, "match", UNSETTLED
            yield area and alike[area] > 1, route, "match", _TWIN
            yield not route.is_closed and not route.backend_id, route, "backend", _BACKEND
            yield not route.is_closed and route.has_actions, route, "policy", ACTIONS
    for subject in (*estate.edges, *estate.open_routes, *estate.without_routes):
        yield from ((True, subject, name, HOLLOW) for name in subject.hollow)
    for tls_edge in estate.tls_edges:
        yield not tls_edge.is_known, tls_edge, "", _UNPROVEN
        for name, state in tls_edge.state.items():
            yield state is Mark.KEEP, tls_edge, name, f"{name} is not declared, so it was not read."
    for served in estate.served:
        yield not served.is_closed and served.has_actions, served, "traffic_policy", ACTIONS
        yield from ((True, served, name, FORM) for name in served.unclear)
    yield estate.tls_edges, "TLS edges", "tls_edges", _TLS_EDGES
    yield any(not tunnel.is_closed for tunnel in estate.tunnels), "tunnels", "tunnels", _AGENTS
    yield from ((not tunnel.is_known, tunnel, "public_url", _NO_ADDRESS) for tunnel in estate.tunnels)
    yield not estate.subscriptions, "event subscriptions", "event_subscriptions", "No event subscription was named."
