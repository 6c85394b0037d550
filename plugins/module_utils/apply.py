# SPDX-License-Identifier: GPL-3.0-or-later
"""Carries a plan out, or shows it in check mode.

A request whose effect is not known is never repeated blindly: the object is looked up and planned again, and what is
left of the plan is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .client import Client
from .diff import diff
from .errors import IngressError, NotOffered, NotThere, OutcomeUnknown
from .plan import Operation, Plan


@dataclass
class Outcome:
    """What a task comes to. `objects` are its results by name; `diff` is None where there is nothing to compare."""

    changed: bool = False
    objects: dict[str, Any] = field(default_factory=dict)
    operations: list[dict[str, str]] | None = None
    diff: dict[str, Any] | None = None
    warnings: list[str] = field(default_factory=list)


def converge(client: Client, look: Callable[[], Plan], name: str, check_mode: bool) -> Outcome:
    """Make one object what it is to be. `look` reads and plans; `name` is the object's in the result."""
    first = plan = look()
    final, done = plan.after, list(plan.operations)
    if not check_mode:
        final, done = _carry_out(client, plan, look)
    warnings = []
    if not check_mode and first.operations and first.want is not None:
        warnings = _disagreements(first, final)
    return Outcome(
        changed=bool(first.operations),
        objects={name: first.kind.shown(final)},
        operations=[operation.shown() for operation in done],
        diff=diff(first),
        warnings=warnings,
    )


def _carry_out(client: Client, plan: Plan, look: Callable[[], Plan]) -> tuple[Any, list[Operation]]:
    """The object's state at the end, and the operations that took effect."""
    done: list[Operation] = []
    todo, state = list(plan.operations), plan.before
    refused: set[str] = set()
    try:
        while todo:
            operation = todo.pop(0)
            try:
                answer = _send(client, operation)
                _check_identity(plan, operation, answer)
            except (NotThere, OutcomeUnknown) as error:
                _may_look_again(client, plan, operation, error, refused)
                again = look()
                state = again.before
                if operation.method == "POST":
                    # Whoever made it, what is left to do starts from what it is.
                    plan, todo = again, list(again.operations)
                    done += [] if operation in todo else [operation]
                elif operation in again.operations or not _took_effect(plan, operation, state):
                    todo.insert(0, operation)
                else:
                    done.append(operation)
                continue
            done.append(operation)
            state = _state_after(plan, operation, state, answer)
    except IngressError as error:
        error.subject = plan.subject
        error.done = [operation.shown() for operation in done]
        error.meanwhile = done[-1].meanwhile if done else ""
        raise
    return plan.kind.confirmed(state, plan.after) if done else plan.after, done


def _check_identity(plan: Plan, operation: Operation, answer: Any) -> None:
    """Raise OutcomeUnknown where a create is answered without the id of what was created."""
    if operation.method == "POST" and "id" in plan.kind.named and not (isinstance(answer, dict) and answer.get("id")):
        raise OutcomeUnknown(
            f"POST {operation.path}: the answer does not tell the id of what was created.", "POST", operation.path
        )


def _took_effect(plan: Plan, operation: Operation, state: Any) -> bool:
    if operation.method == "DELETE":
        return state is None or (operation.takes_off is not None and state[operation.takes_off] is None)
    # What is sent has the names and forms of the options.
    return state is not None and not plan.kind.differs(state, plan.kind.normal(operation.body), "", False)


def _send(client: Client, operation: Operation) -> Any:
    *others, last = operation.path, *operation.other_paths
    for path in others:
        try:
            return client.call(operation.method, path, operation.body)[1]
        except NotThere:
            pass
    return client.call(operation.method, last, operation.body)[1]


def _may_look_again(
    client: Client, plan: Plan, operation: Operation, error: NotThere | OutcomeUnknown, refused: set[str]
) -> None:
    """Wait where waiting helps; raise where another look can't change the matter."""
    if not plan.repeatable:
        raise error
    if isinstance(error, OutcomeUnknown):
        client.pause(error)
    elif operation.method != "DELETE":
        raise error
    elif operation.path in refused:
        raise _not_offered(operation, error) from error
    refused.add(operation.path)


def _not_offered(operation: Operation, error: NotThere) -> NotOffered:
    if operation.takes_off:
        return NotOffered(
            f"The service does not offer the operation that takes {operation.takes_off} off ({error}). "
            f"Declare `{operation.takes_off}: {{enabled: false}}` to put it out of force instead."
        )
    return NotOffered(f"The service does not offer the operation that deletes this object ({error}).")


def _state_after(plan: Plan, operation: Operation, state: Any, answer: Any) -> Any:
    if operation.takes_off is not None:
        return {**state, operation.takes_off: None}
    if operation.method == "DELETE":
        return None
    return plan.after if answer is None else plan.kind.read(answer, "")


def _disagreements(plan: Plan, final: Any) -> list[str]:
    paths = plan.kind.differs(final, plan.want, "", resend_secrets=False)
    warning = (
        f"{plan.subject}: the service accepted the change, and its answer has other values than were sent for "
        f"{', '.join(paths)}. The next run will find these different again."
    )
    return [warning] if paths else []
