# SPDX-License-Identifier: GPL-3.0-or-later
"""Releases the match of a route, so that another route of the edge can take it."""

from __future__ import annotations

from dataclasses import replace

from .._planning.moves import Names
from .._planning.plan import Operation, Plan, State
from .._planning.safe_order import always_sent


def release_match(plan: Plan, _names: Names, takers: str) -> Plan:
    """Return the plan of a route that first moves to a temporary match.

    This match is below its own, so that the route stays on the same host, with all its traffic modules.
    """
    current = plan.before or {}
    path, always = plan.target.path, always_sent(plan.kind, current)
    temporary_match = f"{current['match'].rstrip('/')}/.moving-{current['id']}"
    undo = Operation("PATCH", path, f"takes {current['match']} back, because the change could not be finished", always)
    first = Operation(
        "PATCH",
        path,
        f"gives up {current['match']} for {takers}",
        {**always, "match": temporary_match},
        early=True,
        undo=undo,
        interim_state=f"the route matches {temporary_match}; run the task again to finish",
    )
    later = (_at_match(operation, current, temporary_match) for operation in plan.operations)
    return replace(plan, operations=(first, *later))


def _at_match(operation: Operation, current: State, match: str) -> Operation:
    """Return the operation of a route that has a temporary match, if it would send the match that was given up."""
    body = operation.body
    if operation.method != "PATCH" or any(body[name] != current[name] for name in ("match_type", "match")):
        return operation
    return replace(operation, body={**body, "match": match})
