# SPDX-License-Identifier: GPL-3.0-or-later
"""Which hostports a plan takes although something that the task does not read may have them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .placeholders import is_placeholder
from .plan import Plan, State
from .undeclared import NotExamined

_SHOWN = 3


def unread_holders(plans: Sequence[Plan]) -> Iterator[NotExamined]:
    """Yield what may have the hostports that the plans take, except for those that another plan gives up."""
    before = {one for plan in plans for one in _addresses(plan, plan.before)}
    after = dict.fromkeys(one for plan in plans if plan.operations for one in _addresses(plan, plan.after))
    taken = [one for one in after if one not in before and not is_placeholder(one) and one]
    if taken:
        more = f" and {len(taken) - _SHOWN} more" if len(taken) > _SHOWN else ""
        yield NotExamined(
            f"other objects that may have {', '.join(taken[:_SHOWN])}{more}",
            "the task does not read tunnels, and other edges and endpoints only if their lists are needed; if one of "
            "them has a hostport, the service rejects the change",
        )


def _addresses(plan: Plan, state: State | None) -> Sequence[str]:
    if plan.target.collection == "/endpoints":
        return [(state or {}).get("url") or ""]
    hostports = (state or {}).get("hostports")
    return hostports if isinstance(hostports, list) else ()
