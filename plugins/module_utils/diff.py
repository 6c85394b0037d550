# SPDX-License-Identifier: GPL-3.0-or-later
"""What `--diff` shows of a plan, without secrets."""

from __future__ import annotations

from typing import Any

from .declaration import NEW_SECRET, declaration
from .fields import MASK
from .plan import Plan
from .traffic_rules import masked_rules


def diff(plan: Plan) -> dict[str, Any]:
    """Ansible's form of a diff, of one object, with its name as header; None is shown as nothing at all."""
    before = declaration(plan.kind, plan.before)
    after = declaration(plan.kind, plan.after, plan.changes)
    old, new = (options.get("policy") if options else None for options in (before, after))
    is_seen = old == new or masked_rules(old, MASK) != masked_rules(new, MASK)
    return {
        "before_header": plan.subject,
        "after_header": plan.subject,
        "before": _with_policy(before, masked_rules(old, MASK)),
        "after": _with_policy(after, masked_rules(new, MASK if is_seen else NEW_SECRET)),
    }


def _with_policy(options: dict[str, Any] | None, policy: Any) -> dict[str, Any] | None:
    return {**options, "policy": policy} if options and policy is not None else options
