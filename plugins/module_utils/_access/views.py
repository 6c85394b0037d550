# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts of the states of an object: where requests come from, what they must pass, and where they get. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from .._model.kinds import Mark
from .._model.objects import Object
from .._model.protection import is_enabled
from .._planning.plan import State
from .locks import NETWORK, ON, Lock, Locks, locks_of
from .routing import EVERYTHING, Area, area_of_match

At = Mapping[int, int]
"""How many operations of each plan have been executed, by the position of the plan."""

START: At = {}


class View:
    """What counts of one state of an edge or a route, or of an object that is both, such as a TLS edge.

    The `hosts` are the hostports that it serves. The `area` are the requests that it matches, None if the API does not
    define the form of its match. Nobody gets through without a `backend_id`, which is empty if it is not known.
    """

    def __init__(self, kind: Object, state: State) -> None:
        self.kind, self.state = kind, state

    @cached_property
    def hosts(self) -> frozenset[str]:
        return frozenset(self.state.get("hostports") or ())

    @cached_property
    def area(self) -> Area | None:
        return area_of_match(self.state["match_type"], self.state["match"]) if "match" in self.state else EVERYTHING

    @cached_property
    def backend_id(self) -> str | None:
        if not self.kind.closed_by:
            return ""
        backend = self.state.get(self.kind.closed_by)
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
    def locks_for_options(self) -> Locks:
        """What requests with the method OPTIONS must pass."""
        exempt = {one.dimension for one in self.all_locks if one.exempts_options}
        return {name: them for name, them in self.locks.items() if name not in exempt} if exempt else self.locks

    @property
    def all_that_counts(self) -> tuple[object, ...]:
        return self.hosts, self.area, self.backend_id, self.locks, self.locks_for_options


class Part:
    """An edge, a route, or a traffic module, with its views before and after each operation of its plan.

    A view is None while the object does not exist. `plan` is the position of the plan, None if it has none, and
    `subject` what the part is for those who have made it.
    """

    def __init__(
        self, kind: Object, states: Sequence[State | None], plan: int | None = None, subject: Any = None
    ) -> None:
        self.views = [None if state is None else View(kind, state) for state in states]
        self.plan, self.subject = plan, subject

    @cached_property
    def position(self) -> int | None:
        """The position of its plan, None if the plan changes nothing that counts here."""
        first, *others = self.views
        if first is None or any(one is None for one in others):
            return self.plan if any(one is not first for one in others) else None
        return self.plan if any(one and one.all_that_counts != first.all_that_counts for one in others) else None

    def step(self, at: At) -> int:
        """Return which of its views it has."""
        return 0 if self.position is None else at.get(self.position, 0)

    def at(self, at: At) -> View | None:
        return self.views[self.step(at)]

    @cached_property
    def existing(self) -> list[View]:
        """Its views at the times at which it exists."""
        return [view for view in self.views if view is not None]

    @cached_property
    def policies(self) -> set[str]:
        """The IDs of the IP policies that it uses at any time."""
        return {member[-1] for view in self.existing for member in view.locks.get(NETWORK, ())}
