# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that an object has and its task does not declare, such as hostports, are given up only with permission. Pure.

The list of names is declared as a whole, and the task may find the object by one of them. So a list that is too short
by mistake would take sites off the internet, without any deletion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .._errors import UNSET_VARIABLE, NamesKept
from .._values.escapes import visible
from .plan import Name, Operation, Plan, State, unchanged
from .unique_names import own_names


@dataclass(frozen=True)
class NameRule:
    """Which names the objects of a task may give up: those `declared` by another one, and all if they are purged.

    `permission` says how to permit that; `allow_empty` permits to purge the last one as well.
    """

    is_purging: bool
    permission: str
    allow_empty: bool = False
    declared: frozenset[Name] = frozenset()

    def applied(self, plan: Plan) -> Plan:
        """Return the plan, whose operations say what they give up. It has an error if that is not permitted."""
        if not plan.operations or plan.before is None or plan.after is None:
            return plan
        left = own_names(plan.kind, plan.after)
        given_up = sorted(own_names(plan.kind, plan.before) - left - self.declared)
        if not given_up:
            return plan
        missing = [] if self.is_purging else [self.permission]
        missing += [] if left or self.allow_empty else ["set `allow_empty: true`"]
        if missing:
            field, values = given_up[0][0], _values(given_up)
            they_are, them = ("it is", "it") if len(given_up) == 1 else ("they are", "them")
            message = (
                f"{field}: the change would give up {values}, because {they_are} not declared. To keep {them}, declare "
                f"{them}. To give {them} up, {' and '.join(missing)}; otherwise, {UNSET_VARIABLE}."
            )
            return unchanged(plan, NamesKept(message))
        return replace(plan, operations=tuple(_saying(one, given_up) for one in plan.operations))


def with_names_since(planned: Plan, operation: Operation, state: State | None) -> Operation:
    """Return the operation, with what it gives up that its object did not have when it was planned.

    Another job has added these names. `state` is the last one that the task has seen.
    """
    kind, body = planned.kind, operation.body or {}
    since = own_names(kind, state) - own_names(kind, planned.before) - own_names(kind, body) - {*operation.gives_up}
    given_up = sorted(name for name in since if isinstance(body.get(name[0]), list) or operation.method == "PUT")
    return _saying(operation, given_up) if given_up else operation


def lost_names(plans: Sequence[Plan], states: Sequence[State | None]) -> dict[int, list[str]]:
    """Return the names that others gave up for an object and that no object has, by the position of the object's plan.

    `states` are those after the execution of the plans, None if an object does not exist, or its state is not known.
    """
    lost = {(plan.family, name) for plan in plans for name in own_names(plan.kind, plan.before)}
    lost -= {(plan.family, name) for plan, state in zip(plans, states) for name in own_names(plan.kind, state)}
    found = {}
    for position, plan in enumerate(plans):
        taken = own_names(plan.kind, plan.after) - own_names(plan.kind, plan.before) if plan.takes else ()
        if values := [name[1] for name in sorted(taken) if (plan.family, name) in lost]:
            found[position] = values
    return found


def _saying(operation: Operation, given_up: list[Name]) -> Operation:
    """Return the operation, with what it gives up if it sends the field, or if it is a PUT, which resets the rest."""
    if given_up[0][0] not in (operation.body or {}) and operation.method != "PUT":
        return operation
    reason = f"{operation.reason}; gives up {_values(given_up)}"
    return replace(operation, reason=reason, gives_up=(*operation.gives_up, *given_up))


def _values(names: Sequence[Name]) -> str:
    return visible(", ".join(value for _field, value in names))
