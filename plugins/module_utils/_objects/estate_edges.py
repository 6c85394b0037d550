# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of an estate, of which the edges with their routes are read once and planned together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from .._applying.parallel import run_in_parallel
from .._definition import Client, Options
from .._errors import ChangeWithheld, IngressError, NotSupported, UnexpectedResponse
from .._model.free_form import RESPONSE
from .._model.references import wholeness
from .._model.schema import EDGE_PREFIX, HTTPS_EDGE, HTTPS_EDGE_ROUTE
from .._planning.changes import PURGED, plan_absent
from .._planning.object_names import edge_label, edge_name, edge_subject, joined_hostports
from .._planning.plan import Ids, Name, Plan, Target, planned
from .._planning.purge_scope import OUTSIDE, PurgeScope
from .._planning.undeclared import NOT_PURGED, NotExamined, Remainder, Surrounding, Undeclared, undeclared_modules
from .._planning.unique_names import EDGES, declared_names, possible_plans
from .._values.hostports import host_keys
from .._values.identifiers import is_placeholder, placeholder
from . import https_edges
from .collection_of_objects import Wire, identifier_of
from .common_options import how_of
from .named_objects import NamedObjects
from .routes_of_edge import RoutesOfEdge, open_route, routes_of

UNREAD_EDGES = _ALL, _OTHERS = ("HTTPS edges", "other HTTPS edges")
"""What a task calls the edges that it has not listed."""

WITHOUT_LIST = [
    NotExamined(f"other {kind}", f"the API reference defines no list of {kind}")
    for kind in ("TLS edges", "event subscriptions")
]


@dataclass(frozen=True)
class EstatePart:
    """The plans of an object that the estate declares, or purges.

    `own` are those of an edge itself, of the traffic modules of a TLS edge, or of the sources of a subscription;
    `routes` are those of an edge. `rest` is what they leave undeclared, `option` the place in the declaration.
    """

    own: Sequence[Plan]
    routes: Sequence[Plan] = ()
    rest: Sequence[Remainder] = ()
    option: str = ""

    @property
    def plans(self) -> list[Plan]:
        return [*self.own, *self.routes]

    @property
    def declared_in(self) -> str:
        """The list that declares it; empty for an HTTPS edge that is purged."""
        return self.option.partition("[")[0]

    def with_plans(self, plans: Iterator[Plan]) -> EstatePart:
        """Return the same part with the next of these plans."""
        own = [next(plans) for _plan in self.own]
        return replace(self, own=own, routes=[next(plans) for _plan in self.routes])


