# SPDX-License-Identifier: GPL-3.0-or-later
"""At every moment of a task, and wherever it stops, nobody gets through who does so neither before nor after. Pure.

For each probe, the access after any part of the operations is compared with the access before and after all of them.
If it would be weaker than both, an operation needs another one. Whatever the graph then allows is safe: one
after another, in parallel, and after any failure.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence

from .._access.account import Account
from .._access.probe import Probe
from .._access.probes import probes, route_probes
from .._planning.closing import opens
from .graph import Graph, Node
from .watched import Opening, Steps, Watched, moved


class Stuck(Exception):
    """No order of the operations is safe, for one or several `groups` of edges.

    A group is what each operation would open, and the plans that are not finished yet.
    """

    def __init__(self, groups: Sequence[tuple[Sequence[Opening], Sequence[int]]]) -> None:
        self.groups = list(groups)


def need_protection(graph: Graph, account: Account) -> dict[int, set[int]]:
    """Let operations that would open something wait for those that protect it.

    Returns the plans that come after each purge, which it must not wait for. Raises Stuck if there is no safe order.
    """
    later: dict[int, set[int]] = defaultdict(set)
    stuck: list[tuple[Sequence[Opening], Sequence[int]]] = []
    found: list[Probe] = [*probes(account), *route_probes(account)]
    watched = [Watched(probe, graph) for probe in found]
    for one in watched:
        if one.probe.failed:
            _need_failed(graph, one)
    for critical in _groups([one for one in watched if one.is_critical]):
        try:
            order = _SafeOrder(graph, critical).nodes()
        except Stuck as error:
            stuck += error.groups
            continue
        places = {node: place for place, node in enumerate(order)}
        for one in critical:
            _need_in_order(graph, one, places)
        for number, (position, _step) in enumerate(order):
            if graph.plans[position].purge:
                later[position] |= {other for other, _step in order[number + 1 :] if not graph.plans[other].purge}
    if stuck:
        # All together, because each of them means to start again with other plans.
        raise Stuck(stuck)
    return later


def _groups(watched: Sequence[Watched]) -> list[list[Watched]]:
    """Return the probes in groups, so that no plan matters to several of them."""
    leaders: dict[int, int] = {}

    def leader_of(position: int) -> int:
        while (other := leaders.setdefault(position, position)) != position:
            leaders[position] = leaders[other]
            position = other
        return position

    for one in watched:
        for position in one.positions:
            leaders[leader_of(position)] = leader_of(one.positions[0])
    groups: dict[int, list[Watched]] = defaultdict(list)
    for one in watched:
        groups[leader_of(one.positions[0])].append(one)
    return list(groups.values())


def _need_failed(graph: Graph, watched: Watched) -> None:
    """Let what would open something need a plan that failed, because that one might protect it."""
    cause = (watched.probe.failed[0], 0)
    if watched.is_large:
        # Too many states to find those that open something.
        for position in watched.positions:
            graph.need((position, 0), cause)
        return
    for steps in watched.unsafe:
        if not any(cause in graph.needs(node) for node in watched.executed(steps)):
            taken = [number for number, step in enumerate(steps) if step]
            # If the state is safe without the last operation of a plan, that one opens it.
            opening = [number for number in taken if watched.is_safe(moved(steps, number, -1))]
            number = (opening or taken)[-1]
            graph.need((watched.positions[number], steps[number] - 1), cause)


def _need_in_order(graph: Graph, watched: Watched, places: Mapping[Node, int]) -> None:
    """Exclude each unsafe state of a probe: one of the operations executed in it needs one that is not."""
    if watched.is_large:
        own = [node for node in places if node[0] in watched.positions]
        for node, needed in zip(own[1:], own):
            _rely(graph, node, needed)
        return
    chosen: list[tuple[Node, Node]] = []
    for steps in watched.unsafe:
        done = [(position, step - 1) for position, step in zip(watched.positions, steps) if step]
        missing = [
            (position, step) for position, step, last in zip(watched.positions, steps, watched.lasts) if step < last
        ]
        executed = watched.executed(steps)
        if any(node in executed and needed not in executed for node, needed in chosen):
            continue
        pairs = [(node, needed) for node in done for needed in missing if places[needed] < places[node]]
        node, needed = min(pairs, key=lambda pair: (not _helps(watched, steps, pair[1]), -places[pair[0]]))
        chosen.append((node, needed))
        _rely(graph, node, needed)


def _helps(watched: Watched, steps: Steps, needed: Node) -> bool:
    """Return whether a state is safe with one more operation."""
    number = watched.positions.index(needed[0])
    return watched.is_safe(moved(steps, number, 1))


def _rely(graph: Graph, node: Node, needed: Node) -> None:
    graph.need(node, needed)
    graph.relied_on.add(needed)


class _SafeOrder:
    """An order of the operations that probes depend on, in which each of them stays safe."""

    def __init__(self, graph: Graph, watched: Sequence[Watched]) -> None:
        self._graph = graph
        self._by_plan: dict[int, list[Watched]] = defaultdict(list)
        for one in watched:
            for position in one.positions:
                self._by_plan[position].append(one)
        self._steps = dict.fromkeys(self._by_plan, 0)
        self._blocking: dict[int, int] = defaultdict(int)
        self._needed: dict[Node, set[Node]] = {}

    def nodes(self) -> list[Node]:
        """Return the order. Raise Stuck if there is none."""
        order: list[Node] = []
        graph = self._graph
        waiting = sorted(self._by_plan, key=lambda position: graph.ranks[position])
        while waiting:
            # What is reopened too early can block what others still have to do.
            candidates = sorted(waiting, key=self._reopens)
            position = next((one for one in candidates if self._may_come(one)), None)
            if position is None:
                raise self._stuck(waiting)
            order.append((position, self._steps[position]))
            self._steps[position] += 1
            if self._steps[position] == len(graph.plans[position].operations):
                waiting.remove(position)
        return order

    def _reopens(self, position: int) -> bool:
        """Return whether the next operation of a plan opens what an earlier one has closed."""
        plan, step = self._graph.plans[position], self._steps[position]
        return step > 0 and opens(plan.kind, plan.operations[step])

    def _may_come(self, position: int) -> bool:
        needed = self._needs((position, self._steps[position]))
        if any(self._steps[other] <= number for other, number in needed):
            return False
        all_watched = self._by_plan[position]
        # The probe that was in the way last time probably still is.
        first = self._blocking[position]
        for number in itertools.chain(range(first, len(all_watched)), range(first)):
            if not all_watched[number].allows(self._state(all_watched[number], position)):
                self._blocking[position] = number
                return False
        return True

    def _needs(self, node: Node) -> set[Node]:
        """Return what a node needs of these plans, also by way of plans that no probe depends on."""
        if node not in self._needed:
            found, seen, waiting = set(), {node}, list(self._graph.needs(node))
            while waiting:
                needed = waiting.pop()
                if needed[0] in self._steps:
                    found.add(needed)
                elif needed not in seen:
                    seen.add(needed)
                    waiting += self._graph.needs(needed)
                    waiting += [(needed[0], needed[1] - 1)] if needed[1] else []
            self._needed[node] = found
        return self._needed[node]

    def _state(self, watched: Watched, ahead: int | None = None) -> Steps:
        """Return the state of a probe now, or after the next operation of the plan `ahead`."""
        return tuple(self._steps[one] + (one == ahead) for one in watched.positions)

    def _stuck(self, waiting: Sequence[int]) -> Stuck:
        hindering = list(dict.fromkeys(one for each in waiting for one in self._by_plan[each]))
        # Those without any safe order of their own are stuck whatever becomes of the others.
        ways = [one.way_through(self._state(one)) for one in hindering if not one.allows(self._state(one))]
        openings = [way for way in ways if way is not None]
        # Otherwise, each probe has a way of its own, but not all of them together.
        for position in waiting if not openings else ():
            watched = self._by_plan[position][self._blocking[position]]
            ahead = self._state(watched, position)
            if not watched.is_safe(ahead):
                openings = [watched.opening(ahead, position)]
                break
        return Stuck([(openings or [(None, waiting[0])], waiting)])
