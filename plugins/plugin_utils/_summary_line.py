# SPDX-License-Identifier: GPL-3.0-or-later
"""A task in one line: how many of its objects have which result. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from ..module_utils._planning.plan_document import RESULTS


def summary_line(summary: Mapping[str, int], undeclared: int, *, is_planned: bool) -> str:
    """Return one line about a task, such as "3 to create, 54 unchanged, 2 undeclared"."""
    verbs = {result: f"to {action}" for action, result in RESULTS.items()} if is_planned else {}
    counts = [(number, verbs.get(state, state)) for state, number in summary.items()]
    shown = [f"{number} {what}" for number, what in [*counts, (undeclared, "undeclared")] if number]
    return ", ".join(shown) or "nothing is declared"
