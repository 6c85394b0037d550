# SPDX-License-Identifier: GPL-3.0-or-later
"""Which changes of a plan may let more requests through. Pure: the schema says what protects an object, and how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._model.field import Field
from .._model.kinds import Mark
from .._model.objects import Object, join
from .._model.protection import is_enabled, protecting_modules, protections
from .._model.secret import Secret
from .plan import Plan, State


def widens(plan: Plan) -> bool:
    """Return whether the plan may let more requests through."""
    return any(widenings(plan))


def widening_warnings(plan: Plan) -> Iterator[str]:
    """Yield a warning that lists everything in the plan that may let more requests through, if there is anything."""
    if found := list(widenings(plan)):
        yield f"{plan.subject}: this change may let more requests through: {'; '.join(found)}."


def widenings(plan: Plan) -> Iterator[str]:
    """Yield what the plan may let through that does not get through before."""
    if plan.operations:
        if plan.opens:
            yield plan.opens
        if plan.before is not None:
            yield from _widened(plan.kind, plan.before, plan.after)


def closed_warnings(plan: Plan) -> Iterator[str]:
    """Yield a warning for an object that gets an exclusive module and stays closed, maybe by an interrupted task."""
    module, noun = plan.kind.closed_by, plan.kind.noun
    if plan.before is None or plan.after is None or plan.desired is None or plan.desired.get(module) is not Mark.KEEP:
        return
    is_closed = plan.before[module] is not None and not is_enabled(plan.before[module])
    if is_closed and _has_exclusive(plan.kind, plan.after) and not _has_exclusive(plan.kind, plan.before):
        yield (
            f"{plan.subject}: `{module}` is disabled and not declared, so the {noun} stays closed. If an interrupted "
            f"task closed it, declare `{module}` with `enabled: true` to reopen it."
        )


def _has_exclusive(kind: Object, state: State) -> bool:
    return not protections(kind, state).keys().isdisjoint(kind.exclusive)


def _widened(kind: Object, before: State, after: State | None) -> Iterator[str]:
    if kind.protects:  # a traffic module that is an object of its own, on a TLS edge
        yield from _module_widened(kind, "", before, after)
    if after is None:
        return
    if kind.closed_by and not is_enabled(before[kind.closed_by]) and is_enabled(after[kind.closed_by]):
        how = "enabled" if before[kind.closed_by] else "set"
        yield f"{kind.closed_by} is {how}, so the {kind.noun} is no longer closed"
    remaining = set(protections(kind, after).values())
    for name, protection in protections(kind, before).items():
        if is_enabled(after[name]) or protection not in remaining:
            yield from _module_widened(protecting_modules(kind)[name], name, before[name], after[name])
        else:
            # Another traffic module with the same kind of protection replaces it, and might admit others.
            yield from (
                f"{name} is replaced, and {text}" for text in _newly_unrestricted(kind, protection, before, after)
            )


def _newly_unrestricted(kind: Object, protection: str, before: State, after: State) -> Iterator[str]:
    """Yield what is unrestricted in newly enabled traffic modules with the same kind of protection."""
    present = protections(kind, before)
    for name, sort in protections(kind, after).items():
        if sort == protection and name not in present:
            yield from _unrestricted(protecting_modules(kind)[name], name, None, after[name])


def _module_widened(kind: Object, path: str, before: State, after: State | None) -> Iterator[str]:
    if not is_enabled(before):
        return
    if after is None:
        yield f"{path or 'it'} is removed"
    elif not is_enabled(after):
        yield f"{path or 'it'} is disabled"
    else:
        yield from _unrestricted(kind, path, before, after)


def _unrestricted(kind: Object, path: str, before: Any, after: Any) -> Iterator[str]:
    """Yield the objects, at any depth, that no longer restrict access, or that are new and do not restrict it."""
    lists = [f.name for f in kind.fields if f.restricts]
    if lists and not any(after[name] for name in lists):
        emptied = [name for name in lists if before is not None and before[name]]
        if before is None:
            yield f"{path} has no restriction"
        elif emptied:
            yield f"{path or 'it'} no longer restricts access, because {' and '.join(emptied)} became empty"
    for f in kind.fields:
        if isinstance(f.kind, Secret) and before is not None and before[f.name] and after[f.name] == "":
            yield f"{join(path, f.name)} is removed"
        inner = _inner(f, before, after)
        if inner is not None and isinstance(f.kind, Object):
            yield from _unrestricted(f.kind, join(path, f.name), *inner)


def _inner(f: Field, before: Any, after: Any) -> tuple[Any, Any] | None:
    if not isinstance(f.kind, Object) or after[f.name] is None:
        return None
    return (None if before is None else before[f.name]), after[f.name]
