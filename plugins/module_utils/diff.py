# SPDX-License-Identifier: GPL-3.0-or-later
"""What `--diff` shows of a plan, without secrets."""

from __future__ import annotations

from typing import Any

from .declaration import declaration, whole_declaration
from .plan import Plan


def diff(plan: Plan) -> dict[str, Any]:
    """Ansible's form of a diff, of one object, with its name as header; None is shown as nothing at all.

    What is deleted is shown with all that goes along with it.
    """
    shown_before = whole_declaration if plan.after is None else declaration
    return {
        "before_header": plan.subject,
        "after_header": plan.subject,
        "before": shown_before(plan.kind, plan.before),
        "after": declaration(plan.kind, plan.after, plan.changes),
    }
