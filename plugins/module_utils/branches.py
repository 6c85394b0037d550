# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that hang together: an object and its children, which can't be planned for good before it exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .apply import Execution, Together, carried_out
from .client import Client
from .deletions import Deletions
from .errors import IngressError, NotTried
from .moves import finishing_order, moving
from .outcome import Done, in_sending_order
from .plan import Operation, Plan
from .side_by_side import side_by_side
from .widening import tightens, widens


def _no_plans(*_id: str) -> list[Plan]:
    return []


@dataclass(frozen=True)
class Branch:
    """Plans to be carried out one after the other.

    `children` are the plans of what belongs to the first one's object; where that has yet to be created,
    `children_of_new` makes them again from its id. `look` and `look_at_children` read and plan again, where the effect
    of a request is not known. The edges of an account are planned together, each with one plan of its `own`.
    """

    own: Sequence[Plan]
    children: Sequence[Plan] = ()
    children_of_new: Callable[[str], list[Plan]] = _no_plans
    look: Callable[[], list[Plan]] = _no_plans
    look_at_children: Callable[[str], list[Plan]] = _no_plans
    is_edge: bool = False

    @property
    def is_purge(self) -> bool:
        return self.is_edge and self.own[0].purge

    @property
    def opens_last(self) -> bool:
        """Whether the routes come before their edge: it becomes easier to reach, and they are to keep people out."""
        own = self.own[0] if self.own else None
        if not self.is_edge or own is None or own.before is None or own.after is None or not own.operations:
            return False
        is_needed_first = tightens(own) and any(map(widens, self.children))
        return is_reached(own) and any(map(tightens, self.children)) and not is_needed_first

    @property
    def plans(self) -> list[Plan]:
        """All its plans, as they are before anything is carried out."""
        return [*self.own, *self.children]


def is_reached(edge: Plan) -> bool:
    """Whether the plan makes a live edge easier to reach: it protects less, or it gets a hostport."""
    if edge.before is None or edge.after is None:
        return False
    return widens(edge) or bool(set(edge.after["hostports"]) - set(edge.before["hostports"]))


def carry_out_branches(
    client: Client, branches: Sequence[Branch], concurrency: int, deletions: Deletions
) -> list[list[Done]]:
    """What came of each plan of each branch.

    A failure stops the children of a new object, and what may let more people in. It stops nothing else but the purges
    of what is not declared with it.
    """
    client.progress.plans(sum(len(branch.plans) for branch in branches))
    edges = [branch for branch in branches if branch.is_edge]
    together = Together([Execution(client, branch.own[0], branch.look, deletions) for branch in edges])
    positions = {id(branch): position for position, branch in enumerate(edges)}
    done: dict[int, list[Done]] = {}
    may_purge = True

    def carry_out(branch: Branch) -> list[Done]:
        if id(branch) in done:
            return done[id(branch)]
        if not branch.is_edge:
            return carried_out(client, branch.own, branch.look, deletions)
        position = positions[id(branch)]
        if not branch.opens_last:
            own = together.finish(position, may_purge=may_purge)
            return [own, *_carry_out_children(client, branch, own, deletions)]
        edge_id = branch.own[0].before["id"] if branch.own[0].before else ""
        children = _carried_out_children(client, branch.children, branch, edge_id, deletions)
        is_guarded = not any(one.error and tightens(one.plan) for one in children)
        return [together.finish(position, may_open=is_guarded, opens=True), *children]

    together_plans = [branch.own[0] for branch in edges]
    order, moves = finishing_order(together_plans), moving(together_plans)
    together.free()
    for position in order:
        if position in moves:
            done[id(edges[position])] = carry_out(edges[position])
    for group in ([one for one in branches if not one.is_purge], [one for one in branches if one.is_purge]):
        done.update(zip(map(id, group), side_by_side(carry_out, group, concurrency), strict=True))
        may_purge = not any(one.error for branch in edges for one in done.get(id(branch), ()))
    return [done[id(branch)] for branch in branches]


def operations_of(branches: Sequence[Branch], all_done: Sequence[Sequence[Done]]) -> list[Operation]:
    """What was done to all of them, in the order in which it is sent if that is one after the other."""
    edges = [(branch, done) for branch, done in zip(branches, all_done, strict=True) if branch.is_edge]
    plans = [done[0].plan for _branch, done in edges]
    moves = moving(plans)
    sent = [operation for _branch, done in edges for operation in done[0].operations if operation.early]
    moved = [edges[position] for position in finishing_order(plans) if position in moves]
    for branch, done in moved:
        sent += _operations_of_one(branch, done)
    sent_already = {id(branch) for branch, _done in moved}
    for branch, done in zip(branches, all_done, strict=True):
        if id(branch) not in sent_already:
            sent += _operations_of_one(branch, done) if branch.is_edge else in_sending_order(done)
    return sent


def _operations_of_one(branch: Branch, done: Sequence[Done]) -> list[Operation]:
    own, children = done[0].later_operations, in_sending_order(done[1:])
    return [*children, *own] if branch.opens_last else [*own, *children]


def _carry_out_children(client: Client, branch: Branch, parent: Done, deletions: Deletions) -> list[Done]:
    if not branch.children:
        return []
    try:
        children = _children(branch, parent)
    except IngressError as error:
        for _child in branch.children:
            client.progress.did(failed=True)
        return [_not_tried(plan, parent, error) for plan in branch.children]
    may_open = parent.error is None
    return _carried_out_children(client, children, branch, parent.final["id"], deletions, may_open)


def _carried_out_children(
    client: Client,
    children: Sequence[Plan],
    branch: Branch,
    edge_id: str,
    deletions: Deletions,
    may_open: bool = True,
) -> list[Done]:
    return carried_out(client, children, lambda: branch.look_at_children(edge_id), deletions, may_open)


def _children(branch: Branch, parent: Done) -> Sequence[Plan]:
    """The plans of what belongs to an object that has been seen to. Raises what keeps them from being made."""
    if parent.plan.before is not None:
        return branch.children
    if parent.error is not None:
        raise parent.error
    own_id = parent.final["id"]
    # One that was found when its creation failed is not new, and may have got children meanwhile.
    return branch.look_at_children(own_id) if parent.looked_again else branch.children_of_new(own_id)


def _not_tried(plan: Plan, parent: Done, cause: IngressError) -> Done:
    why = "failed" if cause is parent.error else f"could not be read again: {cause}"
    error = NotTried(f"{parent.plan.subject} {why}")
    error.subject = plan.subject
    return Done(plan, None, (), error)
