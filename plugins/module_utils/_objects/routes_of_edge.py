# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes of one edge, their options, and the plans for those that are declared."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from .._definition import Client, Options
from .._errors import IngressError, Missing, UnexpectedType, reading
from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE, ROUTE_MODULES, ROUTE_PREFIX
from .._planning.changes import PURGED, plan_absent, plan_present, restricted
from .._planning.matching import DeclaredObject, LiveObject, Matching
from .._planning.object_names import joined, route_name, route_subject
from .._planning.plan import Name, Plan, State, Target, planned
from .._planning.undeclared import NOT_PURGED, NotExamined, Remainder, Surrounding, Undeclared, undeclared_modules
from .._planning.unique_names import certain_names, declared_names, possible_plans
from .._transport.addresses import path_of
from .._values.identifiers import is_placeholder, placeholder
from .._values.option_error import OptionError, OptionErrors, join, list_of, with_paths
from .collection_of_objects import Wire
from .common_options import duplicate_errors, identifier_errors, module_errors, module_options
from .https_edges import edge_path, read_edge

Key = tuple[Any, ...]


def declared_key(options: Mapping[str, Any]) -> Key:
    """Return what distinguishes a declared route from the others of its edge."""
    return (options["id"],) if options.get("id") else (options.get("match_type") or "", options.get("match") or "")


MEMBER_OPTIONS = {"id": {"type": "str"}, **HTTPS_EDGE_ROUTE.options(), **module_options(ROUTE_MODULES)}
"""The options of one route, in a task of its own or in a list."""


def route_errors(options: Options, check_mode: bool, path: str = "") -> OptionErrors:
    yield from identifier_errors(options, "id", ROUTE_PREFIX, check_mode, path)
    yield from HTTPS_EDGE_ROUTE.option_errors(options, path)
    yield from module_errors(options, ROUTE_MODULES, path)
    if not options.get("id"):
        for name in ("match_type", "match"):
            if not options.get(name):
                advice = "set both `match_type` and `match`"
                yield OptionError(join(path, name), f"required if `id` is not set; {advice}", (join(path, "id"),))


ROUTES: dict[str, Any] = {"type": "list", "elements": "dict", "options": MEMBER_OPTIONS}


def routes_errors(routes: Any, check_mode: bool, path: str) -> OptionErrors:
    for where, route in with_paths(routes, path):
        yield from route_errors(route, check_mode, where)
    yield from duplicate_errors([declared_key(route) for route in list_of(routes)], path)


