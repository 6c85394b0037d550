# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of operations that never leaves an object less protected than both before and after. Pure.

It follows from what the schema says of the object: which traffic modules exclude each other, and which one is the gate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .._model.objects import Object
from .plan import Operation, Plan, State, Target


def in_safe_order(target: Target, current: State, patch: Operation, removals: Sequence[Operation]) -> list[Operation]:
    """Return the PATCH of an object and then the removals of traffic modules, so that the object stays protected.

    The exception is the replacement of one exclusive module by another. Services that accept one at a time reject the
    new module while the old one is set, and without either the object would be open. So it is closed in the meantime.
    Services do not say whether they accept one or several; closing is right for both.
    """
    exclusive, gate = target.kind.exclusive, target.kind.gate
    if any(operation.removed_module == gate for operation in removals):
        # Without it, the object is closed, whatever else is changed.
        return [*sorted(removals, key=lambda operation: operation.removed_module != gate), patch]
    leaving = [operation for operation in removals if operation.removed_module in exclusive]
    entering = [name for name in exclusive if name in patch.body and current.get(name) is None]
    if not leaving or not entering:
        return [patch, *removals]
    rest = [operation for operation in removals if operation not in leaving]
    old = [str(operation.removed_module) for operation in leaving]
    verb = "replaces" if len(entering) == 1 else "replace"
    closed = _closing(target, current, leaving, f"{' and '.join(entering)} {verb} {' and '.join(old)}")
    return [*closed, *_reopening(target, current, patch, current), *rest]


def handing_over(plan: Plan, takers: str) -> Plan:
    """Return the plan of an object that first gives up its exclusive module for another object, named `takers`."""
    current, target = plan.before, plan.target
    if current is None or plan.after is None:
        return plan
    leaving = [operation for operation in plan.operations if operation.removed_module in target.kind.exclusive]
    patch = next((operation for operation in plan.operations if operation.method == "PATCH"), None)
    rest = [operation for operation in plan.operations if operation not in (*leaving, patch)]
    closed = _closing(target, current, leaving, f"{what_is_handed_over(target.kind)} moves to {takers}")
    early = [replace(operation, early=True) for operation in closed]
    return replace(plan, operations=(*early, *_reopening(target, current, patch, plan.after), *rest))


def closed_meanwhile(plan: Plan) -> Plan | None:
    """Return the plan of an object that is closed by its gate until the end of the plan.

    None if that is not possible: the object is new, or it is closed that long anyway.
    """
    current, after, target = plan.before, plan.after, plan.target
    if current is None or plan.error or not target.kind.gate:
        return None
    kind = target.kind
    closed, opened = _gate(target, current, enabled=False), _gate(target, after or {}, enabled=True)
    if plan.operations[-1:] and plan.operations[-1].reason == _reopens(kind):
        return None
    # An object that is closed already stays so, and is opened at the end.
    closing, later = ([], plan.operations) if closed is None else _closing_first(plan, closed)
    last = []
    if after is not None and opened is not None:
        last = [_gate_patch(target, after, opened, _reopens(kind))]
    state = closing[-1].interim_state if closing else _closed_state(kind, "while others change")
    staying = (replace(one, body=_kept_closed(one, target), interim_state=state) for one in later)
    operations = (*closing, *staying, *last)
    if closed is None and not any(kind.gate in (one.body or {}) for one in later):
        return None
    return replace(plan, operations=operations) if operations != plan.operations else None


def _closing_first(plan: Plan, closed: Any) -> tuple[Sequence[Operation], Sequence[Operation]]:
    """Return the operations up to the one that closes an object, which may give up a name as well, and the rest."""
    kind, current = plan.kind, plan.before or {}
    for number, operation in enumerate(plan.operations):
        if closes(kind, operation):
            return plan.operations[: number + 1], plan.operations[number + 1 :]
    own, state = always_sent(kind, current), _closed_state(kind, "while others change")
    reason = f"closes the {kind.noun} (disables its {kind.gate}) while others change"
    undo = Operation("PATCH", plan.target.path, f"{_reopens(kind)}, because the change could not be finished", own)
    first, later = Operation("PATCH", plan.target.path, reason, own, early=True, undo=undo), plan.operations
    if later and later[0].undo:
        first, later = later[0], later[1:]
    reopened = {kind.gate: _gate(plan.target, current, enabled=True)}
    back = first.undo and replace(first.undo, body={**first.undo.body, **reopened})
    closing = replace(first, body={**first.body, kind.gate: closed}, interim_state=state, undo=back)
    return [closing], later


