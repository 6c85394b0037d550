# SPDX-License-Identifier: GPL-3.0-or-later
"""The states of an object between the operations of its plan. Pure."""

from __future__ import annotations

from .plan import Operation, Plan, State


def states_of(plan: Plan) -> list[State | None]:
    """Return the state before the first operation, and that after each of them; None if the object does not exist."""
    states = [plan.before]
    for operation in plan.operations:
        states.append(_after(plan, states[-1], operation))
    return states


def _after(plan: Plan, state: State | None, operation: Operation) -> State | None:
    if operation.method == "DELETE":
        removed = operation.removed_module
        return None if removed is None or state is None else {**state, removed: None}
    if state is None:
        return plan.after
    fields = plan.kind.named
    changed = {}
    for name, value in operation.body.items():
        kind, final = fields[name].kind, (plan.after or {}).get(name)
        wanted = kind.normal(value)
        # The final state also contains what the service has chosen.
        is_final = plan.after is not None and not kind.differs(final, wanted, name, False)
        changed[name] = final if is_final else kind.predict(state[name], wanted)
    return {**state, **changed}
