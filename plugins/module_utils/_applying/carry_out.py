# SPDX-License-Identifier: GPL-3.0-or-later
"""From the plans of a task to its result: what waits for what, what is permitted, and the execution.

Check mode stops here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from .._errors import IngressError
from .._graph.graph import Graph
from .._model.protection import decides_access
from .._planning.plan import Ids, Plan, Target
from .._planning.plan_document import ALL, Detail, PlanDocument, plan_document
from .._planning.undeclared import Remainder, unread_holders
from .._transport.client import Client
from .execution import PlanAgain
from .outcome import Applied, Outcome, outcome_of_many, outcome_of_one, predicted, spared
from .permission import UNLIMITED, Limits, Permission, permission
from .walk import walk

Wire = Mapping[str, Any]

ReadRules = Callable[[], Any]
"""Returns all rules of IP policies; None if they cannot be read."""

Found = TypeVar("Found")
"""What a task has read of its objects, from which it plans them."""


@dataclass(frozen=True)
class Task:
    """The plans of a task in their order, what they leave undeclared, what they open, and what they leave `unmet`."""

    client: Client
    graph: Graph
    rest: Sequence[Remainder] = ()
    detail: Detail = ALL
    opened: Sequence[Any] = ()
    unmet: Any = None
    ip_rules: Sequence[Wire] | None = None

    @classmethod
    def of(
        cls,
        client: Client,
        plans: Sequence[Plan],
        rest: Sequence[Remainder] = (),
        detail: Detail = ALL,
        ip_rules: Sequence[Wire] | None = None,
        demanded: Sequence[Any] = (),
        read_rules: ReadRules = lambda: None,
    ) -> Task:
        """`ip_rules` are all rules of IP policies; they are read if they are None, but count for what opens."""
        found: list[Any] = []
        unmet = None
        if demanded and ip_rules is None:
            ip_rules = read_rules()
        if len(plans) == 1 and not (plans[0].operations[1:] and changes_access(plans[0])):
            graph = Graph(plans)
        else:
            # Ansible compiles whatever is imported, for each playbook, and a single operation waits for nothing.
            from .._graph.arrangement import arranged  # noqa: PLC0415

            graph = arranged(plans, rest, ip_rules)
        decides = any(changes_access(plan) for plan in graph.plans)
        if decides or demanded:
            from .._access.account import account_of  # noqa: PLC0415
            from .._access.openings import opened, opens_to_unknown, with_openings  # noqa: PLC0415

            account = graph.account or account_of(graph.plans, rest, ip_rules)
            found = list(opened(account, graph.plans)) if decides else []
            if opens_to_unknown(found) and ip_rules is None and (ip_rules := read_rules()) is not None:
                account = account_of(graph.plans, rest, ip_rules)
                found = list(opened(account, graph.plans))
            graph.plans = with_openings(graph.plans, found)
        if demanded:
            from .unmet_requirements import unmet_requirements  # noqa: PLC0415

            unmet = unmet_requirements(account, graph.plans, rest, demanded)
        return cls(client, graph, rest, detail, found, unmet, ip_rules)

    def permission(self, limits: Limits) -> Permission:
        """Return the permission to execute the plans. Raises NothingExecuted if that is not allowed."""
        return permission(self.graph.plans, self.document, limits, self.unmet)

    @cached_property
    def document(self) -> PlanDocument:
        kept = spared((predicted(plan) for plan in self.graph.plans if plan.error), while_planning=True)
        left = [*self.rest, *kept, *unread_holders(self.graph.plans)]
        return plan_document(self.graph.plans, left, self.client.masks, self.detail)

    def results(self, check_mode: bool, permitted: Permission, concurrency: int, again: PlanAgain) -> list[Applied]:
        if check_mode:
            return [predicted(plan) for plan in self.graph.plans]
        return walk(self.client, self.graph, concurrency, permitted, again)


def changes_access(plan: Plan) -> bool:
    """Return whether a plan changes what decides who gets through, which few tasks do."""
    changed = [path.replace("[", ".").partition(".")[0] for path in plan.changes]
    if plan.before is None or plan.after is None:
        changed = list(plan.kind.named)
    return bool(plan.operations) and decides_access(plan.kind, plan.target.collection.strip("/"), changed)


@dataclass(frozen=True)
class OneObject(Generic[Found]):
    """How a task reads and plans its object, which is `name` in the result.

    `around` reads what is around the object. Errors in reading and planning are those of the `target`, if there is one.
    """

    name: str
    read: Callable[[], Found]
    plan: Callable[[Found], Plan]
    around: Callable[[Found, Plan], Sequence[Remainder]] = lambda _found, _plan: ()
    target: Target | None = None


def carry_out_one(
    client: Client, check_mode: bool, one: OneObject[Found], rejected_openings: frozenset[str] = frozenset()
) -> Outcome:
    """Read, plan, and execute a single object. A plan that opens any of the `rejected_openings` is not executed."""
    try:
        found = one.read()
        made = one.plan(found)
    except IngressError as error:
        if one.target is None:
            raise
        raise one.target.failed(error) from None
    task = Task.of(client, [made], one.around(found, made) if changes_access(made) else ())
    permitted = UNLIMITED
    if rejected_openings and not made.error:
        permitted = task.permission(Limits(None, rejected_openings=rejected_openings))
    [done] = task.results(check_mode, permitted, 1, lambda _plan, _ids: [one.plan(one.read())])
    return outcome_of_one(done, one.name)


@dataclass(frozen=True)
class ObjectSet(Generic[Found]):
    """How a task reads and plans the objects of one parent, which are `name` in the result.

    `plan` also returns what the plans leave undeclared.
    """

    name: str
    read: Callable[[], Found]
    plan: Callable[[Found], tuple[list[Plan], list[Remainder]]]
    read_rules: ReadRules = lambda: None


def carry_out_set(
    client: Client, options: Mapping[str, Any], check_mode: bool, objects: ObjectSet[Found], limits: Limits
) -> Outcome:
    """Read, plan, and execute the objects of one parent, as far as the `limits` allow."""
    detail = Detail.of(options)
    plans, rest = objects.plan(objects.read())
    task = Task.of(client, plans, rest, detail, None, limits.demanded, objects.read_rules)
    permitted = task.permission(limits)

    def again(_plan: Plan, _ids: Ids) -> list[Plan]:
        return objects.plan(objects.read())[0]

    all_done = task.results(check_mode, permitted, options["concurrency"], again)
    shown: dict[str, Any] = {objects.name: [done.in_result(detail) for done in all_done if done.final is not None]}
    return outcome_of_many(task.graph, all_done, {**shown, **task.document.after(spared(all_done)).result()})
