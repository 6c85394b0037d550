# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes the plans of objects with their children, which cannot be planned completely before the object exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .._errors import IngressError, NotTried
from .._planning.moves import finishing_order, moving
from .._planning.plan import Operation, Plan
from .._planning.undeclared import Remainder
from .._planning.widening import is_reached, tightens, widens
from .._transport.client import Client
from .apply import Execution, ExecutionGroup, carried_out
from .outcome import Applied, in_sending_order
from .parallel import run_in_parallel
from .permission import Permission


def _no_plans(*_id: str) -> list[Plan]:
    return []


@dataclass(frozen=True)
class Subtree:
    """Plans to execute in sequence.

    `children` are the plans of the children of the first plan's object. If that object does not exist yet,
    `children_of_new` plans them again with its ID. `replan` and `replan_children` read and plan again if the outcome of
    a request is unknown. Parents (`is_parent`) are planned together, each with one plan of its `own`, with or without
    children. `rest` is what the plans leave undeclared, `option` the list that could declare more, or the object that
    the plans are about.
    """

    own: Sequence[Plan]
    children: Sequence[Plan] = ()
    children_of_new: Callable[[str], list[Plan]] = _no_plans
    replan: Callable[[], list[Plan]] = _no_plans
    replan_children: Callable[[str], list[Plan]] = _no_plans
    is_parent: bool = False
    rest: Sequence[Remainder] = ()
    option: str = ""

    @property
    def is_purge(self) -> bool:
        return self.is_parent and self.own[0].purge

    @property
    def opens_last(self) -> bool:
        """Whether the children come before the parent, because it becomes easier to reach and they restrict access."""
        own = self.own[0] if self.own else None
        if not self.is_parent or own is None or own.before is None or own.after is None or not own.operations:
            return False
        is_needed_first = tightens(own) and any(map(widens, self.children))
        return is_reached(own) and any(map(tightens, self.children)) and not is_needed_first

    @property
    def plans(self) -> list[Plan]:
        """All plans, as they are before anything is executed."""
        return [*self.own, *self.children]


def carry_out_subtrees(
    client: Client, subtrees: Sequence[Subtree], concurrency: int, permission: Permission
) -> list[list[Applied]]:
    """Execute the plans of all subtrees, and return the result of each plan.

    A failure skips the children of a new object, the plans that may let more requests through, and the purges that
    depend on the failed object.
    """
    client.progress.add_planned(sum(len(subtree.plans) for subtree in subtrees))
    parents = [subtree for subtree in subtrees if subtree.is_parent]
    together = ExecutionGroup([Execution(client, subtree.own[0], subtree.replan, permission) for subtree in parents])
    positions = {id(subtree): position for position, subtree in enumerate(parents)}
    done: dict[int, list[Applied]] = {}
    may_purge = True

    def carry_out(subtree: Subtree) -> list[Applied]:
        if id(subtree) in done:
            return done[id(subtree)]
        if not subtree.is_parent:
            return carried_out(client, subtree.own, subtree.replan, permission)
        position = positions[id(subtree)]
        if not subtree.opens_last:
            own = together.finish(position, may_purge=may_purge)
            return [own, *_carry_out_children(client, subtree, own, permission)]
        parent_id = subtree.own[0].before["id"] if subtree.own[0].before else ""
        children = _carried_out_children(client, subtree.children, subtree, parent_id, permission)
        is_guarded = not any(one.error and tightens(one.plan) for one in children)
        return [together.finish(position, may_open=is_guarded, opens=True), *children]

    together_plans = [subtree.own[0] for subtree in parents]
    order, moves = finishing_order(together_plans), moving(together_plans)
    together.free()
    for position in order:
        if position in moves:
            done[id(parents[position])] = carry_out(parents[position])
    for group in ([one for one in subtrees if not one.is_purge], [one for one in subtrees if one.is_purge]):
        done.update(zip(map(id, group), run_in_parallel(carry_out, group, concurrency)))
        may_purge = not any(one.error for subtree in parents for one in done.get(id(subtree), ()))
    return [done[id(subtree)] for subtree in subtrees]


def operations_of(subtrees: Sequence[Subtree], all_done: Sequence[Sequence[Applied]]) -> list[Operation]:
    """Return the operations of all subtrees, in the order of sending them in sequence."""
    parents = [(subtree, done) for subtree, done in zip(subtrees, all_done) if subtree.is_parent]
    plans = [done[0].plan for _subtree, done in parents]
    moves = moving(plans)
    sent = [operation for _subtree, done in parents for operation in done[0].operations if operation.early]
    moved = [parents[position] for position in finishing_order(plans) if position in moves]
    for subtree, done in moved:
        sent += _operations_of_one(subtree, done)
    sent_already = {id(subtree) for subtree, _done in moved}
    for subtree, done in zip(subtrees, all_done):
        if id(subtree) not in sent_already:
            sent += _operations_of_one(subtree, done) if subtree.is_parent else in_sending_order(done)
    return sent


def _operations_of_one(subtree: Subtree, done: Sequence[Applied]) -> list[Operation]:
    own, children = done[0].later_operations, in_sending_order(done[1:])
    return [*children, *own] if subtree.opens_last else [*own, *children]


def _carry_out_children(client: Client, subtree: Subtree, parent: Applied, permission: Permission) -> list[Applied]:
    if not subtree.children:
        return []
    try:
        children = _children(subtree, parent)
    except IngressError as error:
        for _child in subtree.children:
            client.progress.object_done(failed=True)
        return [_not_tried(plan, parent, error) for plan in subtree.children]
    may_open = parent.error is None
    return _carried_out_children(client, children, subtree, parent.final["id"], permission, may_open)


def _carried_out_children(
    client: Client,
    children: Sequence[Plan],
    subtree: Subtree,
    parent_id: str,
    permission: Permission,
    may_open: bool = True,
) -> list[Applied]:
    return carried_out(client, children, lambda: subtree.replan_children(parent_id), permission, may_open)


def _children(subtree: Subtree, parent: Applied) -> Sequence[Plan]:
    """Return the plans of the children of an object that was processed. Raises the error that prevents them."""
    if parent.plan.before is not None:
        return subtree.children
    if parent.error is not None:
        raise parent.error
    own_id = parent.final["id"]
    # If the creation failed because the object already exists, it may have children, so read them.
    return subtree.replan_children(own_id) if parent.was_replanned else subtree.children_of_new(own_id)


def _not_tried(plan: Plan, parent: Applied, cause: IngressError) -> Applied:
    why = "failed" if cause is parent.error else f"could not be read again: {cause}"
    error = NotTried(f"{parent.plan.subject} {why}")
    return Applied(plan, None, (), plan.target.failed(error))
