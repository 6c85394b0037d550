# SPDX-License-Identifier: GPL-3.0-or-later
"""What a service would reject, so check mode must, too: names that others keep, and deletions of what is used. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from .._errors import ChangeWithheld, Contradiction
from .._model.identifiers import strings_in
from .._model.string_sets import host_keys
from .matching import Matching
from .plan import Name, Plan, State, unchanged, withholding
from .undeclared import Remainder, Undeclared
from .unique_names import certain_names

EDGES = ("edges/tcp", "edges/tls")
UNIQUE = {**dict.fromkeys(EDGES, "hostports"), "reserved_domains": "domain"}
"""The field of the objects of a collection whose values can belong to one of them only."""


def possible_plans(
    plans: Sequence[Plan],
    matching: Matching,
    names_of: Callable[[Any], Mapping[Name, str]],
    is_purged: Callable[[Any], bool] = lambda _wire: False,
    kept: Mapping[Name, str] = MappingProxyType({}),
) -> list[Plan]:
    """Return the plans of declared objects, with an error in place of each that takes a name which another one keeps.

    The first plans are those of the matching. `names_of` returns the names of a live object, each with the subject of
    the object, and `kept` are names of others.
    """
    while True:
        # A declared object that failed may be any of these.
        failed = matching.candidates(number for number, plan in enumerate(plans) if plan.error)
        undeclared = (wire for wire in matching.undeclared() if not is_purged(wire))
        kept_by, failing = (
            {name: subject for wire in wires for name, subject in names_of(wire).items()}
            for wires in (undeclared, failed)
        )
        possible = _without_taken(plans, {**kept, **kept_by}, failing)
        if [plan.error for plan in possible] == [plan.error for plan in plans]:
            return possible
        plans = possible


def check_free(collection: str, declared: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> None:
    """Raise Contradiction if one of the other objects of a collection has what an object is declared to have."""
    field = UNIQUE.get(collection, "")
    wanted = host_keys(declared.get(field))
    for other in others if wanted else ():
        for name in sorted(wanted & host_keys(other.get(field))):
            raise Contradiction(
                f"{field}: {name} belongs to {other.get('id')}, and can belong to one object only. Declare `{field}` "
                "without it, or remove it from the other object first."
            )


def _without_taken(plans: Sequence[Plan], kept_by: Mapping[Name, str], failing: Mapping[Name, str]) -> list[Plan]:
    """Return the plans, with an error in place of each that takes a name which another object keeps.

    `kept_by` are the names of objects that stay as they are, each with the subject of that object, and `failing` those
    of declared objects that could not be planned.
    """
    holders = {**kept_by, **failing}
    names = [(certain_names(plan.kind, plan.before), certain_names(plan.kind, plan.after)) for plan in plans]
    for plan, (before, after) in zip(plans, names):
        holders |= dict.fromkeys(before & after, plan.subject)
    possible = []
    for plan, (before, after) in zip(plans, names):
        taken = sorted(after - before)
        rejected = [name for name in taken if name in holders]
        if rejected and rejected[0] in failing:
            plan = unchanged(plan, withholding(plan, failing[rejected[0]]))  # noqa: PLW2901
        elif rejected:
            plan = unchanged(plan, _not_free(plan, rejected[0], holders[rejected[0]]))  # noqa: PLW2901
        possible.append(plan)
        holders |= dict.fromkeys([] if rejected else taken, plan.subject)
    return possible


def _not_free(plan: Plan, name: Name, holder: str) -> Contradiction:
    field, value, noun = name[0], name[1], plan.kind.noun
    is_list = plan.after is not None and isinstance(plan.after[field], list)
    way_out = f"Declare `{field}` without it for one of the two" if is_list else f"Declare another `{field}`"
    return Contradiction(
        f"{field}: {value} belongs to {holder}, and can belong to one {noun} only. {way_out}, or delete the {noun} "
        "that has it first."
    )


OBJECT = "object"
"""The name of the kind of objects that others refer to by their IDs."""


def without_used(plans: Sequence[Plan], rest: Sequence[Remainder]) -> list[Plan]:
    """Return the plans, with an error in place of each deletion of an object to which another one still refers.

    What refers to an object and would be deleted with it, such as the rules of an IP policy, stays with it. `rest` are
    the live objects that the task leaves as they are.
    """
    deleted = {_deleted(plan) for plan in plans} - {""}
    if not deleted:
        return list(plans)
    users = {one: subject for subject, state in _staying(plans, rest) for one in strings_in(state) if one in deleted}
    kept: dict[str, str] = {}
    changed = list(plans)
    # Of deleted objects, each comes before those to which it refers.
    for position, plan in reversed(list(enumerate(plans))):
        own = _deleted(plan)
        causes = [kept[one] for one in strings_in(plan.before) if one in kept] if own else []
        if own in users or causes:
            kept[own] = plan.subject
            changed[position] = unchanged(plan, _in_use(users[own]) if own in users else withholding(plan, causes[0]))
    return changed


def _staying(plans: Sequence[Plan], rest: Sequence[Remainder]) -> Iterator[tuple[str, State | None]]:
    """Yield what stays and is known to stay as it is, or as it is planned to be."""
    for plan in plans:
        # An object whose fields are not known may refer to others by fields that the service changes with those sent.
        if not plan.error and not (plan.kind.name == OBJECT and plan.operations):
            yield plan.subject, plan.after
    for one in rest:
        if isinstance(one, Undeclared):
            yield one.target.subject, one.state


def _deleted(plan: Plan) -> str:
    """Return the ID of an object of a collection that a plan deletes, empty if it deletes none."""
    if plan.kind.name != OBJECT or not plan.operations or plan.before is None or plan.after is not None:
        return ""
    return str(plan.before["id"])


def _in_use(user: str) -> ChangeWithheld:
    return ChangeWithheld(
        f"Not deleted, because {user} refers to it. Declare {user} without it, or let the task delete that, too."
    )
