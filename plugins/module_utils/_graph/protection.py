# SPDX-License-Identifier: GPL-3.0-or-later
"""At every moment of a task, and wherever it stops, nobody gets through who does so neither before nor after. Pure.

For each probe, the access after any part of the operations is compared with the access before and after all of them.
If it would be weaker than both, an operation needs another one. Whatever the graph then allows is safe: one
after another, in parallel, and after any failure.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from .._access.access import Access
from .._access.account import Account
from .._access.parts import START, At, grouped, reached
from .._access.probes import Probe
from .._access.route_probes import all_probes
from .graph import Graph, Node

_MOST_DEAD_ENDS = 200
_MOST_STATES = 4096


class Stuck(NamedTuple):
    """What operations would open that have no safe order, and the plans that are not finished yet.

    An opening is the plan of the route that lets somebody through, None if it has none, and the plan that opens it. One
    of each list in `openings` is enough to close. `entangled` are all plans whose needs of each other leave no safe
    order.
    """

    openings: Sequence[Sequence[tuple[int | None, int]]]
    waiting: Sequence[int]
    entangled: Collection[int] = ()


class _Unknown(Exception):
    """It matters how many operations of another plan have been executed."""

    def __init__(self, position: int) -> None:
        self.position = position


class _Known(dict[int, int]):
    """How many operations of some plans have been executed."""

    def get(self, position: int, _default: object = None) -> int:
        if position not in self:
            raise _Unknown(position)
        return self[position]


class Watched:
    """A probe, with what happens to it while the operations that it depends on are executed."""

    def __init__(self, probe: Probe, graph: Graph) -> None:
        self.probe, self.positions, self._graph = probe, probe.positions, graph
        self.lasts = {position: len(graph.plans[position].operations) for position in self.positions}
        self.failed = [(position, 0) for position in probe.failed]
        self.relied_on: set[Node] = set()

    @cached_property
    def _ends(self) -> list[Access | None]:
        """Who gets through before and after. What failed plans lead to is not known, so only the former counts."""
        return [self.probe.access(at) for at in ([START] if self.failed else [START, self.lasts])]

    def is_safe(self, at: At) -> bool:
        """Return whether nobody gets through in this state who gets through neither before nor after."""
        access = self.probe.access(at)
        return access is None or access.is_within(*self._ends)

    @cached_property
    def unsafe(self) -> list[At] | None:
        """The states that must not be reached, each with the plans alone on which it depends; None if there are many.

        Those are missing that the needs of other rules exclude, so the effect of what is needed there must be seen.
        """
        found: list[At] = []
        waiting, number = [_Known()], 0
        while waiting and (number := number + 1) <= _MOST_STATES:
            known = waiting.pop()
            try:
                if not self.is_safe(known):
                    needed = self.missing(known)
                    self.relied_on.update(needed)
                    found += [] if needed else [known]
            except _Unknown as unknown:
                steps = range(self.lasts[unknown.position] + 1)
                waiting += [_Known({**known, unknown.position: step}) for step in steps]
        return None if waiting else found

    @property
    def is_critical(self) -> bool:
        """Whether not every order is safe. A single operation leads from the state before to the one after."""
        return sum(self.lasts.values()) > 1 and not self.failed and self.unsafe != []

    def missing(self, state: At) -> list[Node]:
        """Return the operations that have not been executed in a state, although one that has needs them."""
        executed = ((position, number) for position, step in state.items() for number in range(step))
        needed = (node for one in executed for node in self._graph.needs(one))
        return [one for one in needed if one in self.failed or (one[0] in state and state[one[0]] <= one[1])]


def need_protection(graph: Graph, account: Account) -> list[Stuck]:
    """Let operations that would open something wait for those that protect it. Return what has no safe order."""
    watched = [Watched(probe, graph) for probe in all_probes(account)]
    for one in watched:
        if one.failed:
            _exclude_unsafe(graph, one, {})
    stuck: list[Stuck] = []
    critical_ones = [one for one in watched if one.is_critical]
    graph.relied_on.update(*(one.relied_on for one in watched))
    for critical in _groups(critical_ones):
        order = _Search(graph, critical).order()
        if isinstance(order, Stuck):
            # Those without any safe order of their own are stuck whatever becomes of the others.
            alone = [found for one in critical if isinstance(found := _Search(graph, [one]).order(), Stuck)]
            openings = [one.openings[0] for one in alone] or order.openings
            stuck.append(Stuck(openings, order.waiting, _entangled(graph, critical)))
            continue
        places = {node: place for place, node in enumerate(order)}
        for one in critical:
            _exclude_unsafe(graph, one, places)
    return stuck


def _groups(watched: Sequence[Watched]) -> list[list[Watched]]:
    """Return the probes in groups, so that no plan matters to several of them."""
    by_plan = grouped((position, one) for one in watched for position in one.positions)
    groups: list[list[Watched]] = []
    while by_plan:
        group, waiting = dict[Watched, None](), [next(iter(by_plan))]
        while waiting:
            for one in by_plan.pop(waiting.pop(), ()):
                group[one] = None
                waiting += one.positions
        groups.append(list(group))
    return groups


def _entangled(graph: Graph, watched: Sequence[Watched]) -> set[int]:
    """Return the plans that probes depend on, and those between them: they need one of these, and one needs them."""
    own = {position for one in watched for position in one.positions}
    before = reached(own, lambda one: {needed[0] for node in graph.nodes(one) for needed in graph.needs(node)})
    after = reached(own, lambda one: {node[0] for _needed, node in graph.dependents[one]})
    return before & after


def _exclude_unsafe(graph: Graph, watched: Watched, places: Mapping[Node, int]) -> None:
    """Let an operation executed in each unsafe state need one that is not, or a plan that failed and might protect.

    `places` are those of the operations in a safe order. What failed comes before all of them.
    """
    if watched.unsafe is None:
        own = [node for node in places if node[0] in watched.lasts]
        failing = [((position, 0), failed) for position in watched.positions for failed in watched.failed]
        for node, needed in failing or zip(own[1:], own):
            graph.rely(node, needed)
    for state in watched.unsafe or ():
        if watched.missing(state):
            continue
        done = [(position, step - 1) for position, step in state.items() if step]
        missing = [(position, step) for position, step in state.items() if step < watched.lasts[position]]
        # Preferred is an operation without which the state is safe, and one with which it is.
        costs = {node: (not watched.is_safe({**state, node[0]: node[1]}), -places.get(node, node[0])) for node in done}
        helping = {node: not watched.is_safe({**state, node[0]: node[1] + 1}) for node in missing}
        pairs = [(node, needed) for node in done for needed in watched.failed or missing]
        possible = [pair for pair in pairs if watched.failed or places[pair[1]] < places[pair[0]]]
        graph.rely(*min(possible, key=lambda pair: (helping.get(pair[1]), costs[pair[0]])))


class _Search:
    """The search for an order of the operations that probes depend on, in which each of them stays safe."""

    def __init__(self, graph: Graph, watched: Sequence[Watched]) -> None:
        self._graph = graph
        self._by_plan = grouped((position, one) for one in watched for position in one.positions)
        self._ranked = sorted(self._by_plan, key=lambda position: graph.ranks[position])
        self._steps = dict.fromkeys(self._ranked, 0)
        self._blocked: set[int] = set()
        self._needed: dict[Node, set[Node]] = {}

    def order(self) -> list[Node] | Stuck:
        """Return the order, or what is in its way."""
        order: list[Node] = []
        untried = [iter(self._waiting())]
        dead_ends: list[Stuck] = []
        while untried:
            position = next((one for one in untried[-1] if self._may_come(one)), None)
            if position is not None:
                order.append((position, self._steps[position]))
                self._move(position, 1)
                waiting = self._waiting()
                if not waiting:
                    return order
                untried.append(iter(waiting))
                continue
            waiting = self._waiting()
            openings = [opening for one in waiting if (opening := self._opened_by(one))]
            dead_ends.append(Stuck([openings or [(None, waiting[0])]], waiting))
            untried.pop()
            if not order or len(dead_ends) > _MOST_DEAD_ENDS:
                break
            self._move(order.pop()[0], -1)
        return dead_ends[0]

    def _waiting(self) -> list[int]:
        return [one for one in self._ranked if self._steps[one] < len(self._graph.plans[one].operations)]

    def _may_come(self, position: int) -> bool:
        needed = self._needs((position, self._steps[position]))
        if position in self._blocked or any(self._steps[other] <= number for other, number in needed):
            return False
        if self._opened_by(position) is not None:
            self._blocked.add(position)
        return position not in self._blocked

    def _move(self, position: int, by: int) -> None:
        self._steps[position] += by
        for one in self._by_plan[position] if self._blocked else ():
            self._blocked.difference_update(one.positions)

    def _opened_by(self, position: int) -> tuple[int | None, int] | None:
        """Return the plan of what the next operation of a plan would open, and this plan."""
        self._steps[position] += 1
        unsafe = next((one for one in self._by_plan[position] if not one.is_safe(self._steps)), None)
        taker = None if unsafe is None else unsafe.probe.taker(self._steps)
        self._steps[position] -= 1
        return None if unsafe is None else (taker and taker[1].plan, position)

    def _needs(self, node: Node) -> set[Node]:
        """Return what a node needs of these plans, also by way of plans that no probe depends on."""

        def following(one: Node) -> Collection[Node]:
            before = [(one[0], one[1] - 1)] if one[1] else []
            return () if one[0] in self._steps else [*self._graph.needs(one), *before]

        if node not in self._needed:
            found = reached(self._graph.needs(node), following)
            self._needed[node] = {one for one in found if one[0] in self._steps}
        return self._needed[node]
