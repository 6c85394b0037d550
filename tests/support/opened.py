# SPDX-License-Identifier: GPL-3.0-or-later
"""The invariant of a run: nobody gets through, at any moment of it, who gets through neither before nor after. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any

from visitors import ALL, Crowd, Passers, Request, Seen, Traffic, requests

OPENED = "opened"
"""What complaints of an opened way begin with."""


def let_in(now: Traffic, ends: Iterable[Traffic], tried: Iterable[Request]) -> Iterator[tuple[str, Passers]]:
    """Yield the requests with which somebody gets through who does not at any of the ends, and the routes.

    A route may lead to a backend only as it leads to that backend at one of the ends. One that does not exist at one
    end leads nowhere there, so a new one must be as strict as in the end.
    """
    ways = [(str(one), now.way(one).passers, [end.way(one).passers for end in ends]) for one in tried]
    for way, passers in now.by_route.items():
        ways.append((f"route {' to '.join(way)}", passers, [end.by_route.get(way, 0) for end in ends]))
    for what, passers, others in ways:
        if through := passers & ~reduce(or_, others, 0):
            yield what, through


class Ends:
    """The states that a moment is compared with: before and after a run, and whatever else is allowed to be seen.

    Objects that a run creates get another ID in each run. `known` are the IDs that are the same in all of them; every
    other object is known by its description. What the task has not `seen` is not held against it: that a policy loses
    its last rule.
    """

    def __init__(self, crowd: Crowd, known: frozenset[str], *states: Mapping[str, Any], seen: Seen = ALL) -> None:
        self._crowd, self._known, self._seen = crowd, known, seen
        self._in_fact = Ends(crowd, known, *states) if seen != ALL else None
        self.ends = [self._traffic(state) for state in states]
        self._tried = requests(*self.ends)

    def opened(self, state: Mapping[str, Any]) -> dict[str, str]:
        """What is open at a moment, and at neither end: complaints, by what they are about."""
        found = {
            what: f"{OPENED}: {what} lets in {self._crowd.shown(them)}"
            for what, them in let_in(self._traffic(state), self.ends, self._tried)
        }
        if self._in_fact is None:
            return found
        return {what: one for what, one in self._in_fact.opened(state).items() if what in found}

    def _traffic(self, state: Mapping[str, Any]) -> Traffic:
        return Traffic(self._crowd, state, names_of(state, self._known), self._seen)


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
