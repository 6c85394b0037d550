# SPDX-License-Identifier: GPL-3.0-or-later
"""What check mode shows of a plan in place of executing it. Pure."""

from __future__ import annotations

from .._planning.plan import Plan
from .outcome import Applied


def predicted(plan: Plan) -> Applied:
    """Return what check mode shows of a plan."""
    operations = () if plan.error else plan.operations
    doubts = (plan.doubt,) if plan.doubt and operations else ()
    error = plan.target.failed(plan.error) if plan.error else None
    return Applied(plan, plan.after, operations, error, warnings=doubts, predicted=True)
