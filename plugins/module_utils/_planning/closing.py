# SPDX-License-Identifier: GPL-3.0-or-later
"""How an object is closed and reopened, so that nobody gets through while what protects it is not complete. Pure.

The schema says which module closes an object, and which modules exclude each other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from .._model.objects import Object
from .._model.protection import decides_access, is_enabled, protecting_modules
from .plan import Operation, Plan, State, patch, with_fields
from .unique_names import what_is_handed_over


def closes(kind: Object, operation: Operation) -> bool:
    """Return whether an operation disables or removes the module that closes an object."""
    module = (operation.body or {}).get(kind.closed_by)
    is_removed = bool(kind.closed_by) and operation.removed_module == kind.closed_by
    return is_removed or (module is not None and not is_enabled(module))


def opens(kind: Object, operation: Operation) -> bool:
    """Return whether an operation enables the module that closes an object."""
    return is_enabled((operation.body or {}).get(kind.closed_by))


def unprotects(kind: Object, operation: Operation) -> bool:
    """Return whether an operation removes or disables a module that protects the object."""
    protecting, body = protecting_modules(kind), operation.body or {}
    is_disabled = (not is_enabled(module) for name, module in body.items() if name in protecting)
    return operation.removed_module in protecting or any(is_disabled)


def loosens(plan: Plan) -> bool:
    """Return whether an operation of a plan removes or disables a protection, or opens an object that exists."""
    found = (unprotects(plan.kind, one) or opens(plan.kind, one) for one in plan.operations)
    return plan.before is not None and any(found)


def in_updates(kind: Object, before: State, desired: State, sent: Sequence[str]) -> list[Sequence[str]]:
    """Return the fields of each update. What disables a protection comes after what others may rely on then.

    A service may ignore a part of an update. Services that accept one exclusive module at a time take one for another
    in one update only.
    """
    protecting = protecting_modules(kind)
    disabled = [one for one in sent if one in protecting and is_enabled(before[one]) and not is_enabled(desired[one])]
    others = [name for name in sent if name not in disabled]
    is_needed = bool(disabled) and decides_access(kind, "", others)
    return [others, disabled] if is_needed and not _switches(kind, before, desired, sent) else [sent]


def _switches(kind: Object, before: State, desired: State, sent: Collection[str]) -> bool:
    """Return whether an update disables one exclusive module and sets another one instead."""
    then = {name: is_enabled(desired[name]) for name in kind.exclusive if name in sent}
    return any(then.values()) and any(is_enabled(before[name]) and not then[name] for name in then)


def switched(plan: Plan) -> Plan:
    """Return a plan that closes its object with the update that enables one exclusive module in place of another."""
    kind, before, desired = plan.kind, plan.before, plan.desired
    if before is None or desired is None or not plan.operations or not _is_open(kind, before):
        return plan
    first, *rest = plan.operations
    if not _switches(kind, before, desired, first.body or ()):
        return plan
    first = replace(first, reason=f"{first.reason}; {_closes(kind, f'{what_is_handed_over(kind)} is exchanged')}")
    return _closed(replace(plan, operations=tuple(rest)), first, (), "so that nobody gets in without it")


def exchanged(plan: Plan, takers: str = "") -> Plan:
    """Return a plan that closes its object while one of its exclusive modules replaces another one.

    Services that accept one at a time reject the new module as long as the old one is set, and without either the
    object would be open. Services do not say whether they accept one or several; closing is right for both. If the
    module moves to other objects, named `takers`, it is removed before these are changed.
    """
    kind, before = plan.kind, plan.before
    leaving = [one for one in plan.operations if one.removed_module in kind.exclusive]
    if before is None or plan.after is None or not leaving:
        return plan
    sent = {name for one in plan.operations for name in one.body or ()}
    entering = [name for name in kind.exclusive if name in sent and before[name] is None]
    if not entering and not takers:
        return plan
    closing = [one for one in plan.operations if one.removed_module == kind.closed_by]
    # A service may ignore the new module, so the object is reopened only after a response has shown it.
    new = [one for one in plan.operations if _is_open(kind, plan.after) and _protects(kind, one)]
    inside = [*closing, *leaving, *new]
    if not _is_open(kind, before) and not new:
        return replace(plan, operations=(*inside, *(one for one in plan.operations if one not in inside)))
    old, what = " and ".join(str(one.removed_module) for one in leaving), what_is_handed_over(kind)
    why = f"{' and '.join(entering)} {'replaces' if len(entering) == 1 else 'replace'} {old}"
    why = f"{what} moves to {takers}" if takers else why
    first = patch(plan.target, before, _closes(kind, why))
    return _closed(plan, first, inside, f"so that nobody gets in without {what.replace('the', 'a', 1)}")


def opened_last(plan: Plan) -> Plan:
    """Return a plan that does not open its object with the same update that adds what protects it."""
    kind = plan.kind
    inside = [one for one in plan.operations if opens(kind, one) and _protects(kind, one)]
    if plan.before is None or _is_open(kind, plan.before) or not inside:
        return plan
    return _closed(plan, inside[0], inside, "until what protects it is known to be set")


def closed_meanwhile(plan: Plan) -> Plan | None:
    """Return the plan of an object that is closed until the end of the plan, because others change.

    None if that is not possible: the object is new, or it is closed that long anyway.
    """
    kind, before, operations = plan.kind, plan.before, plan.operations
    if before is None or plan.error or (operations and operations[-1].reason == _reopens(kind)):
        return None
    if not _is_open(kind, before) and not any(kind.closed_by in (one.body or {}) for one in operations):
        return None
    undo = patch(plan.target, before, f"{_reopens(kind)}, because the change could not be finished")
    first = replace(patch(plan.target, before, _closes(kind, "others change")), undo=undo)
    found = _closed(plan, first, operations, "while others change")
    return found if found.operations != operations else None


def _closed(plan: Plan, first: Operation, inside: Sequence[Operation], so_that: str) -> Plan:
    """Return a plan that closes its object for the operations `inside`, and reopens it with the update among the rest.

    Without an update, it is reopened before the rest. The `first` operation closes it, unless one of the others does.
    """
    kind, name, rest = plan.kind, plan.kind.closed_by, [one for one in plan.operations if one not in inside]
    if _is_open(kind, plan.before) and not any(closes(kind, one) for one in inside):
        if inside and inside[0].undo:
            first, *inside = inside  # What gives up a name closes the object as well.
        undo = first.undo and with_fields(first.undo, {name: _switched(plan, plan.before, enabled=True)})
        first = replace(with_fields(first, {name: _switched(plan, plan.before, enabled=False)}), undo=undo)
        inside = [first, *inside]
    if not _is_open(kind, plan.after):
        return replace(plan, operations=(*inside, *rest))
    state = (
        f"the {kind.noun} is closed (its {name} is disabled), {so_that}; to finish the change and reopen the "
        f"{kind.noun}, declare `{name}` with `enabled: true` and run the task again"
    )
    states = ("" if one is first else one.interim_state for one in inside)
    closed = [replace(_kept_closed(kind, one), interim_state=own or state) for one, own in zip(inside, states)]
    opened = {name: _switched(plan, plan.after, enabled=True)}
    update = next((one for one in rest if one.body is not None), None)
    last = patch(plan.target, plan.after or {}, _reopens(kind), opened)
    if update is not None:
        last = replace(update, reason=f"{update.reason}; {_reopens(kind)}", body={**opened, **update.body})
    return replace(plan, operations=(*closed, last, *(one for one in rest if one is not update)))


def _protects(kind: Object, operation: Operation) -> bool:
    """Return whether an operation enables a module that protects the object."""
    return any(is_enabled((operation.body or {}).get(name)) for name in protecting_modules(kind))


def _is_open(kind: Object, state: State | None) -> bool:
    return bool(kind.closed_by) and is_enabled((state or {}).get(kind.closed_by))


def _switched(plan: Plan, state: State | None, *, enabled: bool) -> Any:
    """Return the request form of the module that closes an object, as it is in this state, but enabled or not."""
    name = plan.kind.closed_by
    return plan.kind.named[name].kind.body({"enabled": enabled}, (state or {})[name], name)


def _kept_closed(kind: Object, operation: Operation) -> Operation:
    """Return an operation that leaves the module disabled that closes an object."""
    if not opens(kind, operation):
        return operation
    reason = operation.reason.removesuffix(f"; {_reopens(kind)}")
    module = {**operation.body[kind.closed_by], "enabled": False}
    return with_fields(replace(operation, reason=reason), {kind.closed_by: module})


def _closes(kind: Object, why: str) -> str:
    return f"closes the {kind.noun} (disables its {kind.closed_by}) while {why}"


def _reopens(kind: Object) -> str:
    return f"reopens the {kind.noun}"
