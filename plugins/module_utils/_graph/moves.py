# SPDX-License-Identifier: GPL-3.0-or-later
"""Who takes a name needs who gives it up, because each name can belong to one object at a time. Pure.

A service rejects a name as long as another object has it. If two objects wait for each other, or if the one that gives
the name up is deleted (which comes last), it gives up the name in an operation of its own. Which names an object has
follows from the schema.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from .._planning.plan import Name, Plan, State
from .._planning.safe_order import handing_over
from .._planning.unique_names import handed_over, held, own_names
from .._planning.widening import protections
from .graph import Graph
from .release import released
from .states import states_of

Names = frozenset[Name]
Needs = Mapping[int, Mapping[int, Names]]
"""The names that each plan takes, by the plan that gives them up."""


def with_releases(plans: Sequence[Plan]) -> list[Plan]:
    """Return the same plans, in the same order, with early operations that give up names if necessary."""
    needs = _needs(plans)
    if not needs:
        return list(plans)
    moves = _Moves(plans, needs)
    while circle := moves.circle():
        moves.break_up(circle)
    return [moves.arranged(position) for position in range(len(plans))]


def need_names(graph: Graph) -> None:
    """Let the operations that take a name wait for those that give it up.

    No name is given up for an object that failed.
    """
    for taker, givers in _needs(graph.plans).items():
        gained = _Steps(graph.plans[taker])
        for giver, names in givers.items():
            plan, lost = graph.plans[giver], _Steps(graph.plans[giver])
            for name in sorted(names if plan.after is not None else names - handed_over(plan.kind)):
                graph.need((taker, gained.taking(name)), (giver, lost.giving(name)))
                graph.lose((giver, lost.giving(name)), taker)
    _take_nothing_from_failed(graph)
    _lose_nothing_for_failed(graph)


def _take_nothing_from_failed(graph: Graph) -> None:
    """Withhold what takes a name of an object that keeps it, because its own change failed."""
    kept = {
        (_family(plan), name): position
        for position, plan in enumerate(graph.plans)
        if plan.error and plan.before is not None
        for name in own_names(plan.kind, plan.before)
    }
    for taker, plan in enumerate(graph.plans) if kept else ():
        if plan.operations and plan.after is not None:
            for name in sorted(own_names(plan.kind, plan.after) - own_names(plan.kind, plan.before)):
                if (_family(plan), name) in kept:
                    graph.need((taker, _Steps(plan).taking(name)), (kept[_family(plan), name], 0))


def _lose_nothing_for_failed(graph: Graph) -> None:
    failed = {
        (_family(plan), name): taker
        for taker, plan in enumerate(graph.plans)
        if plan.error
        for name in plan.claims or ()
    }
    for giver, plan in enumerate(graph.plans) if failed else ():
        if plan.operations and plan.before is not None and plan.after is not None:
            for name in sorted(own_names(plan.kind, plan.before) - own_names(plan.kind, plan.after)):
                if (_family(plan), name) in failed:
                    graph.lose((giver, _Steps(plan).giving(name)), failed[_family(plan), name])


def _family(plan: Plan) -> tuple[str, Hashable]:
    """Return what distinguishes objects that can have the same names from others."""
    return plan.kind.name, plan.target.parent


class _Steps:
    """The names of an object before and after each operation of its plan."""

    def __init__(self, plan: Plan) -> None:
        self._names = [_held(plan, state) for state in states_of(plan)]

    def giving(self, name: Name) -> int:
        """Return the first operation after which the object does not have a name any more."""
        return next(number for number, (then, now) in enumerate(self._pairs()) if name in then - now)

    def taking(self, name: Name) -> int:
        """Return the first operation after which the object has a name that it did not have before."""
        return next(number for number, (then, now) in enumerate(self._pairs()) if name in now - then)

    def _pairs(self) -> Sequence[tuple[Names, Names]]:
        return list(zip(self._names, self._names[1:]))


class _Moves:
    """The names that each plan takes, by the plan that gives them up; `early` are those that are given up first."""

    def __init__(self, plans: Sequence[Plan], needs: Needs) -> None:
        self._plans, self._needs = plans, needs
        self._early: dict[tuple[int, int], Names] = {}
        self._takers: dict[int, list[int]] = {}
        for taker, givers in needs.items():
            for giver, names in givers.items():
                self._takers.setdefault(giver, []).append(taker)
                is_deleted = plans[giver].after is None
                self._early[taker, giver] = names if is_deleted else names & self._handed_over(giver)

    def circle(self) -> Sequence[int]:
        """Return plans that wait for each other, if there are any left."""
        # Sorted, so that the same circle is found in whatever order the objects are declared.
        positions = sorted({*self._needs, *self._takers}, key=self._path)
        try:
            TopologicalSorter(
                {position: sorted(self._waits_for(position), key=self._path) for position in positions}
            ).prepare()
        except CycleError as error:
            found: Sequence[int] = error.args[1]
            return found
        return ()

    def break_up(self, circle: Sequence[int]) -> None:
        """Let one plan give up early all names that others take.

        Of the plans that another one waits for, it is the one whose object has the fewest protections.
        """
        waited_for = {giver for taker in circle for giver in self._waits_for(taker)}
        breaker = min(
            (position for position in circle if position in waited_for),
            key=lambda position: (self._protections(position), self._path(position)),
        )
        for taker in self._takers[breaker]:
            self._early[taker, breaker] = self._needs[taker][breaker]

    def _path(self, position: int) -> tuple[str, int]:
        return self._plans[position].target.path, position

    def _protections(self, position: int) -> int:
        plan = self._plans[position]
        return len(protections(plan.kind, plan.before))

    def arranged(self, position: int) -> Plan:
        plan = self._plans[position]
        takers = [taker for taker in self._takers.get(position, ()) if self._early[taker, position]]
        if takers:
            names = frozenset().union(*(self._early[taker, position] for taker in takers))
            subjects = " and ".join(self._plans[taker].subject for taker in takers)
            plan = self._released(position, names, subjects)
        taken = frozenset().union(*(self._given_up(*need) for need in self._needs.get(position, {}).items()))
        takes = ", ".join(sorted({name[1] if len(name) > 1 else name[0] for name in taken}))
        return replace(plan, takes=takes)

    def _released(self, position: int, names: Names, takers: str) -> Plan:
        plan, handed = self._plans[position], self._handed_over(position)
        if names & handed:
            plan = handing_over(plan, takers)
        return released(plan, names - handed, takers) if names - handed else plan

    def _handed_over(self, position: int) -> Names:
        return handed_over(self._plans[position].kind)

    def _given_up(self, giver: int, names: Names) -> Names:
        """Return the names that a plan gives up before another takes them; a deleted object hands nothing over."""
        return names - self._handed_over(giver) if self._plans[giver].after is None else names

    def _waits_for(self, taker: int) -> tuple[int, ...]:
        """Return the plans that give up something for this one, but not early."""
        givers = self._needs.get(taker, {})
        return tuple(giver for giver, names in givers.items() if names - self._early[taker, giver])


def _needs(plans: Sequence[Plan]) -> Needs:
    """Return the names that each plan takes, by the plan of the same parent that gives them up."""
    owners = [(_held(plan, plan.before), _held(plan, plan.after)) for plan in plans]
    families = [_family(plan) for plan in plans]
    givers = {
        (families[position], name): position for position, (then, now) in enumerate(owners) for name in then - now
    }
    needs: dict[int, dict[int, Names]] = {}
    for taker, (then, now) in enumerate(owners) if givers else ():
        for name in now - then:
            giver = givers.get((families[taker], name))
            if giver is not None:
                needs.setdefault(taker, {})[giver] = needs.get(taker, {}).get(giver, frozenset()) | {name}
    return needs


def _held(plan: Plan, state: State | None) -> Names:
    if plan.error is not None or not plan.operations or not state:
        return frozenset()
    return held(plan.kind, state)
