# SPDX-License-Identifier: GPL-3.0-or-later
"""What `--diff` shows of a plan, without secrets."""

from __future__ import annotations

from typing import Any

from .._model.declaration import NEW_SECRET, declaration, whole_declaration
from .._model.kinds import MASK
from .._model.traffic_rules import masked_rules
from .plan import Plan

Options = dict[str, Any]


def diff(plan: Plan) -> dict[str, Any]:
    """Ansible's form of a diff, of one object, with its name as header; None is shown as nothing at all.

    A deleted object is shown with everything that is deleted with it.
    """
    before = (whole_declaration if plan.after is None else declaration)(plan.kind, plan.before)
    after = declaration(plan.kind, plan.after, plan.changes)
    old, new = (options.get("policy") if options else None for options in (before, after))
    is_seen = old == new or masked_rules(old, MASK) != masked_rules(new, MASK)
    return {
        "before_header": plan.subject,
        "after_header": plan.subject,
        "before": _with_masked_policies(before, MASK),
        "after": _with_masked_policies(after, MASK if is_seen else NEW_SECRET),
    }


def _with_masked_policies(options: Options | None, mask: str) -> Options | None:
    """The options of an object, and of the routes that go with it, with a mask for what is secret in their policies."""
    if options is None:
        return None
    masked = dict(options)
    if "policy" in options:
        masked["policy"] = masked_rules(options["policy"], mask)
    if "routes" in options:
        masked["routes"] = [_with_masked_policies(route, mask) for route in options["routes"]]
    return masked
