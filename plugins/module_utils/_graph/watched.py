# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens to one request while the operations that it depends on are executed. Pure."""

from __future__ import annotations

from functools import cached_property

from .._access.access import Access
from .._access.probe import Probe
from .._access.views import START, At
from .graph import Graph

_MOST_STATES = 4096


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

    @cached_property
    def _ends(self) -> list[Access | None]:
        """Who gets through before and after. What failed plans lead to is not known, so only the former counts."""
        return [self.probe.access(at) for at in ([START] if self.failed else [START, self.lasts])]

    def is_safe(self, at: At) -> bool:
        """Return whether nobody gets through in this state who gets through neither before nor after."""
        access = self.probe.access(at)
        if access is None or any(access.is_within(one) for one in self._ends):
            return True
        return len(self._ends) > 1 and access.is_within_both(*self._ends)

    @cached_property
    def unsafe(self) -> list[At] | None:
        """The states that must not be reached, each with the plans alone on which it depends; None if there are many.

        Those are missing that the needs of other rules exclude.
        """
        found: list[At] = []
        waiting, number = [_Known()], 0
        while waiting and (number := number + 1) <= _MOST_STATES:
            known = waiting.pop()
            try:
                if not self.is_safe(known) and not self.is_excluded(known):
                    found.append(known)
            except _Unknown as unknown:
                steps = range(self.lasts[unknown.position] + 1)
                waiting += [_Known({**known, unknown.position: step}) for step in steps]
        return None if waiting else found

    @property
    def is_critical(self) -> bool:
        """Whether not every order is safe. A single operation leads from the state before to the one after."""
        return sum(self.lasts.values()) > 1 and not self.failed and self.unsafe != []

    def is_excluded(self, state: At) -> bool:
        """Return whether an operation that has been executed in a state needs one that has not."""
        executed = ((position, number) for position, step in state.items() for number in range(step))
        needed = (node for one in executed for node in self._graph.needs(one))
        return any(one in self.failed or (one[0] in state and state[one[0]] <= one[1]) for one in needed)
