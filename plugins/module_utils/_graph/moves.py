# SPDX-License-Identifier: GPL-3.0-or-later
"""Who takes a name needs who gives it up, because each name can belong to one object at a time. Pure.

A service rejects a name as long as another object has it. If two objects wait for each other, or if the one that gives
the name up is deleted (which comes last), it gives up the name in an operation of its own. Which names an object has
follows from the schema.

Of a list, such as hostports, only the names are given up. A single name, such as the match of a route, becomes a
temporary one below it, so that the route stays on the same host, with all its traffic modules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from .._model.field import Field
from .._model.protection import protections
from .._planning.interim_states import states_of
from .._planning.plan import Name, Operation, Plan, State
from .._planning.safe_order import always_sent, handing_over
from .._planning.unique_names import handed_over, held, own_names, values_of
from .graph import Graph

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
        gained = _changes(graph.plans[taker])[1]
        for giver, names in givers.items():
            plan, lost = graph.plans[giver], _changes(graph.plans[giver])[0]
            for name in sorted(_given_up(plan, names)):
                graph.need((taker, gained[name]), (giver, lost[name]))
                graph.lose((giver, lost[name]), taker)
                graph.relied_on.add((giver, lost[name]))
    _need_failed(graph)


def give_up_late(graph: Graph) -> None:
    """Let the operations that give up a name wait for what the one waits for that takes it.

    If the other one is withheld because that fails, the name stays where it is. A circle goes without.
    """
    for taker in _needs(graph.plans):
        for giving in graph.losses(taker):
            if not graph.plans[giving[0]].operations[giving[1]].early:
                later = graph.after(giving)
                taking = next(node for node in graph.nodes(taker) if giving in graph.needs(node))
                for node in graph.nodes(taker)[: taking[1] + 1]:
                    for needed in graph.needs(node):
                        if needed not in later:
                            graph.need(giving, needed)


def _need_failed(graph: Graph) -> None:
    """Withhold what takes a name of an object whose own change failed, and what gives one up for such an object."""
    kept, claimed = {}, {}
    for position, plan in enumerate(graph.plans):
        if plan.error:
            kept.update({(plan.family, name): position for name in own_names(plan.kind, plan.before)})
            claimed.update({(plan.family, name): position for name in plan.claims or ()})
    for position, plan in enumerate(graph.plans) if kept or claimed else ():
        if plan.operations and plan.after is not None:
            family, then, now = plan.family, own_names(plan.kind, plan.before), own_names(plan.kind, plan.after)
            for name in sorted(name for name in now - then if (family, name) in kept):
                graph.need((position, _changes(plan)[1][name]), (kept[family, name], 0))
            for name in sorted(name for name in then - now if (family, name) in claimed):
                graph.lose((position, _changes(plan)[0][name]), claimed[family, name])


def _given_up(giver: Plan, names: Names) -> Names:
    """Return the names that a plan gives up before another takes them; a deleted object hands nothing over."""
    return names - handed_over(giver.kind) if giver.after is None else names


def _changes(plan: Plan) -> tuple[dict[Name, int], dict[Name, int]]:
    """Return the first operations after which the object no longer has a name, and after which it has one, by name."""
    names = [_held(plan, state) for state in states_of(plan)]
    lost: dict[Name, int] = {}
    gained: dict[Name, int] = {}
    for number in reversed(range(len(names) - 1)):
        then, now = names[number : number + 2]
        lost.update(dict.fromkeys(then - now, number))
        gained.update(dict.fromkeys(now - then, number))
    return lost, gained


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

        Of the plans that another one waits for, it is the one whose object has the fewest protections. At most one of
        a circle gives up an exclusive module together with its last change.
        """
        waited_for = {giver for taker in circle for giver in self._waits_for(taker)}
        breaker = min(
            (position for position in circle if position in waited_for and self._can_be_early(position)),
            key=lambda position: (
                len(protections(self._plans[position].kind, self._plans[position].before)),
                self._path(position),
            ),
        )
        for taker in self._takers[breaker]:
            self._early[taker, breaker] = self._needs[taker][breaker]

    def _path(self, position: int) -> tuple[str, int]:
        return self._plans[position].target.path, position

    def arranged(self, position: int) -> Plan:
        plan = self._plans[position]
        takers = [taker for taker in self._takers.get(position, ()) if self._early[taker, position]]
        if takers:
            names = frozenset().union(*(self._early[taker, position] for taker in takers))
            subjects = " and ".join(self._plans[taker].subject for taker in takers)
            if names & self._handed_over(position):
                plan = handing_over(plan, subjects)
            plan = _released(plan, names - self._handed_over(position), subjects)
        elif position in self._takers:
            plan = _revertible(plan)
        givers = self._needs.get(position, {})
        taken = frozenset().union(*(_given_up(self._plans[giver], names) for giver, names in givers.items()))
        takes = ", ".join(sorted({name[1] for name in taken}))
        return replace(plan, takes=takes)

    def _can_be_early(self, position: int) -> bool:
        given_up = frozenset().union(*(self._needs[taker][position] for taker in self._takers[position]))
        return given_up & handed_over(self._plans[position].kind) <= self._handed_over(position)

    def _handed_over(self, position: int) -> Names:
        """Return the names that an object always gives up early, closed meanwhile: it may be open without them.

        It keeps them until its change if an exclusive module remains, such as one that is disabled.
        """
        plan = self._plans[position]
        names = handed_over(plan.kind)
        return names if names.isdisjoint(_held(plan, plan.after)) else frozenset()

    def _waits_for(self, taker: int) -> tuple[int, ...]:
        """Return the plans that give up something for this one, but not early."""
        givers = self._needs.get(taker, {})
        return tuple(giver for giver, names in givers.items() if names - self._early[taker, giver])


