# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes plans of the same parent, each as far as possible, or predicts their results in check mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from .._errors import IngressError, NotFound, NotTried, ObjectFailed, OutcomeUnknown
from .._planning.moves import finishing_order
from .._planning.plan import Operation, Plan, not_opened, not_purged
from .._planning.widening import widens
from .._planning.withholding import without_openings
from .._transport.client import Client
from .check_mode import predicted
from .outcome import Applied
from .permission import UNLIMITED, Permission
from .sending import carry_out, send

_MAY_EXIST = "The request may have created the object, or may still do so. Check before you run the task again."

Replan = Callable[[], list[Plan]]
"""Reads objects of the same parent and plans them."""


def converge(client: Client, replan: Replan, check_mode: bool) -> list[Applied]:
    """Read and plan objects with `replan`, and execute the plans in sequence. A failure does not stop the others."""
    return execute(client, without_openings(replan()), replan, check_mode)


def execute(
    client: Client, plans: Sequence[Plan], replan: Replan, check_mode: bool, permission: Permission = UNLIMITED
) -> list[Applied]:
    """Execute plans of the same parent in sequence, or only predict their results in check mode."""
    if check_mode:
        return [predicted(plan) for plan in plans]
    client.progress.add_planned(len(plans))
    return carried_out(client, plans, replan, permission)


def carried_out(
    client: Client, plans: Sequence[Plan], replan: Replan, permission: Permission = UNLIMITED, may_open: bool = True
) -> list[Applied]:
    """Execute plans of the same parent. `replan` is called if the outcome of a request is unknown.

    Unless they `may_open`, no plan is executed that may let more requests through.
    """
    together = ExecutionGroup([Execution(client, plan, replan, permission) for plan in plans])
    order = finishing_order(plans)
    together.free()
    for position in order:
        together.finish(position, may_open=may_open and not together.has_failures)
    return [together.finish(position) for position in range(len(plans))]


class ExecutionGroup:
    """Plans of the same parent, in the order that they require of one another. After a failure, some are skipped."""

    def __init__(self, executions: Sequence[Execution]) -> None:
        self._executions = executions
        self._finished: dict[int, Applied] = {}
        self._declared_ids: set[Any] = set()
        self.has_failures = False  # of plans other than purges

    def free(self) -> None:
        """Execute the early operations, which give up what other plans take."""
        for execution in self._executions:
            execution.free()

    def finish(
        self, position: int, *, may_purge: bool = True, may_open: bool = True, opens: bool | None = None
    ) -> Applied:
        """Execute one plan to its end, after those that it waits for, and return the result.

        A purge is skipped if a plan other than a purge has failed, or unless it `may_purge`. A plan that may let more
        requests through (as `opens` says, or otherwise the plan) is skipped unless it `may_open`.
        """
        if position not in self._finished:
            execution = self._executions[position]
            must_stay = not may_open and (widens(execution.plan) if opens is None else opens)
            error = self._reason_to_give_up(execution.plan, may_purge, must_stay)
            if error is not None:
                applied = execution.give_up(error)
            elif execution.plan.purge and (execution.plan.before or {}).get("id") in self._declared_ids:
                # A declared object turned out to be this one: the service changed in the meantime.
                applied = execution.leave()
            else:
                applied = execution.finish()
            self._finished[position] = applied
            if not applied.plan.purge:
                # Kept separately, so that thousands of results are not searched for each plan.
                self.has_failures = self.has_failures or applied.error is not None
                self._declared_ids |= {(applied.final or {}).get("id")} - {None}
        return self._finished[position]

    def _reason_to_give_up(self, plan: Plan, may_purge: bool, must_stay: bool) -> IngressError | None:
        if plan.purge and not (may_purge and not self.has_failures):
            return not_purged()
        for position in plan.requires:
            if self._finished[position].error:
                subject = self._executions[position].plan.subject
                return IngressError(f"Not finished, because {subject} failed.")
        for position in plan.follows:
            if self._finished[position].error:
                return NotTried(f"{self._executions[position].plan.subject} failed and might still have {plan.takes}")
        return not_opened() if must_stay else None


