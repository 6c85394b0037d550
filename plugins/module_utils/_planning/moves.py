# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of plans that take names from one another: hostports between edges, matches between routes, and the login
that some services allow one route of an edge only. Pure.

A service refuses a name as long as another object has it, so what gives it up comes before what takes it. If two wait
for each other, or if the one that gives it up is deleted (which comes last), it gives the name up by a step of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter

from .plan import Plan, State
from .widening import protections, widens

Name = tuple[str, ...]


@dataclass(frozen=True)
class Exclusive:
    """What only one object of a kind can have at a time.

    `held` are the names that an object has in a state. `freed` returns a plan with early operations that give names up;
    the text says for which objects. `handed_over` are names that are always given up so, and without which
    the object may go on only when the others have taken them.
    """

    held: Callable[[State], frozenset[Name]]
    freed: Callable[[Plan, frozenset[Name], str], Plan]
    handed_over: frozenset[Name] = frozenset()


def arranged(plans: Sequence[Plan], exclusive: Exclusive) -> list[Plan]:
    """The same plans, in the same order in the list, with what each of them has to wait for."""
    needs = _needs(plans, exclusive)
    if not needs:
        return list(plans)
    moves = _Moves(plans, needs, exclusive)
    while circle := moves.circle():
        moves.break_up(circle)
    return [moves.arranged(position) for position in range(len(plans))]


def finishing_order(plans: Sequence[Plan]) -> list[int]:
    """The positions of the plans in the order in which they are carried out, when the early operations are done.

    What may let more people in comes after what is to keep them out, and what is purged comes last.
    """
    moves = moving(plans)
    sorter = TopologicalSorter({position: plans[position].follows for position in moves})
    others = [position for position in range(len(plans)) if position not in moves]
    others.sort(key=lambda position: widens(plans[position]))
    return sorted([*sorter.static_order(), *others], key=lambda position: plans[position].purge)


def moving(plans: Sequence[Plan]) -> set[int]:
    """The positions of the plans that wait for others, or that others wait for."""
    return {each for position, plan in enumerate(plans) if plan.follows for each in (position, *plan.follows)}


Needs = Mapping[int, Mapping[int, frozenset[Name]]]


class _Moves:
    """The names that each plan takes, by the plan that gives them up; `early` are those that are given up first."""

    def __init__(self, plans: Sequence[Plan], needs: Needs, exclusive: Exclusive) -> None:
        self._plans, self._needs, self._exclusive = plans, needs, exclusive
        self._early: dict[tuple[int, int], frozenset[Name]] = {}
        self._takers: dict[int, list[int]] = {}
        for taker, givers in needs.items():
            for giver, names in givers.items():
                self._takers.setdefault(giver, []).append(taker)
                is_deleted = plans[giver].after is None
                self._early[taker, giver] = names if is_deleted else names & exclusive.handed_over

    def circle(self) -> Sequence[int]:
        """Plans that wait for each other, if there are any left."""
        positions = {*self._needs, *self._takers}
        try:
            TopologicalSorter({position: self._follows(position) for position in positions}).prepare()
        except CycleError as error:
            found: Sequence[int] = error.args[1]
            return found
        return ()

    def break_up(self, circle: Sequence[int]) -> None:
        """Let one of them, that another one waits for, give up early all that others take: one that protects little."""
        waited_for = {giver for taker in circle for giver in self._waits_for(taker)}
        breaker = min(
            (position for position in circle if position in waited_for),
            key=lambda position: (self._protections(position), position),
        )
        for taker in self._takers[breaker]:
            self._early[taker, breaker] = self._needs[taker][breaker]

    def _protections(self, position: int) -> int:
        plan = self._plans[position]
        return len(protections(plan.kind, plan.before))

    def arranged(self, position: int) -> Plan:
        plan = self._plans[position]
        takers = [taker for taker in self._takers.get(position, ()) if self._early[taker, position]]
        if takers:
            names = frozenset().union(*(self._early[taker, position] for taker in takers))
            subjects = " and ".join(self._plans[taker].subject for taker in takers)
            plan = self._exclusive.freed(plan, names, subjects)
        taken = frozenset().union(*(self._given_up(*need) for need in self._needs.get(position, {}).items()))
        takes = ", ".join(sorted({name[1] if len(name) > 1 else name[0] for name in taken}))
        return replace(plan, follows=self._follows(position), requires=self._heirs(position), takes=takes)

    def _given_up(self, giver: int, names: frozenset[Name]) -> frozenset[Name]:
        """The names that a plan gives up before another takes them; what is handed over stays with what is deleted."""
        return names - self._exclusive.handed_over if self._plans[giver].after is None else names

    def _follows(self, position: int) -> tuple[int, ...]:
        return (*self._waits_for(position), *self._heirs(position))

    def _waits_for(self, taker: int) -> tuple[int, ...]:
        """The plans that give up something for it, but not early."""
        givers = self._needs.get(taker, {})
        return tuple(giver for giver, names in givers.items() if names - self._early[taker, giver])

    def _heirs(self, giver: int) -> tuple[int, ...]:
        """The plans that have to take what a plan hands over before that one goes on."""
        if self._plans[giver].after is None:
            return ()
        takers = self._takers.get(giver, ())
        return tuple(taker for taker in takers if self._early[taker, giver] & self._exclusive.handed_over)


def _needs(plans: Sequence[Plan], exclusive: Exclusive) -> Needs:
    """The names that each plan takes, by the plan that gives them up."""
    held = [_held(plan, exclusive) for plan in plans]
    givers = {name: position for position, (before, after) in enumerate(held) for name in before - after}
    needs: dict[int, dict[int, frozenset[Name]]] = {}
    if not givers:
        return needs
    for taker, (before, after) in enumerate(held):
        for name in after - before:
            if name in givers:
                wanted = needs.setdefault(taker, {})
                wanted[givers[name]] = wanted.get(givers[name], frozenset()) | {name}
    return needs


def _held(plan: Plan, exclusive: Exclusive) -> tuple[frozenset[Name], frozenset[Name]]:
    if plan.error is not None or not plan.operations:
        return frozenset(), frozenset()
    before, after = (exclusive.held(state) if state else frozenset() for state in (plan.before, plan.after))
    return before, after
