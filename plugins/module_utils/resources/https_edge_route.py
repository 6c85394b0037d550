# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes of HTTPS edges: sections 2.3, 2.4 and 4.4 of the description. They are found in the routes of their edge.

One route is the set with one member.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import plan
from ..addresses import path_of
from ..apply import converge
from ..arguments import STATE, UPDATE_SECRETS, identifier_faults, module_faults, module_options
from ..client import Client
from ..errors import Ambiguous, Missing, reading
from ..objects import join
from ..outcome import Outcome, outcome_of_one
from ..placeholders import is_placeholder, placeholder
from ..schema import EDGE_PREFIX, HTTPS_EDGE_ROUTE, ROUTE_MODULES, ROUTE_PREFIX
from ..work import Options, Work
from .https_edge import field_of, read_edge

# A recorded service cleared what a PATCH of a route left out of these.
_ALWAYS_SENT = ("match_type", "match", "description", "metadata")

Key = tuple[str, ...]

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
    """The routes that an edge has, as the service shows them in `edge` (None for an edge that is not there)."""

    def __init__(self, edge: Any, edge_id: str, declared_as: str = "") -> None:
        self.edge_id = edge_id
        hostports = field_of(edge, "hostports") if isinstance(edge, dict) else []
        self._edge_name = ", ".join(hostports) or declared_as or ("" if is_placeholder(edge_id) else edge_id)
        routes = edge.get("routes") if isinstance(edge, dict) else None
        self._wires = [route for route in routes if isinstance(route, dict)] if isinstance(routes, list) else []
        self._twice: set[int] = set()
        self._by_key: dict[Key, list[dict[str, Any]]] = {}
        for route in self._wires:
            for key in ((str(route.get("id")),), (str(route.get("match_type")), str(route.get("match")))):
                self._by_key.setdefault(key, []).append(route)

    def plans(self, declared: Sequence[Options], *, purge: bool = False, **how: bool) -> list[plan.Plan]:
        """The plans for the declared routes and, with `purge`, for those that are to go because they are not.

        `how` is passed on to `present`.
        """
        self._twice = plan.claimed_twice(self._matches(options) for options in declared)
        plans = [
            plan.planned(
                lambda options=options: self.present(options, **how),  # type: ignore[misc]
                self._subject(options),
                HTTPS_EDGE_ROUTE,
                (self.edge_id, *declared_key(options)),
            )
            for options in declared
        ]
        return [*plans, *self._purges(declared, spare=any(one.error for one in plans))] if purge else plans

    def present(self, options: Options, *, resend_secrets: bool = False, purge_modules: bool = False) -> plan.Plan:
        have = self._find(options)
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

    def absent(self, options: Options) -> plan.Plan:
        have = self._find(options)
        return plan.absent(self._subject(have or options), HTTPS_EDGE_ROUTE, self._path(have), have)

    def _purges(self, declared: Sequence[Options], spare: bool) -> Iterator[plan.Plan]:
        kept = {id(wire) for options in declared for wire in self._matches(options)}
        for wire in self._wires:
            if id(wire) not in kept:
                subject, key = self._subject(wire), (self.edge_id, wire.get("id"))
                if spare:
                    yield plan.spared(subject, HTTPS_EDGE_ROUTE, key)
                else:
                    yield plan.planned(lambda wire=wire: self._purge(wire), subject, HTTPS_EDGE_ROUTE, key)  # type: ignore[misc]

    def _purge(self, wire: dict[str, Any]) -> plan.Plan:
        have = self._read(wire)
        return plan.absent(self._subject(have), HTTPS_EDGE_ROUTE, self._path(have), have, plan.PURGED)

    def _matches(self, options: Options) -> Sequence[dict[str, Any]]:
        return self._by_key.get(declared_key(options), ())

    def _find(self, options: Options) -> plan.State | None:
        if is_placeholder(options["id"]):
            return self._read({name: options[name] for name in ("id", "match_type", "match")})
        matches = self._matches(options)
        if any(id(wire) in self._twice for wire in matches):
            raise Ambiguous(
                f"Another declared route is the same one, {matches[0].get('id')}. Declare it once.",
                [str(matches[0].get("id"))],
            )
        if len(matches) > 1:
            ids = [str(route.get("id")) for route in matches]
            raise Ambiguous(
                f"{len(ids)} routes of edge {self.edge_id} match: {', '.join(ids)}. Give the id of the one you mean.",
                ids,
            )
        return self._read(matches[0]) if matches else None

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
