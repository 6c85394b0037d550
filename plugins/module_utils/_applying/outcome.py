# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task comes to: from what was done to each object to the one result that the user sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .._errors import Incomplete, IngressError
from .._planning.diff import diff
from .._planning.moves import finishing_order
from .._planning.plan import Operation, Plan
from .._planning.widening import closed_warnings, widening_warnings
from .failures import failure_message


@dataclass
class Outcome:
    """What a task comes to. `objects` are its results by name; `diff` is None where there is nothing to compare.

    With `error`, some of its objects failed, and the rest tells what came of the others.
    """

    changed: bool = False
    objects: dict[str, Any] = field(default_factory=dict)
    operations: list[dict[str, str]] | None = None
    diff: dict[str, Any] | list[dict[str, Any]] | None = None
    warnings: list[str] = field(default_factory=list)
    error: Incomplete | None = None


@dataclass(frozen=True)
class Applied:
    """What was done, or in check mode would be done, to one object: its state at the end, and what went wrong.

    `looked_again` tells that somebody else may have had a hand in it. `warnings` are what the user should know of it.
    `foretold` if it is what check mode shows.
    """

    plan: Plan
    final: Any
    operations: tuple[Operation, ...]
    error: IngressError | None = None
    looked_again: bool = False
    warnings: tuple[str, ...] = ()
    predicted: bool = False

    @property
    def later_operations(self) -> list[Operation]:
        return [operation for operation in self.operations if not operation.early]

    @property
    def shown(self) -> Any:
        return self.plan.kind.shown(self.final)


def outcome_of_one(done: Applied, name: str) -> Outcome:
    """The outcome of a task that has one object, which is `name` in the result. Raises what went wrong with it."""
    if done.error is not None:
        raise done.error
    return Outcome(
        changed=bool(done.operations),
        objects={name: done.shown},
        operations=[operation.shown() for operation in done.operations],
        diff=diff(done.plan),
        warnings=_warnings([done]),
    )


def in_sending_order(all_done: Sequence[Applied]) -> list[Operation]:
    """What was done to objects of the same parent, in the order in which it is sent if that is one after the other."""
    early = [operation for done in all_done for operation in done.operations if operation.early]
    order = finishing_order([done.plan for done in all_done])
    return [*early, *(operation for position in order for operation in all_done[position].later_operations)]


def outcome_of_many(
    all_done: Sequence[Applied], objects: dict[str, Any], sent: Sequence[Operation] | None = None
) -> Outcome:
    """The outcome of a task that has many, with all operations in the order in which they were `sent`."""
    operations = [operation.shown() for operation in (in_sending_order(all_done) if sent is None else sent)]
    errors = [done.error for done in all_done if done.error is not None]
    return Outcome(
        changed=bool(operations),
        objects=objects,
        operations=operations,
        diff=[diff(done.plan) for done in all_done if done.operations],
        warnings=_warnings(all_done),
        error=_incomplete(all_done, errors, operations) if errors else None,
    )


def _incomplete(
    all_done: Sequence[Applied], errors: Sequence[IngressError], operations: Sequence[dict[str, str]]
) -> Incomplete:
    rest = "as declared"
    if any(_differing(done) for done in all_done):
        rest = "done, but not all of them are as declared (see the warnings)"
    if any(done.predicted for done in all_done):
        rest = "planned"
    return Incomplete(failure_message(errors, len(all_done), rest), errors, operations)


def _warnings(all_done: Sequence[Applied]) -> list[str]:
    """The warnings of all objects, each once: several objects can give the same one."""
    return list(dict.fromkeys(warning for done in all_done for warning in _warnings_of(done)))


def _warnings_of(done: Applied) -> list[str]:
    foreseen = [*widening_warnings(done.plan), *closed_warnings(done.plan)] if done.operations else []
    return [*done.warnings, *foreseen, *_disagreements(done)]


def _disagreements(done: Applied) -> list[str]:
    paths = _differing(done)
    if not paths:
        return []
    what = (
        f"returned other values for {', '.join(paths)}" if all(paths) else "returned an answer in which it is not set"
    )
    return [f"{done.plan.subject}: the service accepted the change but {what}. The next run will find this again."]


def _differing(done: Applied) -> list[str]:
    """Where the object, as the service showed it after the change, differs from what is declared.

    An empty path stands for the object as a whole.
    """
    plan = done.plan
    if done.error is not None or not done.operations or plan.want is None:
        return []
    return plan.kind.differs(done.final, plan.want, "", resend_secrets=False)
