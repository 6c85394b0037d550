# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes of one edge, as the service shows them, and the plans for those that are declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._definition import Options
from .._errors import Ambiguous, Missing, WrongShape, reading
from .._model.schema import HTTPS_EDGE_ROUTE, ROUTE_PREFIX
from .._planning import plan
from .._planning.matching import Match, matched
from .._planning.placeholders import is_placeholder, placeholder
from .._transport.addresses import path_of
from .._transport.client import Client
from .https_edge import field_of, read_edge
from .route_moves import ALWAYS_SENT, arranged_routes, kept_routes

Key = tuple[Any, ...]


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
        return arranged_routes(kept_routes(plans, declared))

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
            always_sent=ALWAYS_SENT,
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


def routes_of(client: Client, edge_id: str) -> RoutesOfEdge:
    """The routes of an edge, read from the service. Raises Missing where there is no such edge."""
    edge = read_edge(client, edge_id)
    if edge is None:
        raise Missing(f"https_edge_route: the service knows no HTTPS edge {edge_id} that a route could be on.")
    return RoutesOfEdge(edge, edge_id)
