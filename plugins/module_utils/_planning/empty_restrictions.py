# SPDX-License-Identifier: GPL-3.0-or-later
"""Restrictions that are declared with empty lists, so that a new login or filter lets everyone in. Pure.

Since ansible-core 2.19, Ansible drops a member of a list that is `default(omit)`. So the empty list may come from a
variable that was never set. What already is in use without a restriction stays, and what loses its restriction causes a
warning (see `widening`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._errors import Contradiction
from .._model.objects import Object, join
from .._model.protection import is_enabled
from .plan import Plan, State


def restricted(plan: Plan, given: Mapping[str, Any], *, allow_empty: bool) -> Plan:
    """Return the plan of an object that is declared as `given`.

    Unless that is allowed, raises Contradiction for a new traffic module, or a part of one, that lets everyone in.
    """
    found = [] if allow_empty or not plan.operations else _empty(plan.kind, given, plan.before, "")
    paths = [where for owner, where in found if plan.before is None or _is_touched(owner, plan.changes)]
    if paths:
        them = "it is empty" if len(paths) == 1 else "they are empty"
        raise Contradiction(
            f"{' and '.join(paths)}: {them}, so everyone would be let in. If you want that, set `allow_empty: true`; "
            "otherwise, check the variable that the list comes from."
        )
    return plan


def _empty(kind: Object, given: Mapping[str, Any], current: State | None, path: str) -> Iterator[tuple[str, str]]:
    """Yield the path of each object without an effect so far that would admit everyone, and that of an empty list."""
    if given.get("enabled") is False:
        return
    is_new = current is None or not is_enabled(current)
    lists = [f.name for f in kind.fields if f.restricts]
    declared = [name for name in lists if given.get(name) is not None]
    if is_new and declared and not any(given[name] for name in declared):
        yield path, join(path, declared[0])
    for f in kind.declarable:
        if isinstance(f.kind, Object) and isinstance(given.get(f.name), dict):
            inner = None if is_new or current is None else current[f.name]
            yield from _empty(f.kind, given[f.name], inner, join(path, f.name))


def _is_touched(path: str, changes: Sequence[str]) -> bool:
    """Return whether a change affects the object at this path, or one that contains it."""
    return any(f"{path}.".startswith(f"{each}.") or each.startswith(f"{path}.") for each in changes)
