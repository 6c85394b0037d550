# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that are withheld because other objects could not be planned, or keep what they take. Pure.

Check mode shows them as well, because the real run would not execute them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .._errors import ChangeWithheld, Contradiction, IngressError, NotTried
from .names import Name, own_names
from .plan import Plan, not_opened, unplanned
from .widening import widens


def withheld(plan: Plan, error: IngressError) -> Plan:
    """Return a plan that leaves its object unchanged; the error says why."""
    return replace(plan, after=plan.before, operations=(), changes=(), doubt="", error=error)


def without_openings(plans: Sequence[Plan], *, others_failed: bool = False) -> list[Plan]:
    """Return plans of the same parent; if one of them or `others_failed`, none that may let more requests through."""
    if not others_failed and not any(plan.error and not plan.purge for plan in plans):
        return list(plans)
    return [withheld(plan, not_opened()) if widens(plan) and not plan.error else plan for plan in plans]


def without_losses(plans: Sequence[Plan], names_of: Callable[[int], frozenset[Name] | None]) -> list[Plan]:
    """Return the plans, of which none gives up a name for an object that failed: then no object would have the name.

    `names_of` returns the names that an object will have by its declaration, if it declares them.
    """
    kept = list(plans)
    while True:
        failed = [(position, plan.subject) for position, plan in enumerate(kept) if plan.error]
        waiting = {name: subject for position, subject in failed for name in names_of(position) or ()}
        losses = [
            (position, name)
            for position, plan in enumerate(kept)
            if waiting and plan.operations and not plan.error and plan.after is not None
            for name in own_names(plan.kind, plan.before) - own_names(plan.kind, plan.after)
            if name in waiting
        ]
        if not losses:
            return kept
        for position, name in losses:
            error = ChangeWithheld(
                f"Not changed, because it would give up {name[1]} for {waiting[name]}, which failed. Fix that failure, "
                "then run the task again."
            )
            kept[position] = withheld(plans[position], error)


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
        possible.append(withheld(plan, _not_free(plan, rejected[0], holders[rejected[0]])) if rejected else plan)
        holders |= dict.fromkeys([] if rejected else taken, plan.subject)
    return possible


def _not_free(plan: Plan, name: Name, holder: str) -> Contradiction:
    field, value, noun = name[0], name[1], plan.kind.noun
    return Contradiction(
        f"{field}: {value} belongs to {holder}, and can belong to one {noun} only. Declare `{field}` without it "
        f"for one of the two, or delete the {noun} that has it first."
    )


def not_tried(plan: Plan, parent: str) -> Plan:
    """Return the plan of an object whose `parent` failed and does not exist."""
    return unplanned(NotTried(f"{parent} failed"), plan.target)
