# SPDX-License-Identifier: GPL-3.0-or-later
"""The diff of a plan for `--diff`, without secrets."""

from __future__ import annotations

from typing import Any

from .._model.declaration import NEW_SECRET, declaration, whole_declaration
from .._model.policy_secrets import masked_policies
from .plan import Plan


def diff(plan: Plan) -> dict[str, Any]:
    """Return the diff of one object in Ansible's format, with the object's name as header; None is displayed as empty.

    A deleted object is displayed with everything that is deleted with it.
    """
    before = (whole_declaration if plan.after is None else declaration)(plan.kind, plan.before)
    after = declaration(plan.kind, plan.after, plan.changes)
    masked_before, masked_after = masked_policies(before, after, NEW_SECRET)
    return {
        "before_header": plan.subject,
        "after_header": plan.subject,
        "before": masked_before,
        "after": masked_after,
    }
