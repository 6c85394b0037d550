# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of an estate, each with its routes. They are read once and planned together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from .._applying.parallel import run_in_parallel
from .._definition import Options
from .._errors import ChangeWithheld, IngressError, NotSupported, UnexpectedResponse
from .._model.free_form import RESPONSE
from .._model.identifiers import is_placeholder, placeholder
from .._model.listing import wholeness
from .._model.schema import EDGE_PREFIX, HTTPS_EDGE, HTTPS_EDGE_ROUTE
from .._model.string_sets import host_keys
from .._planning.changes import PURGED, plan_absent
from .._planning.given_up_names import NameRule
from .._planning.matching import Matching
from .._planning.object_names import edge_label, edge_name, edge_subject, joined_hostports
from .._planning.plan import Ids, Name, Plan, Target, planned, planned_purge
from .._planning.purge_scope import OUTSIDE, PurgeScope
from .._planning.rejected_changes import EDGES, possible_plans
from .._planning.undeclared import NOT_PURGED, NotExamined, Remainder, Undeclared, undeclared_modules
from .._planning.unique_names import declared_names
from .._transport.client import Client
from .estate_part import EstatePart
from .https_edge import (
    compared_fields,
    edge_matching,
    edge_path,
    edge_plan,
    field_of,
    held_hostports,
    listed_edges,
    read_edge,
    state_of,
    whole_edge,
)
from .named_objects import NamedObjects
from .routes_of_edge import RoutesOfEdge, routes_of

UNREAD_EDGES = _ALL, _OTHERS = ("HTTPS edges", "other HTTPS edges")
"""What a task calls the edges that it has not listed."""


def edge_parts(
    client: Client, options: Options, purge: Sequence[str], scope: PurgeScope, objects: NamedObjects
) -> tuple[list[EstatePart], list[Remainder], list[Plan]]:
    """Return a part for each declared edge, and then one for each edge that is purged; and what stays undeclared.

    The last value are the plans of the named objects, of which some cannot take the names of edges.
    """
    declared, names = options["https_edges"] or (), objects.names
    wires, rest = _load_edges(client, options["https_edges"], "edges" in purge, options["concurrency"], scope)
    how = {
        "resend_secrets": options["update_secrets"] == "always",
        "purge_modules": "modules" in purge,
        "purge": "routes" in purge,
        "allow_empty": options["allow_empty"],
    }

    def is_purged(wire: dict[str, Any]) -> bool:
        return "edges" in purge and _is_in(scope, wire)

    matching = edge_matching(wires, declared, is_purged if "edges" in purge else None)
    part_of = partial(_declared_part, client, declared, matching, how, names)
    parts = [part_of(number) for number in range(len(declared))]
    parts = _with_text_of_changed_routes(client, parts, matching, part_of, options["concurrency"])
    plans = [*(part.own[0] for part in parts), *objects.present]
    plans = possible_plans(plans, matching, held_hostports, is_purged, _names_kept(objects))
    of_objects = plans[len(parts) :]
    parts = [replace(part, own=[plan]) for part, plan in zip(parts, plans)]
    for wire in matching.undeclared():
        if is_purged(wire):
            parts.append(EstatePart([_purge_of(client, wire, is_purged)]))
        else:
            rest.append(_undeclared_edge(wire, OUTSIDE if "edges" in purge else NOT_PURGED.format("HTTPS edges")))
    return parts, rest, of_objects


def _names_kept(objects: NamedObjects) -> dict[Name, str]:
    """Return the hostports of the live edges that keep theirs, of the kinds that are objects, with their subjects."""
    plans = [plan for plan in [*objects.present, *objects.absent] if plan.before]
    changed = {plan.before["id"] for plan in plans if plan.before and (plan.claims is not None or plan.after is None)}
    kept: dict[Name, str] = {}
    for collection in EDGES:
        of_plans = [
            plan.before[RESPONSE] for plan in plans if plan.before and plan.target.collection == f"/{collection}"
        ]
        for wire in [*of_plans, *(objects.listed(collection, ()) or ())]:
            names = host_keys(wire.get("hostports")) if wire.get("id") not in changed else ()
            kept.update({("hostports", name): f"object {collection} ({wire.get('id')})" for name in names})
    return kept


def _is_in(scope: PurgeScope, wire: dict[str, Any]) -> bool:
    try:
        return scope.includes(field_of(wire, "hostports"), field_of(wire, "metadata"))
    except UnexpectedResponse:
        return not scope.is_limited


def _undeclared_edge(wire: dict[str, Any], why: str) -> Remainder:
    try:
        state = state_of(wire)
    except IngressError as error:
        return NotExamined(edge_subject({}, {"id": wire.get("id"), "hostports": []}), str(error))
    return Undeclared(Target(edge_name({}, state), HTTPS_EDGE), "https_edges", why, state or {})


def _with_text_of_changed_routes(
    client: Client,
    parts: Sequence[EstatePart],
    matching: Matching,
    part_of: Callable[[int, Callable[[], Any]], EstatePart],
    concurrency: int,
) -> list[EstatePart]:
    """Plan the edges again whose routes a PATCH changes, if the list leaves out strings that the PATCH contains."""
    is_whole = wholeness(HTTPS_EDGE)
    changed = [
        number
        for number, part in enumerate(parts)
        if any(one.method == "PATCH" for plan in part.routes for one in plan.operations)
        and not is_whole(matching.live(number))
    ]

    def again(number: int) -> EstatePart:
        def read() -> Any:
            return whole_edge(client, matching.live(number))

        return part_of(number, read)

    by_number = dict(zip(changed, run_in_parallel(again, changed, concurrency)))
    return [by_number.get(number, part) for number, part in enumerate(parts)]


