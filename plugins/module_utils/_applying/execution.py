# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes one plan, operation by operation.

If the outcome of a request is unknown, the object is read and planned again, and only the remaining operations are
sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .._errors import IngressError, Missing, NotFound, ObjectFailed, OutcomeUnknown, RequestRejected, UnexpectedResponse
from .._planning.plan import Ids, Operation, Plan
from .._planning.safe_order import closes, opens
from .._transport.client import Client
from .binding import bound, bound_operations
from .outcome import Applied
from .permission import Permission
from .sending import check_ids, check_seen, is_needed_by, send, state_after, unseen
from .unknown_outcomes import check_resend, replanned, took_effect

_MAY_EXIST = "The request may have created the object, or may still do so. Check before you run the task again."


class Execution:
    """The execution of one plan. Only one thread at a time may use it."""

    def __init__(self, client: Client, plan: Plan, permission: Permission) -> None:
        self.plan = self.planned = plan
        self._client, self._permission = client, permission
        self._ids: Ids = {}
        self._expected, self._todo = list(plan.operations), list(plan.operations)
        self._state: Any = plan.before
        self.done: list[Operation] = []
        self.was_replanned = self._may_be_own = False
        self._retry = 0
        self.error: ObjectFailed | None = None

    @property
    def has_ended(self) -> bool:
        return self.error is not None or not self._todo

    @property
    def next_number(self) -> int | None:
        """The position of the next operation in the plan; None if other operations remain than planned."""
        number = len(self._expected) - len(self._todo)
        return number if self._todo == self._expected[number:] and number >= 0 else None

    def bind(self, ids: Ids, *, read_again: bool) -> None:
        """Go on with the IDs of new objects. If one of them turned out to exist, read this one as well."""
        if ids == self._ids:
            return
        self._ids = ids
        self.plan = bound(self.plan, ids)
        self._expected, self._todo = (bound_operations(one, ids) for one in (self._expected, self._todo))
        if read_again and not self.done:
            self.plan = self._replan()
            self._todo, self._state = list(self.plan.operations), self.plan.before

    def step(self, *, is_relied_on: bool) -> None:
        """Execute the next operation. If it `is_relied_on`, make sure that it took effect."""
        operation = self._todo[0]
        check_ids(operation)
        self._permission.check(self.planned, operation, self._ids)
        try:
            answer = send(self._client, operation)
            state = state_after(self.plan, operation, self._state, answer)
        except (RequestRejected, OutcomeUnknown) as error:
            if not self._goes_on_after(error, operation):
                self.step(is_relied_on=is_relied_on)
            return
        self._retry = 0
        self.done.append(self._todo.pop(0))
        # If a name had no effect that others gave up for it, no object would have it.
        is_taking = bool(self.plan.takes) and operation.body is not None
        is_reopening = opens(self.plan.kind, operation) and any(closes(self.plan.kind, one) for one in self.done)
        if is_relied_on or is_taking or is_reopening or is_needed_by(self.plan.kind, operation, self._todo):
            # A response without content, or with other values, does not show what became of the object.
            is_shown = operation.body is not None and answer is not None and not unseen(self.plan, operation, state)
            if not is_shown and (is_relied_on or operation.body is not None):
                state = self._replan().before
            try:
                check_seen(self.plan, operation, state)
            except UnexpectedResponse:
                if operation.body is not None and state == self._state:
                    self.done.pop()  # It changed nothing.
                raise
        self._state = state

    def _goes_on_after(self, error: RequestRejected | OutcomeUnknown, operation: Operation) -> bool:
        """Read the object again. Return whether the operation is done; otherwise, it must be retried."""
        again, self._retry = replanned(self._client, self.plan, operation, error, self._replan, self._retry)
        self._check_still_there(again)
        self._state = again.before
        if operation.method == "POST":
            if isinstance(error, RequestRejected) and self._state is None:
                raise error
            self._may_be_own = self._may_be_own or isinstance(error, OutcomeUnknown)
            # The object exists now, no matter who created it. Continue from its current state.
            self.plan, self._todo = again, list(again.operations)
            if self._may_be_own and operation not in self._todo:
                self.done.append(operation)
            return operation not in self._todo
        if operation not in again.operations and took_effect(self.plan, operation, self._state):
            self.done.append(self._todo.pop(0))
            return True
        check_resend(operation, error)
        return False

    def _check_still_there(self, again: Plan) -> None:
        """Raise Missing if an object has vanished that should exist: its parts are gone, but not as declared."""
        if again.before is None and self.plan.before is not None and self.plan.after is not None:
            raise Missing(
                f"{self.plan.subject} does not exist any more: something else deleted it while the task was running. "
                "Run the task again."
            )

    def _replan(self) -> Plan:
        """Return the plan of the same object, read again; an empty one for an object that no longer exists.

        Raises the error of a plan that could not be made, because it does not show what took effect.
        """
        self.was_replanned = True
        gone = replace(self.plan, before=None, operations=())
        again = next((again for again in self.planned.again(self._ids) if again.key == self.planned.key), gone)
        if again.error is not None:
            raise again.error
        # What was declared refers to new objects by their placeholders.
        return bound(again, self._ids) if self._ids else again

    def applied(self) -> Applied:
        """Return the result, once the execution has ended."""
        final = self.plan.after
        if self.done and self.error is None:
            final = self.plan.kind.reconcile(self._state, self.plan.after)
        return Applied(self.plan, final, tuple(self.done), self.error, was_replanned=self.was_replanned)

    def leave(self) -> None:
        """Skip the plan, because there is nothing left to do."""
        self.plan, self._todo = replace(self.plan, before=None, after=None, operations=()), []

    def undo(self) -> bool:
        """Revert the early operations, if nothing else was done. Return whether that succeeded."""
        undos = [operation.undo for operation in reversed(self.done) if operation.undo]
        if not undos or not all(operation.early for operation in self.done):
            return False
        for operation in undos:
            try:
                send(self._client, operation)
            except IngressError:
                return False
            self.done.append(operation)
        return True

    def fail(self, error: IngressError) -> None:
        """End the execution at the current operation. An error that it already has is more specific."""
        if self.error is not None:
            return
        is_certain = self.plan.target.unique and self.plan.target.repeatable
        if isinstance(error, OutcomeUnknown) and error.request.method == "POST" and not is_certain:
            error = error.with_note(_MAY_EXIST)
        done = [operation.shown() for operation in self.done]
        self.error = self.plan.target.failed(error, done, self._interim_state(error))

    def _interim_state(self, error: IngressError) -> str:
        """Return sentences about the state in which the plan leaves its object."""
        undone = [operation.undo for operation in self.done if operation.undo in self.done]
        left = [one for one in self.done if one not in undone and one.undo not in undone]
        if left and left[-1].interim_state:
            states = dict.fromkeys(f"{one.interim_state}." for one in left if one.interim_state)
            return f"Current state: {' Also, '.join(states)}"
        if self.plan.doubt and isinstance(error, NotFound) and not self.done:
            return self.plan.doubt
        return self._possible_state(error, left)

    def _possible_state(self, error: IngressError, left: Sequence[Operation]) -> str:
        if self._todo and self.plan.takes and not left and isinstance(error, (RequestRejected, OutcomeUnknown)):
            lost = f"Possibly no object has {self.plan.takes} now, because it was given up for this one."
            return f"{lost} Run the task again."
        tried = self._todo[0] if isinstance(error, OutcomeUnknown) and self._todo else None
        return f"Possible state: {tried.interim_state}." if tried and tried.interim_state else ""
