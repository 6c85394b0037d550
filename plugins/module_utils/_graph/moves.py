# SPDX-License-Identifier: GPL-3.0-or-later
"""Who takes a name needs who gives it up, because each name can belong to one object at a time. Pure.

A service rejects a name as long as another object has it. If two objects wait for each other, or if the one that gives
the name up is deleted (which comes last), it gives up the name in an operation of its own. Which names an object has
follows from the schema.

Of a list, such as hostports, only the names are given up. A single name, such as the match of a route, becomes a
temporary one below it, so that the route stays on the same host, with all its traffic modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from .._access.parts import grouped
from .._access.served_objects import served_state
from .._model.field import Field
from .._model.protection import ENDPOINTS, SERVING, protections
from .._model.schema import HTTPS_EDGE
from .._planning.closing import exchanged
from .._planning.plan import Name, Operation, Plan, State, is_unclear, patch, states_of, with_fields
from .._planning.unique_names import handed_over, held, own_names, values_of
from .graph import Graph, settle

Names = frozenset[Name]
Moves = Mapping[tuple[int, int], Names]
"""The names that one plan takes and another one gives up, by the positions of both."""


def with_releases(plans: Sequence[Plan]) -> list[Plan]:
    """Return the same plans, in the same order, with early operations that give up names if necessary."""
    changed = list(plans)
    moves = {pair: names for pair, names in _moves(plans).items() if not any(plans[one].error for one in pair)}
    early = {
        pair: names if plans[pair[1]].after is None else names & _always_early(plans[pair[1]])
        for pair, names in moves.items()
    }
    while circle := _circle(plans, [pair for pair, names in moves.items() if names - early[pair]]):
        breaker = _breaker(plans, circle, moves)
        early |= {pair: names for pair, names in moves.items() if pair[1] == breaker}
    for giver, takers in grouped((giver, taker) for taker, giver in moves).items():
        first = [taker for taker in takers if early[taker, giver]]
        given_up = frozenset().union(*(early[taker, giver] for taker in first))
        subjects = " and ".join(plans[taker].subject for taker in first)
        changed[giver] = _first_without(plans[giver], given_up, subjects) if first else _revertible(plans[giver])
    for taker, givers in grouped(moves).items():
        taken = {name[1] for giver in givers for name in _given_up(plans[giver], moves[taker, giver])}
        changed[taker] = replace(changed[taker], takes=", ".join(sorted(taken)))
    return changed


def takers_of_deleted(plans: Sequence[Plan]) -> dict[int, set[int]]:
    """Return the plans of edges that are declared to serve a host of each deleted edge, by the position of the latter.

    They may have failed.
    """
    edges = [(position, plan) for position, plan in enumerate(plans) if _is_edge(plan)]
    takers = grouped((host, taker) for taker, plan in edges for host in _declared_hosts(plan))
    return {
        giver: set().union(*(takers[host] for host in hosts & takers.keys()))
        for giver, plan in edges
        if plan.operations and plan.after is None
        for hosts in [{value for _field, value in own_names(plan.kind, plan.before)} | _left_by_endpoint(plan)]
    }


def _declared_hosts(plan: Plan) -> set[str]:
    url = (plan.desired or {}).get("url") if plan.target.object_collection == ENDPOINTS else None
    hosts = served_state({"url": url})["hostports"] if isinstance(url, str) else ()
    return {*hosts, *(value for _field, value in plan.claims or ())}


def _circle(plans: Sequence[Plan], waiting: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    # Sorted, so that the same circle is found in whatever order the objects are declared.
    in_order = sorted(waiting, key=lambda pair: [(plans[one].target.path, one) for one in pair])
    try:
        TopologicalSorter(grouped(in_order)).prepare()
    except CycleError as error:
        circle = set(error.args[1])
        return [pair for pair in waiting if circle.issuperset(pair)]
    return []


def _breaker(plans: Sequence[Plan], circle: Sequence[tuple[int, int]], moves: Moves) -> int:
    """Return the plan of a circle that gives up early all names that others take: the one with the fewest protections.

    At most one of a circle gives up an exclusive module together with its last change.
    """
    late = {
        giver
        for (_taker, giver), names in moves.items()
        if names & handed_over(plans[giver].kind) - _always_early(plans[giver])
    }
    can_be_early = {giver for _taker, giver in circle} - late
    return min(
        can_be_early,
        key=lambda one: (len(protections(plans[one].kind, plans[one].before)), plans[one].target.path, one),
    )


def need_names(graph: Graph) -> None:
    """Let the operations that take a name wait for those that give it up.

    No name is given up for an object that failed, and none is taken that such an object keeps.
    """
    moves = _moves(graph.plans)
    changes = {position: _changes(graph.plans[position]) for pair in moves for position in pair}
    for (taker, giver), names in moves.items():
        for name in sorted(_given_up(graph.plans[giver], names)):
            giving, taking = (giver, changes[giver][0].get(name, 0)), (taker, changes[taker][1].get(name, 0))
            graph.rely(taking, giving)
            graph.losses[taker].append(giving)


def give_up_late(graph: Graph) -> None:
    """Let the operations that give up a name wait for what the one waits for that takes it.

    If the other one is withheld because that fails, the name stays where it is. A circle goes without.
    """
    for taker, plan in enumerate(graph.plans):
        for giver, number in graph.losses[taker]:
            if not plan.error and graph.plans[giver].operations:
                later = {giver, *settle(graph, [giver], graph.nodes(giver)[:number])}
                taking = next(node for node in graph.nodes(taker) if (giver, number) in graph.needs(node))
                nodes = graph.nodes(taker)[: taking[1] + 1]
                for needed in [one for node in nodes for one in graph.needs(node) if one[0] not in later]:
                    graph.need((giver, number), needed)


def _given_up(giver: Plan, names: Names) -> Names:
    """Return the names that a plan gives up before another takes them; a deleted object hands nothing over."""
    return names - handed_over(giver.kind) if giver.after is None else names


def _changes(plan: Plan) -> tuple[dict[Name, int], dict[Name, int]]:
    """Return the first operations after which the object no longer has a name, and after which it has one, by name."""
    names = [held(plan.kind, state) for state in states_of(plan)]
    lost: dict[Name, int] = {}
    gained: dict[Name, int] = {}
    for number in reversed(range(len(names) - 1)):
        then, now = names[number : number + 2]
        lost.update(dict.fromkeys(then - now, number))
        gained.update(dict.fromkeys(now - then, number))
    return lost, gained


def _always_early(plan: Plan) -> Names:
    """Return the names that an object always gives up early, closed meanwhile: it may be open without them.

    It keeps them until its change if an exclusive module remains, such as one that is disabled.
    """
    names = handed_over(plan.kind)
    return names if names.isdisjoint(held(plan.kind, plan.after)) else frozenset()


def _moves(plans: Sequence[Plan]) -> Moves:
    """Return the names that plans take from others of the same parent, also between a plan that failed and others."""
    moves = grouped(((taker, giver), name) for taker, giver, name in _handovers(plans) if giver != taker)
    return {pair: frozenset(names) for pair, names in moves.items()}


def _handovers(plans: Sequence[Plan]) -> Iterator[tuple[int, int, Name]]:
    changes = [_lost_and_gained(plan) for plan in plans]
    givers = {(plans[giver].family, name): giver for giver, (lost, _gained) in enumerate(changes) for name in lost}
    left = dict(givers)
    for taker, (_lost, gained) in enumerate(changes):
        for name in gained:
            giver = givers.get((plans[taker].family, name), taker)
            left.pop((plans[taker].family, name), None)
            # Whether a deletion waits for what failed is decided by `need_declared`.
            if not (plans[taker].error and plans[giver].after is None):
                yield taker, giver, name
    # What no object takes may get to an edge of which nobody knows what it serves.
    unclear = [taker for taker, plan in enumerate(plans) if is_unclear(plan) and _is_edge(plan)]
    hosts = {name: giver for (_family, name), giver in left.items() if _is_edge(plans[giver])} if unclear else {}
    for giver, plan in enumerate(plans) if unclear else ():
        hosts.update({("url", host): giver for host in _left_by_endpoint(plan)})
    yield from ((one, giver, name) for one in unclear for name, giver in hosts.items())


def _is_edge(plan: Plan) -> bool:
    return plan.kind is HTTPS_EDGE or plan.target.object_collection in SERVING


def _left_by_endpoint(plan: Plan) -> set[str]:
    """Return the hosts that an endpoint no longer serves; its URL is no name that only one object can have."""
    if plan.target.object_collection != ENDPOINTS or not plan.operations:
        return set()
    then, now = (served_state(plan.kind.shown(state) if state else {}) for state in (plan.before, plan.after))
    return {*then["hostports"]} - {*now["hostports"]}


def _lost_and_gained(plan: Plan) -> tuple[Names, Names]:
    """Return the names that others can take, and those that an object takes; of what failed, what it has and claims."""
    if plan.error:
        return own_names(plan.kind, plan.before), plan.claims or frozenset()
    then, now = held(plan.kind, plan.before), held(plan.kind, plan.after)
    return then - now, now - then


def _revertible(plan: Plan) -> Plan:
    """Return the plan with what reverts it, if it only gives up names. A PUT also resets what is not declared.

    Nobody may get back a wildcard: hosts that other objects have given up would end up there.
    """
    then, now = own_names(plan.kind, plan.before), own_names(plan.kind, plan.after)
    given_up = sorted(value for _field, value in then - now)
    is_alone = [*plan.changes] == [name for name, *_value in sorted(then - now)][:1]
    is_alone = is_alone and [one.method for one in plan.operations] == ["PATCH"]
    if plan.before is None or now - then or not is_alone or any("*" in value for value in given_up):
        return plan
    [operation], [name] = plan.operations, plan.changes
    undo = _taking_back(plan, plan.before, name, given_up)
    return replace(plan, operations=(replace(operation, undo=undo),))


def _taking_back(plan: Plan, current: State, name: str, given_up: Sequence[str]) -> Operation:
    reason = f"takes {', '.join(given_up)} back, because the change could not be finished"
    return patch(plan.target, current, reason, {name: current[name]})


def _first_without(plan: Plan, names: Names, takers: str) -> Plan:
    """Return the plan of an object that first gives up these names for other objects, named `takers`."""
    if names & _always_early(plan):
        plan = exchanged(plan, takers)
    for f in plan.kind.fields:
        given_up = list(dict.fromkeys(name[1] for name in sorted(names) if name[0] == f.name))
        if f.unique and given_up:
            plan = _first_giving_up(plan, f, given_up, takers)
    return plan


def _first_giving_up(plan: Plan, f: Field, given_up: Sequence[str], takers: str) -> Plan:
    kind, current, operations = plan.kind, plan.before or {}, plan.operations
    value, text = current[f.name], ", ".join(given_up)
    if isinstance(value, list):
        fields: State = {f.name: [one for one in value if values_of([one]).isdisjoint(given_up)]}
        state = f"does not serve {text}"
    else:
        fields = {f.name: f"{value.rstrip('/')}/.moving-{current['id']}"}
        state = f"matches {fields[f.name]}"
        # What does not change the match sends it along.
        identity = {each.name: current[each.name] for each in kind.fields if each.identifies}.items()
        operations = tuple(
            with_fields(one, fields) if identity <= (one.body or {}).items() else one for one in operations
        )
    undo = _taking_back(plan, current, f.name, given_up)
    first = patch(plan.target, current, f"gives up {text} for {takers}", fields)
    state = f"the {kind.noun} {state}; run the task again to finish"
    return replace(plan, operations=(replace(first, undo=undo, interim_state=state), *operations))
