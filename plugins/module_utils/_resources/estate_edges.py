# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of an estate, each with its routes. They are read once and planned together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .._applying.parallel import run_in_parallel
from .._applying.subtree import Subtree
from .._definition import Options
from .._errors import Ambiguous, IngressError, NotSupported
from .._model.schema import EDGE_PREFIX, HTTPS_EDGE, HTTPS_EDGE_ROUTE
from .._planning.changes import PURGED, plan_absent
from .._planning.placeholders import is_placeholder, placeholder
from .._planning.plan import Plan, Target, not_opened, planned, planned_purge, unplanned
from .._planning.widening import is_reached
from .._planning.withholding import not_tried, withheld, without_openings
from .._transport.client import Client
from .https_edge import (
    edge_path,
    edge_plan,
    edge_subject,
    found_edge,
    joined_hostports,
    listed_edges,
    read_edge,
    state_of,
)
from .https_edges import FoundEdges, arranged_edges, possible_edges
from .routes_of_edge import RoutesOfEdge, routes_of


def edge_subtrees(client: Client, options: Options, purge: Sequence[str]) -> list[Subtree]:
    """Return a subtree for each declared edge, and then one for each edge that is purged."""
    declared = options["https_edges"]
    if declared is None:
        return []
    found = FoundEdges(_load_edges(client, declared, "edges" in purge, options["concurrency"]), declared)
    how = {
        "resend_secrets": options["update_secrets"] == "always",
        "purge_modules": "modules" in purge,
        "purge": "routes" in purge,
    }
    subtrees = [_declared_subtree(client, edge, number, found, how) for number, edge in enumerate(declared)]
    plans = [_with_guards(subtree) for subtree in subtrees]
    plans = possible_edges(plans, found, purges="edges" in purge)
    subtrees = [_with_children(subtree, plan) for subtree, plan in zip(subtrees, plans, strict=True)]
    if "edges" in purge:
        skip = any(plan.error for subtree in subtrees for plan in subtree.plans)
        subtrees += [_purged_edge_subtree(client, wire, skip) for wire in found.undeclared()]
    plans = arranged_edges([subtree.own[0] for subtree in subtrees])
    return [replace(subtree, own=[plan]) for subtree, plan in zip(subtrees, plans, strict=True)]


def _with_guards(subtree: Subtree) -> Plan:
    """Return the plan of the edge, which is not opened if a route that may protect it could not be planned."""
    [own] = subtree.own
    is_guarded = not any(plan.error and not plan.purge for plan in subtree.children)
    return own if own.error or is_guarded or not is_reached(own) else withheld(own, not_opened())


def _with_children(subtree: Subtree, own: Plan) -> Subtree:
    """Return the subtree with this plan for its edge. Without the edge, its routes are skipped."""
    if own.error and own.before is None:
        return replace(subtree, own=[own], children=[not_tried(plan, own.subject) for plan in subtree.children])
    children = without_openings(subtree.children, others_failed=bool(own.error))
    return replace(subtree, own=[own], children=children)


def _declared_subtree(
    client: Client, edge: Options, number: int, found: FoundEdges, how: Mapping[str, bool]
) -> Subtree:
    subject = edge_subject(edge, None)
    target = Target(subject, HTTPS_EDGE, key=subject)
    try:
        wire = found.of(number)
    except Ambiguous as error:
        own = [unplanned(error, target)]
        return Subtree(own, children=_routes_without_edge(edge), is_edge=True)

    def plans(live: Any) -> list[Plan]:
        # Routes are read when they are planned, so that an error in one of them does not prevent the edge.
        bare = None if live is None else {**live, "routes": None}
        return [planned(lambda: edge_plan(bare, edge, subject, purge_modules=how["purge_modules"]), target)]

    def replan() -> list[Plan]:
        if wire is not None:
            return plans(read_edge(client, wire["id"]))
        return plans(found_edge(found.new_ones(_load_edges(client, [edge], False, 1)), edge))

    own = plans(wire)
    return Subtree(own, replan=replan, is_edge=True, **_route_plans(client, edge, wire, own[0], how))


def _route_plans(client: Client, edge: Options, wire: Any, own: Plan, how: Mapping[str, bool]) -> dict[str, Any]:
    """Return the children of the subtree of an edge. Routes are purged only if the edge declares routes."""
    declared, name = edge["routes"], joined_hostports(edge)
    if declared is None:
        return {}
    if own.after is None:
        return {"children": _routes_without_edge(edge)}

    def children(routes: RoutesOfEdge) -> list[Plan]:
        return routes.plans(declared, **how)

    try:
        planned_routes = children(RoutesOfEdge(wire, own.after["id"], name))
    except IngressError as error:
        planned_routes = [unplanned(error, Target(f"routes of {own.subject}", HTTPS_EDGE_ROUTE, own.subject))]
    return {
        "children": planned_routes,
        "children_of_new": lambda edge_id: children(RoutesOfEdge(None, edge_id, name)),
        "replan_children": lambda edge_id: children(routes_of(client, edge_id)),
    }


def _routes_without_edge(edge: Options) -> list[Plan]:
    """Return plans in place of those for the declared routes of an unknown edge."""
    name = joined_hostports(edge) or edge["id"] or ""
    return RoutesOfEdge(None, placeholder(EDGE_PREFIX), name).plans(edge["routes"] or ())


def _purged_edge_subtree(client: Client, wire: dict[str, Any], skip: bool) -> Subtree:
    edge_id = wire.get("id")
    target = Target(edge_subject({}, state_of(wire)), HTTPS_EDGE, key=edge_id)

    def purge(live: Any) -> Plan:
        current = state_of(live)
        return plan_absent(replace(target, path=edge_path(current["id"]) if current else ""), current, PURGED)

    def replan(live: Any) -> list[Plan]:
        return [planned_purge(lambda: purge(live), target, skip=skip)]

    return Subtree(replan(wire), replan=lambda: replan(read_edge(client, str(edge_id))), is_edge=True)


def _load_edges(client: Client, declared: Sequence[Options], purge: bool, concurrency: int) -> list[dict[str, Any]]:
    """Read the edges: with one list, or by their IDs if the service has no list or there are few of them."""
    ids = [edge["id"] for edge in declared if edge["id"]]
    all_by_id = len(ids) == len(declared) and not purge
    if not all_by_id or len(ids) > 1:
        if all(edge["find_by"] == "none" and not edge["id"] for edge in declared) and not purge:
            return []
        try:
            return [*listed_edges(client), *({"id": one} for one in ids if is_placeholder(one))]
        except NotSupported:
            if not all_by_id:
                raise
    return [wire for wire in run_in_parallel(lambda one: read_edge(client, one), ids, concurrency) if wire is not None]
