# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTPS edges as a set: which live edge each declared one is, and what moves from one edge to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from .._definition import Options
from .._errors import Ambiguous, Contradiction
from .._model.schema import HTTPS_EDGE
from .._planning.matching import Match, matched
from .._planning.moves import Exclusive, Name, arranged
from .._planning.plan import Operation, Plan, State
from .._planning.withholding import withheld, without_losses
from .https_edge import edge_path, edge_subject, field_of, matching_edges, only_edge

Wire = dict[str, Any]


class FoundEdges:
    """The live edges that the declared ones are. `wires` are all live edges as the service shows them."""

    def __init__(self, wires: Sequence[Wire], declared: Sequence[Options]) -> None:
        self._wires, self._declared = wires, declared
        index = _EdgeIndex(wires)
        self._candidates = [index.matches(edge) for edge in declared]
        self._matches = matched(self._candidates, [number for number, edge in enumerate(declared) if edge["id"]])
        self._declared_twice = dict(self._kept_by_others())

    def of(self, number: int) -> Wire | None:
        """The live edge of a declared one, None if it is new. Raises Ambiguous if that is not known."""
        match = self._matches[number]
        if match.rivals:
            raise self._shared(match)
        if match.several:
            only_edge([self._wires[live] for live in match.several], self._declared[number])
        if number in self._declared_twice:
            raise self._twice(self._declared_twice[number])
        return None if match.live is None else self._wires[match.live]

    def undeclared(self) -> list[Wire]:
        """The live edges that no declared one can be."""
        kept = {live for candidates in self._candidates for live in candidates}
        return [wire for live, wire in enumerate(self._wires) if live not in kept]

    def others(self, plans: Sequence[Plan], *, purges: bool) -> list[Wire]:
        """The live edges that stay as they are: undeclared ones, and those that a declared one may be that failed."""
        failed = {live for number, plan in enumerate(plans) if plan.error for live in self._candidates[number]}
        return [*([] if purges else self.undeclared()), *(self._wires[live] for live in sorted(failed))]

    def declared_hostports(self) -> list[list[str]]:
        kind = HTTPS_EDGE.named["hostports"].kind
        return [kind.normal(edge["hostports"]) for edge in self._declared]

    def new_ones(self, wires: Sequence[Wire]) -> list[Wire]:
        """Of edges that were read later, those that no declared edge was found to be."""
        known = {self._wires[match.live].get("id") for match in self._matches if match.live is not None}
        return [wire for wire in wires if wire.get("id") not in known]

    def _kept_by_others(self) -> Iterator[tuple[int, int]]:
        """The declared edges that cannot both be, each with the live edge: a hostport that one of them takes is free
        only if the other is declared without it.
        """
        for number, match in enumerate(self._matches):
            for live, other in match.lost:
                by_hostports = not self._declared[number]["id"] and self._declared[number]["find_by"] == "hostports"
                if not by_hostports or self._keeps(other, number):
                    yield from ((number, live), (other, live))

    def _keeps(self, other: int, number: int) -> bool:
        """Whether a declared edge keeps hostports that another one declares."""
        kind = HTTPS_EDGE.named["hostports"].kind
        kept, taken = (self._declared[each]["hostports"] for each in (other, number))
        return kept is None or not set(kind.normal(kept)).isdisjoint(kind.normal(taken))

    def _shared(self, match: Match) -> Ambiguous:
        identifier = str(self._wires[match.several[0]].get("id"))
        return Ambiguous(
            f"{len(match.rivals)} declared edges match the same edge, {identifier}. Set `id` in the one that is this "
            "edge, or declare it only once.",
            [identifier],
        )

    def _twice(self, live: int) -> Ambiguous:
        identifier = str(self._wires[live].get("id"))
        return Ambiguous(
            f"Two declared edges refer to the same edge, {identifier}. Declare it only once. To move a hostport from "
            "one edge to another, declare the `hostports` of both.",
            [identifier],
        )


