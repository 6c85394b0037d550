# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task may send: the plan that was approved, and no more deletions than are allowed."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._errors import ChangeWithheld, IngressError, counted
from .._planning.plan import Ids, Opening, Operation, Plan
from .._planning.undeclared import Remainder
from .._values.escapes import visible
from .failures import listed, not_read, planning_failures
from .sending import with_other_ids

_MOST_SUBJECTS = 5


@dataclass(frozen=True)
class Limits:
    """What the options of a task allow: so many deletions, and only the plan with this digest, if there is one.

    If the plan `is_judged`, nothing else is executed, either. `emptied` has the kinds of objects, by their names, of
    which nothing may be purged, each with the reason: the lists that declare them are all empty. If it `keeps_names`,
    no object gives up a name, and of the `rejected_openings`, nothing opens. `demanded` are requirements that the plan
    has to meet.
    """

    max_deletions: int | None = None
    expect_plan: str | None = None
    is_judged: bool = False
    emptied: Mapping[str, str] = field(default_factory=dict)
    keeps_names: bool = False
    rejected_openings: frozenset[str] = frozenset()
    demanded: Sequence[Any] = ()

    @property
    def approval(self) -> str:
        """What has approved the plan, so that nothing else is executed; empty if that does not matter."""
        if self.expect_plan is not None:
            return "`expect_plan` approves"
        if self.is_judged:
            return "`reject_findings` has judged"
        return "`reject_openings` has judged" if self.rejected_openings else ""


NO_LIMITS = Limits()


class Permission:
    """Permits the operations of a task within its limits, including those that are planned while it runs.

    Deletions of the original `plans` come first. Several threads may use it at a time.
    """

    def __init__(self, limits: Limits, plans: Sequence[Plan] = ()) -> None:
        planned = [(plan, operation) for plan in plans for operation in plan.operations]
        self._limits, self._approval = limits, limits.approval
        self._approved = {_identity(plan, operation) for plan, operation in planned if self._approval}
        self._deletions = {one for _plan, operation in planned for one in _deleted_by(operation)}
        self._declared = {plan.target.path: plan for plan in plans if plan.before is not None and not plan.purge}
        self._lock = threading.Lock()

    def check(self, plan: Plan, operation: Operation, ids: Ids) -> None:
        """Raise ChangeWithheld for an operation that was planned later and is not permitted.

        `plan` is the one that was planned first; `ids` are the IDs that new objects have in the operation.
        """
        operation = with_other_ids(operation, {identifier: placeholder for placeholder, identifier in ids.items()})
        if self._approval and _identity(plan, operation) not in self._approved:
            raise ChangeWithheld(
                f"{operation.method} {operation.path}: not sent, because it is not part of the plan that "
                f"{self._approval}. The service changed while the task was running. Review the plan again."
            )
        if operation.gives_up and self._limits.keeps_names:
            names = ", ".join(name[1] for name in operation.gives_up)
            raise ChangeWithheld(
                f"{operation.method} {operation.path}: not sent, because it would give up {visible(names)}. The "
                "service changed while the task was running. Run the task again."
            )
        most, deleted = self._limits.max_deletions, _deleted_by(operation)
        if most is None or not deleted:
            return
        with self._lock:
            if not deleted <= self._deletions and len(self._deletions | deleted) > most:
                raise ChangeWithheld(
                    f"{operation.method} {operation.path}: not sent, because `max_deletions` is {most} and is "
                    "used up. What it deletes was not in the original plan: the service changed while the task was "
                    "running. Run the task again."
                )
            self._deletions |= deleted

    def check_found(self, plan: Plan, found: Plan) -> None:
        """Raise ChangeWithheld if what turned out to be a new object is another declared one."""
        other = self._declared.get(found.target.path)
        if plan.before is None and found.before is not None and other is not None and other.key != plan.key:
            raise ChangeWithheld(
                f"{plan.subject}: not created, because {other.subject} now has what identifies it: the service changed "
                "while the task was running. Run the task again."
            )


UNLIMITED = Permission(NO_LIMITS)


