# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that hang together: an object and its children, which can't be planned for good before it exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .._errors import IngressError, NotTried
from .._planning.moves import finishing_order, moving
from .._planning.plan import Operation, Plan
from .._planning.widening import is_reached, tightens, widens
from .._transport.client import Client
from .apply import Execution, Together, carried_out
from .deletions import Deletions
from .outcome import Applied, in_sending_order
from .parallel import run_in_parallel


def _no_plans(*_id: str) -> list[Plan]:
    return []


@dataclass(frozen=True)
class Subtree:
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


def carry_out_subtrees(
    client: Client, subtrees: Sequence[Subtree], concurrency: int, deletions: Deletions
) -> list[list[Applied]]:
    """What came of each plan of each branch.

    A failure stops the children of a new object, and what may let more people in. It stops nothing else but the purges
    of what is not declared with it.
    """
    client.progress.plans(sum(len(subtree.plans) for subtree in subtrees))
    edges = [subtree for subtree in subtrees if subtree.is_edge]
    together = Together([Execution(client, subtree.own[0], subtree.look, deletions) for subtree in edges])
    positions = {id(subtree): position for position, subtree in enumerate(edges)}
    done: dict[int, list[Applied]] = {}
    may_purge = True

    def carry_out(subtree: Subtree) -> list[Applied]:
        if id(subtree) in done:
            return done[id(subtree)]
        if not subtree.is_edge:
            return carried_out(client, subtree.own, subtree.look, deletions)
        position = positions[id(subtree)]
        if not subtree.opens_last:
            own = together.finish(position, may_purge=may_purge)
            return [own, *_carry_out_children(client, subtree, own, deletions)]
        edge_id = subtree.own[0].before["id"] if subtree.own[0].before else ""
        children = _carried_out_children(client, subtree.children, subtree, edge_id, deletions)
        is_guarded = not any(one.error and tightens(one.plan) for one in children)
        return [together.finish(position, may_open=is_guarded, opens=True), *children]

    together_plans = [subtree.own[0] for subtree in edges]
    order, moves = finishing_order(together_plans), moving(together_plans)
    together.free()
    for position in order:
        if position in moves:
            done[id(edges[position])] = carry_out(edges[position])
    for group in ([one for one in subtrees if not one.is_purge], [one for one in subtrees if one.is_purge]):
        done.update(zip(map(id, group), run_in_parallel(carry_out, group, concurrency), strict=True))
        may_purge = not any(one.error for subtree in edges for one in done.get(id(subtree), ()))
    return [done[id(subtree)] for subtree in subtrees]


def operations_of(subtrees: Sequence[Subtree], all_done: Sequence[Sequence[Applied]]) -> list[Operation]:
    """What was done to all of them, in the order in which it is sent if that is one after the other."""
    edges = [(subtree, done) for subtree, done in zip(subtrees, all_done, strict=True) if subtree.is_edge]
    plans = [done[0].plan for _subtree, done in edges]
    moves = moving(plans)
    sent = [operation for _subtree, done in edges for operation in done[0].operations if operation.early]
    moved = [edges[position] for position in finishing_order(plans) if position in moves]
    for subtree, done in moved:
        sent += _operations_of_one(subtree, done)
    sent_already = {id(subtree) for subtree, _done in moved}
    for subtree, done in zip(subtrees, all_done, strict=True):
        if id(subtree) not in sent_already:
            sent += _operations_of_one(subtree, done) if subtree.is_edge else in_sending_order(done)
    return sent


def _operations_of_one(subtree: Subtree, done: Sequence[Applied]) -> list[Operation]:
    own, children = done[0].later_operations, in_sending_order(done[1:])
    return [*children, *own] if subtree.opens_last else [*own, *children]


def _carry_out_children(client: Client, subtree: Subtree, parent: Applied, deletions: Deletions) -> list[Applied]:
    if not subtree.children:
        return []
    try:
        children = _children(subtree, parent)
    except IngressError as error:
        for _child in subtree.children:
            client.progress.did(failed=True)
        return [_not_tried(plan, parent, error) for plan in subtree.children]
    may_open = parent.error is None
    return _carried_out_children(client, children, subtree, parent.final["id"], deletions, may_open)


def _carried_out_children(
    client: Client,
    children: Sequence[Plan],
    subtree: Subtree,
    edge_id: str,
    deletions: Deletions,
    may_open: bool = True,
) -> list[Applied]:
    return carried_out(client, children, lambda: subtree.look_at_children(edge_id), deletions, may_open)


def _children(subtree: Subtree, parent: Applied) -> Sequence[Plan]:
    """The plans of what belongs to an object that has been seen to. Raises what keeps them from being made."""
    if parent.plan.before is not None:
        return subtree.children
    if parent.error is not None:
        raise parent.error
    own_id = parent.final["id"]
    # One that was found when its creation failed is not new, and may have got children meanwhile.
    return subtree.look_at_children(own_id) if parent.looked_again else subtree.children_of_new(own_id)


def _not_tried(plan: Plan, parent: Applied, cause: IngressError) -> Applied:
    why = "failed" if cause is parent.error else f"could not be read again: {cause}"
    error = NotTried(f"{parent.plan.subject} {why}")
    error.subject = plan.subject
    return Applied(plan, None, (), error)