def _needs(plans: Sequence[Plan]) -> Needs:
    """Return the names that each plan takes, by the plan of the same parent that gives them up."""
    owners = [(_held(plan, plan.before), _held(plan, plan.after)) for plan in plans]
    families = [plan.family for plan in plans]
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


def _released(plan: Plan, names: Names, takers: str) -> Plan:
    """Return the plan of an object that first gives up these names for other objects, named `takers`."""
    current = plan.before or {}
    for f in plan.kind.fields:
        given_up = [value for name, *rest in sorted(names) if name == f.name for value in rest[:1]]
        if f.unique and given_up and isinstance(current[f.name], list):
            plan = _without(plan, f, given_up, current, takers)
        elif f.unique and given_up:
            plan = _elsewhere(plan, f, current, takers)
    return plan


def _revertible(plan: Plan) -> Plan:
    """Return the plan with what reverts it, if it only gives up names.

    Nobody may get back a wildcard: hosts that other objects have given up would end up there.
    """
    then, now = own_names(plan.kind, plan.before), own_names(plan.kind, plan.after)
    given_up = sorted(value for _field, value in then - now)
    is_alone = [*plan.changes] == [name for name, *_value in sorted(then - now)][:1] and len(plan.operations) == 1
    if plan.before is None or now - then or not is_alone or any("*" in value for value in given_up):
        return plan
    [operation], [name] = plan.operations, plan.changes
    undo = _taking_back(plan, ", ".join(given_up), {**operation.body, name: plan.before[name]})
    return replace(plan, operations=(replace(operation, undo=undo),))


def _without(plan: Plan, f: Field, given_up: list[str], current: State, takers: str) -> Plan:
    kept = [one for one in current[f.name] if not set(values_of([one])).intersection(given_up)]
    text = ", ".join(given_up)
    state = f"the {plan.kind.noun} does not serve {text}; run the task again to finish"
    first = _giving_up(plan, {f.name: kept}, {f.name: current[f.name]}, text, takers, state)
    return replace(plan, operations=(first, *plan.operations))


def _elsewhere(plan: Plan, f: Field, current: State, takers: str) -> Plan:
    own, name = always_sent(plan.kind, current), current[f.name]
    temporary = f"{name.rstrip('/')}/.moving-{current['id']}"
    state = f"the {plan.kind.noun} matches {temporary}; run the task again to finish"
    first = _giving_up(plan, {**own, f.name: temporary}, own, name, takers, state)
    identity = {each.name: current[each.name] for each in plan.kind.fields if each.identifies}
    later = (_at_temporary(operation, f.name, temporary, identity) for operation in plan.operations)
    return replace(plan, operations=(first, *later))


def _giving_up(plan: Plan, body: Any, own: Any, names: str, takers: str, interim_state: str) -> Operation:
    reason, undo = f"gives up {names} for {takers}", _taking_back(plan, names, own)
    return Operation("PATCH", plan.target.path, reason, body, early=True, undo=undo, interim_state=interim_state)


def _taking_back(plan: Plan, names: str, own: Any) -> Operation:
    reason = f"takes {names} back, because the change could not be finished"
    return Operation("PATCH", plan.target.path, reason, own)


def _at_temporary(operation: Operation, name: str, temporary: str, identity: State) -> Operation:
    """Return the operation of an object with a temporary name, if it would send the name that was given up."""
    if operation.method != "PATCH" or any(operation.body[each] != value for each, value in identity.items()):
        return operation
    return replace(operation, body={**operation.body, name: temporary})
