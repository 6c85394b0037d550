# SPDX-License-Identifier: GPL-3.0-or-later
"""Which live edge each declared one is, and which hostports they can have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .._definition import Options
from .._errors import Contradiction
from .._planning.names import own_names
from .._planning.plan import Name, Plan, unchanged
from .._planning.subjects import edge_subject
from .collection_of_objects import Wire
from .https_edge import edge_matching, field_of


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
        possible = _without_taken(plans, kept_by)
        if [plan.error for plan in possible] == [plan.error for plan in plans]:
            return possible
        plans = possible


def _without_taken(plans: Sequence[Plan], kept_by: Mapping[Name, str]) -> list[Plan]:
    """Return the plans, with an error in place of each that takes a name which another object keeps.

    `kept_by` are the names of objects that stay as they are, each with the subject of that object.
    """
    holders = dict(kept_by)
    names = [(own_names(plan.kind, plan.before), own_names(plan.kind, plan.after)) for plan in plans]
    for plan, (before, after) in zip(plans, names):
        holders |= dict.fromkeys(before & after, plan.subject)
    possible = []
    for plan, (before, after) in zip(plans, names):
        taken = sorted(after - before)
        rejected = [name for name in taken if name in holders]
        possible.append(unchanged(plan, _not_free(plan, rejected[0], holders[rejected[0]])) if rejected else plan)
        holders |= dict.fromkeys([] if rejected else taken, plan.subject)
    return possible


def _not_free(plan: Plan, name: Name, holder: str) -> Contradiction:
    field, value, noun = name[0], name[1], plan.kind.noun
    return Contradiction(
        f"{field}: {value} belongs to {holder}, and can belong to one {noun} only. Declare `{field}` without it "
        f"for one of the two, or delete the {noun} that has it first."
    )
