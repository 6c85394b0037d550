# SPDX-License-Identifier: GPL-3.0-or-later
"""Which live edge each declared one is, and which hostports they can have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._definition import Options
from .._planning.object_names import edge_subject
from .._planning.plan import Name, Plan
from .._planning.taken_names import without_taken
from .https_edge import edge_matching, field_of

Wire = dict[str, Any]


class FoundEdges:
    """The live edges that the declared ones are. `wires` are all live edges as the service returns them."""

    def __init__(self, wires: Sequence[Wire], declared: Sequence[Options]) -> None:
        self._wires, self._declared = wires, declared
        self._matching = edge_matching(wires, declared)

    def of(self, number: int) -> Wire | None:
        """Return the live edge of a declared one, None if it is new. Raise Ambiguous if that is not known."""
        live = self._matching.live(number)
        return None if live is None else self._wires[live]

    def undeclared(self) -> list[Wire]:
        """Return the live edges that no declared one can be."""
        return [self._wires[live] for live in self._matching.undeclared()]

    def others(self, plans: Sequence[Plan], is_purged: Callable[[Wire], bool]) -> list[Wire]:
        """Return the live edges that stay unchanged: undeclared ones, and those that a failed declared one may be."""
        failed = {live for number, plan in enumerate(plans) if plan.error for live in self._matching.candidates(number)}
        kept = [wire for wire in self.undeclared() if not is_purged(wire)]
        return [*kept, *(self._wires[live] for live in sorted(failed))]

    def new_ones(self, wires: Sequence[Wire]) -> list[Wire]:
        """Return, of edges that were read later, those that are not the live edge of a declared one."""
        known = self._matching.matched_ids()
        return [wire for wire in wires if str(wire.get("id")) not in known]


def possible_edges(plans: Sequence[Plan], found: FoundEdges, is_purged: Callable[[Wire], bool]) -> list[Plan]:
    """Return the plans of declared edges, with an error in place of each that takes a hostport which another one keeps.

    A service would reject that, so check mode must, too.
    """
    while True:
        kept_by: dict[Name, str] = {
            ("hostports", hostport): edge_subject({}, {"id": wire.get("id"), "hostports": hostports})
            for wire in found.others(plans, is_purged)
            for hostports in [field_of(wire, "hostports")]
            for hostport in hostports
        }
        possible = without_taken(plans, kept_by)
        if [plan.error for plan in possible] == [plan.error for plan in plans]:
            return possible
        plans = possible
