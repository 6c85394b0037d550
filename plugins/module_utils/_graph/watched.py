# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens to one request while the operations that it depends on are executed. Pure."""

from __future__ import annotations

import itertools
import math
from functools import cached_property
from typing import Optional

from .._access.access import Access
from .._access.probe import Probe
from .._access.views import START, Part
from .graph import Graph, Node

Steps = tuple[int, ...]
"""How many operations of each plan of a probe have been executed."""

_MOST_STATES = 4096

Opening = tuple[Optional[Part], int]  # noqa: UP045 - modules can also run on Python 3.9
"""The route that lets somebody through in between, if one does, and the plan whose operation would open it."""


class Watched:
    """A probe, with what happens to it while the operations that it depends on are executed.

    A state of it is how many operations of each of its plans have been executed.
    """

    def __init__(self, probe: Probe, graph: Graph) -> None:
        self.probe, self._graph = probe, graph
        self.positions = probe.positions
        self.lasts = tuple(len(graph.plans[position].operations) for position in self.positions)
        self._index = {position: number for number, position in enumerate(self.positions)}
        self._safe: dict[Steps, bool] = {}

    @property
    def is_critical(self) -> bool:
        """Whether not every order is safe. A single operation leads from the state before to the one after."""
        return sum(self.lasts) > 1 and not self.probe.failed and (self.is_large or bool(self.unsafe))

    @cached_property
    def _before(self) -> Access | None:
        return self.probe.access(START)

    @cached_property
    def _after(self) -> Access | None:
        # What failed plans lead to is not known, so that only the state before counts.
        return None if self.probe.failed else self.probe.access(dict(zip(self.positions, self.lasts)))

    @property
    def is_large(self) -> bool:
        return math.prod(last + 1 for last in self.lasts) > _MOST_STATES

    def is_safe(self, steps: Steps) -> bool:
        """Return whether nobody gets through in this state who gets through neither before nor after."""
        if steps not in self._safe:
            access = self.probe.access(dict(zip(self.positions, steps)))
            self._safe[steps] = access is None or access.is_within(self._before) or access.is_within(self._after)
        return self._safe[steps]

    @cached_property
    def unsafe(self) -> list[Steps]:
        """The states that must not be reached, of those that the graph allows otherwise."""
        states = itertools.product(*(range(last + 1) for last in self.lasts))
        return [steps for steps in states if self._is_possible(steps) and not self.is_safe(steps)]

    @cached_property
    def good(self) -> set[Steps]:
        """The safe states from which the last one can be reached through safe states."""
        good: set[Steps] = set()
        waiting = [self.lasts]
        while waiting:
            steps = waiting.pop()
            if steps not in good and self.is_safe(steps) and self._is_possible(steps):
                good.add(steps)
                waiting += [moved(steps, number, -1) for number, step in enumerate(steps) if step]
        return good

    def allows(self, steps: Steps) -> bool:
        return self.is_safe(steps) if self.is_large else steps in self.good

    def _is_possible(self, steps: Steps) -> bool:
        """Return whether the needs of other rules allow a state."""
        return all(steps[one] <= number or steps[other] > needed for one, number, other, needed in self._hard)

    @cached_property
    def _hard(self) -> list[tuple[int, int, int, int]]:
        return [
            (self._index[position], number, self._index[needed[0]], needed[1])
            for position, last in zip(self.positions, self.lasts)
            for number in range(last)
            for needed in self._graph.needs((position, number))
            if needed[0] in self._index
        ]

    def executed(self, steps: Steps) -> set[Node]:
        return {(position, number) for position, step in zip(self.positions, steps) for number in range(step)}

    def opening(self, steps: Steps, position: int) -> Opening:
        """Return what lets somebody through in a state that an operation of this plan leads to."""
        found = self.probe.taker(dict(zip(self.positions, steps)))
        return None if found is None else found[1], position

    def way_through(self, steps: Steps) -> Opening | None:
        """Return what lets somebody through before the end; None if nothing does."""
        while steps != self.lasts:
            ways = {
                position: moved(steps, number, 1)
                for number, position in enumerate(self.positions)
                if steps[number] < self.lasts[number]
            }
            possible = [position for position in ways if self._is_possible(ways[position])] or list(ways)
            best = min(possible, key=lambda position: not self.is_safe(ways[position]))
            steps = ways[best]
            if not self.is_safe(steps):
                return self.opening(steps, best)
        return None


def moved(steps: Steps, number: int, by: int) -> Steps:
    return (*steps[:number], steps[number] + by, *steps[number + 1 :])
