# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes that the service may accept, and that are hardly what somebody wants. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from .plan import Plan
from .widening import protections


def doubtful_match(plan: Plan) -> Iterator[str]:
    """Yield a warning for a route that gets a match that no path begins with."""
    match = (plan.after or {}).get("match")
    is_new = plan.before is None or "match" in plan.changes
    if is_new and isinstance(match, str) and match and not match.startswith("/"):
        yield f"{plan.subject}: `match` has no leading slash, but every path begins with one. Did you mean /{match}?"


def several_logins(plan: Plan) -> Iterator[str]:
    """Yield a warning for an object that gets several exclusive modules."""
    before, after = ([*protections(plan.kind, state)] for state in (plan.before, plan.after))
    enabled = [name for name in plan.kind.exclusive if name in after]
    if len(enabled) > 1 and not set(enabled) <= set(before):
        names = " and ".join(enabled)
        yield f"{plan.subject}: {names} are enabled. Some services allow only one of them on a {plan.kind.noun}."
