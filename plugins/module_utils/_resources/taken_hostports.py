# SPDX-License-Identifier: GPL-3.0-or-later
"""Which hostports the declared edges cannot take, because other edges keep them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .._errors import Contradiction
from .._planning.matching import Matching
from .._planning.object_names import edge_subject
from .._planning.plan import Name, Plan, unchanged
from .._planning.unique_names import own_names
from .collection_of_objects import Wire
from .https_edge import field_of


def possible_edges(plans: Sequence[Plan], matching: Matching, is_purged: Callable[[Wire], bool]) -> list[Plan]:
    """Return the plans of declared edges, with an error in place of each that takes a hostport which another one keeps.

    A service would reject that, so check mode must, too.
    """
    while True:
        kept_by: dict[Name, str] = {
            ("hostports", hostport): edge_subject({}, {"id": wire.get("id"), "hostports": hostports})
            for wire in _unchanged_edges(plans, matching, is_purged)
            for hostports in [field_of(wire, "hostports")]
            for hostport in hostports
        }
        possible = _without_taken(plans, kept_by)
        if [plan.error for plan in possible] == [plan.error for plan in plans]:
            return possible
        plans = possible


def _unchanged_edges(plans: Sequence[Plan], matching: Matching, is_purged: Callable[[Wire], bool]) -> list[Wire]:
    """Return the live edges that stay unchanged: undeclared ones, and those that a failed declared one may be."""
    failed = matching.candidates(number for number, plan in enumerate(plans) if plan.error)
    return [*(wire for wire in matching.undeclared() if not is_purged(wire)), *failed]


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
