# SPDX-License-Identifier: GPL-3.0-or-later
"""From the plans of a task to its result: what waits for what, what is permitted, and the execution.

Check mode stops here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from .._graph.graph import Graph
from .._model.protection import decides_access
from .._planning.plan import Plan
from .._planning.plan_document import plan_document, undeclared_objects
from .._planning.rejected_changes import OBJECT
from .._planning.undeclared import Remainder, spared, unread_holders
from .._transport.client import Client
from .execution import PlanAgain
from .outcome import Applied, Outcome, outcome_of_many, outcome_of_one, predicted
from .permission import NO_LIMITS, UNLIMITED, Limits, Permission, permission
from .walk import walk

ReadRules = Callable[[], Any]
"""Returns all rules of IP policies; None if they cannot be read."""


class Task:
    """The plans of a task in their order, what they leave undeclared, what they open, and what they leave `unmet`.

    `ip_rules` are all rules of IP policies; they are read if they are None, but count for what opens. `undeclared` says
    how much the document contains of undeclared objects.
    """

    def __init__(
        self,
        client: Client,
        plans: Sequence[Plan],
        rest: Sequence[Remainder] = (),
        limits: Limits = NO_LIMITS,
        undeclared: str = "declarations",
        ip_rules: Sequence[Mapping[str, Any]] | None = None,
        read_rules: ReadRules = lambda: None,
    ) -> None:
        self._client, self._rest, self._limits, self._undeclared = client, rest, limits, undeclared
        demanded = limits.demanded
        self.opened: list[Any] = []
        self.unmet: Any = None
        if demanded and ip_rules is None:
            ip_rules = read_rules()
        if len(plans) == 1 and not (plans[0].operations[1:] and changes_access(plans[0])):
            self.graph = Graph(plans)
        else:
            # Ansible compiles whatever is imported, for each playbook, and a single operation waits for nothing.
            from .._graph.arrangement import arranged  # noqa: PLC0415

            self.graph = arranged(plans, rest, ip_rules)
        graph, decides = self.graph, any(map(changes_access, self.graph.plans))
        if decides or demanded:
            from .._access.account import account_of  # noqa: PLC0415
            from .._access.openings import opened, opens_to_unknown, with_openings  # noqa: PLC0415

            account = graph.account or account_of(graph.plans, rest, ip_rules)
            self.opened = list(opened(account, graph.plans)) if decides else []
            if opens_to_unknown(self.opened) and ip_rules is None and (ip_rules := read_rules()) is not None:
                account = account_of(graph.plans, rest, ip_rules)
                self.opened = list(opened(account, graph.plans))
            graph.plans = with_openings(graph.plans, self.opened)
        if demanded:
            from .unmet_requirements import unmet_requirements  # noqa: PLC0415

            self.unmet = unmet_requirements(account, graph.plans, rest, demanded)
        self.ip_rules = ip_rules

    def permission(self) -> Permission:
        return permission(self.graph.plans, self.document, self._rest, self._limits, self.unmet)

    @cached_property
    def _left(self) -> list[Remainder]:
        plans = self.graph.plans
        return [*self._rest, *spared((plan, plan.error) for plan in plans if plan.error), *unread_holders(plans)]

    @cached_property
    def document(self) -> dict[str, Any]:
        return plan_document(self.graph.plans, self._left, self._client.masks, self._undeclared)

    def results(self, check_mode: bool, permitted: Permission, concurrency: int, again: PlanAgain) -> list[Applied]:
        if check_mode:
            return [predicted(plan) for plan in self.graph.plans]
        return walk(self._client, self.graph, concurrency, permitted, again)

    def outcome(self, all_done: Sequence[Applied], objects: Mapping[str, Any]) -> Outcome:
        """Return the result of the task, with these return values and the document."""
        failed = ((done.plan, done.error.error) for done in all_done if done.error and not done.plan.error)
        kept = list(spared(failed))
        more = undeclared_objects([*self._left, *kept], self._undeclared) if kept else {}
        return outcome_of_many(self.graph, all_done, {**objects, **self.document, **more})


def changes_access(plan: Plan) -> bool:
    """Return whether a plan changes what decides who gets through, which few tasks do."""
    # A PUT resets whatever it does not send, and what is sent of an object replaces all that is inside of it.
    sends_more = plan.kind.name == OBJECT and plan.kind.always_sent
    is_replaced = sends_more or "PUT" in [one.method for one in plan.operations]
    is_whole = plan.before is None or plan.after is None or is_replaced
    changed = plan.kind.named if is_whole else [path.replace("[", ".").partition(".")[0] for path in plan.changes]
    return bool(plan.operations) and decides_access(plan.kind, plan.target.collection.strip("/"), changed)


def carry_out_one(
    client: Client,
    check_mode: bool,
    name: str,
    planned: Callable[[], Plan],
    rejected_openings: frozenset[str] = frozenset(),
    around: Callable[[Sequence[Plan]], Sequence[Remainder]] = lambda _plans: (),
) -> Outcome:
    """Read, plan, and execute a single object. A plan that opens any of the `rejected_openings` is not executed.

    `planned` reads and plans the object, which is `name` in the result; `around` reads what is around it.
    """
    made = planned()
    limits = Limits(rejected_openings=rejected_openings)
    task = Task(client, [made], around([made]) if changes_access(made) else (), limits)
    permitted = task.permission() if rejected_openings and not made.error else UNLIMITED
    [done] = task.results(check_mode, permitted, 1, lambda _plan, _ids: [planned()])
    return outcome_of_one(done, name)


def carry_out_set(
    client: Client,
    options: Mapping[str, Any],
    check_mode: bool,
    name: str,
    planned: Callable[[], tuple[Sequence[Plan], Sequence[Remainder]]],
    limits: Limits,
    read_rules: ReadRules = lambda: None,
) -> Outcome:
    """Read, plan, and execute the objects of one parent, which are `name` in the result, as far as the `limits` allow.

    `planned` reads and plans them. It also returns what the plans leave undeclared.
    """
    task = Task(client, *planned(), limits, options["undeclared"], read_rules=read_rules)
    permitted = task.permission()
    all_done = task.results(check_mode, permitted, options["concurrency"], lambda _plan, _ids: planned()[0])
    shown = [done.in_result(options["unchanged"]) for done in all_done if done.final is not None]
    return task.outcome(all_done, {name: shown})
