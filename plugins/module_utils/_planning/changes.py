# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the operations that make the current state of an object match its declaration. Pure.

A login or filter that is declared with empty lists would let everyone in. Since ansible-core 2.19, Ansible drops a
member of a list that is `default(omit)`, so the list may come from a variable that was never set. What is in use
without a restriction stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .._errors import Contradiction, counted
from .._model.objects import Object
from .._model.protection import is_enabled
from .._model.references import parts
from .._values.kinds import Mark
from .._values.option_error import join
from .closing import exchanged, in_updates, opened_last, switched
from .plan import Operation, Plan, State, Target

ABSENT = "state is absent"
PURGED = "not declared; purged"


def plan_absent(target: Target, current: State | None, reason: str = ABSENT) -> Plan:
    """Return the plan that deletes an object. What belongs to the object is deleted with it."""
    if current is None:
        return Plan(target)
    deleted = [(len(states), name) for name, _part, states in parts(target.kind, current) if states]
    along = "".join(f"; its {counted(n, name)} {'is' if n == 1 else 'are'} deleted with it" for n, name in deleted)
    delete = Operation("DELETE", target.path, f"{reason}{along}")
    return Plan(target, current, operations=(delete,), purge=reason == PURGED)


def plan_present(
    target: Target,
    current: State | None,
    given: Mapping[str, Any],
    *,
    absent_modules: Collection[str] = (),
    purge_modules: bool = False,
    resend_secrets: bool = False,
    update_method: str = "PATCH",
) -> Plan:
    """Return the plan that creates a resource or changes it as `given` declares.

    Each traffic module is removed by an operation of its own. A PATCH contains what differs, a PUT all that is given.
    """
    kind = target.kind
    desired = _desired(kind, given, absent_modules, purge_modules)
    after = kind.predict(current, desired)
    if current is None:
        return _creation(target, given, desired, {**after, **target.identity})
    changes = kind.differs(current, desired, "", resend_secrets)
    changed = dict.fromkeys(map(_name, changes))
    sent = [name for name in changed if desired[name] is not None]
    operations = [_module_removal(target, name, absent_modules) for name in changed if name not in sent]
    if sent:
        is_patch = update_method == "PATCH"
        names = sent if is_patch else [name for name in desired if given.get(name) is not None]
        # Services that return only a part of a value would hide from the plan what else is sent.
        after |= {name: kind.named[name].kind.completed(after[name], desired[name]) for name in names}
        after |= {} if is_patch else {name: kind.named[name].kind.empty for name in desired if name not in names}
        always = _always_sent(kind, given, current)
        updates = in_updates(kind, current, desired, names) if is_patch and sent[1:] else [names]
        bodies = [_body(kind, {**given, **always}, current, dict.fromkeys([*always, *one])) for one in updates]
        reasons = [f"differs: {', '.join([path for path in changes if _name(path) in one])}" for one in updates]
        operations[:0] = [Operation(update_method, target.path, *each) for each in zip(reasons, bodies)]
        current, after = kind.replaced(current, [*always, *names]), kind.sent(after, [*always, *names])
    # Without what closes the object, nobody gets through, whatever else is changed.
    operations.sort(key=lambda one: one.removed_module != kind.closed_by)
    plan = Plan(target, current, desired, after, tuple(operations), tuple(changes))
    plan = exchanged(plan) if len(sent) < len(changed) else switched(plan) if sent[1:] else plan
    return opened_last(plan) if kind.closed_by in sent else plan


def _creation(target: Target, given: Mapping[str, Any], desired: State, after: State) -> Plan:
    body = _body(target.kind, given, {}, [name for name, value in desired.items() if value not in (None, Mark.KEEP)])
    create = Operation("POST", target.collection, "does not exist yet", body)
    return Plan(target, None, desired, after, (create,))