class Execution:
    """The execution of one plan."""

    def __init__(self, client: Client, plan: Plan, replan: Replan, permission: Permission = UNLIMITED) -> None:
        self.plan = plan
        self._client, self._replan = client, replan
        self._applied: list[Operation] = []
        self._was_replanned = self._has_ended = False
        self._final = plan.after
        self._error: ObjectFailed | None = None
        self._steps = carry_out(client, plan, self._replan_own, self._applied, permission)

    def free(self) -> None:
        """Execute the early operations of the plan."""
        if self.plan.operations and self.plan.operations[0].early:
            self._go_on()

    def finish(self) -> Applied:
        while not self._has_ended:
            self._go_on()
        self._client.progress.object_done(failed=self._error is not None)
        return Applied(self.plan, self._final, tuple(self._applied), self._error, was_replanned=self._was_replanned)

    def give_up(self, error: IngressError) -> Applied:
        """Stop the plan at its current operation. An error that it already has is more specific."""
        if self._error is None:
            self._fail(self.plan.error or error)
        return self.finish()

    def leave(self) -> Applied:
        """Skip the plan, because there is nothing left to do."""
        self._client.progress.object_done(failed=False)
        return Applied(replace(self.plan, before=None, after=None, operations=()), None, tuple(self._applied))

    def _replan_own(self) -> Plan:
        plan = _same_object(self._replan(), self.plan)
        self._was_replanned = True
        return plan

    def _go_on(self) -> None:
        try:
            next(self._steps)
        except StopIteration as end:
            self._final, self._has_ended = end.value, True
        except IngressError as error:
            self._fail(error)

    def _fail(self, error: IngressError) -> None:
        self._has_ended = True
        if not isinstance(error, OutcomeUnknown):
            self._undo()
        elif error.request.method == "POST" and not (self.plan.unique and self.plan.repeatable):
            error = error.with_note(_MAY_EXIST)
        done = [operation.shown() for operation in self._applied]
        self._error = self.plan.target.failed(error, done, _interim_state(self.plan, self._applied, error))

    def _undo(self) -> None:
        """Revert the early operations, if nothing else was done."""
        if not all(operation.early for operation in self._applied):
            return
        for operation in [operation.undo for operation in reversed(self._applied) if operation.undo]:
            try:
                send(self._client, operation)
            except IngressError:
                return
            self._applied.append(operation)


def _interim_state(plan: Plan, done: list[Operation], error: IngressError) -> str:
    """Return sentences about the state in which a plan left its object if it stopped in the middle."""
    reverted = [operation for operation in done if operation.undo in done]
    left = [
        operation for operation in done if operation not in reverted and operation not in [op.undo for op in reverted]
    ]
    if left and left[-1].interim_state:
        return (
            f"Current state: {' Also, '.join(dict.fromkeys(op.interim_state + '.' for op in left if op.interim_state))}"
        )
    if plan.doubt and isinstance(error, NotFound) and not done:
        return plan.doubt
    if plan.takes and not left and not isinstance(error, NotTried):
        return f"Possibly no object has {plan.takes} now, because it was given up for this one. Run the task again."
    failed = error.request.path if isinstance(error, OutcomeUnknown) else None
    tried = next((op for op in plan.operations if op.path == failed), None)
    return f"Possible state: {tried.interim_state}." if tried and tried.interim_state and tried not in done else ""


def _same_object(plans: list[Plan], plan: Plan) -> Plan:
    """Return the plan of the same object among the new `plans`; an empty one for an object that no longer exists.

    Raises the error of a plan that could not be made, because it does not show what took effect.
    """
    gone = replace(plan, before=None, operations=())
    again = next((again for again in plans if again.key == plan.key), gone)
    if again.error is not None:
        raise again.error
    return again
