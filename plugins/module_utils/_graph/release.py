# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives up names of an object in an operation of its own, so that other objects can take them. Pure.

Of a list, such as hostports, only the names are removed. A single name, such as the match of a route, becomes a
temporary one below it, so that the route stays on the same host, with all its traffic modules.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from .._model.field import Field
from .._planning.plan import Name, Operation, Plan, State
from .._planning.safe_order import always_sent


def released(plan: Plan, names: Collection[Name], takers: str) -> Plan:
    """Return the plan of an object that first gives up these names for other objects, named `takers`."""
    current = plan.before or {}
    for f in plan.kind.fields:
        given_up = [value for name, *rest in sorted(names) if name == f.name for value in rest[:1]]
        if f.unique and given_up and isinstance(current[f.name], list):
            plan = _without(plan, f, [one for one in current[f.name] if one in given_up], current, takers)
        elif f.unique and given_up:
            plan = _elsewhere(plan, f, current, takers)
    return plan


def _without(plan: Plan, f: Field, given_up: list[str], current: State, takers: str) -> Plan:
    kept = [one for one in current[f.name] if one not in given_up]
    text = ", ".join(given_up)
    state = f"the {plan.kind.noun} does not serve {text}; run the task again to finish"
    first = _first(plan, {f.name: kept}, {f.name: current[f.name]}, text, takers, state)
    return replace(plan, operations=(first, *plan.operations))


def _elsewhere(plan: Plan, f: Field, current: State, takers: str) -> Plan:
    own, name = always_sent(plan.kind, current), current[f.name]
    temporary = f"{name.rstrip('/')}/.moving-{current['id']}"
    state = f"the {plan.kind.noun} matches {temporary}; run the task again to finish"
    first = _first(plan, {**own, f.name: temporary}, own, name, takers, state)
    identity = {each.name: current[each.name] for each in plan.kind.fields if each.identifies}
    later = (_at(operation, f.name, temporary, identity) for operation in plan.operations)
    return replace(plan, operations=(first, *later))


def _first(plan: Plan, body: Any, own: Any, names: str, takers: str, interim_state: str) -> Operation:
    path = plan.target.path
    undo = Operation("PATCH", path, f"takes {names} back, because the change could not be finished", own)
    reason = f"gives up {names} for {takers}"
    return Operation("PATCH", path, reason, body, early=True, undo=undo, interim_state=interim_state)


def _at(operation: Operation, name: str, temporary: str, identity: State) -> Operation:
    """Return the operation of an object with a temporary name, if it would send the name that was given up."""
    if operation.method != "PATCH" or any(operation.body[each] != value for each, value in identity.items()):
        return operation
    return replace(operation, body={**operation.body, name: temporary})
