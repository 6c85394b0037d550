# SPDX-License-Identifier: GPL-3.0-or-later
"""When a request may be sent again, and after how long. Pure: the client does the waiting."""

from __future__ import annotations

import email.utils
from datetime import datetime, timezone

REPEATABLE_METHODS = frozenset({"GET", "PUT", "DELETE"})
"""Sent twice, these leave what sending them once leaves."""

TOO_MANY_REQUESTS = 429
ALREADY_THERE = frozenset({400, 409, 422})
"""Statuses of which one may mean that what is to be created is there already."""

MISSING_OPERATION = frozenset({404, 405, 501})

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_DOUBLINGS = 10


def is_passing(status: int) -> bool:
    """Whether a status speaks of a state of the service that may pass, and not of the request."""
    return status in {408, TOO_MANY_REQUESTS} or (status >= 500 and status not in MISSING_OPERATION)  # noqa: PLR2004


def backoff(attempt: int, chance: float) -> float:
    """Seconds to wait before retry number `attempt` (from 0); `chance` (0 to 1) spreads what failed together."""
    return float(min(_FIRST_WAIT * 2.0 ** min(attempt, _DOUBLINGS), _LONGEST_WAIT) * (0.5 + chance / 2))


def retry_after(header: str | None, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, which holds seconds or a date; None where it says neither."""
    if not header:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - now).total_seconds())