def _declared_part(
    client: Client,
    declared: Sequence[Options],
    matching: Matching,
    how: Mapping[str, bool],
    names: NameRule,
    number: int,
    read: Callable[[], Any] | None = None,
) -> EstatePart:
    """Return the plans of a declared edge with its routes; `read` reads it, if the list is not sufficient."""
    edge, option = declared[number], f"https_edges[{number}]"
    target = Target(edge_name(edge, None), HTTPS_EDGE, key=option)
    claims = declared_names(HTTPS_EDGE, edge)
    try:
        wire = read() if read else matching.live(number)
    except IngressError as error:
        own = replace(Plan(target, error=error), claims=claims)
        return EstatePart([own], _routes_without_edge(edge, option), option=option)

    def plans(live: Any, others: Sequence[dict[str, Any]] = ()) -> list[Plan]:
        # Routes are read when they are planned, so that an error in one of them does not prevent the edge.
        bare = None if live is None else {**live, "routes": None}
        allowed = {name: how[name] for name in ("purge_modules", "allow_empty")}
        return [planned(lambda: edge_plan(bare, edge, option, others, names=names, **allowed), target)]

    def again(_ids: Ids) -> list[Plan]:
        if wire is not None:
            return plans(read_edge(client, wire["id"]))
        wires, _rest = _load_edges(client, [edge], False, 1)
        # Later, it cannot be the live edge of another declared one.
        known = matching.matched_ids()
        found = edge_matching([one for one in wires if str(one.get("id")) not in known], [edge])
        return plans(found.live(0), found.undeclared())

    [made] = plans(wire, matching.undeclared() if wire is None else ())
    own = replace(made, again=again, claims=claims)
    routes, rest = _routes(client, edge, option, wire, own, how)
    return EstatePart([own], routes, [*undeclared_modules(own, option), *rest], option)


def _routes(
    client: Client, edge: Options, option: str, wire: Any, own: Plan, how: Mapping[str, bool]
) -> tuple[list[Plan], list[Remainder]]:
    """Return the plans of the routes of an edge, and what they leave. Only if it declares routes, they are purged."""
    declared, place = edge["routes"], f"{option}.routes"
    name = edge_label(edge) if own.before is None else joined_hostports(edge)
    if own.after is None:
        return _routes_without_edge(edge, option), []

    def plans_of(routes: RoutesOfEdge) -> list[Plan]:
        return routes.plans(declared, option=place, **how)

    def again(ids: Ids) -> list[Plan]:
        planned_id = own.after["id"] if own.after else ""
        return plans_of(routes_of(client, ids.get(planned_id, planned_id), name, option))

    try:
        routes = RoutesOfEdge(wire, own.after["id"], name, option)
        if declared is None:
            return [], routes.all_undeclared(place)
        plans = plans_of(routes)
    except IngressError as error:
        target = Target(f"routes of {own.subject}", HTTPS_EDGE_ROUTE, (option, "routes"), parent=option, is_part=True)
        return (
            ([], [NotExamined(target.subject, str(error))]) if declared is None else ([Plan(target, error=error)], [])
        )
    return [replace(plan, again=again) for plan in plans], routes.rest(declared, plans, place, purge=how["purge"])


def _routes_without_edge(edge: Options, option: str) -> list[Plan]:
    """Return plans in place of those for the declared routes of an unknown edge."""
    name = joined_hostports(edge) or edge["id"] or edge_label(edge)
    routes = [{**route, "id": None} for route in edge["routes"] or ()]  # Whether these exist is not known.
    return RoutesOfEdge(None, placeholder(EDGE_PREFIX), name, option).plans(routes)


def _purge_of(client: Client, wire: dict[str, Any], is_purged: Callable[[dict[str, Any]], bool]) -> Plan:
    edge_id = wire.get("id")
    target = Target(edge_name({}, state_of(wire)), HTTPS_EDGE, key=edge_id, option="https_edges")

    def purge(live: Any) -> Plan:
        if live is not None and not is_purged(live):
            raise ChangeWithheld(f"{edge_subject({}, state_of(live))} has left `purge_scope` in the meantime.")
        current = state_of(live)
        return plan_absent(replace(target, path=edge_path(current["id"]) if current else ""), current, PURGED)

    def again(_ids: Ids) -> list[Plan]:
        return [planned_purge(lambda: purge(read_edge(client, str(edge_id))), target)]

    return replace(planned_purge(lambda: purge(wire), target), again=again)


def _load_edges(
    client: Client,
    declared: Sequence[Options] | None,
    purge: bool,
    concurrency: int,
    scope: PurgeScope = PurgeScope(),  # noqa: B008
) -> tuple[list[dict[str, Any]], list[Remainder]]:
    """Read the edges: with one list, or by their IDs if the service has no list or there are few of them.

    The second value says which edges were not read, if any.
    """
    if declared is None:
        return [], [NotExamined(_ALL, "https_edges is not declared")]
    fields = compared_fields([*declared, *({"metadata": one} for one in [scope.metadata])])
    ids = [edge["id"] for edge in declared if edge["id"]]
    all_by_id = len(ids) == len(declared) and not purge
    why = "all declared edges have an `id`" if declared else "no edge is declared"
    if not all_by_id or len(ids) > 1:
        if all(edge["find_by"] == "none" and not edge["id"] for edge in declared) and not purge:
            return [], [NotExamined(_ALL, "no declared edge is looked up")]
        try:
            new = [{"id": one} for one in ids if is_placeholder(one)]
            return [*listed_edges(client, fields, concurrency), *new], []
        except NotSupported:
            if not all_by_id:
                raise
            why = "the service does not support listing HTTPS edges"
    wires = run_in_parallel(lambda one: read_edge(client, one), ids, concurrency)
    return [wire for wire in wires if wire is not None], [NotExamined(_OTHERS, why)]
