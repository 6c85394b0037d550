# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends the operations of one plan and determines their outcome.

If the outcome of a request is unknown, the object is read and planned again, and only the remaining operations are
sent.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from .._errors import (
    POSSIBLY_UNSUPPORTED,
    NotTried,
    OutcomeUnknown,
    Request,
    RequestRejected,
    UnexpectedResponse,
    UnexpectedType,
)
from .._model.objects import Object
from .._planning.placeholders import is_placeholder
from .._planning.plan import Operation, Plan
from .._transport.client import NO_CONTENT, Client
from .permission import Permission
from .unknown_outcomes import replanned, to_resend, took_effect


def carry_out(
    client: Client, plan: Plan, replan: Callable[[], Plan], done: list[Operation], permission: Permission
) -> Generator[None, None, Any]:
    """Execute a plan and return the final state. Add successful operations to `done`; yield after the early ones."""
    if plan.error is not None:
        raise plan.error
    todo, state = list(plan.operations), plan.before
    retry = 0
    may_be_own = False
    while todo:
        if done and done[-1].early and not todo[0].early:
            yield
        operation = todo.pop(0)
        _check_ids(operation)
        permission.check(plan, operation)
        try:
            answer = send(client, operation)
            _check_identity(plan, operation, answer)
            state_after = _state_after(plan, operation, state, answer)
        except (RequestRejected, OutcomeUnknown) as error:
            again, retry = replanned(client, plan, operation, error, replan, retry)
            state = again.before
            if operation.method == "POST":
                if isinstance(error, RequestRejected) and state is None:
                    raise
                may_be_own = may_be_own or isinstance(error, OutcomeUnknown)
                # The object exists now, no matter who created it. Continue from its current state.
                plan, todo = again, list(again.operations)
                done += [operation] if may_be_own and operation not in todo else []
            elif operation not in again.operations and took_effect(plan, operation, state):
                done.append(operation)
            else:
                todo.insert(0, to_resend(operation, error))
            continue
        retry = 0
        done.append(operation)
        state = state_after
        _check_protection(plan, operation, state, todo)
    return plan.kind.reconcile(state, plan.after) if done else plan.after


def _check_ids(operation: Operation) -> None:
    """Raise NotTried if an operation refers to an object that was to be created, and was not."""
    identifier = next(filter(is_placeholder, operation.strings()), None)
    if identifier is not None:
        raise NotTried(f"it refers to {identifier}, a check-mode placeholder for an object that was not created")


def _check_identity(plan: Plan, operation: Operation, answer: Any) -> None:
    """Raise OutcomeUnknown if the response lacks the ID of a new object, or contains that of another object."""
    if "id" not in plan.kind.named or operation.method == "DELETE" or (answer is None and plan.before):
        return
    identifier = answer.get("id") if isinstance(answer, dict) else None
    expected = plan.before["id"] if plan.before is not None else identifier
    if not identifier or identifier != expected:
        what = "the ID of the new object" if plan.before is None else f"the ID {expected}"
        got = "none" if identifier is None else identifier
        raise OutcomeUnknown(f"expected {what} in the response, got {got}.", _request(operation))


def send(client: Client, operation: Operation) -> Any:
    """Send an operation and return the JSON of the response, None for a response without content (204)."""
    *others, last = operation.path, *operation.other_paths
    for path in others:
        try:
            return _sent_to(client, operation, path)
        except POSSIBLY_UNSUPPORTED:
            pass
    return _sent_to(client, operation, last)


def _sent_to(client: Client, operation: Operation, path: str) -> Any:
    status, answer = client.call(operation.method, path, operation.body)
    if answer is None and status != NO_CONTENT:
        raise OutcomeUnknown("expected an object, got null.", Request(operation.method, path, status=status))
    return answer


def _request(operation: Operation) -> Request:
    return Request(operation.method, operation.path)


def _state_after(plan: Plan, operation: Operation, state: Any, answer: Any) -> Any:
    if operation.removed_module is not None:
        return {**state, operation.removed_module: None}
    if operation.method == "DELETE":
        return None
    if answer is None:
        return plan.after
    try:
        state_after = plan.kind.read(answer, "")
    except UnexpectedType as error:
        raise OutcomeUnknown(str(error), _request(operation)) from None
    if operation.method == "POST" and (others := _different_identity(plan, operation, state_after)):
        raise OutcomeUnknown(
            f"the service returned a different object than the one that was sent (see {', '.join(others)}).",
            _request(operation),
        )
    return state_after


def _different_identity(plan: Plan, operation: Operation, state: Any) -> list[str]:
    """Return the fields that show that an object is not the one that was sent."""
    return [
        f.name
        for f in plan.kind.fields
        if f.identifies
        and f.name in operation.body
        and f.kind.differs(state[f.name], f.kind.normal(operation.body[f.name]), f.name, False)
    ]


def _check_protection(plan: Plan, operation: Operation, state: Any, todo: Sequence[Operation]) -> None:
    """Raise UnexpectedResponse if a traffic module would be removed although its replacement is not active."""
    if not todo or operation.body is None or state is None:
        return
    protecting = {name for name, f in plan.kind.named.items() if isinstance(f.kind, Object) and f.kind.protects}
    if not any(one.removed_module in protecting for one in todo):
        return
    ignored = plan.kind.differs(state, plan.kind.normal(operation.body), "", False)
    relevant = [path for path in ignored if path.split(".")[0] in {*protecting, plan.kind.gate}]
    if relevant:
        raise UnexpectedResponse(
            f"the service accepted the change but returned other values for {', '.join(relevant)}, so no traffic "
            "module that protects the object was removed.",
            _request(operation),
        )
