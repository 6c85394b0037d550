# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes of one edge, and the plans for those that are declared."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .._definition import Options
from .._errors import IngressError, Missing, UnexpectedType, reading
from .._model.schema import HTTPS_EDGE_ROUTE, ROUTE_PREFIX
from .._planning.changes import ABSENT, PURGED, plan_absent, plan_present
from .._planning.matching import DeclaredObject, LiveObject, Matching
from .._planning.object_names import route_name, route_subject
from .._planning.placeholders import is_placeholder, placeholder
from .._planning.plan import Plan, State, Target, planned, planned_purge
from .._planning.undeclared import (
    NOT_PURGED,
    NotExamined,
    Remainder,
    undeclared_modules,
    undeclared_object,
)
from .._planning.unique_names import declared_names
from .._transport.addresses import path_of
from .._transport.client import Client
from .https_edge import edge_path, field_of, read_edge

Key = tuple[Any, ...]


def declared_key(options: Mapping[str, Any]) -> Key:
    """Return what distinguishes a declared route from the others of its edge."""
    return (options["id"],) if options.get("id") else (options.get("match_type") or "", options.get("match") or "")


class RoutesOfEdge:
    """The routes of an edge, as the service returns them in `edge` (None for an edge that does not exist).

    Raises UnexpectedResponse for routes of an unexpected type: a route that cannot be read does not count as missing.
    """

    def __init__(self, edge: Any, edge_id: str, declared_as: str = "", parent: Hashable = None) -> None:
        self.edge_id, self._parent = edge_id, parent or edge_id
        hostports = field_of(edge, "hostports") if isinstance(edge, dict) else []
        self._edge_name = ", ".join(hostports) or declared_as or ("" if is_placeholder(edge_id) else edge_id)
        with reading(edge_path(edge_id)):
            self._wires = _routes_in(edge if isinstance(edge, dict) else {})

    def plans(self, declared: Sequence[Options], *, purge: bool = False, option: str = "", **how: bool) -> list[Plan]:
        """Return the plans for the declared routes and, with `purge`, for those that are deleted as undeclared.

        `option` is the list that declares the routes, `how` is passed on to `_present`.
        """
        matching = self._matched(declared, purge)
        plans = [
            planned(
                lambda options=options, number=number: self._present(options, matching, number, **how),  # type: ignore[misc]
                self._target(options, declared_key(options)),
            )
            for number, options in enumerate(declared)
        ]
        plans = [
            self._failed(plan, options, matching, number) if plan.error else plan
            for number, (plan, options) in enumerate(zip(plans, declared))
        ]
        return [*plans, *(self._purges(matching.undeclared(), option) if purge else ())]

    def rest(
        self, declared: Sequence[Options], plans: Sequence[Plan], option: str, *, purge: bool = False
    ) -> list[Remainder]:
        """Return what the `plans` of these routes leave undeclared."""
        rest: list[Remainder] = []
        for number, plan in enumerate(plans[: len(declared)]):
            rest += undeclared_modules(plan, f"{option}[{number}]")
        if not purge:
            undeclared = self._matched(declared, purge).undeclared()
            rest += self._undeclared(undeclared, option, NOT_PURGED.format("routes"))
        return rest

    def all_undeclared(self, option: str) -> list[Remainder]:
        """Return all routes, for a task that does not declare `option`, the list of routes."""
        return list(self._undeclared(range(len(self._wires)), option, f"{option} is not declared"))

    def _undeclared(self, positions: Sequence[int], option: str, why: str) -> Iterator[Remainder]:
        for wire in (self._wires[position] for position in positions):
            try:
                state = self._read(wire)
            except IngressError as error:
                yield NotExamined(route_subject(wire, self._edge_name), str(error))
            else:
                yield undeclared_object(Target(self._name(state), HTTPS_EDGE_ROUTE), state, option, why)

    def absent(self, options: Options) -> Plan:
        current = self._live(options, self._matching([options]), 0)
        return plan_absent(self._live_target(options, current), current, ABSENT)

    def _matched(self, declared: Sequence[Options], purge: bool) -> Matching:
        matching = self._matching(declared)
        if purge:
            matching.match_by_likeness([wire.get("match") for wire in self._wires])
        return matching

    def _matching(self, declared: Sequence[Options]) -> Matching:
        return Matching(
            HTTPS_EDGE_ROUTE,
            [LiveObject(str(wire.get("id")), _keys_of(wire)) for wire in self._wires],
            [_declared(options) for options in declared],
            lambda number: declared_names(HTTPS_EDGE_ROUTE, declared[number]),
            f" of edge {self.edge_id}",
        )

    def _failed(self, plan: Plan, options: Options, matching: Matching, number: int) -> Plan:
        """Return the plan of a route that failed, with what is known of it."""
        try:
            current = self._live(options, matching, number)
        except IngressError:
            current = None
        return replace(plan, before=current, claims=declared_names(HTTPS_EDGE_ROUTE, options))

    def _present(
        self,
        options: Options,
        matching: Matching,
        number: int,
        resend_secrets: bool = False,
        purge_modules: bool = False,
    ) -> Plan:
        current = self._live(options, matching, number)
        if current is None and options["id"]:
            raise Missing(
                f"Edge {self.edge_id} has no route {options['id']}. To create a route, omit `id`; the service assigns "
                "one."
            )
        return plan_present(
            self._live_target(options, current),
            current,
            options,
            absent_modules=options["absent_modules"],
            purge_modules=options["purge_modules"] or purge_modules,
            resend_secrets=resend_secrets,
        )

    def _purges(self, undeclared: Sequence[int], option: str) -> Iterator[Plan]:
        for wire in (self._wires[live] for live in undeclared):
            target = replace(self._target(wire, (str(wire.get("id")),)), option=option)
            yield planned_purge(lambda wire=wire, target=target: self._purge(wire, target), target)  # type: ignore[misc]

    def _purge(self, wire: dict[str, Any], target: Target) -> Plan:
        current = self._read(wire)
        return plan_absent(replace(target, name=self._name(current), path=self._path(current)), current, PURGED)

    def _live(self, options: Options, matching: Matching, number: int) -> State | None:
        """Return the live state of a declared route. Raise Ambiguous if it is not known which one that is."""
        if is_placeholder(options["id"]):
            return self._read({name: options[name] for name in ("id", "match_type", "match")})
        live = matching.live(number)
        return None if live is None else self._read(self._wires[live])

    def _read(self, wire: Any) -> State:
        with reading(self._path(wire)):
            return {**HTTPS_EDGE_ROUTE.read(wire, ""), "edge_id": self.edge_id}

    def _target(self, route: Mapping[str, Any], key: Key) -> Target:
        """Return a route that is not read yet as the target of a plan that fails."""
        return Target(self._name(route), HTTPS_EDGE_ROUTE, (self._parent, *key), parent=self._parent)

    def _live_target(self, options: Options, current: State | None) -> Target:
        return Target(
            self._name(current or options),
            HTTPS_EDGE_ROUTE,
            (self._parent, *declared_key(options)),
            parent=self._parent,
            path=self._path(current),
            collection=path_of("edges", "https", self.edge_id, "routes"),
            identity={"id": placeholder(ROUTE_PREFIX), "edge_id": self.edge_id},
        )

    def _name(self, route: Mapping[str, Any]) -> str:
        return route_name(route, self._edge_name)

    def _path(self, route: Mapping[str, Any] | None) -> str:
        return path_of("edges", "https", self.edge_id, "routes", route.get("id")) if route else ""


