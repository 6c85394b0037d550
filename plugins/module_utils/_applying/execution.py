# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes one plan, operation by operation.

If the outcome of a request is unknown, the object is read and planned again, and only the remaining operations are
sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from .._errors import (
    MAY_HAVE_EFFECT,
    IdentityChanged,
    IngressError,
    NotFound,
    ObjectFailed,
    OutcomeUnknown,
    RequestRejected,
    UnexpectedResponse,
    counted,
)
from .._model.free_form import RESPONSE
from .._model.protection import protections
from .._planning.closing import closes, opens, unprotects
from .._planning.given_up_names import with_names_since
from .._planning.plan import Ids, Operation, Plan
from .._transport.client import Client
from . import sending
from .emptied_fields import Update
from .outcome import Applied, without_ignored
from .permission import Permission
from .unknown_outcomes import MAY_EXIST, check_resend, is_being_released, replanned, still_there

PlanAgain = Callable[[Plan, Ids], Sequence[Plan]]
"""Reads the object of a plan and plans it again, maybe together with others; `Ids` are those of new objects."""


class Execution:
    """The execution of one plan, of which `todo` is left. Only one thread at a time may use it."""

    def __init__(
        self, client: Client, plan: Plan, permission: Permission, again: PlanAgain, clears: dict[str, bool]
    ) -> None:
        self.plan = self.planned = plan
        self._client, self._permission, self._again, self._clears = client, permission, again, clears
        self._ids: Ids = {}
        self._expected, self.todo = list(plan.operations), list(plan.operations)
        self.state: Any = plan.before
        self.done: list[Operation] = []
        self.was_replanned = self._may_be_own = self._is_unknown = False
        self._retry = 0
        self.error: ObjectFailed | None = None

    @property
    def has_ended(self) -> bool:
        return self.error is not None or not self.todo

    @property
    def unfinished(self) -> str:
        """The object with its state if it is partly done, else empty."""
        if self.has_ended or not self.done:
            return ""
        state = self.done[-1].interim_state.partition(";")[0]
        return f"{self.plan.subject}: {state or counted(len(self.done), 'requests') + ' done'}"

    @property
    def next_number(self) -> int | None:
        """The position of the next operation in the plan; None if other operations remain than planned."""
        number = len(self._expected) - len(self.todo)
        return number if self.todo == self._expected[number:] and number >= 0 else None

    def bind(self, ids: Ids, *, read_again: bool) -> None:
        """Go on with the IDs of new objects. If one of them turned out to exist, read this one as well."""
        if ids == self._ids:
            return
        self._ids = ids
        self.plan = sending.bound(self.plan, ids)
        self._expected = [sending.with_other_ids(one, ids) for one in self._expected]
        self.todo = [sending.with_other_ids(one, ids) for one in self.todo]
        if read_again and not self.done:
            self.plan = self._replan()
            self.todo, self.state = list(self.plan.operations), self.plan.before

    def look_again(self) -> None:
        """Read the object, a part of which has a plan of its own, so that an update leaves this part as it is now."""
        if self.todo[0].method == "PATCH":
            self.state = still_there(self.plan, self._replan())

    def step(self, *, is_relied_on: bool) -> None:
        """Execute the next operation. If it `is_relied_on`, make sure that it took effect."""
        before = self.state
        while not self._attempt(before, is_relied_on=is_relied_on):
            pass

    def _attempt(self, before: Any, *, is_relied_on: bool) -> bool:
        """Send the next operation. Return whether it is done; otherwise, it must be retried."""
        operation = self.todo[0]
        if found := operation.placeholders:
            why = f"it refers to {found[0]}, a check-mode placeholder for an object that was not created"
            raise IngressError(f"Skipped, because {why}.")
        # What was planned was permitted, as long as its object is as it was then.
        if self.state is not self.planned.before or operation not in self.planned.operations:
            self._permission.check(self.planned, with_names_since(self.planned, operation, self.state), self._ids)
        update = self._update(operation, before)
        try:
            response = sending.send(self._client, update.sent if update else operation)
            state = sending.state_after(self.plan, operation, self.state, response)
        except (RequestRejected, OutcomeUnknown) as error:
            return self._goes_on_after(error, operation, update)
        self._retry = 0
        self.done.append(self.todo.pop(0))
        seen = update.restored(state, self.done, is_known=response is not None) if update else state
        # What was restored, or only looked at for that, was read.
        is_known = response is not None or seen is not state
        self.state = self._relied_on(operation, seen, is_known=is_known, is_relied_on=is_relied_on)
        return True

    def _relied_on(self, operation: Operation, state: Any, *, is_known: bool, is_relied_on: bool) -> Any:
        """Return the state after an operation. If anything relies on it, make sure that it took effect."""
        plan, kind = self.plan, self.plan.kind
        # If a name had no effect that others gave up for it, no object would have it.
        is_taking = bool(plan.takes) and operation.body is not None
        is_reopening = any(closes(kind, one) for one in self.done[:-1]) and opens(kind, operation)
        # Later operations rely on one that closes the object; those that open or unprotect it, on all before them.
        is_needed = self.todo and (
            closes(kind, operation) or any(opens(kind, one) or unprotects(kind, one) for one in self.todo)
        )
        is_found = plan.target.found_by and sending.is_found_by_another(plan, operation, state)
        is_relied_on = is_relied_on or bool(is_found)
        # Some services replace an object although they should update it, and do not show what is left of it.
        at_risk = protections(kind, self.state) if operation.method == "PATCH" else ()
        is_ignored = bool(sending.unprotected(plan, operation, state, self.state) if is_known else at_risk)
        if is_relied_on or is_taking or is_reopening or is_needed or is_ignored:
            # A response without content, or with other values, does not show what became of the object.
            is_shown = operation.body is not None and is_known and not is_ignored
            is_shown = is_shown and not sending.unseen(plan, operation, state)
            if not is_shown and (is_relied_on or operation.body is not None or closes(kind, operation)):
                state = still_there(plan, self._replan())
            try:
                sending.check_seen(plan, operation, state, self.state)
            except UnexpectedResponse:
                if state == self.state:
                    self.done.remove(operation)  # It changed nothing.
                self.state = state
                raise
        return state

    def _goes_on_after(
        self, error: RequestRejected | OutcomeUnknown, operation: Operation, update: Update | None
    ) -> bool:
        """Read the object again. Return whether the operation is done; otherwise, it must be retried."""
        if is_released := is_being_released(self.planned, operation, error):
            self._client.patience.wait(error, self._retry)
            if operation.method != "POST" or not self.plan.target.repeatable:
                self._retry += 1
                return False
        self._is_unknown = True
        try:
            again, self._retry = replanned(self._client, self.plan, error, self._replan, self._retry)
        except OutcomeUnknown as final:
            raise (update.after_all(final, self.done) if update else final) from None
        self._is_unknown = False
        self.state = still_there(self.plan, again)
        if operation.method == "POST":
            if isinstance(error, RequestRejected) and self.state is None:
                if is_released:
                    return False
                raise error
            self._may_be_own = self._may_be_own or isinstance(error, OutcomeUnknown)
            # The object exists now, no matter who created it. Continue from its current state.
            self.plan, self.todo = again, list(again.operations)
            if self._may_be_own and operation not in self.todo:
                self.done.append(operation)
            return operation not in self.todo
        if operation not in again.operations and sending.took_effect(self.plan, operation, self.state):
            self.done.append(self.todo.pop(0))
            if update:
                self.state = update.restored(self.state, self.done, is_known=True)
            return True
        check_resend(operation, error)
        return False

    def _update(self, operation: Operation, before: Any) -> Update | None:
        """Return an operation with the fields that it may empty, None if there are none."""
        is_partial = operation.method == "PATCH" and before is not None
        omitted = self.plan.kind.at_risk(before, operation.body) if is_partial else []
        read = partial(self._read, operation)
        return Update(self._client, self.plan, operation, before, omitted, read, self._clears) if omitted else None

    def _read(self, operation: Operation) -> Any:
        """Return the current state. An object that lacks what it is declared with may not be planned again."""
        if RESPONSE not in self.plan.kind.named:
            return self._replan().before
        found = self._client.get_object(operation.path)
        return None if found is None else self.plan.kind.read(found, "")

    def _replan(self) -> Plan:
        """Return the plan of the same object, read again; an empty one for an object that no longer exists.

        Raises the error of a plan that could not be made: it does not show what took effect.
        """
        self.was_replanned = True
        gone = replace(self.plan, before=None, operations=())
        again = next((one for one in self._again(self.planned, self._ids) if one.key == self.planned.key), gone)
        if again.error is not None:
            raise again.error
        self._permission.check_found(self.planned, again)
        if again.before is not None:
            # Which fields an object has that has no module of its own depends on the response.
            again = replace(again, before={**dict.fromkeys(self.plan.kind.named), **again.before})
        # What was declared refers to new objects by their placeholders.
        return sending.bound(again, self._ids) if self._ids else again

    @property
    def final(self) -> Any:
        """The state of the object, once the execution has ended."""
        final = self.plan.after
        if self.error is not None:
            return final and self.state  # What was planned does not exist, or is not known to.
        return self.plan.kind.reconcile(self.state, final) if self.done else final

    def applied(self) -> Applied:
        plan = self.plan if self.plan is self.planned else replace(self.plan, opens=self.planned.opens)
        if "POST" in [operation.method for operation in self.done]:
            # If the response was lost, the object was planned again as one that exists.
            plan = replace(plan, before=self.planned.before, changes=self.planned.changes)
        if self.error is not None:
            plan = replace(plan, after=self.state, changes=())
        return without_ignored(Applied(plan, self.final, tuple(self.done), self.error))

    def undo(self) -> bool:
        """Revert what was done, if all of it can be reverted. Return whether that succeeded."""
        undos = [operation.undo for operation in reversed(self.done) if operation.undo]
        if not undos or len(undos) < len(self.done):
            return False
        for operation in undos:
            update = self._update(operation, self.state)
            try:
                sending.send(self._client, update.sent if update else operation)
                self.done.append(operation)
                self.state = self.planned.before
                if update:
                    update.restored(self.state, self.done, is_known=False)
            except IngressError:
                return False
        return True

    def fail(self, error: IngressError) -> None:
        """End the execution at the current operation."""
        if isinstance(error, OutcomeUnknown):
            is_certain = self.plan.target.unique and self.plan.target.repeatable
            if error.request.method == "POST" and not is_certain:
                error = error.with_note(MAY_EXIST)
            elif self._is_unknown and error.request.method != "GET" and not isinstance(error, IdentityChanged):
                error = error.with_note(MAY_HAVE_EFFECT)
        done = [operation.shown() for operation in self.done]
        self.error = self.plan.target.failed(error, done, self._interim_state(error))

    def _interim_state(self, error: IngressError) -> str:
        """Return sentences about the state in which the plan leaves its object."""
        undone = [operation.undo for operation in self.done if operation.undo in self.done]
        left = [one for one in self.done if one not in undone and one.undo not in undone and not one.restores]
        if left and left[-1].interim_state:
            states = dict.fromkeys(f"{one.interim_state}." for one in left if one.interim_state)
            return f"Current state: {' Also, '.join(states)}"
        if self.plan.doubt and isinstance(error, NotFound) and not self.done:
            is_named = str(self.plan.target.parent) in (error.request.msg or "")
            return "Check the ID." if is_named else self.plan.doubt
        tried = self.todo[0] if isinstance(error, OutcomeUnknown) and self.todo else None
        return f"Possible state: {tried.interim_state}." if tried and tried.interim_state else ""
