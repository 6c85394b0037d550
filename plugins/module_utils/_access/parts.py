# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts of an object at each moment of a task. Pure.

For edges and routes, this is where requests come from, what they must pass, and where they get.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from .._model.objects import Object
from .._model.protection import is_enabled
from .._planning.plan import State
from .._values.hostports import with_port
from .._values.kinds import Mark
from .locks import NETWORK, ON, Lock, Locks, locks_of
from .routing import EVERYTHING, Area, area_of_match

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


def grouped(pairs: Iterable[tuple[Some, One]]) -> dict[Some, list[One]]:
    """Return the second ones of these pairs by the first ones."""
    found: dict[Some, list[One]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
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


class View:
    """What counts of one state of an edge or a route, or of an object that is both, such as a TLS edge.

    The `hosts` are the hostports that it serves. The `area` are the requests that it matches, None if the API does not
    define the form of its match. Nobody gets through without a `backend_id`, which is empty if it is not known.
    """

    def __init__(self, kind: Object, state: State) -> None:
        self.kind, self.state = kind, state

    @cached_property
    def hosts(self) -> frozenset[str]:
        return frozenset(map(with_port, self.state.get("hostports") or ()))

    @cached_property
    def area(self) -> Area | None:
        return area_of_match(self.state["match_type"], self.state["match"]) if "match" in self.state else EVERYTHING

    @cached_property
    def backend_id(self) -> str | None:
        backend: Any = self.state.get(self.kind.closed_by) if self.kind.closed_by else Mark.KEEP
        if backend is Mark.KEEP:
            return ""
        return str(backend["backend_id"]) if backend and is_enabled(backend) else None

    @cached_property
    def all_locks(self) -> list[Lock]:
        """Its locks, enabled or not."""
        return list(locks_of(self.kind, self.state))

    @cached_property
    def locks(self) -> Locks:
        return {one.dimension: one.members for one in self.all_locks if one.state == ON}

    @cached_property
    def policies(self) -> frozenset[str]:
        """The IDs of the IP policies that restrict who gets through."""
        return frozenset(one[-1] for one in self.locks.get(NETWORK, ()))

    @cached_property
    def locks_for_options(self) -> Locks:
        """What requests with the method OPTIONS must pass."""
        exempt = {one.dimension for one in self.all_locks if one.exempts_options}
        return {name: them for name, them in self.locks.items() if name not in exempt} if exempt else self.locks

    def __eq__(self, other: object) -> bool:
        """Return whether both let the same visitors get from the same requests to the same backend."""
        return isinstance(other, View) and self._all_that_counts == other._all_that_counts

    __hash__ = None  # type: ignore[assignment]

    @property
    def _all_that_counts(self) -> tuple[object, ...]:
        return self.hosts, self.area, self.backend_id, self.locks, self.locks_for_options


def part_of(kind: Object, states: Iterable[State | None], plan: int | None = None, subject: Any = None) -> Part[View]:
    return Part([None if state is None else View(kind, state) for state in states], plan, subject)
