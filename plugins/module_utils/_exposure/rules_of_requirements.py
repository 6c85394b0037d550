# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule about what somebody demands of requests. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from .._access.requirements import demanded, violations
from .._access.views import START
from .finding import Hit, rule
from .judged_estate import Estate


@rule(
    "high",
    why="Somebody has decided what these requests need, and exceptions of `accept` do not apply to that.",
    fix="Declare on the route, or on its edge, what the requirement demands, or disable its backend.",
)
def requirement_not_met(estate: Estate) -> Iterator[Hit]:
    """With a request that is part of one of the `requirements`, somebody gets through without what it demands."""
    for one in violations(demanded(estate.account, estate.requirements), START):
        yield Hit(one.taker[1].subject, "", one.text, cause=str(one.number))
