# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that tests start from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import reference_fields
from estates_to_judge import estate
from module_task import Tasks

EDGE = "edghts_place"
ROUTE = "edghtsrt_place"
TLS_EDGE = "edgtls_place"
SUBSCRIPTION = "esb_place"
SOURCE = "domain_created.v0"
HOSTPORT = "place.example.com:443"
KEY = {"match_type": "path_prefix", "match": "/"}
UNSET_EDGE = dict.fromkeys(["hostports", "routes", *reference_fields.EDGE_ITSELF, *reference_fields.EDGE])
"""An edge in a list that leaves out nothing."""
FILLED_EDGE = reference_fields.declared(reference_fields.EDGE_ITSELF, "filled")
"""What the service fills in of an edge that omits it."""

ROUTE_PATH = f"/edges/https/{EDGE}/routes/{ROUTE}"


def seed_edge(tasks: Tasks, **edge: Any) -> str:
    """Put in an HTTPS edge, in request form, and return its id."""
    tasks.service.seed(https_edges=[{"id": EDGE, "hostports": [HOSTPORT], **edge}])
    return EDGE


def seed_route(tasks: Tasks, **route: Any) -> dict[str, Any]:
    """Put in an HTTPS edge with one route, in request form, and return the options that address the route."""
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, **route}])
    return {"edge_id": EDGE, **KEY}


def seed_edges(tasks: Tasks, text: str) -> None:
    """Put in HTTPS edges in a line of text, the first one with the usual ID, and the others with their numbers.

    Routes have the IDs of their paths, with the number of the edge: `edghtsrt_root`, `edghtsrt_admin_x`,
    `edghtsrt_exact_admin1`.
    """
    for number, edge in enumerate(estate(text)["https_edges"]):
        routes = [{name: value for name, value in one.items() if value is not None} for one in edge["routes"]]
        for one in routes:
            path = re.sub(r"[^\w.-]", "_", one["match"].strip("/")) or "root"
            one["id"] = f"edghtsrt_{'exact_' * (one['match_type'] == 'exact_path')}{path}{number or ''}"
        tasks.service.seed(https_edges=[{**edge, "id": f"{EDGE}{number or ''}", "routes": routes}])


def seed_tls_edge(tasks: Tasks, **modules: Any) -> str:
    """Put in a TLS edge with these modules, in request form, and return its id."""
    tasks.service.seed(tls_edges=[{"id": TLS_EDGE, **modules}])
    return TLS_EDGE


def seed_subscription(tasks: Tasks, *sources: str) -> str:
    """Put in an event subscription with these sources, and return its id."""
    tasks.service.seed(event_subscriptions=[{"id": SUBSCRIPTION, "sources": list(sources)}])
    return SUBSCRIPTION


def in_each_module(*routes: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of every module that declares routes of the HTTPS edge; `https_edge_route` declares one alone."""
    alone = {"https_edge_route": {"edge_id": EDGE, **KEY, **routes[0]}} if len(routes) == 1 else {}
    declared = [{**({} if "id" in route else KEY), **route} for route in routes]
    several = {"edge_id": EDGE, "routes": declared}
    return {**alone, "https_edge_routes": several, "estate": {"https_edges": [{"id": EDGE, "routes": declared}]}}


def held_edge(tasks: Tasks) -> dict[str, Any]:
    """What the service holds of the one HTTPS edge, in request form."""
    [edge] = tasks.service.state()["https_edges"]
    return dict(edge)


def held_route(tasks: Tasks) -> dict[str, Any]:
    """What the service holds of the one route, in request form."""
    [route] = held_edge(tasks)["routes"]
    return dict(route)


def is_active(route: Mapping[str, Any], module: str) -> bool:
    """Whether a route, in request form, has a module and does not have it disabled."""
    return module in route and bool(route[module].get("enabled", True))
