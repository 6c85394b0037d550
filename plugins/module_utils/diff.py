# SPDX-License-Identifier: GPL-3.0-or-later
"""What `--diff` shows of a plan: the declarable fields that hold something, without secrets."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .fields import MASK
from .objects import Object, join
from .plan import Plan

NEW_SECRET = f"{MASK} (a new value)"


def diff(plan: Plan) -> dict[str, Any]:
    """Ansible's form of a diff, of one object, with its name as header; None is shown as nothing at all."""
    return {
        "before_header": plan.subject,
        "after_header": plan.subject,
        "before": _declarable(plan.kind, plan.before, ()),
        "after": _declarable(plan.kind, plan.after, plan.changes),
    }


def _declarable(kind: Object, state: Any, changes: Collection[str], path: str = "") -> dict[str, Any] | None:
    if state is None:
        return None
    shown: dict[str, Any] = {}
    for f in kind.declarable:
        where = join(path, f.name)
        if isinstance(f.kind, Object):
            value: Any = _declarable(f.kind, state[f.name], changes, where)
        else:
            value = f.kind.shown(state[f.name])
            if value in ("", [], {}):
                continue
        if value is not None:
            shown[f.name] = NEW_SECRET if value == MASK and where in changes else value
    return shown
