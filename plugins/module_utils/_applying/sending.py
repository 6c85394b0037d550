# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends the operations of one plan and determines their outcome.

If the outcome of a request is unknown, the object is read and planned again, and only the remaining operations are
sent. A creation that the service would process twice is repeated only if it certainly had no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from .._errors import (
    IngressError,
    NotFound,
    NotSupported,
    NotTried,
    OutcomeUnknown,
    Request,
    RequestError,
    RequestRejected,
    UnexpectedResponse,
    UnexpectedType,
)
from .._model.objects import Object
from .._planning.placeholders import is_placeholder
from .._planning.plan import Operation, Plan
from .._transport.client import NO_CONTENT, Client
from .._transport.retries import has_ended, may_resend
from .permission import Permission


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
            again, retry = _replanned(client, plan, operation, error, replan, retry)
            state = again.before
            if operation.method == "POST":
                if isinstance(error, RequestRejected) and state is None:
                    raise
                may_be_own = may_be_own or isinstance(error, OutcomeUnknown)
                # The object exists now, no matter who created it. Continue from its current state.
                plan, todo = again, list(again.operations)
                done += [operation] if may_be_own and operation not in todo else []
            elif operation not in again.operations and _took_effect(plan, operation, state):
                done.append(operation)
            else:
                todo.insert(0, _to_resend(operation, error))
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


def _replanned(
    client: Client,
    plan: Plan,
    operation: Operation,
    error: RequestRejected | OutcomeUnknown,
    replan: Callable[[], Plan],
    retry: int,
) -> tuple[Plan, int]:
    """Return the plan after the object was read again, and the number of the next retry.

    Raises the error if reading cannot help.
    """
    if not (plan.repeatable and may_resend(error, after_reading=True)):
        raise error
    if isinstance(error, OutcomeUnknown) and not (_was_retried(error) and error.request.retries):
        error = error.after_retries(retry)
        client.patience.wait(error, retry)
    retry += 1
    again = _read_again(replan, error)
    while again.before is None and _may_still_come(plan, operation, error):
        error = error.after_retries(retry)
        client.patience.wait(error, retry)
        retry += 1
        again = _read_again(replan, error)
    return again, retry


def _to_resend(operation: Operation, error: RequestError) -> Operation:
    """Return an operation that had no effect. Raise its error if sending it again cannot help."""
    if isinstance(error, NotFound):
        raise _unsupported(operation, error) from error
    if _was_retried(error):
        raise error
    return operation


def _was_retried(error: RequestError) -> bool:
    """Return whether the client itself has retried the request as often as it may, so that only reading is left."""
    return isinstance(error, OutcomeUnknown) and may_resend(error, after_reading=False)


def _may_still_come(plan: Plan, operation: Operation, error: RequestError) -> bool:
    """Return whether an object may become visible later that a second creation would duplicate."""
    return (
        operation.method == "POST"
        and isinstance(error, OutcomeUnknown)
        and not plan.unique
        and not has_ended(error.request.status, error.request.is_explained)
    )


def _read_again(replan: Callable[[], Plan], error: RequestError) -> Plan:
    """Read the object and plan it again.

    If this fails, raises `error` with a note, or for an object that does not exist the more specific new error.
    """
    try:
        return replan()
    except IngressError as failure:
        if isinstance(error, NotFound):
            raise
        if isinstance(error, OutcomeUnknown):
            error = error.with_note(f"Its outcome could not be checked: {failure}")
        raise error from None


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


def _took_effect(plan: Plan, operation: Operation, state: Any) -> bool:
    if operation.method == "DELETE":
        return state is None or (operation.removed_module is not None and state[operation.removed_module] is None)
    # Request bodies have the format of the options, so a body can be compared with a state.
    return state is not None and not plan.kind.differs(state, plan.kind.normal(operation.body), "", False)


def send(client: Client, operation: Operation) -> Any:
    """Send an operation and return the JSON of the response, None for a response without content (204)."""
    *others, last = operation.path, *operation.other_paths
    for path in others:
        try:
            return _sent_to(client, operation, path)
        except NotFound:
            pass
    return _sent_to(client, operation, last)


def _sent_to(client: Client, operation: Operation, path: str) -> Any:
    status, answer = client.call(operation.method, path, operation.body)
    if answer is None and status != NO_CONTENT:
        raise OutcomeUnknown("expected an object, got null.", Request(operation.method, path, status=status))
    return answer


def _request(operation: Operation) -> Request:
    return Request(operation.method, operation.path)


def _unsupported(operation: Operation, error: NotFound) -> NotSupported:
    problem, advice = "This service cannot delete this object", "Delete it in another way."
    if operation.method != "DELETE":
        problem, advice = f"This service cannot update this object with {operation.method}", "Update it in another way."
    if name := operation.removed_module:
        problem = f"This service cannot remove {name}"
        advice = f"To disable it instead, declare `{name}: {{enabled: false}}`."
    return NotSupported(f"{problem} ({error}). {advice}", f"{problem} ({error.problem}). {advice}")


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