class EstateEdges:
    """The edges that an estate declares, and those that it purges.

    `parts` has one for each declared edge, and then one for each edge that is purged. `rest` is what stays undeclared,
    and `objects` are the plans of the named objects, of which some cannot take the names of edges.
    """

    def __init__(self, client: Client, options: Options, objects: NamedObjects) -> None:
        purge, concurrency = options["purge"], options["concurrency"]
        self._client, self._names, self._concurrency = client, objects.names, concurrency
        self._declared: Sequence[Options] = options["https_edges"] or ()
        self._scope, self._are_purged = PurgeScope(**(options["purge_scope"] or {})), "edges" in purge
        self._how = {"purge_modules": "modules" in purge, "allow_empty": options["allow_empty"]}
        self._how_routes = {**self._how, **how_of(options), "purge": "routes" in purge}
        wires, self.rest = _load_edges(client, options["https_edges"], self._are_purged, concurrency, self._scope)
        self._matching = https_edges.edge_matching(wires, self._declared, self._is_purged)
        parts = self._with_text_of_changed_routes([self._part(number) for number in range(len(self._declared))])
        plans = [*(part.own[0] for part in parts), *objects.present]
        kept, gone = _names_kept(objects), objects.absent
        plans = possible_plans(plans, self._matching, https_edges.held_hostports, self._is_purged, kept, gone)
        self.objects = plans[len(parts) :]
        self.parts = [replace(part, own=[plan]) for part, plan in zip(parts, plans)]
        self._numbers = {part.option: number for number, part in enumerate(parts)}
        why = OUTSIDE if self._are_purged else NOT_PURGED.format("HTTPS edges")
        for wire in self._matching.undeclared():
            if self._is_purged(wire):
                name = edge_name({}, https_edges.state_of(wire))
                target = Target(name, HTTPS_EDGE, key=wire.get("id"), option="https_edges")
                self.parts.append(EstatePart([self._purge(wire, target)]))
            else:
                self.rest += _undeclared_edge(wire, why)

    def again(self, plan: Plan, ids: Ids) -> list[Plan]:
        """Read an edge, or the routes of one, and plan it again. `ids` are those of new edges."""
        if plan.purge and plan.target.parent is None:
            return [self._purge(https_edges.read_edge(self._client, str(plan.key)), plan.target)]
        option = str(plan.target.parent or plan.key)
        number = self._numbers[option]
        edge, own = self._declared[number], self.parts[number].own[0]
        if plan.target.parent is not None:
            edge_id = own.after["id"] if own.after else ""
            routes = routes_of(self._client, ids.get(edge_id, edge_id), _name_in_routes(edge, own), option)
            return routes.plans(edge["routes"], option=f"{option}.routes", **self._how_routes)
        if (wire := self._matching.live(number)) is not None:
            return [self._plan(edge, option, https_edges.read_edge(self._client, wire["id"]))]
        wires, _rest = _load_edges(self._client, [edge], False, 1, PurgeScope())
        # Later, it cannot be the live edge of another declared one.
        known = self._matching.matched_ids()
        found = https_edges.edge_matching([one for one in wires if str(one.get("id")) not in known], [edge])
        return [self._plan(edge, option, found.live(0), found.undeclared())]

    def _is_purged(self, wire: Wire) -> bool:
        if not self._are_purged:
            return False
        try:
            return self._scope.includes(*(https_edges.field_of(wire, name) for name in ("hostports", "metadata")))
        except UnexpectedResponse:
            return self._scope == PurgeScope()

    def _with_text_of_changed_routes(self, parts: Sequence[EstatePart]) -> list[EstatePart]:
        """Plan the edges again whose routes a PATCH changes, if the list leaves out strings that the PATCH contains."""
        is_whole = wholeness(HTTPS_EDGE)
        changed = [
            number
            for number, part in enumerate(parts)
            if any(one.method == "PATCH" for plan in part.routes for one in plan.operations)
            and not is_whole(self._matching.live(number))
        ]
        again = dict(zip(changed, run_in_parallel(partial(self._part, is_read=True), changed, self._concurrency)))
        return [again.get(number, part) for number, part in enumerate(parts)]

    def _part(self, number: int, *, is_read: bool = False) -> EstatePart:
        """Return the plans of a declared edge with its routes. It is read by its ID if the list is not sufficient."""
        edge, option = self._declared[number], f"https_edges[{number}]"
        claims = declared_names(HTTPS_EDGE, edge)
        try:
            wire = self._matching.live(number)
            wire = https_edges.whole_edge(self._client, wire) if is_read else wire
        except IngressError as error:
            own = Plan(Target(edge_name(edge, None), HTTPS_EDGE, key=option), error=error, claims=claims)
            return EstatePart([own], _routes_without_edge(edge, option), option=option)
        # Near misses of hostports are found for all edges together.
        is_checked = wire is None and edge["find_by"] != "hostports"
        own = replace(self._plan(edge, option, wire, self._matching.undeclared() if is_checked else ()), claims=claims)
        routes, rest = self._routes(edge, option, wire, own)
        return EstatePart([own], routes, [*undeclared_modules(own, option), *rest], option)

    def _plan(self, edge: Options, option: str, live: Wire | None, others: Sequence[Wire] = ()) -> Plan:
        # Routes are read when they are planned, so that an error in one of them does not prevent the edge.
        own = None if live is None else {**live, "routes": None}
        target = Target(edge_name(edge, None), HTTPS_EDGE, key=option)
        return planned(lambda: https_edges.edge_plan(own, edge, option, others, names=self._names, **self._how), target)

    def _routes(self, edge: Options, option: str, wire: Wire | None, own: Plan) -> tuple[list[Plan], list[Remainder]]:
        """Return the plans of the routes of an edge, and what they leave. They are purged only if it declares any."""
        if own.after is None:
            return _routes_without_edge(edge, option), []
        declared, place = edge["routes"], f"{option}.routes"
        try:
            routes = RoutesOfEdge(wire, own.after["id"], _name_in_routes(edge, own), option)
            plans = [] if declared is None else routes.plans(declared, option=place, **self._how_routes)
        except IngressError as error:
            name = f"routes of {own.subject}"
            target = Target(name, HTTPS_EDGE_ROUTE, (option, "routes"), parent=option, is_part=True)
            if declared is None:
                return [], [NotExamined(target.subject, str(error), counts=True)]
            return [Plan(target, error=error)], [Surrounding(HTTPS_EDGE_ROUTE.name, open_route(own.after["id"]))]
        return plans, routes.rest(plans, place, purge=self._how_routes["purge"])

    def _purge(self, wire: Wire | None, target: Target) -> Plan:
        def purge() -> Plan:
            current = https_edges.state_of(wire)
            if wire is not None and not self._is_purged(wire):
                raise ChangeWithheld(f"{edge_subject({}, current)} has left `purge_scope` in the meantime.")
            path = https_edges.edge_path(current["id"]) if current else ""
            return plan_absent(replace(target, path=path), current, PURGED)

        return planned(purge, target, purge=True)