def permission(
    plans: Sequence[Plan], document: Mapping[str, Any], rest: Sequence[Remainder], limits: Limits, unmet: Any
) -> Permission:
    """Return the permission to execute these plans. Raises NothingExecuted if that is not allowed.

    `rest` is what else the task has read, or has not, `unmet` are the requirements that the plans leave unmet; None if
    there are no requirements.
    """
    for name, reason in limits.emptied.items():
        if deletions := _deletions_of([plan for plan in plans if plan.purge and plan.kind.name == name]):
            message = (
                f"{reason}. Nothing was changed. If you want that, set `allow_empty: true`; otherwise, check the "
                f"variable that the list comes from. The plan deletes:{_listed_deletions(deletions)}"
            )
            raise NothingExecuted(message, document, plans, planned_deletions=deletions)
    if limits.expect_plan is not None and limits.expect_plan != document["plan_digest"]:
        message = _differs(limits.expect_plan, document, plans)
        raise NothingExecuted(message, document, plans, expected_plan_digest=limits.expect_plan)
    deletions = _deletions_of(plans)
    if limits.max_deletions is not None and len(deletions) > limits.max_deletions:
        message = (
            f"The plan contains {counted(len(deletions), 'deletions')}, but `max_deletions` is {limits.max_deletions}. "
            "Nothing was changed. Check `planned_deletions` in the result, and increase `max_deletions` if all of them "
            f"are intended:{_listed_deletions(deletions)}"
        )
        raise NothingExecuted(message, document, plans, planned_deletions=deletions)
    if message := _rejection(plans, rest, limits.rejected_openings):
        raise NothingExecuted(message, document, plans)
    if unmet is not None and unmet.message:
        raise NothingExecuted(unmet.message, document, plans, findings=unmet.findings)
    return Permission(limits, plans)


def _deleted_by(operation: Operation) -> frozenset[tuple[str, ...]]:
    """Return what counts as a deletion in an operation: the object or the part that it deletes, or each name."""
    deleted = [()] if operation.method == "DELETE" else operation.gives_up
    return frozenset((operation.path, *one) for one in deleted)


def _deletions_of(plans: Sequence[Plan]) -> list[dict[str, str]]:
    found = ((plan, one, name) for plan in plans for one in plan.operations for name in sorted(_deleted_by(one)))
    return [
        {"object": plan.subject, **operation.shown(), **({"reason": f"gives up {name[-1]}"} if name[1:] else {})}
        for plan, operation, name in found
    ]


def _identity(plan: Plan, operation: Operation) -> tuple[Hashable, ...]:
    body = json.dumps(operation.body, sort_keys=True)
    return plan.key, operation.method, operation.path, body, operation.gives_up


class NothingExecuted(IngressError):
    """The options of a task do not allow its plan, so nothing was executed. `more` are values of the result."""

    def __init__(self, message: str, document: Mapping[str, Any], plans: Sequence[Plan], **more: Any) -> None:
        self._details = {**document, **more}
        self.diff = [plan.diff for plan in plans if plan.operations and not plan.error]
        super().__init__(message)

    def details(self) -> dict[str, Any]:
        return self._details


def _rejection(plans: Sequence[Plan], rest: Sequence[Remainder], kinds: Collection[str]) -> str:
    """Return why plans are rejected because of what they open, or an empty string."""
    if kinds and (failures := planning_failures(plans)):
        head = "The plan is incomplete, so it is not known what it opens, and `reject_openings` rejects it."
        return f"{head} Nothing was changed. {failures}"
    causes: dict[Opening, list[str]] = defaultdict(list)
    for plan in plans:
        for one in plan.opens:
            if one.kind in kinds:
                causes[one].append(plan.subject)
    if not causes:
        unread = not_read(rest) if kinds and any(plan.operations for plan in plans) else ""
        head = "Not everything that the plan may open could be read, so `reject_openings` rejects it."
        return f"{head} Nothing was changed. Not read:{unread}" if unread else ""
    lines = []
    for one, subjects in causes.items():
        more = f" and {len(subjects) - _MOST_SUBJECTS} more" if len(subjects) > _MOST_SUBJECTS else ""
        lines.append(f"{one.request}: {one.text} ({one.kind}), because of {', '.join(subjects[:_MOST_SUBJECTS])}{more}")
    return (
        f"The plan opens {counted(len(causes), 'requests')}, which `reject_openings` rejects. Nothing was changed. "
        f"Change the declaration, or let somebody approve the plan without this option:{listed(lines)}"
    )


def _differs(expected: str, document: Mapping[str, Any], plans: Sequence[Plan]) -> str:
    head = f"The plan is not the one that was approved. Nothing was changed. `expect_plan` is {expected}, "
    if failures := planning_failures(plans):
        return f"{head}but the plan is incomplete, so it has no digest. {failures}"
    if not document["plan"]:
        return f"{head}but the digest of the plan is {document['plan_digest']}: nothing is left to do."
    names = [f"{entry['object']}: {entry['action']}" for entry in document["plan"]]
    return (
        f"{head}but the digest of the plan is {document['plan_digest']}. The declaration or the service has changed. "
        f"Check `plan` in the result, and approve it if all of it is intended:{listed(names)}"
    )


def _listed_deletions(deletions: Sequence[dict[str, str]]) -> str:
    return listed([f"{one['object']}: {one['reason']}" for one in deletions])
