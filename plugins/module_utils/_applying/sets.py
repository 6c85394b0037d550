# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans and executes the objects of one parent that are declared as a set."""

from __future__ import annotations

from collections.abc import Callable

from .._planning.plan import Plan
from .._planning.plan_document import plan_document
from .._planning.undeclared import Remainder
from .._planning.withholding import without_openings
from .._transport.client import Client
from .apply import execute
from .outcome import Outcome, outcome_of_many, spared
from .permission import Limits, permission

PlanSet = Callable[[], tuple[list[Plan], list[Remainder]]]
"""Reads the objects of the parent, and returns their plans and what they leave undeclared."""


def converge_set(
    client: Client, name: str, option: str, plan_set: PlanSet, limits: Limits, check_mode: bool
) -> Outcome:
    """Read, plan, and execute the set that `option` declares. Its objects are `name` in the result."""
    plans, rest = plan_set()
    plans = without_openings(plans)
    document = plan_document(plans, rest, client.masks)
    permitted = permission(plans, document, limits)
    all_done = execute(client, plans, lambda: plan_set()[0], check_mode, permitted)
    objects = {name: [done.shown for done in all_done if done.final is not None]}
    return outcome_of_many(all_done, {**objects, **document.after(spared(all_done, option)).result()})
