# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts of the states of an object: where requests come from, what they must pass, and where they get. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from .._model.objects import Object
from .._model.protection import is_enabled
from .._planning.plan import State
from .._values.kinds import Mark
from .locks import ON, Lock, Locks, locks_of
from .parts import Part
from .routing import EVERYTHING, Area, area_of_match


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

    def __eq__(self, other: object) -> bool:
        """Return whether both let the same visitors get from the same requests to the same backend."""
        return isinstance(other, View) and self._all_that_counts == other._all_that_counts

    __hash__ = None  # type: ignore[assignment]

    @property
    def _all_that_counts(self) -> tuple[object, ...]:
        return self.hosts, self.area, self.backend_id, self.locks, self.locks_for_options


def part_of(kind: Object, states: Iterable[State | None], plan: int | None = None, subject: Any = None) -> Part[View]:
    return Part([None if state is None else View(kind, state) for state in states], plan, subject)