class RoutesOfEdge:
    """The routes of an edge, as the service returns them in `edge` (None for an edge that does not exist).

    Raises UnexpectedResponse for routes of an unexpected type: a route that cannot be read does not count as missing.
    """

    def __init__(self, edge: Wire | None, edge_id: str, declared_as: str = "", parent: Hashable = None) -> None:
        self.edge_id, self._parent = edge_id, parent or edge_id
        path = edge_path(edge_id)
        self._collection = f"{path}/routes"
        with reading(path):
            # An edge that check mode would create is known by its ID only.
            is_known = edge is not None and not is_placeholder(edge_id)
            self._edge = HTTPS_EDGE.read({**(edge or {}), "routes": None}, "") if is_known else None
            self._wires = _routes_in(edge or {})
        self._edge_name = joined(self._edge["hostports"] if self._edge else ()) or declared_as or edge_id
        self._matching: Matching | None = None

    def plans(self, declared: Sequence[Options], *, purge: bool = False, option: str = "", **how: bool) -> list[Plan]:
        """Return the plans for the declared routes and, with `purge`, for those that are deleted as undeclared.

        `option` is the list that declares the routes, `how` is passed on to `_plan`.
        """
        live = [
            LiveObject(str(wire.get("id")), _keys_of(wire), wire, wire.get("match") if purge else None)
            for wire in self._wires
        ]
        matching = Matching(HTTPS_EDGE_ROUTE, live, [_declared(one) for one in declared], f" of edge {self.edge_id}")
        self._matching = matching
        plans = [self._plan(options, matching, number, **how) for number, options in enumerate(declared)]
        plans = possible_plans(plans, matching, self._held_match, lambda _wire: purge)
        for wire in matching.undeclared() if purge else ():
            target = replace(self._target(wire, (str(wire.get("id")),)), option=option)
            plans.append(planned(partial(self._purge, wire, target), target, purge=True))
        return plans

    def rest(self, plans: Sequence[Plan], option: str, *, purge: bool) -> list[Remainder]:
        """Return what the `plans` of the routes leave undeclared: all routes, if there was nothing to plan."""
        if self._matching is None:
            return list(self._undeclared(self._wires, option, f"{option} is not declared"))
        rest: list[Remainder] = []
        for number, plan in enumerate(plans):
            rest += undeclared_modules(plan, f"{option}[{number}]")
        undeclared = [] if purge else self._matching.undeclared()
        rest += self._undeclared(undeclared, option, NOT_PURGED.format("routes"))
        # Whatever the others are declared to be, at first they are as they are.
        read, known = {plan.before["id"] for plan in plans if plan.before}, set(map(id, undeclared))
        unclear = (wire for wire in self._wires if str(wire.get("id")) not in read and id(wire) not in known)
        return [*rest, *(Surrounding(HTTPS_EDGE_ROUTE.name, self._seen(wire)) for wire in unclear)]

    def around(self, *, with_routes: bool = False) -> list[Remainder]:
        """Return the edge itself, and its routes that are not planned, if these count as well."""
        others = self._undeclared(self._matching.undeclared(), "", "") if with_routes and self._matching else ()
        return [*others, *([Surrounding(HTTPS_EDGE.name, self._edge)] if self._edge else [])]

    def _undeclared(self, wires: Sequence[Wire], option: str, why: str) -> Iterator[Remainder]:
        for wire in wires:
            try:
                state = self._read(wire)
            except IngressError as error:
                yield NotExamined(route_subject(wire, self._edge_name), str(error), counts=True)
                yield Surrounding(HTTPS_EDGE_ROUTE.name, self._seen(wire))
            else:
                target = Target(route_name(state, self._edge_name), HTTPS_EDGE_ROUTE, option=option)
                yield Undeclared(target, why, state)

    def _held_match(self, wire: Wire) -> dict[Name, str]:
        """Return what a route matches, with the subject of the route."""
        key = {name: wire.get(name) for name in ("match_type", "match")}
        return dict.fromkeys(certain_names(HTTPS_EDGE_ROUTE, key), route_subject(wire, self._edge_name))

    def _plan(
        self,
        options: Options,
        matching: Matching,
        number: int,
        resend_secrets: bool = False,
        purge_modules: bool = False,
        allow_empty: bool = False,
    ) -> Plan:
        """Return the plan of a declared route; if it failed, with what is known of the route."""
        current = None
        try:
            current = self._live(options, matching, number)
            if options.get("state") == "absent":
                return plan_absent(self._live_target(options, current), current)
            given = _with_one_login(options) if number in matching.alike else options
            plan = plan_present(
                self._live_target(given, current),
                current,
                given,
                absent_modules=given["absent_modules"],
                purge_modules=given["purge_modules"] or purge_modules,
                resend_secrets=resend_secrets,
            )
            return restricted(plan, given, allow_empty=allow_empty)
        except IngressError as error:
            target, claims = self._target(options, declared_key(options)), declared_names(HTTPS_EDGE_ROUTE, options)
            return Plan(target, current, error=error, claims=claims)

    def _purge(self, wire: Wire, target: Target) -> Plan:
        current = self._read(wire)
        target = replace(target, name=route_name(current, self._edge_name), path=self._path(current))
        return plan_absent(target, current, PURGED)

    def _live(self, options: Options, matching: Matching, number: int) -> State | None:
        """Return the live state of a declared route. Raise Ambiguous, or Missing, if none is known to be it."""
        if is_placeholder(options["id"]):
            return self._read({name: options[name] for name in ("id", "match_type", "match")})
        live = matching.live(number)
        if live is None and options["id"] and options.get("state") != "absent":
            text = f"Edge {self.edge_id} has no route {options['id']}. To create a route, omit `id`"
            raise Missing(f"{text}; the service assigns one.")
        return None if live is None else self._read(live)

    def _read(self, wire: Any) -> State:
        with reading(self._path(wire)):
            return {**HTTPS_EDGE_ROUTE.read(wire, ""), "edge_id": self.edge_id}

    def _seen(self, wire: Wire) -> State:
        try:
            return self._read(wire)
        except IngressError:
            return open_route(self.edge_id, **{name: wire.get(name) for name in ("match_type", "match")})

    def _target(self, route: Mapping[str, Any], key: Key) -> Target:
        return Target(route_name(route, self._edge_name), HTTPS_EDGE_ROUTE, (self._parent, *key), parent=self._parent)

    def _live_target(self, options: Options, current: State | None) -> Target:
        new_id = {} if current else {"id": placeholder(ROUTE_PREFIX, self.edge_id, *declared_key(options))}
        return replace(
            self._target(current or options, declared_key(options)),
            path=self._path(current),
            collection=self._collection,
            identity={**new_id, "edge_id": self.edge_id},
        )

    def _path(self, route: Mapping[str, Any] | None) -> str:
        return f"{self._collection}{path_of(route.get('id'))}" if route else ""


def open_route(edge_id: str, match_type: Any = "path_prefix", match: Any = "/") -> State:
    """Return the state of a route that cannot be read: it may let everybody through, and lead anywhere."""
    wire = {"match_type": match_type, "match": match, "backend": {"enabled": True, "backend": {"id": ""}}}
    return {**HTTPS_EDGE_ROUTE.read(wire, ""), "edge_id": edge_id}


def _keys_of(wire: Mapping[str, Any]) -> tuple[Key, Key]:
    return (str(wire.get("id")),), (wire.get("match_type"), wire.get("match"))


def _declared(options: Options) -> DeclaredObject:
    keys, names = (declared_key(options),), declared_names(HTTPS_EDGE_ROUTE, options)
    if options["id"]:
        return DeclaredObject(keys, names=names)
    return DeclaredObject(keys, ("match_type", "match"), options["match"], names)


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


def _with_one_login(options: Options) -> Options:
    """Return the options of a route that takes the place of another one, whose login a declared one replaces."""
    logins = HTTPS_EDGE_ROUTE.exclusive
    others = [name for name in logins if not options[name]] if any(options[name] for name in logins) else []
    return {**options, "absent_modules": [*options["absent_modules"], *others]}


def routes_of(client: Client, edge_id: str, declared_as: str = "", parent: Hashable = None) -> RoutesOfEdge:
    """Return the routes of an edge, read from the service. Raise Missing if the edge does not exist."""
    edge = read_edge(client, edge_id)
    if edge is None:
        raise Missing(f"https_edge_route: HTTPS edge {edge_id} does not exist. Check `edge_id`.")
    return RoutesOfEdge(edge, edge_id, declared_as, parent)
