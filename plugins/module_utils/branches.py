# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that hang together: an object and its children, which can't be planned for good before it exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .apply import Execution, Together, carried_out
from .client import Client
from .deletions import Deletions
from .errors import IngressError
from .moves import finishing_order, moving
from .outcome import Done, in_sending_order
from .plan import Operation, Plan
from .side_by_side import side_by_side


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
    def plans(self) -> list[Plan]:
        """All its plans, as they are before anything is carried out."""
        return [*self.own, *self.children]


def carry_out_branches(
    client: Client, branches: Sequence[Branch], concurrency: int, deletions: Deletions
) -> list[list[Done]]:
    """What came of each plan of each branch.

    A failure stops the children of its object, and nothing else but the purges of what is not declared beside it.
    """
    client.progress.plans(sum(len(branch.plans) for branch in branches))
    edges = [branch for branch in branches if branch.is_edge]
    together = Together([Execution(client, branch.own[0], branch.look, deletions) for branch in edges])
    together.free()
    together.finish_moves()
    positions = {id(branch): position for position, branch in enumerate(edges)}
    failed = False
    done: dict[int, list[Done]] = {}

    def carry_out(branch: Branch) -> list[Done]:
        if branch.is_edge:
            own = [together.finish(positions[id(branch)], failed)]
        else:
            own = carried_out(client, branch.own, branch.look, deletions)
        return [*own, *_carry_out_children(client, branch, own[0], deletions)] if branch.children else own

    for group in ([one for one in branches if not one.is_purge], [one for one in branches if one.is_purge]):
        done.update(zip(map(id, group), side_by_side(carry_out, group, concurrency), strict=True))
        failed = any(one.error for branch in edges for one in done.get(id(branch), ()))
    return [done[id(branch)] for branch in branches]


def operations_of(branches: Sequence[Branch], all_done: Sequence[Sequence[Done]]) -> list[Operation]:
    """What was done to all of them, in the order in which it is sent if that is one after the other."""
    edges = [done[0] for branch, done in zip(branches, all_done, strict=True) if branch.is_edge]
    plans = [done.plan for done in edges]
    moves = moving(plans)
    sent = [operation for done in edges for operation in done.operations if operation.early]
    for position in finishing_order(plans):
        if position in moves:
            sent += edges[position].later_operations
    moved = {id(edges[position]) for position in moves}
    for branch, done in zip(branches, all_done, strict=True):
        if not branch.is_edge:
            sent += in_sending_order(done)
            continue
        if id(done[0]) not in moved:
            sent += done[0].later_operations
        sent += in_sending_order(done[1:])
    return sent


def _carry_out_children(client: Client, branch: Branch, parent: Done, deletions: Deletions) -> list[Done]:
    try:
        children = _children(branch, parent)
    except IngressError as error:
        for _child in branch.children:
            client.progress.did(failed=True)
        return [_not_tried(plan, parent, error) for plan in branch.children]
    return carried_out(client, children, lambda: branch.look_at_children(parent.final["id"]), deletions)


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
    error = IngressError(f"It was not tried, because {parent.plan.subject} {why}.")
    error.subject = plan.subject
    return Done(plan, None, (), error)
