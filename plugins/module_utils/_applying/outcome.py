# SPDX-License-Identifier: GPL-3.0-or-later
"""Combines the results for each object into the result of the task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .._errors import Incomplete, IngressError, ObjectFailed, Withheld, counted
from .._graph.graph import Graph, in_order
from .._planning.plan import Operation, Plan
from .._planning.plan_document import RESULTS
from .._planning.plan_warnings import warnings_of
from .failures import failure_message


@dataclass
class Outcome:
    """The result of a task. `objects` are its return values by name; `diff` is None if there is nothing to compare.

    With an `error`, the task fails: some of its objects failed, and the other fields are about the rest, or the result
    does not meet a condition of the task.
    """

    changed: bool = False
    objects: dict[str, Any] = field(default_factory=dict)
    operations: list[dict[str, str]] | None = None
    diff: dict[str, Any] | list[dict[str, Any]] | None = None
    warnings: list[str] = field(default_factory=list)
    error: IngressError | None = None


@dataclass(frozen=True)
class Applied:
    """The operations on one object that took effect, its final state, and its error; `predicted` in check mode.

    The plan has the states before and after these operations.
    """

    plan: Plan
    final: Any
    operations: tuple[Operation, ...]
    error: ObjectFailed | None = None
    warnings: tuple[str, ...] = ()
    predicted: bool = False

    @property
    def shown(self) -> Any:
        return self.plan.kind.shown(self.final)

    @property
    def is_unchanged(self) -> bool:
        return self.error is None and not self.operations

    def in_result(self, unchanged: str) -> Any:
        """Return what the result of a task with many objects contains of this one, or of an `unchanged` one."""
        if unchanged == "states" or not self.is_unchanged:
            return self.shown
        kind = self.plan.kind
        names = {"id" if "id" in kind.named else "uri", *(f.name for f in kind.fields if f.identifies)}
        return {name: value for name, value in self.shown.items() if name in names}


def predicted(plan: Plan) -> Applied:
    """Return what check mode shows of a plan in place of executing it."""
    doubts = (plan.doubt,) if plan.doubt and plan.operations else ()
    error = plan.target.failed(plan.error) if plan.error else None
    return Applied(plan, plan.after, plan.operations, error, warnings=doubts, predicted=True)


def without_ignored(done: Applied) -> Applied:
    """Return the result without operations that were only to clear strings, if the service has ignored them.

    For some services, an empty string is an omitted one. Each run would report a change that does not happen.
    """
    plan, paths = done.plan, done.plan.changes
    before, after, desired = plan.before or {}, done.final or {}, plan.desired or {}
    kept = [path for path in paths if isinstance(before.get(path), str) and before[path] == after.get(path) != ""]
    is_ignored = [*paths] == [path for path in kept if desired.get(path) == ""]
    if done.error is not None or len(done.operations) != 1 or not paths or not is_ignored:
        return done
    cleared = " and ".join(paths)
    warning = (
        f"{plan.subject}: the service accepted the change but does not clear {cleared}, so nothing has changed. "
        "Declare another value, or omit it."
    )
    return replace(done, operations=(), warnings=(*done.warnings, warning))


def outcome_of_one(done: Applied, name: str) -> Outcome:
    """Return the result of a task with one object, which is `name` in the result. Raises its error."""
    if done.error is not None:
        raise done.error
    return Outcome(
        changed=bool(done.operations),
        objects={name: done.shown, **_hidden_secrets([done])},
        operations=[operation.shown() for operation in done.operations],
        diff=done.plan.diff,
        warnings=_warnings([done]),
    )


def outcome_of_many(graph: Graph, all_done: Sequence[Applied], objects: dict[str, Any]) -> Outcome:
    """Return the result of a task with many objects, with all operations in the order of the graph."""
    operations = [operation.shown() for operation in _operations(graph, all_done)]
    errors = [done.error for done in all_done if done.error is not None]
    error = None
    if errors:
        rest = "as declared"
        if any(map(_differing, all_done)):
            rest = "processed, but not all of them are as declared (see the warnings)"
        if any(done.predicted for done in all_done):
            rest = "planned"
        error = Incomplete(failure_message(errors, len(all_done), rest), errors, operations)
    results = Counter(map(_result, all_done))
    summary = {name: results[name] for name in (*RESULTS.values(), "unchanged", "failed", "withheld")}
    return Outcome(
        changed=bool(operations),
        objects={**objects, "summary": summary, **_hidden_secrets(all_done)},
        operations=operations,
        diff=[done.plan.diff for done in all_done if done.operations],
        warnings=_warnings(all_done),
        error=error,
    )


def _hidden_secrets(all_done: Sequence[Applied]) -> dict[str, Any]:
    number = sum(done.plan.secrets_not_compared for done in all_done if done.error is None)
    if not number:
        return {}
    were, them = ("was", "it") if number == 1 else ("were", "them")
    why = f"because the service does not return {them}. To send {them}, set `update_secrets: always`."
    return {"secrets_not_compared": number, "msg": f"{counted(number, 'secrets')} {were} not compared, {why}"}


def _operations(graph: Graph, all_done: Sequence[Applied]) -> Iterator[Operation]:
    """Yield all operations in the order in which they are sent in sequence.

    What was planned later comes when the last planned operation of the same object would.
    """
    taken = [0] * len(all_done)
    order = in_order(graph)
    last = {position: number for number, (position, _step) in enumerate(order)}
    for number, (position, _step) in enumerate(order):
        operations = all_done[position].operations
        end = len(operations) if last[position] == number else taken[position] + 1
        while end < len(operations) and operations[end].restores:
            end += 1
        yield from operations[taken[position] : end]
        taken[position] = end


def _result(done: Applied) -> str:
    if done.error is not None:
        return "withheld" if isinstance(done.error.error, Withheld) else "failed"
    return RESULTS[done.plan.action] if done.operations else "unchanged"


def _warnings(all_done: Sequence[Applied]) -> list[str]:
    """Return the warnings of all objects, each once: several objects can have the same one."""
    found: dict[str, None] = {}
    for done in all_done:
        if done.operations:
            found.update(dict.fromkeys(warnings_of(done.plan, is_predicted=done.predicted)))
        found.update(dict.fromkeys([*done.warnings, *_secrets_of_creation(done), *_disagreements(done)]))
    return list(found)


def _secrets_of_creation(done: Applied) -> Iterator[str]:
    """Yield warnings about secrets that a service returns only once, with the object that it creates."""
    if done.predicted or done.error or not done.final or done.plan.before is not None or not done.operations:
        return
    unseen, lacking = done.plan.kind.created_secrets(done.final)
    if unseen:
        yield (
            f"{done.plan.subject}: the service returned {' and '.join(unseen)} with the new object, and this task does "
            "not return it. Services return such a secret only once. To get it, delete the object and create it again "
            f"with `reveal: [{', '.join(unseen)}]` and `no_log: true` in a task of edgeops.ingress.object."
        )
    if lacking:
        yield (
            f"{done.plan.subject}: the service returned no {' and '.join(lacking)} with the new object, so `reveal` "
            "returns nothing. If the first response was lost, delete the object and create it again."
        )


def _disagreements(done: Applied) -> list[str]:
    paths = _differing(done)
    if not paths:
        return []
    what, them = "returned a response without the object", "it"
    if all(paths):
        what, them = f"returned other values for {', '.join(paths)}", "it" if len(paths) == 1 else "them"
    return [f"{done.plan.subject}: the service accepted the change but {what}. The next run will change {them} again."]


def _differing(done: Applied) -> list[str]:
    """Return the paths of the values that the service returned after the change and that differ from the declared ones.

    An empty path stands for the whole object.
    """
    plan = done.plan
    if done.error is not None or not done.operations or plan.desired is None:
        return []
    return plan.kind.differs(done.final, plan.desired, "", resend_secrets=False)