class _EdgeIndex:
    """The edges that are there, by hostport, so that finding each declared one takes no walk through all of them."""

    def __init__(self, wires: Sequence[Wire]) -> None:
        self._wires = wires
        self._position = {id(wire): position for position, wire in enumerate(wires)}
        self._by_id: dict[Any, list[int]] = {}
        self._by_hostport: dict[str, list[int]] = {}
        for position, wire in enumerate(wires):
            identifier = wire.get("id")
            if isinstance(identifier, str):
                self._by_id.setdefault(identifier, []).append(position)
            for hostport in field_of(wire, "hostports"):
                self._by_hostport.setdefault(hostport, []).append(position)

    def matches(self, edge: Options) -> list[int]:
        """The positions of the edges that a declared one may be."""
        if edge["id"]:
            return self._by_id.get(edge["id"], [])
        if edge["find_by"] != "hostports":
            return [self._position[id(wire)] for wire in matching_edges(self._wires, edge)]
        names = HTTPS_EDGE.named["hostports"].kind.normal(edge["hostports"])
        return list(dict.fromkeys(position for name in names for position in self._by_hostport.get(name, ())))


def possible_edges(plans: Sequence[Plan], found: FoundEdges, *, purges: bool) -> list[Plan]:
    """The plans of declared edges, but an error in place of each that cannot or must not be carried out.

    No edge takes a hostport that another one keeps: a service would refuse that, so a dry run must, too. And none gives
    one up for an edge that failed, or nothing would have it.
    """
    while True:
        possible = _without_taken(plans, found.others(plans, purges=purges))
        possible = without_losses(possible, found.declared_hostports(), _hostports_in, str)
        if [plan.error for plan in possible] == [plan.error for plan in plans]:
            return possible
        plans = possible


def _without_taken(plans: Sequence[Plan], others: Sequence[Wire]) -> list[Plan]:
    """The plans without those that take a hostport which another edge has, one of `others` for instance."""
    holders = {name: _subject_of(wire) for wire in others for name in field_of(wire, "hostports")}
    holders |= {name: plan.subject for plan in plans for name in _hostports_in(plan.before) & _hostports_in(plan.after)}
    possible = []
    for plan in plans:
        taken = sorted(_hostports_in(plan.after) - _hostports_in(plan.before))
        refused = [name for name in taken if name in holders]
        possible.append(_not_possible(plan, refused[0], holders[refused[0]]) if refused else plan)
        holders |= dict.fromkeys([] if refused else taken, plan.subject)
    return possible


def _not_possible(plan: Plan, hostport: str, holder: str) -> Plan:
    error = Contradiction(
        f"hostports: {hostport} belongs to {holder}. A hostport belongs to one edge only. Declare `hostports` without "
        "it for one of the two, or delete the edge that has it first."
    )
    return withheld(plan, error)


def _subject_of(wire: Wire) -> str:
    return edge_subject({}, {"id": wire.get("id"), "hostports": field_of(wire, "hostports")})


def _hostports_in(state: State | None) -> frozenset[str]:
    return frozenset(state["hostports"]) if state else frozenset()


def arranged_edges(plans: Sequence[Plan]) -> list[Plan]:
    """The plans of edges, so that a hostport is given up by one edge before another one takes it."""
    return arranged(plans, _HOSTPORTS)


def _held(state: State) -> frozenset[Name]:
    return frozenset((hostport,) for hostport in state["hostports"])


def _without(plan: Plan, names: frozenset[Name], takers: str) -> Plan:
    """The plan of an edge that gives hostports up first."""
    before: list[str] = plan.before["hostports"] if plan.before else []
    path = edge_path(plan.before["id"]) if plan.before else ""
    freed = [hostport for hostport in before if (hostport,) in names]
    kept = [hostport for hostport in before if hostport not in freed]
    text = ", ".join(freed)
    back = Operation(
        "PATCH", path, f"takes {text} back, because the change could not be finished", {"hostports": before}
    )
    first = Operation(
        "PATCH",
        path,
        f"gives up {text} for {takers}",
        {"hostports": kept},
        early=True,
        undo=back,
        meanwhile=f"the edge does not serve {text}; run the task again to finish",
    )
    return replace(plan, operations=(first, *plan.operations))


_HOSTPORTS = Exclusive(held=_held, freed=_without)
