# SPDX-License-Identifier: GPL-3.0-or-later
"""Which node of a graph comes next. Check mode shows this order, and a run without concurrency keeps to it. Pure."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator

from .graph import Graph, Node


class Schedule:
    """The nodes that wait for nothing any more, in the order of their ranks."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ended: set[Node] = set()
        self._next = dict.fromkeys(graph.positions(), 0)
        self._unmet: dict[int, Iterator[Node]] = {}
        self._waiting: dict[Node, list[int]] = defaultdict(list)
        self._ready: list[tuple[object, int]] = []
        self._dropped: set[int] = set()
        for position in graph.positions():
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
        self._ended.add(node)
        position, number = node
        self._next[position] = number + 1
        self._unmet.pop(position, None)
        for each in [*self._waiting.pop(node, ()), position]:
            self._look_at(each)

    def hurry(self, position: int) -> None:
        """Let a plan with other operations than planned wait for all that its planned operations need."""
        last = len(self._graph.nodes(position)) - 1
        self._unmet[position] = iter(self._needs_of(position, self._next[position], last))
        self._look_at(position)

    def drop(self, position: int) -> None:
        """Leave out the rest of a plan."""
        self._dropped.add(position)

    def _look_at(self, position: int) -> None:
        """Make the next node of a plan ready, or let it wait for a node that it needs."""
        number = self._next[position]
        if position in self._dropped or number >= len(self._graph.nodes(position)):
            return
        if position not in self._unmet:
            self._unmet[position] = iter(self._needs_of(position, number, number))
        for needed in self._unmet[position]:
            if needed not in self._ended:
                self._waiting[needed].append(position)
                return
        if self._graph.is_join(position):
            self.ended((position, 0))
        else:
            operations = self._graph.plans[position].operations
            is_late = not (number < len(operations) and operations[number].early)
            heapq.heappush(self._ready, ((is_late, self._graph.ranks[position]), position))

    def _needs_of(self, position: int, first: int, last: int) -> list[Node]:
        return [node for number in range(first, last + 1) for node in self._graph.needs((position, number))]


def in_order(graph: Graph) -> list[Node]:
    """Return the nodes of all plans without errors in the order in which they are executed in sequence."""
    schedule, order, counts = Schedule(graph), [], [0] * len(graph.plans)
    while (position := schedule.pop()) is not None:
        if graph.plans[position].error is None:
            order.append((position, counts[position]))
            schedule.ended(order[-1])
            counts[position] += 1
    return order
