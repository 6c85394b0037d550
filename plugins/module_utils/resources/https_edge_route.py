# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes of HTTPS edges: sections 2.3, 2.4 and 4.4 of the description. A route is found in the routes of its edge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import plan
from ..addresses import path_of
from ..apply import Outcome, converge
from ..arguments import STATE, UPDATE_SECRETS, identifier_faults, module_faults, module_options
from ..client import Client
from ..errors import Ambiguous, Missing
from ..placeholders import is_placeholder, placeholder
from ..schema import EDGE_PREFIX, HTTPS_EDGE_ROUTE, ROUTE_MODULES, ROUTE_PREFIX
from ..work import Options, Work
from .https_edge import read_edge

# A recorded service cleared what a PATCH of a route left out of these.
_ALWAYS_SENT = ("match_type", "match", "description", "metadata")


def _faults(options: Options, check_mode: bool) -> Iterator[str]:
    yield from identifier_faults(options, "edge_id", EDGE_PREFIX, check_mode)
    yield from identifier_faults(options, "id", ROUTE_PREFIX, check_mode)
    yield from HTTPS_EDGE_ROUTE.faults(options, "")
    yield from module_faults(options, ROUTE_MODULES)
    if not options.get("id"):
        for name in ("match_type", "match"):
            if not options.get(name):
                yield f"{name}: needed, with the other of match_type and match, where the route's id is not given"


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    return converge(client, lambda: _look(client, options), "https_edge_route", check_mode)


def _look(client: Client, options: Options) -> plan.Plan:
    edge_id, is_present = options["edge_id"], options["state"] == "present"
    edge = read_edge(client, edge_id)
    if edge is None and is_present:
        raise Missing(f"https_edge_route: the service knows no HTTPS edge {edge_id} that the route could be on.")
    have = _find(edge or {}, options)
    subject = f"https_edge_route {_name(options, have)}"
    collection = path_of("edges", "https", edge_id, "routes")
    path = path_of("edges", "https", edge_id, "routes", have["id"]) if have else ""
    if not is_present:
        return plan.absent(subject, HTTPS_EDGE_ROUTE, path, have)
    if have is None and options["id"]:
        raise Missing(
            f"https_edge_route: edge {edge_id} has no route {options['id']}. The service chooses the id of a new "
            "route, so leave it out to create one."
        )
    return plan.present(
        subject,
        HTTPS_EDGE_ROUTE,
        plan.Place(collection, path),
        have,
        options,
        absent_modules=options["absent_modules"],
        purge_modules=options["purge_modules"],
        resend_secrets=options["update_secrets"] == "always",
        always_sent=_ALWAYS_SENT,
        identity={"id": placeholder(ROUTE_PREFIX), "edge_id": edge_id},
    )


def _find(edge: Any, options: Options) -> plan.State | None:
    if is_placeholder(options["id"]):
        wire = {name: options[name] for name in ("id", "match_type", "match")}
        return {**HTTPS_EDGE_ROUTE.read(wire, ""), "edge_id": options["edge_id"]}
    key = ("id",) if options["id"] else ("match_type", "match")
    routes = edge.get("routes") if isinstance(edge, dict) else None
    matches = [
        route
        for route in (routes if isinstance(routes, list) else ())
        if isinstance(route, dict) and all(route.get(name) == options[name] for name in key)
    ]
    if len(matches) > 1:
        ids = [str(route.get("id")) for route in matches]
        raise Ambiguous(
            f"https_edge_route: {len(ids)} routes of edge {options['edge_id']} match {options['match_type']} "
            f"{options['match']}: {', '.join(ids)}. Give the id of the one you mean.",
            ids,
        )
    if not matches:
        return None
    return {**HTTPS_EDGE_ROUTE.read(matches[0], ""), "edge_id": options["edge_id"]}


def _name(options: Options, have: plan.State | None) -> str:
    shown = have or options
    match = f"{shown['match_type']} {shown['match']}" if shown["match"] else ""
    route_id = f"({have['id']})" if have else ""
    return " ".join(filter(None, (match, route_id))) or str(options["id"])


WORK = Work(
    options={
        "edge_id": {"type": "str", "required": True},
        "id": {"type": "str"},
        "state": STATE,
        "update_secrets": UPDATE_SECRETS,
        **HTTPS_EDGE_ROUTE.options(),
        **module_options(ROUTE_MODULES),
    },
    faults=_faults,
    perform=_perform,
)
