# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an operation had the effect that others rely on: a response without an error proves nothing. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .._errors import Request, UnexpectedResponse
from .._model.objects import Object
from .._planning.plan import Operation, Plan
from .._planning.safe_order import closes


def is_needed_by(kind: Object, operation: Operation, todo: Sequence[Operation]) -> bool:
    """Return whether later operations on an object rely on this one: it closes it, or they remove its protection."""
    protecting = set(_protecting(kind))
    return bool(todo) and (closes(kind, operation) or any(one.removed_module in protecting for one in todo))


def unseen(plan: Plan, operation: Operation, state: Any) -> list[str]:
    """Return the paths of what the object does not have in this state, although the operation was to give it that."""
    named = (f.name for f in plan.kind.fields if f.unique or f.identifies or f.reach)
    names = {*_protecting(plan.kind), plan.kind.gate, *named}
    ignored = plan.kind.differs(state, plan.kind.normal(operation.body), "", False)
    return [path for path in ignored if not path or path.split(".")[0] in names]


def check_seen(plan: Plan, operation: Operation, state: Any) -> None:
    """Raise UnexpectedResponse if an operation did not have the effect that others rely on."""
    request = Request(operation.method, operation.path)
    if operation.body is None:
        removed = operation.removed_module
        if state is not None and (removed is None or state[removed] is not None):
            raise UnexpectedResponse(
                f"the service accepted the deletion but still returns {removed or 'the object'}, so nothing was "
                "changed that relies on it.",
                request,
            )
        return
    paths = unseen(plan, operation, state)
    if paths:
        what = f"returned other values for {', '.join(paths)}" if all(paths) else "does not return the object"
        raise UnexpectedResponse(
            f"the service accepted the change but {what}, so nothing was changed that relies on them, and no traffic "
            "module that protects the object was removed.",
            request,
        )


def _protecting(kind: Object) -> Iterator[str]:
    return (name for name, f in kind.named.items() if isinstance(f.kind, Object) and f.kind.protects)