def _keys_of(wire: Mapping[str, Any]) -> tuple[Key, Key]:
    return (str(wire.get("id")),), (wire.get("match_type"), wire.get("match"))


def _declared(options: Options) -> DeclaredObject:
    if options["id"]:
        return DeclaredObject((declared_key(options),))
    return DeclaredObject((declared_key(options),), ("match_type", "match"), likeness=options["match"])


def _routes_in(edge: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the routes in the response for an edge, each once. Raise UnexpectedType."""
    routes = edge.get("routes")
    if routes is None:
        return []
    if not isinstance(routes, list):
        raise UnexpectedType("routes", "a list", routes)
    by_id: dict[Any, dict[str, Any]] = {}
    for number, route in enumerate(routes):
        if not isinstance(route, dict):
            raise UnexpectedType(f"routes[{number}]", "an object", route)
        for name in ("match_type", "match"):
            if not isinstance(route.get(name), (str, type(None))):
                raise UnexpectedType(f"routes[{number}].{name}", "a string", route[name])
        identifier = route.get("id")
        by_id.setdefault(identifier if isinstance(identifier, str) else number, route)
    return list(by_id.values())


def routes_of(client: Client, edge_id: str, declared_as: str = "", parent: Hashable = None) -> RoutesOfEdge:
    """Return the routes of an edge, read from the service. Raise Missing if the edge does not exist."""
    edge = read_edge(client, edge_id)
    if edge is None:
        raise Missing(f"https_edge_route: HTTPS edge {edge_id} does not exist. Check `edge_id`.")
    return RoutesOfEdge(edge, edge_id, declared_as, parent)
