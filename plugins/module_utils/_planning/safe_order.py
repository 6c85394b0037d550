# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of operations that never leaves an object less protected than both before and after. Pure.

It follows from what the schema says of the object: which traffic modules exclude each other, and which one closes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .._model.objects import Object
from .._model.protection import protecting_modules
from .plan import Operation, Plan, State, Target


def in_safe_order(target: Target, current: State, patch: Operation, removals: Sequence[Operation]) -> list[Operation]:
    """Return the PATCH of an object and then the removals of traffic modules, so that the object stays protected.

    The exception is the replacement of one exclusive module by another. Services that accept one at a time reject the
    new module while the old one is set, and without either the object would be open. So it is closed in the meantime.
    Services do not say whether they accept one or several; closing is right for both.
    """
    exclusive, closing_module = target.kind.exclusive, target.kind.closed_by
    if any(operation.removed_module == closing_module for operation in removals):
        # Without it, the object is closed, whatever else is changed.
        return [*sorted(removals, key=lambda operation: operation.removed_module != closing_module), patch]
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
    """Return the plan of an object that is closed, by disabling a module, until the end of the plan.

    None if that is not possible: the object is new, or it is closed that long anyway.
    """
    current, after, target = plan.before, plan.after, plan.target
    if current is None or plan.error or not target.kind.closed_by:
        return None
    kind = target.kind
    closed, opened = _switched(target, current, enabled=False), _switched(target, after or {}, enabled=True)
    if plan.operations[-1:] and plan.operations[-1].reason == _reopens(kind):
        return None
    # An object that is closed already stays so, and is opened at the end.
    closing, later = ([], plan.operations) if closed is None else _closing_first(plan, closed)
    last = []
    if after is not None and opened is not None:
        last = [_switching_patch(target, after, opened, _reopens(kind))]
    state = closing[-1].interim_state if closing else _closed_state(kind, "while others change")
    staying = (replace(one, body=_kept_closed(one, target), interim_state=state) for one in later)
    operations = (*closing, *staying, *last)
    if closed is None and not any(kind.closed_by in (one.body or {}) for one in later):
        return None
    return replace(plan, operations=operations) if operations != plan.operations else None


def _closing_first(plan: Plan, closed: Any) -> tuple[Sequence[Operation], Sequence[Operation]]:
    """Return the operations up to the one that closes an object, which may give up a name as well, and the rest."""
    kind, current = plan.kind, plan.before or {}
    for number, operation in enumerate(plan.operations):
        if closes(kind, operation):
            return plan.operations[: number + 1], plan.operations[number + 1 :]
    own, state = always_sent(kind, current), _closed_state(kind, "while others change")
    reason = f"closes the {kind.noun} (disables its {kind.closed_by}) while others change"
    undo = Operation("PATCH", plan.target.path, f"{_reopens(kind)}, because the change could not be finished", own)
    first, later = Operation("PATCH", plan.target.path, reason, own, early=True, undo=undo), plan.operations
    if later and later[0].undo:
        first, later = later[0], later[1:]
    reopened = {kind.closed_by: _switched(plan.target, current, enabled=True)}
    back = first.undo and replace(first.undo, body={**first.undo.body, **reopened})
    closing = replace(first, body={**first.body, kind.closed_by: closed}, interim_state=state, undo=back)
    return [closing], later


def closes(kind: Object, operation: Operation) -> bool:
    """Return whether an operation disables or removes the module that closes an object."""
    module = (operation.body or {}).get(kind.closed_by)
    is_removed = bool(kind.closed_by) and operation.removed_module == kind.closed_by
    return is_removed or (module is not None and module.get("enabled") is False)


def opens(kind: Object, operation: Operation) -> bool:
    """Return whether an operation enables the module that closes an object."""
    module = (operation.body or {}).get(kind.closed_by)
    return module is not None and module.get("enabled") is not False


def loosens(plan: Plan) -> bool:
    """Return whether an operation of a plan removes a protection, or opens an object that exists."""
    protecting, kind = protecting_modules(plan.kind), plan.kind
    found = (one.removed_module in protecting or opens(kind, one) for one in plan.operations)
    return plan.before is not None and any(found)


def _reopens(kind: Object) -> str:
    return f"reopens the {kind.noun}"


def _kept_closed(operation: Operation, target: Target) -> Any:
    """Return the body of an operation, in which the module that closes it stays disabled."""
    module, body = target.kind.closed_by, operation.body
    if not isinstance(body, dict) or module not in body:
        return body
    return {**body, module: {**body[module], "enabled": False}}


def what_is_handed_over(kind: Object) -> str:
    """Return the name of the protection by the exclusive modules of a kind, such as "the login"; "" if it has none."""
    return f"the {_protection(kind)}" if kind.exclusive else ""


def _protection(kind: Object) -> str:
    modules = (kind.named[name].kind for name in kind.exclusive)
    return " or ".join(sorted({module.protects for module in modules if isinstance(module, Object)}))


def _closing(target: Target, current: State, leaving: Sequence[Operation], why: str) -> list[Operation]:
    """Return the operations that close an object, and then remove its exclusive modules."""
    kind = target.kind
    closed = _switched(target, current, enabled=False)
    if closed is None:
        return list(leaving)
    interim_state = _closed_state(kind, f"so that nobody gets in without a {_protection(kind)}")
    reason = f"closes the {kind.noun} (disables its {kind.closed_by}) while {why}"
    closing = [_switching_patch(target, current, closed, reason), *leaving]
    return [replace(operation, interim_state=interim_state) for operation in closing]


def _closed_state(kind: Object, why: str) -> str:
    return (
        f"the {kind.noun} is closed (its {kind.closed_by} is disabled), {why}; to finish the change and reopen the "
        f"{kind.noun}, declare `{kind.closed_by}` with `enabled: true` and run the task again"
    )


def _reopening(target: Target, current: State, patch: Operation | None, after: State) -> list[Operation]:
    """Return the PATCH of an object, if there is one, which also reopens what `_closing` has closed."""
    kind = target.kind
    opened = _switched(target, current, enabled=True)
    if opened is None or not after[kind.closed_by]:
        return [patch] if patch else []
    if patch is not None:
        body = {**patch.body, kind.closed_by: patch.body.get(kind.closed_by, opened)}
        return [replace(patch, reason=f"{patch.reason}; {_reopens(kind)}", body=body)]
    return [_switching_patch(target, current, opened, _reopens(kind))]


def _switching_patch(target: Target, state: State, module: Any, reason: str) -> Operation:
    return Operation("PATCH", target.path, reason, {**always_sent(target.kind, state), target.kind.closed_by: module})


def _switched(target: Target, current: State, *, enabled: bool) -> Any:
    """Return the request form of the module in this state; None if the object lets nothing through as it is."""
    module = current.get(target.kind.closed_by)
    if not (module and module["enabled"]):
        return None
    return target.kind.named[target.kind.closed_by].kind.body({"enabled": enabled}, module, target.kind.closed_by)


def always_sent(kind: Object, current: State) -> dict[str, Any]:
    """Return what each PATCH of this kind contains if it does not change it."""
    return {name: current[name] for name in kind.always_sent}
