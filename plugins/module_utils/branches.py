# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that hang together: an object and its children, which can't be planned for good before it exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .apply import carried_out
from .client import Client
from .errors import IngressError
from .outcome import Done
from .plan import Plan
from .side_by_side import side_by_side


def _no_plans(*_id: str) -> list[Plan]:
    return []


@dataclass(frozen=True)
class Branch:
    """Plans to be carried out one after the other.

    `children` are the plans of what belongs to the first one's object; where that has yet to be created,
    `children_of_new` makes them again from its id. `look` and `look_at_children` read and plan again, where the effect
    of a request is not known.
    """

    own: Sequence[Plan]
    children: Sequence[Plan] = ()
    children_of_new: Callable[[str], list[Plan]] = _no_plans
    look: Callable[[], list[Plan]] = _no_plans
    look_at_children: Callable[[str], list[Plan]] = _no_plans
    is_edge: bool = False

    @property
    def plans(self) -> list[Plan]:
        """All its plans, as they are before anything is carried out."""
        return [*self.own, *self.children]


def carry_out_branches(client: Client, branches: Sequence[Branch], concurrency: int) -> list[list[Done]]:
    """What came of each plan of each branch; a failure stops the children of its object, and nothing else."""
    client.progress.plans(sum(len(branch.plans) for branch in branches))
    return side_by_side(lambda branch: _carry_out(client, branch), branches, concurrency)


def _carry_out(client: Client, branch: Branch) -> list[Done]:
    done = [carried_out(client, plan, branch.look) for plan in branch.own]
    if not branch.children:
        return done
    parent = done[0]
    try:
        children = _children(branch, parent)
    except IngressError as error:
        for _child in branch.children:
            client.progress.did(failed=True)
        return [*done, *(_not_tried(plan, parent, error) for plan in branch.children)]
    return [
        *done,
        *(carried_out(client, plan, lambda: branch.look_at_children(parent.final["id"])) for plan in children),
    ]


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
