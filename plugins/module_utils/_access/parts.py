# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts of an object at each moment of a task. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

At = Mapping[int, int]
"""How many operations of each plan have been executed, by the position of the plan."""

START: At = {}


One = TypeVar("One")
Some = TypeVar("Some", bound=Hashable)


def reached(starts: Iterable[Some], following: Callable[[Some], Iterable[Some]]) -> set[Some]:
    """Return these, what follows them, and what follows that."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        new = set(following(waiting.pop())) - found
        found |= new
        waiting += new
    return found


class Part(Generic[One]):
    """What counts of an edge, a route, a traffic module, or a rule, before and after each operation of its plan.

    It is None while the object does not exist. `plan` is the position of the plan, None if it has none, and `subject`
    what the part is for those who have made it.
    """

    def __init__(self, views: Sequence[One | None], plan: int | None = None, subject: Any = None) -> None:
        self.views, self.plan, self.subject = views, plan, subject

    @cached_property
    def position(self) -> int | None:
        """The position of its plan, None if the plan changes nothing that counts here."""
        return self.plan if any(one != self.views[0] for one in self.views[1:]) else None

    def step(self, at: At) -> int:
        return 0 if self.position is None else at.get(self.position, 0)

    def at(self, at: At) -> One | None:
        return self.views[self.step(at)]

    @cached_property
    def existing(self) -> list[One]:
        return [view for view in self.views if view is not None]
