# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that objects cannot take, because other objects keep them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .._errors import Contradiction
from .plan import Name, Plan, unchanged
from .unique_names import own_names


def without_taken(plans: Sequence[Plan], kept_by: Mapping[Name, str]) -> list[Plan]:
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
