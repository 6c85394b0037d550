# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of plans that take names from one another, of which each can belong to one object at a time. Pure.

A service rejects a name as long as another object has it, so the object that gives it up comes before the one that
takes it. If two objects wait for each other, or if the one that gives the name up is deleted (which comes last), it
gives up the name in an operation of its own. Which names an object has follows from the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from .names import Name, handed_over, held
from .plan import Plan
from .safe_order import handing_over
from .widening import protections, widens

Names = frozenset[Name]
Release = Callable[[Plan, Names, str], Plan]
"""Returns a plan with an early operation that gives these names up, and says for which objects."""


def arranged(plans: Sequence[Plan], release: Release) -> list[Plan]:
    """Return the same plans, in the same order, each with the plans that it has to wait for."""
    needs = _needs(plans)
    if not needs:
        return list(plans)
    moves = _Moves(plans, needs, release)
    while circle := moves.circle():
        moves.break_up(circle)
    return [moves.arranged(position) for position in range(len(plans))]


def finishing_order(plans: Sequence[Plan]) -> list[int]:
    """Return the positions of the plans in the order in which they are executed after the early operations.

    Plans that may let more requests through come after those that restrict access. Purges come last.
    """
    moves = moving(plans)
    sorter = TopologicalSorter({position: plans[position].follows for position in moves})
    others = [position for position in range(len(plans)) if position not in moves]
    others.sort(key=lambda position: widens(plans[position]))
    return sorted([*sorter.static_order(), *others], key=lambda position: plans[position].purge)


def moving(plans: Sequence[Plan]) -> set[int]:
    """Return the positions of the plans that wait for others, or that others wait for."""
    return {each for position, plan in enumerate(plans) if plan.follows for each in (position, *plan.follows)}


Needs = Mapping[int, Mapping[int, Names]]


class _Moves:
    """The names that each plan takes, by the plan that gives them up; `early` are those that are given up first."""

    def __init__(self, plans: Sequence[Plan], needs: Needs, release: Release) -> None:
        self._plans, self._needs, self._release = plans, needs, release
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
                {position: sorted(self._follows(position), key=self._path) for position in positions}
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
        return replace(plan, follows=self._follows(position), requires=self._heirs(position), takes=takes)

    def _released(self, position: int, names: Names, takers: str) -> Plan:
        plan, handed = self._plans[position], self._handed_over(position)
        if names & handed:
            plan = handing_over(plan, takers)
        return self._release(plan, names - handed, takers) if names - handed else plan

    def _handed_over(self, position: int) -> Names:
        return handed_over(self._plans[position].kind)

    def _given_up(self, giver: int, names: Names) -> Names:
        """Return the names that a plan gives up before another takes them; a deleted object hands nothing over."""
        return names - self._handed_over(giver) if self._plans[giver].after is None else names

    def _follows(self, position: int) -> tuple[int, ...]:
        return (*self._waits_for(position), *self._heirs(position))

    def _waits_for(self, taker: int) -> tuple[int, ...]:
        """Return the plans that give up something for this one, but not early."""
        givers = self._needs.get(taker, {})
        return tuple(giver for giver, names in givers.items() if names - self._early[taker, giver])

    def _heirs(self, giver: int) -> tuple[int, ...]:
        """Return the plans that must take what this one hands over before it continues."""
        if self._plans[giver].after is None:
            return ()
        takers = self._takers.get(giver, ())
        return tuple(taker for taker in takers if self._early[taker, giver] & self._handed_over(giver))


def _needs(plans: Sequence[Plan]) -> Needs:
    """Return the names that each plan takes, by the plan that gives them up."""
    owners = [_held(plan) for plan in plans]
    givers = {name: position for position, (before, after) in enumerate(owners) for name in before - after}
    needs: dict[int, dict[int, Names]] = {}
    if not givers:
        return needs
    for taker, (before, after) in enumerate(owners):
        for name in after - before:
            if name in givers:
                taken = needs.setdefault(taker, {})
                taken[givers[name]] = taken.get(givers[name], frozenset()) | {name}
    return needs


def _held(plan: Plan) -> tuple[Names, Names]:
    if plan.error is not None or not plan.operations:
        return frozenset(), frozenset()
    before, after = (held(plan.kind, state) if state else frozenset() for state in (plan.before, plan.after))
    return before, after
