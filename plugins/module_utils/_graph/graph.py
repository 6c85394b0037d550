# SPDX-License-Identifier: GPL-3.0-or-later
"""What waits for what: the operations of all plans of a task, and which of them needs which. Pure.

A node is one operation. It is executed after the node before it in its own plan, and after all nodes that it needs. If
one of these fails, it is withheld, and so is everything that needs it.
"""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from .._planning.closing import loosens
from .._planning.plan import Plan

Node = tuple[int, int]
"""The position of a plan, and the position of one of its operations.

A plan with an error has one node, which is never executed. The positions after those of the plans belong to joins.
"""


class Graph:
    """The plans of a task and the needs between their operations. The rules of this folder add the needs.

    `binds` are the plans, by the position of each plan, of which it contains the new IDs. The effect of a node in
    `relied_on` must be seen before anything that needs it is executed. `ranks` order the nodes that wait for nothing.
    `dependents` are, by the position of each plan, pairs of one of its nodes and a node that needs it, and `losses` the
    nodes that give up a name for it: they are withheld if the plan fails. `account` is that of the plans, if known, and
    `size` the number of the plans and joins.
    """

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = list(plans)
        self.binds: dict[int, set[int]] = defaultdict(set)
        self.relied_on: set[Node] = set()
        self.ranks = _ranks(plans) if plans[1:] else [()]
        self._needs: dict[Node, dict[Node, None]] = defaultdict(dict)
        self.dependents: dict[int, dict[tuple[Node, Node], None]] = defaultdict(dict)
        self.losses: dict[int, list[Node]] = defaultdict(list)
        self.size = len(plans)
        self.account: Any = None

    def need(self, node: Node, needed: Node) -> None:
        """Let a node wait for another one, and fail with it."""
        if node[0] != needed[0]:
            self._needs[node][needed] = None
            self.dependents[needed[0]][needed, node] = None

    def rely(self, node: Node, needed: Node) -> None:
        """Let a node wait until the effect of another one is seen."""
        self.need(node, needed)
        self.relied_on.add(needed)

    def join(self, needed: Iterable[Node]) -> Node:
        """Return a node without an operation that needs these: many nodes can need all of many others."""
        node = (self.size, 0)
        self.size += 1
        for one in needed:
            self.need(node, one)
        return node

    def is_join(self, position: int) -> bool:
        return position >= len(self.plans)

    def needs(self, node: Node) -> Collection[Node]:
        return self._needs[node].keys() if node in self._needs else ()

    def nodes(self, position: int) -> list[Node]:
        if self.is_join(position):
            return [(position, 0)]
        plan = self.plans[position]
        return [(position, number) for number in range(1 if plan.error else len(plan.operations))]


def settle(graph: Graph, failed: Iterable[int], ended: Collection[Node] = frozenset()) -> dict[int, int]:
    """Return the plans that are withheld because others `failed`, each with the one that is the cause.

    `ended` are the nodes that took effect, or that may still do so.
    """
    causes = {position: position for position in failed}
    waiting = deque(causes)
    while waiting:
        position = waiting.popleft()
        dependents = (dependent for needed, dependent in graph.dependents[position] if needed not in ended)
        for node in (*dependents, *graph.losses[position]):
            if node[0] not in causes and node not in ended:
                causes[node[0]] = causes[position]
                waiting.append(node[0])
    return {position: cause for position, cause in causes.items() if position != cause}


def _ranks(plans: Sequence[Plan]) -> list[tuple[int, ...]]:
    """Return what orders the plans that wait for nothing: siblings together, after their parent.

    Of siblings, those that lose a protection or are opened come after the others, and purges come last.
    """
    blocks = {plan.key: position for position, plan in enumerate(plans)}
    ranks: list[tuple[int, ...]] = []
    for position, plan in enumerate(plans):
        parent = plan.target.parent
        # The ranks of the children of an object begin with its number. Longer tuples sort after shorter ones.
        block = blocks.setdefault(parent, position)
        ranks.append((position,) if parent is None else (block, plan.purge, loosens(plan), position))
    return ranks


class Schedule:
    """The nodes that wait for nothing any more, in the order of their ranks; `next` is the number of that of a plan."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._left = {node: len(graph.needs(node)) for one in range(graph.size) for node in graph.nodes(one)}
        self.next = dict.fromkeys(range(graph.size), 0)
        self._hurrying: set[int] = set()
        self._ready: list[tuple[tuple[int, ...], int]] = []
        self._dropped: set[int] = set()
        for position in range(graph.size):
            self._look_at(position)

    def pop(self) -> int | None:
        """Return the plan whose next operation can be executed now, None if there is none."""
        while self._ready:
            _rank, position = heapq.heappop(self._ready)
            if position not in self._dropped:
                return position
        return None

    def ended(self, node: Node) -> None:
        """Let what needs this node go on, and the plan to its next one."""
        position, number = node
        self.next[position] = number + 1
        for needed, dependent in self._graph.dependents[position]:
            # Of a plan that is withheld, only the first node is left.
            if needed == node and dependent in self._left:
                self._left[dependent] -= 1
                if dependent[1] == self.next[dependent[0]] or dependent[0] in self._hurrying:
                    self._look_at(dependent[0])
        self._look_at(position)

    def hurry(self, position: int) -> None:
        """Let a plan with other operations than planned wait for all that its planned operations need."""
        self._hurrying.add(position)
        self._look_at(position)

    def drop(self, position: int) -> None:
        self._dropped.add(position)

    def _look_at(self, position: int) -> None:
        """Make the next node of a plan ready if it waits for nothing."""
        nodes = self._graph.nodes(position)[self.next[position] :]
        waiting = nodes if position in self._hurrying else nodes[:1]
        if position in self._dropped or not nodes or any(map(self._left.__getitem__, waiting)):
            return
        if self._graph.is_join(position):
            self.ended(nodes[0])
        else:
            heapq.heappush(self._ready, (self._graph.ranks[position], position))


def in_order(graph: Graph) -> list[Node]:
    """Return the nodes of all plans without errors in the order in which they are executed in sequence."""
    schedule, order = Schedule(graph), []
    while (position := schedule.pop()) is not None:
        if graph.plans[position].error is None:
            order.append((position, schedule.next[position]))
            schedule.ended(order[-1])
    return order
