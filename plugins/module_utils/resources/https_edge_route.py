# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes of HTTPS edges: sections 2.3, 2.4 and 4.4 of the description. They are found in the routes of their edge.

One route is the set with one member.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .. import plan
from ..addresses import path_of
from ..apply import converge
from ..arguments import STATE, UPDATE_SECRETS, identifier_faults, module_faults, module_options
from ..client import Client
from ..errors import Ambiguous, Missing, WrongShape, reading
from ..matching import Match, matched
from ..moves import Exclusive, Name, arranged
from ..objects import join
from ..outcome import Outcome, outcome_of_one
from ..placeholders import is_placeholder, placeholder
from ..schema import AUTH_MODULES, EDGE_PREFIX, HTTPS_EDGE_ROUTE, ROUTE_MODULES, ROUTE_PREFIX
from ..widening import protections
from ..work import Options, Work
from .https_edge import field_of, read_edge

# A recorded service cleared what a PATCH of a route left out of these.
_ALWAYS_SENT = ("match_type", "match", "description", "metadata")

Key = tuple[Any, ...]

MEMBER_OPTIONS = {
    "id": {"type": "str"},
    **HTTPS_EDGE_ROUTE.options(),
    **module_options(ROUTE_MODULES),
}
"""The options of one route, in a task of its own and as a member of a set."""


def route_faults(options: Options, check_mode: bool, path: str = "") -> Iterator[str]:
    """What is wrong with the options of one route; `path` is the place of a route that is a member of a set."""
    yield from identifier_faults(options, "id", ROUTE_PREFIX, check_mode, path)
    yield from HTTPS_EDGE_ROUTE.faults(options, path)
    yield from module_faults(options, ROUTE_MODULES, path)
    if not options.get("id"):
        for name in ("match_type", "match"):
            if not options.get(name):
                yield (
                    f"{join(path, name)}: needed, with the other of match_type and match, where the route's id is "
                    "not given"
                )


def declared_key(options: Mapping[str, Any]) -> Key:
    """What tells a declared route from the others of its edge."""
    return (options["id"],) if options.get("id") else (options.get("match_type") or "", options.get("match") or "")


