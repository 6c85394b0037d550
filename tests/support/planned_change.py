# SPDX-License-Identifier: GPL-3.0-or-later
"""A change of a smallest account, planned by the planner as an estate plans it, with a service that only stores."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any, cast

from ansible_collections.edgeops.ingress.plugins.module_utils._applying.carry_out import Task
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import (
    Ambiguous,
    IngressError,
    Request,
    UnexpectedResponse,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE
from ansible_collections.edgeops.ingress.plugins.module_utils._objects.any_object import object_plan, provisional_id
from ansible_collections.edgeops.ingress.plugins.module_utils._objects.https_edges import (
    edge_plan,
    edge_target,
    state_of,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._objects.routes_of_edge import RoutesOfEdge
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.changes import PURGED, plan_absent
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.given_up_names import NameRule
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Operation, Plan, is_unclear
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.rejected_changes import without_used
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.unique_names import own_names
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.client import Client
from smallest_accounts import BACKEND, EDGE, POLICY, ROUTE, RULE, SPLIT, Account, Smallest

COLLECTIONS = {POLICY: "ip_policies", RULE: "ip_policy_rules", BACKEND: "backends/static", SPLIT: "backends/weighted"}
REFS = {
    "backend_id": "backend",
    "ip_policy_id": "ip_policy",
    "ip_policy_ids": "ip_policies",
    "certificate_authority_ids": "certificate_authorities",
}
"""Where a response has what a request contains as IDs."""

NAMES = NameRule(is_purging=True, permission="", allow_empty=True)
_BARE = {"id": None, "absent_modules": [], "purge_modules": True}
OWN = {
    kind.name: {**dict.fromkeys(field.name for field in kind.declarable), **_BARE}
    for kind in (HTTPS_EDGE, HTTPS_EDGE_ROUTE)
}
"""The options of an edge or a route that declares nothing, and removes every module."""

UNREAD = UnexpectedResponse("nothing.", Request("GET", "/"))
UNCLEAR = Ambiguous("Several match.", [])

Held = tuple[str | None, ...]
"""What a service holds: the state of each object as JSON."""

MOST_TASKS = 512
"""So many are remembered. More would take more time than planning them again."""


@dataclass(frozen=True, eq=False)
class Planned:
    """A plan, and the number of the place that it is about. What is planned once is the same object."""

    place: int
    plan: Plan


class Change:
    """The plans of a change in the order of the task, and the number of the place that each of them is about."""

    def __init__(self, task: Task, places: Sequence[int], before: Held, after: Held) -> None:
        self.task, self.places, self.before, self.after = task, places, before, after
        self.steps = [self._steps(position) for position in range(len(places))]

    @cached_property
    def is_unclear(self) -> bool:
        """Whether nobody knows what an object is."""
        return any(is_unclear(plan) for plan in self.task.graph.plans)

    def _steps(self, position: int) -> list[str | None]:
        """The states of an object before and after each operation of its plan."""
        states = [self.before[self.places[position]]]
        for operation in self.task.graph.plans[position].operations:
            states.append(stored(states[-1], operation))
        return states

    def state(self, done: Sequence[int]) -> Held:
        """What the service holds when each plan has executed so many operations."""
        held = list(self.before)
        for place, steps, number in zip(self.places, self.steps, done, strict=True):
            held[place] = steps[number]
        return tuple(held)


def stored(state: str | None, operation: Operation) -> str | None:
    if operation.method == "DELETE" and operation.removed_module is None:
        return None
    fields = json.loads(state) if state else {}
    fields.update({operation.removed_module: None} if operation.removed_module else operation.body)
    return as_json(fields)


def as_json(fields: Mapping[str, Any]) -> str:
    return json.dumps({name: value for name, value in fields.items() if value is not None}, sort_keys=True)


def renamed(state: str, names: Mapping[str, str]) -> str:
    for own, other in names.items():
        state = state.replace(json.dumps(own), json.dumps(other))
    return state


class Planner:
    """Plans the changes of an account. What is the same in several changes is planned once."""

    def __init__(self, account: Smallest) -> None:
        self._account, self._places = account, account.places
        self._edge_plan = cache(self._plan_of_edge)
        self._edge_purge = cache(self._plan_of_edge_purge)
        self._route_plan = cache(self._plan_of_route)
        self._object_plan = cache(self._plan_of_object)
        self._failed = cache(self._plan_that_failed)
        self._failures: list[Planned] = []
        self._task = lru_cache(MOST_TASKS)(self._task_of)
        self._held = cache(self._held_by)
        policies = [place.name for place in self._places if place.kind == POLICY]
        self._placeholders = {one: provisional_id(self._options(POLICY, one, None)) for one in policies}

    def change(
        self, before: Account, after: Account, unread: int | None = None, error: IngressError = UNREAD
    ) -> Change:
        """The change; with the `error` in place of the plan of the object whose place is `unread`."""
        then = self._held(before, frozenset())
        is_new = {place.name for place, state in zip(self._places, then, strict=True) if state is None}
        now = self._held(after, frozenset(self._placeholders.keys() & is_new))
        edges, purges = self._edges(then, now)
        objects = [number for number, place in enumerate(self._places) if place.kind in COLLECTIONS]
        present = [self._object_plan(one, then[one], now[one]) for one in objects if now[one]]
        absent = [self._object_plan(one, then[one], None) for one in objects[::-1] if then[one] and not now[one]]
        planned = [*present, *edges, *purges, *absent]
        if unread is not None:
            is_known = error is UNREAD or self._places[unread].kind == ROUTE
            fails = [unread in self._needed(one.place) for one in planned]
            planned = [
                self._failed(one, error, is_known) if no else one for one, no in zip(planned, fails, strict=True)
            ]
        rules = tuple((one, then[one]) for one in objects if self._places[one].kind == RULE and then[one])
        return Change(self._task(tuple(planned), rules), [one.place for one in planned], then, now)

    def _task_of(self, planned: Sequence[Planned], rules: Sequence[tuple[int, str | None]]) -> Task:
        plans = without_used([one.plan for one in planned], [])
        wire = [self._wire(*rule) for rule in rules]
        return Task(cast(Client, None), plans, ip_rules=wire if self._account.knows_rules else None)

    def _needed(self, place: int) -> list[int]:
        """The places of an object and of its edge: without this one, it cannot be planned."""
        return [place, *(one for one, edge in enumerate(self._places) if edge.name == self._places[place].edge)]

    def _plan_that_failed(self, planned: Planned, error: IngressError, is_known: bool) -> Planned:
        """The plan of an object that is declared by its ID, and whose GET fails, or that may be several, or new; or of
        an edge or a route that is declared in a way that cannot be planned, and may not be known, either."""
        plan, place = planned.plan, self._places[planned.place]
        if place.kind in COLLECTIONS:
            target = replace(plan.target, identity={"id": place.name}) if plan.before else plan.target
            failed = Plan(target, desired=plan.desired, error=error)
        else:
            claims = frozenset(own_names(plan.kind, plan.after)) if plan.after else None
            failed = Plan(plan.target, plan.before if is_known else None, error=error, claims=claims)
        # Little is left of what was declared, so many are alike, and so are the tasks with them.
        alike = [one for one in self._failures if one.place == planned.place and one.plan == failed]
        self._failures += [] if alike else [Planned(planned.place, failed)]
        return alike[0] if alike else self._failures[-1]

    def as_service(self, held: Held) -> dict[str, Any]:
        """What a service holds; new IP policies have the same IDs as others."""
        names = {placeholder: own for own, placeholder in self._placeholders.items()}
        found: dict[str, Any] = {kind: [] for kind in (EDGE, ROUTE, *COLLECTIONS)}
        for place, state in zip(self._places, held, strict=True):
            if state is not None:
                found[place.kind].append({**json.loads(renamed(state, names)), "id": place.name, "edge": place.edge})
        routes = found[ROUTE]
        edges = [{**one, "routes": [own for own in routes if own["edge"] == one["id"]]} for one in found[EDGE]]
        return {"https_edges": edges, "objects": {COLLECTIONS[kind]: found[kind] for kind in COLLECTIONS}}

    def _held_by(self, account: Account, new: Collection[str]) -> Held:
        """What the account holds, with the IDs of IP policies that do not exist yet."""
        names = {one: self._placeholders[one] for one in new}
        return tuple(state and renamed(as_json(state), names) for state in self._account.of(account))

    def _edges(self, then: Held, now: Held) -> tuple[list[Planned], list[Planned]]:
        """The plans of edges with their routes, and those of the edges that are purged."""
        edges: list[Planned] = []
        purges: list[Planned] = []
        for edge, place in enumerate(self._places):
            own = [one for one, route in enumerate(self._places) if place.kind == EDGE and route.edge == place.name]
            if place.kind != EDGE or not (then[edge] or now[edge]):
                continue
            if now[edge] is None:
                purges.append(self._edge_purge(edge, then[edge], tuple((one, then[one]) for one in own)))
                continue
            edges.append(self._edge_plan(edge, then[edge], now[edge]))
            key = edges[-1].plan.after["id"], edge  # type: ignore[index]
            routes = [self._route_plan(one, *key, then[one], now[one]) for one in own if then[one] or now[one]]
            edges += sorted(routes, key=lambda planned: planned.plan.purge)
        return edges, purges

    def _plan_of_edge(self, number: int, then: str | None, now: str) -> Planned:
        wire = then and {**self._wire(number, then), "routes": None}
        how = {"id": self._places[number].name if then else None, "find_by": "none"}
        options = {**OWN[HTTPS_EDGE.name], **json.loads(now), **how}
        where = f"https_edges[{number}]"
        return Planned(number, edge_plan(wire, options, where, purge_modules=True, allow_empty=True, names=NAMES))

    def _plan_of_edge_purge(self, number: int, then: str, routes: Sequence[tuple[int, str | None]]) -> Planned:
        wire = {**self._wire(number, then), "routes": [self._wire(*one) for one in routes if one[1]]}
        current = state_of(wire)
        target = replace(edge_target({"id": wire["id"]}, current, wire["id"]), option="https_edges")
        return Planned(number, plan_absent(target, current, PURGED))

    def _plan_of_route(self, number: int, edge_id: str, edge: int, then: str | None, now: str | None) -> Planned:
        wire = {"id": edge_id, "hostports": [], "routes": [self._wire(number, then)] if then else []}
        routes = RoutesOfEdge(wire, edge_id, self._places[edge].name, f"https_edges[{edge}]")
        declared = [{**OWN[HTTPS_EDGE_ROUTE.name], **json.loads(now)}] if now else []
        plans = routes.plans(declared, purge=True, option=f"https_edges[{edge}].routes", allow_empty=True)
        return Planned(number, plans[0])

    def _plan_of_object(self, number: int, then: str | None, now: str | None) -> Planned:
        place = self._places[number]
        options = self._options(place.kind, place.name, now, then)
        return Planned(number, object_plan(then and self._wire(number, then), options, (place.name,)))

    def _options(self, kind: str, name: str, now: str | None, then: str | None = None) -> dict[str, Any]:
        body = json.loads(now or then or "{}")
        lists: dict[str, Any] = {"create_only": None, "write_only": None, "unordered": [], "always_send": []}
        find_by = {"description": name} if kind == POLICY else {} if kind in (BACKEND, SPLIT) else body
        state = "absent" if then and not now else "present"
        own = {"name": name, "collection": COLLECTIONS[kind], "id": None, "find_by": find_by, "body": body}
        return {**own, **lists, "update_method": "PATCH", "state": state}

    def _wire(self, number: int, state: str | None) -> dict[str, Any]:
        return {"id": self._places[number].name, **_as_response(json.loads(state or "{}"))}


def _as_response(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    found = {}
    for name, member in value.items():
        ids = [{"id": one} for one in member] if isinstance(member, list) else {"id": member}
        found[REFS.get(name, name)] = ids if name in REFS else _as_response(member)
    return found
