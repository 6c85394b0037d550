# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of an estate, each with its routes. They are read once and planned together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .._applying.parallel import run_in_parallel
from .._applying.subtree import Subtree
from .._definition import Options
from .._errors import Ambiguous, ChangeWithheld, IngressError, NotSupported, UnexpectedResponse
from .._model.schema import EDGE_PREFIX, HTTPS_EDGE, HTTPS_EDGE_ROUTE
from .._planning.changes import PURGED, plan_absent
from .._planning.placeholders import is_placeholder, placeholder
from .._planning.plan import Plan, Target, not_opened, planned, planned_purge, unplanned
from .._planning.purge_scope import OUTSIDE, PurgeScope
from .._planning.subjects import edge_name, edge_subject, joined_hostports
from .._planning.undeclared import (
    NOT_PURGED,
    SPARED,
    NotExamined,
    Remainder,
    undeclared_modules,
    undeclared_object,
)
from .._planning.widening import is_reached
from .._planning.withholding import not_tried, withheld, without_openings
from .._transport.client import Client
from .https_edge import (
    edge_path,
    edge_plan,
    field_of,
    found_edge,
    listed_edges,
    read_edge,
    state_of,
)
from .https_edges import FoundEdges, arranged_edges, possible_edges
from .routes_of_edge import RoutesOfEdge, routes_of


def edge_subtrees(
    client: Client, options: Options, purge: Sequence[str], scope: PurgeScope
) -> tuple[list[Subtree], list[Remainder]]:
    """Return a subtree for each declared edge, and then one for each edge that is purged; and what stays undeclared."""
    declared = options["https_edges"]
    if declared is None:
        return [], [NotExamined("HTTPS edges", "https_edges is not declared")]
    wires, rest = _load_edges(client, declared, "edges" in purge, options["concurrency"])
    found = FoundEdges(wires, declared)
    how = {
        "resend_secrets": options["update_secrets"] == "always",
        "purge_modules": "modules" in purge,
        "purge": "routes" in purge,
    }

    def is_purged(wire: dict[str, Any]) -> bool:
        return "edges" in purge and _is_in(scope, wire)

    subtrees = [_declared_subtree(client, edge, number, found, how) for number, edge in enumerate(declared)]
    plans = possible_edges([_with_guards(subtree) for subtree in subtrees], found, is_purged)
    subtrees = [_with_children(subtree, plan) for subtree, plan in zip(subtrees, plans)]
    skip = any(plan.error for subtree in subtrees for plan in subtree.plans)
    for wire in found.undeclared():
        purged = is_purged(wire)
        if purged:
            subtrees.append(_purged_edge_subtree(client, wire, skip, is_purged))
        if skip or not purged:
            why = SPARED if purged else OUTSIDE if "edges" in purge else NOT_PURGED.format("HTTPS edges")
            rest.append(_undeclared_edge(wire, why))
    plans = arranged_edges([subtree.own[0] for subtree in subtrees])
    return [replace(subtree, own=[plan]) for subtree, plan in zip(subtrees, plans)], rest


def _is_in(scope: PurgeScope, wire: dict[str, Any]) -> bool:
    try:
        return scope.includes(field_of(wire, "hostports"), field_of(wire, "metadata"))
    except UnexpectedResponse:
        return not scope.is_limited


def _undeclared_edge(wire: dict[str, Any], why: str) -> Remainder:
    subject = edge_subject({}, {"id": wire.get("id"), "hostports": []})
    try:
        state = state_of(wire)
    except IngressError as error:
        return NotExamined(subject, str(error))
    return undeclared_object(Target(edge_name({}, state), HTTPS_EDGE), state or {}, "https_edges", why)


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
    target = Target(edge_name(edge, None), HTTPS_EDGE, key=subject)
    try:
        wire = found.of(number)
    except Ambiguous as error:
        own = [unplanned(error, target)]
        return Subtree(own, children=_routes_without_edge(edge), is_parent=True)

    def plans(live: Any) -> list[Plan]:
        # Routes are read when they are planned, so that an error in one of them does not prevent the edge.
        bare = None if live is None else {**live, "routes": None}
        return [planned(lambda: edge_plan(bare, edge, subject, purge_modules=how["purge_modules"]), target)]

    def replan() -> list[Plan]:
        if wire is not None:
            return plans(read_edge(client, wire["id"]))
        wires, _rest = _load_edges(client, [edge], False, 1)
        return plans(found_edge(found.new_ones(wires), edge))

    own = plans(wire)
    option = f"https_edges[{number}]"
    children = _route_plans(client, edge, f"{option}.routes", wire, own[0], how)
    subtree = Subtree(own, replan=replan, is_parent=True, **children)
    return replace(subtree, rest=[*undeclared_modules(own[0], option), *subtree.rest])


