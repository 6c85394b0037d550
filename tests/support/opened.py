# SPDX-License-Identifier: GPL-3.0-or-later
"""The invariant of a run: nobody gets through, at any moment of it, who gets through neither before nor after. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reachability import ALL, Reachability, Seen, Way, is_as_strict_as_any, probes

OPENED = "opened"
"""What complaints of an opened way begin with."""


class Ends:
    """The states that a moment is compared with: before and after a run, and whatever else is allowed to be seen.

    Objects that a run creates get another ID in each run. `known` are the IDs that are the same in all of them; every
    other object is known by its description. What the task has not `seen` is not held against it: that a policy loses
    its last rule.
    """

    def __init__(self, known: frozenset[str], *states: Mapping[str, Any], seen: Seen = ALL) -> None:
        self._known, self._seen = known, seen
        self._in_fact = Ends(known, *states) if seen != ALL else None
        self.states = [self._reachability(state) for state in states]
        self._ways = {probe: [end.way(probe) for end in self.states] for probe in probes(*self.states)}
        self._routes = [end.routes() for end in self.states]

    def opened(self, state: Mapping[str, Any]) -> list[str]:
        """What is open at a moment, and at neither end."""
        now = self._reachability(state)
        found = [f"{OPENED}: {each}" for each in (*self._opened_requests(now), *self._opened_routes(now))]
        if self._in_fact is None:
            return found
        subjects = {subject_of(one) for one in found}
        return [one for one in self._in_fact.opened(state) if subject_of(one) in subjects]

    def shown_elsewhere(self, state: Mapping[str, Any]) -> list[str]:
        """Requests that get to a backend to which they get as easily at neither end, of whichever route."""
        now = self._reachability(state)
        found = ((probe, now.way(probe), ends) for probe, ends in self._ways.items())
        return [_complaint(str(probe), way, ends) for probe, way, ends in found if not _is_known(way, ends)]

    def _opened_requests(self, now: Reachability) -> Iterator[str]:
        for probe, ends in self._ways.items():
            way = now.way(probe)
            if not is_as_strict_as_any(way.access, [end.access for end in ends]):
                yield _complaint(str(probe), way, ends)

    def _opened_routes(self, now: Reachability) -> Iterator[str]:
        """A route may lead to a backend only as it leads to that backend at one of the ends.

        A route that does not exist at one end leads nowhere there, so a new one must be as strict as in the end.
        """
        for route, way in now.routes().items():
            ends = [end.get(route, Way()) for end in self._routes]
            if not _is_known(way, ends):
                yield _complaint(f"route {route}", way, ends)

    def _reachability(self, state: Mapping[str, Any]) -> Reachability:
        return Reachability(state, names_of(state, self._known), self._seen)


def subject_of(complaint: str) -> str:
    """What a complaint is about: a request, or a route."""
    return complaint.partition(" is ")[0]


def names_of(state: Mapping[str, Any], known: frozenset[str]) -> dict[str, str]:
    """The names of the objects whose ID is made up in each run: their descriptions, or what else differs."""
    names: dict[str, str] = {}
    for edge in state["https_edges"]:
        names[edge["id"]] = edge["id"] if edge["id"] in known else edge.get("description") or "a new edge"
        for route in edge["routes"]:
            names[route["id"]] = route.get("description") or f"the new {route['match']} of {names[edge['id']]}"
    objects = [*state.get("tls_edges", ()), *(one for members in state.get("objects", {}).values() for one in members)]
    for one in objects:
        names[one["id"]] = one.get("description") or one["id"]
    return {identifier: name for identifier, name in names.items() if identifier not in known}


def _is_known(way: Way, ends: list[Way]) -> bool:
    if way.access is None:
        return True
    return is_as_strict_as_any(way.access, [end.access for end in ends if end.backend == way.backend])


def _complaint(what: str, way: Way, ends: list[Way]) -> str:
    return f"{what} is {way}; at the ends it is {', '.join(map(str, ends))}"
