# SPDX-License-Identifier: GPL-3.0-or-later
"""Carries plans out, or shows them in check mode: those of the same parent together, each as far as it can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from .._errors import IngressError, NotThere, NotTried, OutcomeUnknown, as_sentence
from .._planning.moves import finishing_order
from .._planning.plan import Operation, Plan, not_opened, not_purged
from .._planning.widening import widens
from .._planning.withholding import without_openings
from .._transport.client import Client
from .deletions import UNLIMITED, Deletions, capped
from .outcome import Applied
from .sending import carry_out, send

_MAY_EXIST = "The request may have created the object, or may still do so. Check before you run the task again."

Look = Callable[[], list[Plan]]


def converge(client: Client, look: Look, check_mode: bool, max_deletions: int | None = None) -> list[Applied]:
    """Make objects what they are to be, one after the other. `look` reads and plans them; a failure stops no other.

    Raises TooManyDeletions, before anything is written, for a plan with more than `max_deletions`.
    """
    plans = without_openings(look())
    deletions = UNLIMITED if max_deletions is None else capped(plans, max_deletions)
    if check_mode:
        return [predicted(plan) for plan in plans]
    client.progress.plans(len(plans))
    return carried_out(client, plans, look, deletions)


def predicted(plan: Plan) -> Applied:
    operations = () if plan.error else plan.operations
    doubts = (plan.doubt,) if plan.doubt and operations else ()
    return Applied(plan, plan.after, operations, plan.error, warnings=doubts, predicted=True)


def carried_out(
    client: Client, plans: Sequence[Plan], look: Look, deletions: Deletions = UNLIMITED, may_open: bool = True
) -> list[Applied]:
    """What came of plans of the same parent. `look` is called where the effect of a request is not known.

    Unless they `may_open`, none is carried out that may let more people in.
    """
    together = Together([Execution(client, plan, look, deletions) for plan in plans])
    order = finishing_order(plans)
    together.free()
    for position in order:
        together.finish(position, may_open=may_open and not together.has_failures)
    return [together.finish(position) for position in range(len(plans))]


class Together:
    """Plans of the same parent: what they take from one another, and what a failure of one spares."""

    def __init__(self, executions: Sequence[Execution]) -> None:
        self._executions = executions
        self._done: dict[int, Applied] = {}
        self._declared_ids: set[Any] = set()
        self.has_failures = False  # of one that is not a purge

    def free(self) -> None:
        """Carry out what has to come first: giving up what others of them take."""
        for execution in self._executions:
            execution.free()

    def finish(
        self, position: int, *, may_purge: bool = True, may_open: bool = True, opens: bool | None = None
    ) -> Applied:
        """What comes of one of them, when those that it waits for are done.

        A purge is spared if one that is not has failed, or unless it `may_purge`. What may let more people in (what
        `opens`, if the plan alone does not say so) is left undone unless it `may_open`.
        """
        if position not in self._done:
            execution = self._executions[position]
            must_stay = not may_open and (widens(execution.plan) if opens is None else opens)
            error = self._reason_to_give_up(execution.plan, may_purge, must_stay)
            if error is not None:
                done = execution.give_up(error)
            elif execution.plan.purge and (execution.plan.before or {}).get("id") in self._declared_ids:
                # A declared object turned out to be this one: the service changed meanwhile.
                done = execution.leave()
            else:
                done = execution.finish()
            self._done[position] = done
            if not done.plan.purge:
                # Kept beside the results, because thousands of them are not to be looked through for each other one.
                self.has_failures = self.has_failures or done.error is not None
                self._declared_ids |= {(done.final or {}).get("id")} - {None}
        return self._done[position]

    def _reason_to_give_up(self, plan: Plan, may_purge: bool, must_stay: bool) -> IngressError | None:
        if plan.purge and not (may_purge and not self.has_failures):
            return not_purged()
        for position in plan.requires:
            if self._done[position].error:
                subject = self._executions[position].plan.subject
                return IngressError(f"It was not finished, because {subject} failed.")
        for position in plan.follows:
            if self._done[position].error:
                return NotTried(f"{self._executions[position].plan.subject} failed, which may still have {plan.takes}")
        return not_opened() if must_stay else None


class Execution:
    """One plan that is being carried out."""

    def __init__(self, client: Client, plan: Plan, look: Look, deletions: Deletions = UNLIMITED) -> None:
        self.plan = plan
        self._client, self._look = client, look
        self._applied: list[Operation] = []
        self._looks: list[Plan] = []
        self._final, self._error, self._has_ended = plan.after, plan.error, False
        self._steps = carry_out(client, plan, self._look_at_it, self._applied, deletions)

    def free(self) -> None:
        """Carry out the plan's early operations."""
        if self.plan.operations and self.plan.operations[0].early:
            self._go_on()

    def finish(self) -> Applied:
        while not self._has_ended:
            self._go_on()
        self._client.progress.did(failed=self._error is not None)
        return Applied(self.plan, self._final, tuple(self._applied), self._error, looked_again=bool(self._looks))

    def give_up(self, error: IngressError) -> Applied:
        """Leave the plan as far as it is. An error that it has already tells more."""
        if self._error is None:
            self._fail(error)
        return self.finish()

    def leave(self) -> Applied:
        """Do nothing, because there is nothing to be done any more."""
        self._client.progress.did(failed=False)
        return Applied(replace(self.plan, before=None, after=None, operations=()), None, tuple(self._applied))

    def _look_at_it(self) -> Plan:
        self._looks.append(_same_object(self._look(), self.plan))
        return self._looks[-1]

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
        elif error.method == "POST" and not (self.plan.unique and self.plan.repeatable):
            error.args = (f"{as_sentence(str(error))} {_MAY_EXIST}",)
        self._error = error
        error.subject = self.plan.subject
        error.done = [operation.shown() for operation in self._applied]
        error.meanwhile = _meanwhile(self.plan, self._applied, error)

    def _undo(self) -> None:
        """Take back what was given up, if that is all that was done."""
        if not all(operation.early for operation in self._applied):
            return
        for operation in [operation.undo for operation in reversed(self._applied) if operation.undo]:
            try:
                send(self._client, operation)
            except IngressError:
                return
            self._applied.append(operation)


def _meanwhile(plan: Plan, done: list[Operation], error: IngressError) -> str:
    """What is so now that the plan has stopped in the middle, as far as it is known."""
    reverted = [operation for operation in done if operation.undo in done]
    left = [
        operation for operation in done if operation not in reverted and operation not in [op.undo for op in reverted]
    ]
    if left and left[-1].meanwhile:
        return f"As it stands, {' Also, '.join(dict.fromkeys(op.meanwhile + '.' for op in left if op.meanwhile))}"
    if plan.doubt and isinstance(error, NotThere) and error.status == 404 and not done:  # noqa: PLR2004
        return plan.doubt
    if plan.takes and not left and not isinstance(error, NotTried):
        return f"It may be that nothing has {plan.takes} now, which was given up for it; run the task again to finish."
    tried = next((op for op in plan.operations if isinstance(error, OutcomeUnknown) and op.path == error.path), None)
    return f"It may be that {tried.meanwhile}." if tried and tried.meanwhile and tried not in done else ""


def _same_object(plans: list[Plan], plan: Plan) -> Plan:
    """The plan of the same object after another look; what is neither there nor declared any more has none.

    Raises what the look itself failed with: a plan that could not be made tells nothing about what took effect.
    """
    gone = replace(plan, before=None, operations=())
    again = next((again for again in plans if again.key == plan.key), gone)
    if again.error is not None:
        raise again.error
    return again
