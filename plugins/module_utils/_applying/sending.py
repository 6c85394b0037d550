# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends the operations of one plan, and finds out what became of them.

A request whose effect is not known is never repeated blindly: the object is looked up and planned again, and what is
left of the plan is done. A creation that the service would carry out twice is repeated only if it provably came to
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from .._errors import (
    IngressError,
    NotOffered,
    NotThere,
    OutcomeUnknown,
    Refused,
    RequestError,
    UnexpectedAnswer,
    WrongShape,
)
from .._model.objects import Object
from .._planning.plan import Operation, Plan
from .._transport.client import NO_CONTENT, Client
from .._transport.retries import ALREADY_THERE, has_ended
from .deletions import Deletions


def carry_out(
    client: Client, plan: Plan, look: Callable[[], Plan], done: list[Operation], deletions: Deletions
) -> Generator[None, None, Any]:
    """The object's state at the end. Adds to `done` the operations that took effect; yields after the early ones."""
    if plan.error is not None:
        raise plan.error
    todo, state = list(plan.operations), plan.before
    retry = 0
    may_be_own = False
    while todo:
        if done and done[-1].early and not todo[0].early:
            yield
        operation = todo.pop(0)
        deletions.allow(operation)
        try:
            answer = send(client, operation)
            _check_identity(plan, operation, answer)
            state_after = _state_after(plan, operation, state, answer)
        except (Refused, OutcomeUnknown) as error:
            again, retry = _looked_again(client, plan, operation, error, look, retry)
            state = again.before
            if operation.method == "POST":
                if isinstance(error, Refused) and state is None:
                    raise
                may_be_own = may_be_own or isinstance(error, OutcomeUnknown)
                # Whoever made it, what is left to do starts from what it is.
                plan, todo = again, list(again.operations)
                done += [operation] if may_be_own and operation not in todo else []
            elif operation not in again.operations and _took_effect(plan, operation, state):
                done.append(operation)
            elif isinstance(error, NotThere):
                raise _not_offered(operation, error) from error
            else:
                todo.insert(0, operation)
            continue
        retry = 0
        done.append(operation)
        state = state_after
        _check_protection(plan, operation, state, todo)
    return plan.kind.reconcile(state, plan.after) if done else plan.after


def _looked_again(
    client: Client,
    plan: Plan,
    operation: Operation,
    error: Refused | OutcomeUnknown,
    look: Callable[[], Plan],
    retry: int,
) -> tuple[Plan, int]:
    """The plan that another look leads to, and the number of the next retry. Raises if looking changes nothing."""
    _may_look_again(client, plan, operation, error, retry)
    retry += 1
    again = _another_look(look, error)
    while again.before is None and _may_still_come(plan, operation, error):
        client.pause(error, retry)
        retry += 1
        again = _another_look(look, error)
    return again, retry


def _may_still_come(plan: Plan, operation: Operation, error: RequestError) -> bool:
    """Whether an object that is not there may be there later, though the service would create a second one as well."""
    return (
        operation.method == "POST"
        and isinstance(error, OutcomeUnknown)
        and not plan.unique
        and not has_ended(error.status, bool(error.error_code or error.msg))
    )


def _another_look(look: Callable[[], Plan], error: RequestError) -> Plan:
    """Raises `error`, with why its effect could not be seen, where the look fails. A 404 says less than that reason."""
    try:
        return look()
    except IngressError as failure:
        if isinstance(error, NotThere):
            raise
        if isinstance(error, OutcomeUnknown):
            error.args = (f"{error} Whether that took effect could not be seen: {failure}",)
        raise error from None


def _check_identity(plan: Plan, operation: Operation, answer: Any) -> None:
    """Raise OutcomeUnknown if a create is answered without the id of what was created, or a change with another's."""
    if "id" not in plan.kind.named or operation.method not in ("POST", "PATCH") or (answer is None and plan.before):
        return
    identifier = answer.get("id") if isinstance(answer, dict) else None
    expected = plan.before["id"] if plan.before is not None else identifier
    if not identifier or identifier != expected:
        what = "the ID of what was created" if plan.before is None else f"the ID {expected}"
        raise OutcomeUnknown(
            f"{operation.method} {operation.path}: expected an answer with {what}, got {identifier}.",
            operation.method,
            operation.path,
        )


