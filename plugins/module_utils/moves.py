# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of plans that take names from one another: hostports between edges, matches between routes, and the login
that some services allow one route of an edge only. Pure.

A service refuses a name as long as another object has it, so what gives it up comes before what takes it. If two wait
for each other, or if the one that gives it up is deleted (which comes last), it gives the name up by a step of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter

from .plan import Plan, State

Name = tuple[str, ...]


@dataclass(frozen=True)
class Exclusive:
    """What only one object of a kind can have at a time.

    `held` are the names that an object has in a state. `freed` returns a plan with early operations that give names up;
    the text says for which objects. `handed_over` are names that are always given up so, and without which
    the object may go on only when the others have taken them. `cost` compares which object is to give up its names in a
    circle.
    """

    held: Callable[[State], frozenset[Name]]
    freed: Callable[[Plan, frozenset[Name], str], Plan]
    handed_over: frozenset[Name] = frozenset()
    cost: Callable[[Plan], int] = lambda plan: 0


def arranged(plans: Sequence[Plan], exclusive: Exclusive) -> list[Plan]:
    """The same plans, in the same order in the list, with what each of them has to wait for."""
    needs = _needs(plans, exclusive)
    if not needs:
        return list(plans)
    early = {
        (taker, giver): names if plans[giver].after is None else names & exclusive.handed_over
        for taker, giver, names in _each(needs)
    }
    while circle := _circle(plans, needs, early, exclusive):
        holding = [position for position in circle if _holds_up(needs, early, position)]
        breaker = min(holding, key=lambda position: (exclusive.cost(plans[position]), position))
        early.update({(taker, giver): names for taker, giver, names in _each(needs) if giver == breaker})
    return [_arranged(plans, position, needs, early, exclusive) for position in range(len(plans))]


def finishing_order(plans: Sequence[Plan]) -> list[int]:
    """The positions of the plans in the order in which they are carried out, when the early operations are done."""
    moves = moving(plans)
    sorter = TopologicalSorter({position: plans[position].follows for position in moves})
    others = (position for position in range(len(plans)) if position not in moves)
    return sorted([*sorter.static_order(), *others], key=lambda position: plans[position].purge)


def moving(plans: Sequence[Plan]) -> set[int]:
    """The positions of the plans that wait for others, or that others wait for."""
    return {each for position, plan in enumerate(plans) if plan.follows for each in (position, *plan.follows)}


Needs = Mapping[int, Mapping[int, frozenset[Name]]]
Early = Mapping[tuple[int, int], frozenset[Name]]


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


def _each(needs: Needs) -> Iterator[tuple[int, int, frozenset[Name]]]:
    return ((taker, giver, names) for taker, givers in needs.items() for giver, names in givers.items())


def _waits_for(needs: Needs, early: Early, taker: int) -> list[int]:
    """The plans that have to be carried out before; what is given up early is there already."""
    return [giver for giver, names in needs.get(taker, {}).items() if names - early[taker, giver]]


def _heirs(plans: Sequence[Plan], needs: Needs, early: Early, giver: int, exclusive: Exclusive) -> list[int]:
    """The plans that have to take over what this one gave up early, before it goes on."""
    handed = exclusive.handed_over
    if plans[giver].after is None or not handed:
        return []
    return [taker for taker, other, _names in _each(needs) if other == giver and early[taker, giver] & handed]


def _follows(plans: Sequence[Plan], needs: Needs, early: Early, position: int, exclusive: Exclusive) -> tuple[int, ...]:
    return (*_waits_for(needs, early, position), *_heirs(plans, needs, early, position, exclusive))


def _holds_up(needs: Needs, early: Early, giver: int) -> bool:
    """Whether others wait for names that this plan could give up early."""
    return any(other == giver and names - early[taker, giver] for taker, other, names in _each(needs))


def _circle(plans: Sequence[Plan], needs: Needs, early: Early, exclusive: Exclusive) -> Sequence[int]:
    """Plans that wait for each other, if there are any left."""
    involved = {each for taker, giver, _names in _each(needs) for each in (taker, giver)}
    try:
        TopologicalSorter({each: _follows(plans, needs, early, each, exclusive) for each in involved}).prepare()
    except CycleError as error:
        circle: Sequence[int] = error.args[1]
        return circle
    return ()


def _arranged(plans: Sequence[Plan], position: int, needs: Needs, early: Early, exclusive: Exclusive) -> Plan:
    plan = plans[position]
    takers = [taker for taker, giver, _names in _each(needs) if giver == position and early[taker, giver]]
    if takers:
        names = frozenset().union(*(early[taker, position] for taker in takers))
        plan = exclusive.freed(plan, names, " and ".join(plans[taker].subject for taker in takers))
    heirs = tuple(_heirs(plans, needs, early, position, exclusive))
    return replace(plan, follows=_follows(plans, needs, early, position, exclusive), requires=heirs)