def closes(kind: Object, operation: Operation) -> bool:
    """Return whether an operation disables the gate of an object."""
    gate = (operation.body or {}).get(kind.gate)
    return gate is not None and gate.get("enabled") is False


def opens(kind: Object, operation: Operation) -> bool:
    """Return whether an operation enables the gate of an object."""
    gate = (operation.body or {}).get(kind.gate)
    return gate is not None and gate.get("enabled") is not False


def _reopens(kind: Object) -> str:
    return f"reopens the {kind.noun}"


def _kept_closed(operation: Operation, target: Target) -> Any:
    """Return the body of an operation, in which a changed gate stays disabled."""
    gate, body = target.kind.gate, operation.body
    if not isinstance(body, dict) or gate not in body:
        return body
    return {**body, gate: {**body[gate], "enabled": False}}


def what_is_handed_over(kind: Object) -> str:
    """Return the name of the protection by the exclusive modules of a kind, such as "the login"; "" if it has none."""
    return f"the {_protection(kind)}" if kind.exclusive else ""


def _protection(kind: Object) -> str:
    modules = (kind.named[name].kind for name in kind.exclusive)
    return " or ".join(sorted({module.protects for module in modules if isinstance(module, Object)}))


def _closing(target: Target, current: State, leaving: Sequence[Operation], why: str) -> list[Operation]:
    """Return the operations that close an object with its gate, and then remove its exclusive modules."""
    kind = target.kind
    closed = _gate(target, current, enabled=False)
    if closed is None:
        return list(leaving)
    interim_state = _closed_state(kind, f"so that nobody gets in without a {_protection(kind)}")
    reason = f"closes the {kind.noun} (disables its {kind.gate}) while {why}"
    closing = [_gate_patch(target, current, closed, reason), *leaving]
    return [replace(operation, interim_state=interim_state) for operation in closing]


def _closed_state(kind: Object, why: str) -> str:
    return (
        f"the {kind.noun} is closed (its {kind.gate} is disabled), {why}; to finish the change and reopen the "
        f"{kind.noun}, declare `{kind.gate}` with `enabled: true` and run the task again"
    )


def _reopening(target: Target, current: State, patch: Operation | None, after: State) -> list[Operation]:
    """Return the PATCH of an object, if there is one, which also reopens what `_closing` has closed."""
    kind = target.kind
    opened = _gate(target, current, enabled=True)
    if opened is None:
        return [patch] if patch else []
    if patch is not None:
        body = {**patch.body, kind.gate: patch.body.get(kind.gate, opened)}
        return [replace(patch, reason=f"{patch.reason}; {_reopens(kind)}", body=body)]
    return [_gate_patch(target, current, opened, _reopens(kind))] if after[kind.gate] else []


def _gate_patch(target: Target, state: State, gate: Any, reason: str) -> Operation:
    return Operation("PATCH", target.path, reason, {**always_sent(target.kind, state), target.kind.gate: gate})


def _gate(target: Target, current: State, *, enabled: bool) -> Any:
    """Return the request form of the gate in this state; None if the object lets nothing through as it is."""
    gate = current.get(target.kind.gate)
    if not (gate and gate["enabled"]):
        return None
    return target.kind.named[target.kind.gate].kind.body({"enabled": enabled}, gate, target.kind.gate)


def always_sent(kind: Object, current: State) -> dict[str, Any]:
    """Return what each PATCH of this kind contains if it does not change it."""
    return {name: current[name] for name in kind.always_sent}
