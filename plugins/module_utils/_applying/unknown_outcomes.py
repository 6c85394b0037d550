# SPDX-License-Identifier: GPL-3.0-or-later
"""Decides what follows a request whose outcome is unknown, or that the service rejected: reading shows what it did.

A creation that the service would process twice is repeated only if it certainly had no effect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _errors
from .._planning.plan import Operation, Plan, State
from .._transport.client import Client
from .._transport.retries import ALREADY_THERE, has_ended, may_resend
from .sending import send


def replanned(
    client: Client, plan: Plan, error: _errors.RequestError, replan: Callable[[], Plan], retry: int
) -> tuple[Plan, int]:
    """Return the plan of the object read again, and the number of the next retry. Raises what reading cannot help.

    If reading fails, raises `error` with a note, or for an object that does not exist the more specific new error.
    """
    if not (plan.target.repeatable and may_resend(error, after_reading=True)):
        raise error
    must_wait = isinstance(error, _errors.OutcomeUnknown) and not (_was_retried(error) and error.request.retries)
    while True:
        if must_wait:
            error = error.after_retries(retry)
            client.patience.wait(error, retry)
        retry += 1
        try:
            again = replan()
        except _errors.IngressError as failure:
            if isinstance(error, _errors.POSSIBLY_UNSUPPORTED):
                raise
            if isinstance(error, _errors.OutcomeUnknown) and not isinstance(error, _errors.IdentityChanged):
                error = error.with_note(f"Its outcome could not be checked: {failure}")
            raise error from None
        if again.before is None and isinstance(error, _errors.IdentityChanged):
            raise error  # The object exists under another identity, and a second request would create another one.
        must_wait = again.before is None and _may_still_come(plan, error)
        if not must_wait:
            return again, retry


def send_until_known(client: Client, operation: Operation, read: Callable[[Any], Any]) -> Any:
    """Send an operation, again if its outcome is unknown, and return what `read` returns for the response.

    Whoever uses this has to know that the operation has the same effect if it is sent twice.
    """
    retry = 0
    while True:
        try:
            return read(send(client, operation))
        except _errors.OutcomeUnknown as error:
            client.patience.wait(error, retry)
            retry += 1


def is_being_released(plan: Plan, operation: Operation, error: _errors.RequestError) -> bool:
    """Return whether a service rejects a name that another object of the task has just given up.

    Some services need a moment until such a hostport is free. Names that are not in lists are free immediately.
    """
    if not plan.takes or not isinstance(error, _errors.RequestRejected) or error.request.status not in ALREADY_THERE:
        return False
    values = [one for value in (operation.body or {}).values() if isinstance(value, list) for one in value]
    text = f"{error.request.error_code or ''} {error.request.msg or ''}".lower()
    return bool(values) and (not text.strip() or "hostport" in text or any(str(one).lower() in text for one in values))


def check_resend(operation: Operation, error: _errors.RequestError) -> None:
    """Raise the error of an operation that had no effect, if sending it again cannot help."""
    if isinstance(error, _errors.POSSIBLY_UNSUPPORTED):
        problem, advice = "This service cannot delete this object", "Delete it in another way."
        if operation.method != "DELETE":
            problem = f"This service cannot update this object with {operation.method}"
            advice = "Update it in another way."
        if name := operation.removed_module:
            problem = f"This service cannot remove {name}"
            advice = f"To disable it instead, declare `{name}: {{enabled: false}}`."
        message, shared = (f"{problem} ({cause}). {advice}" for cause in (error, error.problem))
        raise _errors.NotSupported(message, shared) from error
    if _was_retried(error):
        raise error


def _was_retried(error: _errors.RequestError) -> bool:
    """Return whether the client itself has retried the request as often as it may, so that only reading is left."""
    return isinstance(error, _errors.OutcomeUnknown) and may_resend(error, after_reading=False)


def _may_still_come(plan: Plan, error: _errors.RequestError) -> bool:
    """Return whether an object may become visible later that a second creation would duplicate."""
    is_lost_creation = error.request.method == "POST" and isinstance(error, _errors.OutcomeUnknown)
    return is_lost_creation and not (plan.target.unique or has_ended(error.request.status, error.request.is_explained))


MAY_EXIST = "The request may have created the object, or may still do so. Check before you run the task again."


def still_there(plan: Plan, again: Plan) -> State | None:
    """Return the state read again. Raise Missing if an object has vanished that should exist, not only its parts."""
    if again.before is None and plan.before is not None and plan.after is not None:
        raise _errors.Missing(
            f"{plan.subject} does not exist any more: something else deleted it while the task was running. Run the "
            "task again."
        )
    return again.before
