# SPDX-License-Identifier: GPL-3.0-or-later
"""The diff of a plan for `--diff`, without secrets."""

from __future__ import annotations

from typing import Any

from .plan import Plan


def diff(plan: Plan) -> dict[str, Any]:
    """Return the diff of one object in Ansible's format, with its name as header; None is displayed as empty."""
    before, after = plan.shown
    return {"before_header": plan.subject, "after_header": plan.subject, "before": before, "after": after}