def plan_replacement(target: Target, current: State | None, given: Mapping[str, Any]) -> Plan:
    """Return the plan for an object that a PUT replaces as a whole."""
    kind = target.kind
    desired = kind.normal(given)
    kind.check_against(current, given)
    after = kind.predict(current, desired)
    changes = kind.differs(current, desired, "", resend_secrets=False)
    if not changes:
        return Plan(target, current, desired, after)
    reason = "is not set yet" if current is None else f"differs: {', '.join(changes)}"
    put = Operation("PUT", target.path, reason, kind.body(given, current, ""))
    return Plan(target, current, desired, kind.completed(after, desired), (put,), tuple(changes))


def _desired(
    kind: Object, given: Mapping[str, Any], absent_modules: Collection[str], purge_modules: bool
) -> dict[str, Any]:
    desired: dict[str, Any] = kind.normal(given)
    for f in kind.declarable:
        if isinstance(f.kind, Object) and (
            f.name in absent_modules or (purge_modules and desired[f.name] is Mark.KEEP)
        ):
            desired[f.name] = None
    return desired


def _body(kind: Object, given: Mapping[str, Any], current: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: kind.named[name].kind.body(given[name], current.get(name), name) for name in names}


def _always_sent(kind: Object, given: Mapping[str, Any], current: State) -> dict[str, Any]:
    declared = [name for name in (*kind.always_sent, *kind.cleared_by_some) if given.get(name) is not None]
    known = {name: current[name] for name in kind.always_sent if current[name] is not None}
    return known | {name: given[name] for name in declared}


def _name(path: str) -> str:
    """Return the field that contains a path such as `sources[0].type`."""
    return path.split(".", 1)[0].split("[", 1)[0]


def absent_module(name: str) -> str:
    return f"{name} is listed in absent_modules"


def _module_removal(target: Target, name: str, absent_modules: Collection[str]) -> Operation:
    reason = absent_module(name) if name in absent_modules else f"{name} is {PURGED}"
    others = tuple(f"{target.path}/{alias}" for alias in target.kind.named[name].aliases)
    return Operation("DELETE", f"{target.path}/{name}", reason, removed_module=name, other_paths=others)


def restricted(plan: Plan, given: Mapping[str, Any], *, allow_empty: bool) -> Plan:
    """Return the plan of an object that is declared as `given`.

    Unless that is allowed, raises Contradiction for a traffic module, or a part of one, that is new and lets everyone
    in, or loses its last restriction.
    """
    found = [] if allow_empty or not plan.operations else _empty(plan.kind, given, plan.before, plan.after, "")
    paths = [where for owner, where in found if plan.before is None or _is_touched(owner, plan.changes)]
    if paths:
        them = "it is empty" if len(paths) == 1 else "they are empty"
        raise Contradiction(
            f"{' and '.join(paths)}: {them}, so everyone would be let in. If you want that, set `allow_empty: true`; "
            "otherwise, check the variable that the list comes from."
        )
    return plan


def _empty(
    kind: Object, given: Mapping[str, Any], current: State | None, after: State | None, path: str
) -> Iterator[tuple[str, str]]:
    """Yield the path of each object that would admit everyone, and does not do so now, and that of an empty list."""
    if given.get("enabled") is False:
        return
    now, then = current if is_enabled(current) else None, after or {}
    lists = [f.name for f in kind.fields if f.restricts]
    counting = [name for name in lists if (given.get(name) is not None if now is None else now[name])]
    left = given if now is None else then
    if counting and not any(left.get(name) for name in lists):
        yield path, join(path, counting[0])
    for f in kind.declarable:
        if isinstance(f.kind, Object) and isinstance(given.get(f.name), dict):
            yield from _empty(f.kind, given[f.name], now and now[f.name], then.get(f.name), join(path, f.name))


def _is_touched(path: str, changes: Sequence[str]) -> bool:
    """Return whether a change affects the object at this path, or one that contains it."""
    return not path or any(f"{path}.".startswith(f"{each}.") or each.startswith(f"{path}.") for each in changes)