class RoutesOfEdge:
    """The routes that an edge has, as the service shows them in `edge` (None for an edge that is not there).

    Raises UnexpectedAnswer for routes of another shape: what cannot be read is not taken for nothing.
    """

    def __init__(self, edge: Any, edge_id: str, declared_as: str = "") -> None:
        self.edge_id = edge_id
        hostports = field_of(edge, "hostports") if isinstance(edge, dict) else []
        self._edge_name = ", ".join(hostports) or declared_as or ("" if is_placeholder(edge_id) else edge_id)
        with reading(path_of("edges", "https", edge_id)):
            self._wires = _routes_in(edge if isinstance(edge, dict) else {})
        self._by_key: dict[Key, list[int]] = {}
        for position, route in enumerate(self._wires):
            for key in ((str(route.get("id")),), (route.get("match_type"), route.get("match"))):
                self._by_key.setdefault(key, []).append(position)

    def plans(self, declared: Sequence[Options], *, purge: bool = False, **how: bool) -> list[plan.Plan]:
        """The plans for the declared routes and, with `purge`, for those that are to go because they are not.

        `how` is passed on to `_present`.
        """
        candidates = [self._matches(options) for options in declared]
        found = matched(candidates, [number for number, options in enumerate(declared) if options["id"]])
        twice = dict(self._declared_twice(declared, found))
        if purge:
            found = self._with_other_type(declared, found, candidates)
        plans = [
            plan.planned(
                lambda options=options, match=match, number=number: self._present(  # type: ignore[misc]
                    options, match, twice.get(number), **how
                ),
                self._subject(options),
                HTTPS_EDGE_ROUTE,
                (self.edge_id, *declared_key(options)),
            )
            for number, (options, match) in enumerate(zip(declared, found, strict=True))
        ]
        if purge:
            kept = {position for positions in candidates for position in positions} | {match.live for match in found}
            undeclared = [wire for position, wire in enumerate(self._wires) if position not in kept]
            plans += self._purges(undeclared, spare=any(one.error for one in plans))
        return arranged(plans, _MATCHES_AND_LOGIN)

    def absent(self, options: Options) -> plan.Plan:
        [match] = matched([self._matches(options)])
        have = self._live(options, match, None)
        return plan.absent(self._subject(have or options), HTTPS_EDGE_ROUTE, self._path(have), have)

    def _present(
        self,
        options: Options,
        match: Match,
        same: int | None,
        resend_secrets: bool = False,
        purge_modules: bool = False,
    ) -> plan.Plan:
        have = self._live(options, match, same)
        if have is None and options["id"]:
            raise Missing(
                f"Edge {self.edge_id} has no route {options['id']}. The service chooses the id of a new route itself, "
                "so leave id out to create one."
            )
        return plan.present(
            self._subject(have or options),
            HTTPS_EDGE_ROUTE,
            plan.Place(path_of("edges", "https", self.edge_id, "routes"), self._path(have)),
            have,
            options,
            absent_modules=options["absent_modules"],
            purge_modules=options["purge_modules"] or purge_modules,
            resend_secrets=resend_secrets,
            always_sent=_ALWAYS_SENT,
            identity={"id": placeholder(ROUTE_PREFIX), "edge_id": self.edge_id},
        )

    def _with_other_type(
        self, declared: Sequence[Options], found: Sequence[Match], candidates: Sequence[Sequence[int]]
    ) -> list[Match]:
        """A new route and one that is purged are the same one if they differ in nothing but how they match.

        Creating the one would be refused by services on which a match is unique, and deleting the other first would
        leave the edge without both.
        """
        kept = {position for positions in candidates for position in positions}
        undeclared: dict[Any, list[int]] = {}
        for position, wire in enumerate(self._wires):
            if position not in kept:
                undeclared.setdefault(wire.get("match"), []).append(position)
        new: dict[Any, list[int]] = {}
        for number, (options, match) in enumerate(zip(declared, found, strict=True)):
            if match == Match() and not options["id"]:
                new.setdefault(options["match"], []).append(number)
        changed = list(found)
        for value, numbers in new.items():
            if len(numbers) == len(undeclared.get(value, ())) == 1:
                changed[numbers[0]] = Match(live=undeclared[value][0])
        return changed

    def _purges(self, undeclared: Sequence[Any], spare: bool) -> Iterator[plan.Plan]:
        for wire in undeclared:
            subject, key = self._subject(wire), (self.edge_id, str(wire.get("id")))
            if spare:
                yield plan.spared(subject, HTTPS_EDGE_ROUTE, key)
            else:
                yield plan.planned_purge(
                    lambda wire=wire: self._purge(wire),  # type: ignore[misc]
                    subject,
                    HTTPS_EDGE_ROUTE,
                    key,
                )

    def _purge(self, wire: dict[str, Any]) -> plan.Plan:
        have = self._read(wire)
        return plan.absent(self._subject(have), HTTPS_EDGE_ROUTE, self._path(have), have, plan.PURGED)

    def _matches(self, options: Options) -> Sequence[int]:
        return self._by_key.get(declared_key(options), ())

    def _live(self, options: Options, match: Match, same: int | None) -> plan.State | None:
        """The live state of a declared route. Raises Ambiguous if it is not known which one that is.

        `same` is the live route that another declared one is as well.
        """
        if is_placeholder(options["id"]):
            return self._read({name: options[name] for name in ("id", "match_type", "match")})
        if match.rivals:
            raise self._same(match.several[0])
        if match.several:
            ids = [str(self._wires[position].get("id")) for position in match.several]
            raise Ambiguous(
                f"{len(ids)} routes of edge {self.edge_id} match: {', '.join(ids)}. Give the id of the one you mean.",
                ids,
            )
        if same is not None:
            raise self._same(same)
        return None if match.live is None else self._read(self._wires[match.live])

    def _declared_twice(self, declared: Sequence[Options], found: Sequence[Match]) -> Iterator[tuple[int, int]]:
        """The declared routes that cannot both be, each with the live route: a match that one of them takes is free
        only if the other is declared with another match.
        """
        for number, (options, match) in enumerate(zip(declared, found, strict=True)):
            for position, other in match.lost:
                if options["id"] or declared[other]["match"] in (None, options["match"]):
                    yield from ((number, position), (other, position))

    def _same(self, position: int) -> Ambiguous:
        identifier = str(self._wires[position].get("id"))
        return Ambiguous(f"Another declared route is the same one, {identifier}. Declare it only once.", [identifier])

    def _read(self, wire: Any) -> plan.State:
        with reading(self._path(wire)):
            return {**HTTPS_EDGE_ROUTE.read(wire, ""), "edge_id": self.edge_id}

    def _subject(self, route: Mapping[str, Any]) -> str:
        """How people know the route: by what it matches on which edge, and by its id."""
        match = f"{route.get('match_type')} {route['match']}" if route.get("match") else ""
        edge = f"of {self._edge_name}" if self._edge_name else ""
        route_id = f"({route['id']})" if route.get("id") else ""
        return " ".join(filter(None, ("https_edge_route", match, edge, route_id)))

    def _path(self, route: Mapping[str, Any] | None) -> str:
        return path_of("edges", "https", self.edge_id, "routes", route.get("id")) if route else ""


