# SPDX-License-Identifier: GPL-3.0-or-later
"""How a route of an edge gives up its match, so that another route can take it."""

from __future__ import annotations

from dataclasses import replace

from .._planning.moves import Names
from .._planning.plan import Operation, Plan, State
from .._planning.safe_order import always_sent


def release_match(plan: Plan, _names: Names, takers: str) -> Plan:
    """Return the plan of a route that first moves to a temporary match.

    This match is below its own, so that the route stays on the same host, with all its traffic modules.
    """
    have = plan.before or {}
    path, always = plan.target.path, always_sent(plan.kind, have)
    elsewhere = f"{have['match'].rstrip('/')}/.moving-{have['id']}"
    undo = Operation("PATCH", path, f"takes {have['match']} back, because the change could not be finished", always)
    first = Operation(
        "PATCH",
        path,
        f"gives up {have['match']} for {takers}",
        {**always, "match": elsewhere},
        early=True,
        undo=undo,
        meanwhile=f"the route matches {elsewhere}; run the task again to finish",
    )
    later = (_at_match(operation, have, elsewhere) for operation in plan.operations)
    return replace(plan, operations=(first, *later))


def _at_match(operation: Operation, have: State, match: str) -> Operation:
    """Return the operation of a route that has a temporary match, if it would send the match that was given up."""
    body = operation.body
    if operation.method != "PATCH" or any(body[name] != have[name] for name in ("match_type", "match")):
        return operation
    return replace(operation, body={**body, "match": match})
