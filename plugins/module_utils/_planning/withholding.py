# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left undone from the start, because other objects could not be planned. Pure.

A dry run says it as well: it would be left undone in the real run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace

from .._errors import IngressError, NotTried, Protected
from .plan import Plan, State, not_opened, unplanned
from .widening import widens


def withheld(plan: Plan, error: IngressError) -> Plan:
    """A plan that leaves its object as it is; the error says why."""
    return replace(plan, after=plan.before, operations=(), changes=(), doubt="", error=error)


def without_openings(plans: Sequence[Plan], *, others_failed: bool = False) -> list[Plan]:
    """Plans of the same parent, without changes that may let more people in if one of them, or `others_failed`."""
    if not others_failed and not any(plan.error and not plan.purge for plan in plans):
        return list(plans)
    return [withheld(plan, not_opened()) if widens(plan) and not plan.error else plan for plan in plans]


def without_losses(
    plans: Sequence[Plan],
    wanted: Sequence[Collection[Hashable]],
    held: Callable[[State | None], frozenset[Hashable]],
    shown: Callable[[Hashable], str],
) -> list[Plan]:
    """Plans of which none gives up what another object is to have that could not be planned: nothing would have it.

    `wanted` are the names that each object is to have by its declaration, `held` those of a state.
    """
    kept = list(plans)
    while True:
        waiting = {name: plan.subject for plan, names in zip(kept, wanted, strict=True) if plan.error for name in names}
        losses = [
            (position, name)
            for position, plan in enumerate(kept)
            if waiting and plan.operations and not plan.error and plan.after is not None
            for name in held(plan.before) - held(plan.after)
            if name in waiting
        ]
        if not losses:
            return kept
        for position, name in losses:
            error = Protected(
                f"Not changed, because it would give up {shown(name)} for {waiting[name]}, which failed. Fix that "
                "failure, then run the task again."
            )
            kept[position] = withheld(plans[position], error)


def not_tried(plan: Plan, parent: str) -> Plan:
    """What stands for the plan of an object whose `parent` failed and is not there."""
    return unplanned(NotTried(f"{parent} failed"), plan.subject, plan.kind, plan.key)