def _route_plans(
    client: Client, edge: Options, option: str, wire: Any, own: Plan, how: Mapping[str, bool]
) -> dict[str, Any]:
    """Return the children of the subtree of an edge. Routes are purged only if the edge declares `option`."""
    declared, name = edge["routes"], joined_hostports(edge)
    if own.after is None:
        return {"children": _routes_without_edge(edge)} if declared is not None else {}
    try:
        routes = RoutesOfEdge(wire, own.after["id"], name)
        if declared is None:
            return {"rest": routes.all_undeclared(option)}
        children, rest = routes.plans_and_rest(declared, option, **how)
    except IngressError as error:
        target = Target(f"routes of {own.subject}", HTTPS_EDGE_ROUTE, own.subject, is_part=True)
        if declared is None:
            return {"rest": [NotExamined(target.subject, str(error))]}
        children, rest = [unplanned(error, target)], []
    return {
        "children": children,
        "rest": rest,
        "option": option,
        "children_of_new": lambda edge_id: RoutesOfEdge(None, edge_id, name).plans(declared, **how),
        "replan_children": lambda edge_id: routes_of(client, edge_id).plans(declared, **how),
    }


def _routes_without_edge(edge: Options) -> list[Plan]:
    """Return plans in place of those for the declared routes of an unknown edge."""
    name = joined_hostports(edge) or edge["id"] or ""
    return RoutesOfEdge(None, placeholder(EDGE_PREFIX), name).plans(edge["routes"] or ())


def _purged_edge_subtree(
    client: Client, wire: dict[str, Any], skip: bool, is_purged: Callable[[dict[str, Any]], bool]
) -> Subtree:
    edge_id = wire.get("id")
    target = Target(edge_name({}, state_of(wire)), HTTPS_EDGE, key=edge_id)

    def purge(live: Any) -> Plan:
        if live is not None and not is_purged(live):
            raise ChangeWithheld(f"{edge_subject({}, state_of(live))} has left `purge_scope` in the meantime.")
        current = state_of(live)
        return plan_absent(replace(target, path=edge_path(current["id"]) if current else ""), current, PURGED)

    def replan(live: Any) -> list[Plan]:
        return [planned_purge(lambda: purge(live), target, skip=skip)]

    def read_and_replan() -> list[Plan]:
        return replan(read_edge(client, str(edge_id)))

    return Subtree(replan(wire), replan=read_and_replan, is_parent=True, option="https_edges")


def _load_edges(
    client: Client, declared: Sequence[Options], purge: bool, concurrency: int
) -> tuple[list[dict[str, Any]], list[Remainder]]:
    """Read the edges: with one list, or by their IDs if the service has no list or there are few of them.

    The second value says which edges were not read, if any.
    """
    ids = [edge["id"] for edge in declared if edge["id"]]
    all_by_id = len(ids) == len(declared) and not purge
    why = "all declared edges have an `id`" if declared else "no edge is declared"
    if not all_by_id or len(ids) > 1:
        if all(edge["find_by"] == "none" and not edge["id"] for edge in declared) and not purge:
            return [], [NotExamined("HTTPS edges", "no declared edge is looked up")]
        try:
            return [*listed_edges(client), *({"id": one} for one in ids if is_placeholder(one))], []
        except NotSupported:
            if not all_by_id:
                raise
            why = "the service does not support listing HTTPS edges"
    wires = run_in_parallel(lambda one: read_edge(client, one), ids, concurrency)
    return [wire for wire in wires if wire is not None], [NotExamined("other HTTPS edges", why)]
