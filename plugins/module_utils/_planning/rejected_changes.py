# SPDX-License-Identifier: GPL-3.0-or-later
"""What a service would reject, so check mode must, too: deletions of what is used. Pure."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

from .._errors import ChangeWithheld, Contradiction
from .._model.free_form import RESPONSE
from .._values.identifiers import strings_in
from .._values.option_wording import enumerated
from .plan import Plan, State, separate_modules, unchanged, withholding
from .undeclared import Remainder, Undeclared

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


def without_undone(plans: Sequence[Plan]) -> list[Plan]:
    """Return the plans, with an error in place of each update of a TLS edge that undoes what another plan does with it.

    A PUT resets whatever it does not send, and with `always_send`, an update sends what was there before.
    """
    separate = separate_modules(plans)
    changed = separate_modules([plan for plan in plans if plan.operations])
    return [_without_undone(plan, separate, changed) for plan in plans]


def _without_undone(plan: Plan, separate: Mapping[Hashable, set[str]], changed: Mapping[Hashable, set[str]]) -> Plan:
    edge_id = (plan.before or {}).get("id")
    if plan.kind.name != OBJECT or plan.after is None or edge_id not in separate:
        return plan
    is_whole = any(one.method == "PUT" for one in plan.operations)
    sent = {name for one in plan.operations for name in one.body or ()}
    undone = sorted(separate[edge_id] if is_whole else sent & changed.get(edge_id, set()))
    if not undone:
        return plan
    names, option = enumerated(undone, "and"), "update_method" if is_whole else "always_send"
    text = f"`{option}` makes the update undo what `tls_edges` does with {names}. Declare this in one of the two."
    return unchanged(plan, Contradiction(text))


def _staying(plans: Sequence[Plan], rest: Sequence[Remainder]) -> Iterator[tuple[str, State | None]]:
    """Yield what stays and is known to stay as it is, or as it is planned to be."""
    modules = separate_modules([plan for plan in plans if plan.operations])
    for plan in plans:
        # An object whose fields are not known may refer to others by fields that the service changes with those sent.
        if not plan.error and not (plan.kind.name == OBJECT and plan.operations):
            yield plan.subject, _without(plan.after, modules.get((plan.before or {}).get("id"), ()))
    yield from ((one.target.subject, one.state) for one in rest if isinstance(one, Undeclared))


def _without(state: State | None, modules: Collection[str]) -> State | None:
    """Return the state of an object without the traffic modules that have plans of their own."""
    if state is None or not modules:
        return state
    left = {name: value for name, value in state.items() if name not in modules}
    return {**left, **({RESPONSE: _without(state[RESPONSE], modules)} if RESPONSE in state else {})}


def _deleted(plan: Plan) -> str:
    """Return the ID of an object of a collection that a plan deletes, empty if it deletes none."""
    if plan.kind.name != OBJECT or not plan.operations or plan.before is None or plan.after is not None:
        return ""
    return str(plan.before["id"])


def _in_use(user: str) -> ChangeWithheld:
    return ChangeWithheld(
        f"Not deleted, because {user} refers to it. Declare {user} without it, or let the task delete that, too."
    )