def _name_in_routes(edge: Options, own: Plan) -> str:
    return edge_label(edge) if own.before is None else joined_hostports(edge)


def _routes_without_edge(edge: Options, option: str) -> list[Plan]:
    """Return plans in place of those for the declared routes of an unknown edge."""
    name = joined_hostports(edge) or edge["id"] or edge_label(edge)
    routes = [{**route, "id": None} for route in edge["routes"] or ()]  # Whether these exist is not known.
    return RoutesOfEdge(None, placeholder(EDGE_PREFIX), name, option).plans(routes)


def _names_kept(objects: NamedObjects) -> dict[Name, str]:
    """Return the hostports of the live edges that keep theirs, of the kinds that are objects, with their subjects."""
    plans = [plan for plan in [*objects.present, *objects.absent] if plan.before]
    changed = {plan.before["id"] for plan in plans if plan.before and (plan.claims is not None or plan.after is None)}
    kept: dict[Name, str] = {}
    for collection in EDGES:
        own = [plan.before[RESPONSE] for plan in plans if plan.before and plan.target.collection == f"/{collection}"]
        for wire in [*own, *(objects.listed(collection, ()) or ())]:
            names = host_keys(wire.get("hostports")) if identifier_of(wire) not in changed else ()
            kept.update({("hostports", name): f"object {collection} ({wire.get('id')})" for name in names})
    return kept


def _undeclared_edge(wire: Wire, why: str) -> list[Remainder]:
    """Return an edge that is not declared. One that cannot be read counts as open to everybody on its hostports."""
    try:
        state = https_edges.state_of(wire) or {}
        return [Undeclared(Target(edge_name({}, state), HTTPS_EDGE, option="https_edges"), why, state)]
    except IngressError as error:
        subject = edge_subject({}, {"id": wire.get("id"), "hostports": []})
        rest: list[Remainder] = [NotExamined(subject, str(error), counts=True)]
    with suppress(IngressError):
        state = https_edges.state_of({name: wire.get(name) for name in ("id", "hostports")}) or {}
        rest.append(Surrounding(HTTPS_EDGE.name, {**state, "routes": [open_route(state["id"])]}))
    return rest


def _load_edges(
    client: Client, declared: Sequence[Options] | None, purge: bool, concurrency: int, scope: PurgeScope
) -> tuple[list[Wire], list[Remainder]]:
    """Read the edges: with one list, or by their IDs if the service has no list or there are few of them.

    The second value says which edges were not read, if any.
    """
    if declared is None:
        return [], [NotExamined(_ALL, "https_edges is not declared")]
    fields = https_edges.compared_fields([*declared, {"metadata": scope.metadata}])
    ids = [edge["id"] for edge in declared if edge["id"]]
    all_by_id = len(ids) == len(declared) and not purge
    why = "all declared edges have an `id`" if declared else "no edge is declared"
    if not all_by_id or len(ids) > 1:
        if all(edge["find_by"] == "none" and not edge["id"] for edge in declared) and not purge:
            return [], [NotExamined(_ALL, "no declared edge is looked up")]
        try:
            new = [{"id": one} for one in ids if is_placeholder(one)]
            return [*https_edges.listed_edges(client, fields, concurrency), *new], []
        except NotSupported:
            if not all_by_id:
                raise
            why = "the service does not support listing HTTPS edges"
    wires = run_in_parallel(lambda one: https_edges.read_edge(client, one), ids, concurrency)
    return [wire for wire in wires if wire is not None], [NotExamined(_OTHERS, why)]
