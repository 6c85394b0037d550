# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves from one route of an edge to another: a match, and the login that some services allow once on an edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._definition import Options
from .._model.schema import AUTH_MODULES
from .._planning import plan
from .._planning.moves import Exclusive, Name, arranged
from .._planning.withholding import without_losses
from .._transport.addresses import path_of

# A recorded service cleared what a PATCH of a route left out of these.
ALWAYS_SENT = ("match_type", "match", "description", "metadata")


def kept_routes(plans: Sequence[plan.Plan], declared: Sequence[Options]) -> list[plan.Plan]:
    """The plans of which none gives up a match for a route that failed, or requests for it would go nowhere.

    The first of them are those of the `declared` routes.
    """
    wanted = [{options["match"]} - {None} for options in declared]
    nothing: list[set[str]] = [set() for _plan in plans[len(wanted) :]]
    return without_losses(plans, [*wanted, *nothing], _match_in, str)


def _match_in(state: plan.State | None) -> frozenset[str]:
    return frozenset({state["match"]} if state else ())


def arranged_routes(plans: Sequence[plan.Plan]) -> list[plan.Plan]:
    """The plans of routes, so that what one of them gives up is given up before another one takes it."""
    return arranged(plans, _MATCHES_AND_LOGIN)


def _held(state: plan.State) -> frozenset[Name]:
    """What no other route of the edge can have on some service: the match, with any type, and a login."""
    login = {_LOGIN} if any(state[name] is not None for name in AUTH_MODULES) else set()
    return frozenset({("match", state["match"]), ("match", state["match"], state["match_type"]), *login})


def _freed(made: plan.Plan, names: frozenset[Name], takers: str) -> plan.Plan:
    """The plan of a route that gives up its match, or its login, first."""
    have = made.before or {}
    path = path_of("edges", "https", have["edge_id"], "routes", have["id"])
    always = {name: have[name] for name in ALWAYS_SENT}
    if _LOGIN in names and made.after is not None:
        leaving = [operation for operation in made.operations if operation.removed_module in AUTH_MODULES]
        patch = next((operation for operation in made.operations if operation.method == "PATCH"), None)
        rest = [operation for operation in made.operations if operation not in (*leaving, patch)]
        closed = plan.closing(path, leaving, have, always, f"the login moves to {takers}")
        again = plan.reopening(patch, have, path, always, made.after)
        early = [replace(operation, early=True) for operation in closed]
        made = replace(made, operations=(*early, *again, *rest))
    if names - {_LOGIN}:
        # Below its own match, so that it stays on the same host, and with all its traffic modules.
        elsewhere = f"{have['match'].rstrip('/')}/.moving-{have['id']}"
        first = plan.Operation(
            "PATCH",
            path,
            f"gives up {have['match']} for {takers}",
            {**always, "match": elsewhere},
            early=True,
            undo=plan.Operation(
                "PATCH", path, f"takes {have['match']} back, because the change could not be finished", always
            ),
            meanwhile=f"the route matches {elsewhere}; run the task again to finish",
        )
        later = (_at_match(operation, have, elsewhere) for operation in made.operations)
        made = replace(made, operations=(first, *later))
    return made


def _at_match(operation: plan.Operation, have: plan.State, match: str) -> plan.Operation:
    """The operation of a route that has another match for now, if it would carry along the one that was given up."""
    body = operation.body
    if operation.method != "PATCH" or any(body[name] != have[name] for name in ("match_type", "match")):
        return operation
    return replace(operation, body={**body, "match": match})


_LOGIN: Name = ("the login",)
_MATCHES_AND_LOGIN = Exclusive(
    held=_held,
    freed=_freed,
    handed_over=frozenset({_LOGIN}),
)
