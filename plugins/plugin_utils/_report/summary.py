# SPDX-License-Identifier: GPL-3.0-or-later
"""The totals of a report, for the result of the task and for programs. Pure."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .drawing import ACCESS
from .identity import EDGE, TLS_EDGE, TUNNEL
from .report import Report


def summary_of(report: Report) -> dict[str, Any]:
    """Return how much of everything there is. Findings that are accepted are counted on their own."""
    access = Counter(name for one in report.routes if one.live for name in one.live.access)
    return {
        "accounts": len(report.accounts),
        "read": sum(view.is_read for view in report.accounts),
        "missing": [view.name for view in report.accounts if view.is_missing],
        "incomplete": [view.name for view in report.accounts if view.error and not view.is_missing],
        "https_edges": report.count(EDGE),
        "routes": len(report.routes),
        "tls_edges": report.count(TLS_EDGE),
        "tunnels": report.count(TUNNEL),
        "access": {name: access[name] for name in ACCESS},
        "not_judged": report.openness["unknown"],
        "findings": report.severities,
        "accepted": report.accepted,
        "changes": report.actions,
        "created": len(report.created()),
        **({"since": report.since.summary()} if report.since else {}),
    }