def _took_effect(plan: Plan, operation: Operation, state: Any) -> bool:
    if operation.method == "DELETE":
        return state is None or (operation.removed_module is not None and state[operation.removed_module] is None)
    # What is sent has the names and forms of the options.
    return state is not None and not plan.kind.differs(state, plan.kind.normal(operation.body), "", False)


def send(client: Client, operation: Operation) -> Any:
    *others, last = operation.path, *operation.other_paths
    for path in others:
        try:
            return _answer(client, operation, path)
        except NotThere:
            pass
    return _answer(client, operation, last)


def _answer(client: Client, operation: Operation, path: str) -> Any:
    """The service's answer, None where it says that it has none (204)."""
    status, answer = client.call(operation.method, path, operation.body)
    if answer is None and status != NO_CONTENT:
        raise OutcomeUnknown(f"{operation.method} {path}: the answer is null.", operation.method, path, status)
    return answer


def _may_look_again(
    client: Client, plan: Plan, operation: Operation, error: Refused | OutcomeUnknown, retry: int
) -> None:
    """Wait where waiting helps; raise where another look can't change the matter."""
    if not plan.repeatable:
        raise error
    if isinstance(error, OutcomeUnknown):
        client.pause(error, retry)
    elif not _may_be_done_already(operation, error):
        raise error


def _may_be_done_already(operation: Operation, refusal: Refused) -> bool:
    """Whether a refusal may mean that somebody else was quicker: to delete the object, or to create the same one."""
    if isinstance(refusal, NotThere):
        return operation.method == "DELETE"
    return operation.method == "POST" and refusal.status in ALREADY_THERE


def _not_offered(operation: Operation, error: NotThere) -> NotOffered:
    if operation.removed_module:
        return NotOffered(
            f"The service does not offer the operation that takes {operation.removed_module} off ({error}). "
            f"Declare `{operation.removed_module}: {{enabled: false}}` to put it out of force instead."
        )
    return NotOffered(
        f"The service does not offer the operation that deletes this object ({error}). It has to be deleted in "
        "another way."
    )


def _state_after(plan: Plan, operation: Operation, state: Any, answer: Any) -> Any:
    if operation.removed_module is not None:
        return {**state, operation.removed_module: None}
    if operation.method == "DELETE":
        return None
    if answer is None:
        return plan.after
    try:
        state_after = plan.kind.read(answer, "")
    except WrongShape as error:
        raise OutcomeUnknown(
            f"{operation.method} {operation.path}: {error}", operation.method, operation.path
        ) from None
    if operation.method == "POST" and (others := _identified_otherwise(plan, operation, state_after)):
        raise OutcomeUnknown(
            f"POST {operation.path}: the answer shows another object than was sent (see {', '.join(others)}).",
            "POST",
            operation.path,
        )
    return state_after


def _identified_otherwise(plan: Plan, operation: Operation, state: Any) -> list[str]:
    """The fields by which an object is another one than was to be created."""
    return [
        f.name
        for f in plan.kind.fields
        if f.identifies
        and f.name in operation.body
        and f.kind.differs(state[f.name], f.kind.normal(operation.body[f.name]), f.name, False)
    ]


def _check_protection(plan: Plan, operation: Operation, state: Any, todo: Sequence[Operation]) -> None:
    """Raise UnexpectedAnswer if a module is to be removed whose replacement is not there, by what the service says."""
    if not todo or operation.body is None or state is None:
        return
    protecting = {name for name, f in plan.kind.named.items() if isinstance(f.kind, Object) and f.kind.protects}
    if not any(one.removed_module in protecting for one in todo):
        return
    ignored = plan.kind.differs(state, plan.kind.normal(operation.body), "", False)
    relevant = [path for path in ignored if path.split(".")[0] in {*protecting, plan.kind.gate}]
    if relevant:
        raise UnexpectedAnswer(
            f"{operation.method} {operation.path}: the service accepted the change but returned other values for "
            f"{', '.join(relevant)}, so nothing that protects the object was removed.",
            operation.method,
            operation.path,
        )