def _routes_in(edge: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The routes that the service shows in an edge, each once. Raises WrongShape."""
    routes = edge.get("routes")
    if routes is None:
        return []
    if not isinstance(routes, list):
        raise WrongShape("routes", "a list", routes)
    by_id: dict[Any, dict[str, Any]] = {}
    for number, route in enumerate(routes):
        if not isinstance(route, dict):
            raise WrongShape(f"routes[{number}]", "an object", route)
        for name in ("match_type", "match"):
            if not isinstance(route.get(name), (str, type(None))):
                raise WrongShape(f"routes[{number}].{name}", "a string", route[name])
        identifier = route.get("id")
        by_id.setdefault(identifier if isinstance(identifier, str) else number, route)
    return list(by_id.values())


def _held(state: plan.State) -> frozenset[Name]:
    """What no other route of the edge can have on some service: the match, with any type, and a login."""
    login = {_LOGIN} if any(state[name] is not None for name in AUTH_MODULES) else set()
    return frozenset({("match", state["match"]), ("match", state["match"], state["match_type"]), *login})


def _freed(made: plan.Plan, names: frozenset[Name], takers: str) -> plan.Plan:
    """The plan of a route that gives up its match, or its login, first."""
    have = made.before or {}
    path = path_of("edges", "https", have["edge_id"], "routes", have["id"])
    always = {name: have[name] for name in _ALWAYS_SENT}
    if _LOGIN in names and made.after is not None:
        leaving = [operation for operation in made.operations if operation.takes_off in AUTH_MODULES]
        patch = next((operation for operation in made.operations if operation.method == "PATCH"), None)
        rest = [operation for operation in made.operations if operation not in (*leaving, patch)]
        closed = plan.closing(path, leaving, have, always, f"the login moves to {takers}")
        again = plan.reopening(patch, have, path, always, made.after)
        early = [replace(operation, early=True) for operation in closed]
        made = replace(made, operations=(*early, *again, *rest))
    if names - {_LOGIN}:
        # Below its own match, so that it stays on the same host, and with all its traffic modules.
        elsewhere = f"{have['match'].rstrip('/')}/.moving-{have['id']}"
        first = plan.Operation(
            "PATCH",
            path,
            f"gives up {have['match']} for {takers}",
            {**always, "match": elsewhere},
            early=True,
            undo=plan.Operation(
                "PATCH", path, f"takes {have['match']} back, because the change could not be finished", always
            ),
            meanwhile=f"the route matches {elsewhere}; run the task again to finish",
        )
        later = (_at_match(operation, have, elsewhere) for operation in made.operations)
        made = replace(made, operations=(first, *later))
    return made


def _at_match(operation: plan.Operation, have: plan.State, match: str) -> plan.Operation:
    """The operation of a route that has another match for now, if it would carry along the one that was given up."""
    body = operation.body
    if operation.method != "PATCH" or any(body[name] != have[name] for name in ("match_type", "match")):
        return operation
    return replace(operation, body={**body, "match": match})


_LOGIN: Name = ("login",)
_MATCHES_AND_LOGIN = Exclusive(
    held=_held,
    freed=_freed,
    handed_over=frozenset({_LOGIN}),
    cost=lambda made: len(protections(HTTPS_EDGE_ROUTE, made.before)),
)


def routes_of(client: Client, edge_id: str) -> RoutesOfEdge:
    """The routes of an edge, read from the service. Raises Missing where there is no such edge."""
    edge = read_edge(client, edge_id)
    if edge is None:
        raise Missing(f"https_edge_route: the service knows no HTTPS edge {edge_id} that a route could be on.")
    return RoutesOfEdge(edge, edge_id)


def _faults(options: Options, check_mode: bool) -> Iterator[str]:
    yield from identifier_faults(options, "edge_id", EDGE_PREFIX, check_mode)
    yield from route_faults(options, check_mode)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    [done] = converge(client, lambda: _look(client, options), check_mode)
    return outcome_of_one(done, "https_edge_route")


def _look(client: Client, options: Options) -> list[plan.Plan]:
    edge_id = options["edge_id"]
    if options["state"] == "absent":
        return [RoutesOfEdge(read_edge(client, edge_id), edge_id).absent(options)]
    return routes_of(client, edge_id).plans([options], resend_secrets=options["update_secrets"] == "always")


WORK = Work(
    options={
        "edge_id": {"type": "str", "required": True},
        "state": STATE,
        "update_secrets": UPDATE_SECRETS,
        **MEMBER_OPTIONS,
    },
    faults=_faults,
    perform=_perform,
)
