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

_ENDS_THE_WORK = frozenset({500, 503})

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_DOUBLINGS = 10


def is_passing(status: int) -> bool:
    """Whether a status speaks of a state of the service that may pass, and not of the request."""
    return status in {408, TOO_MANY_REQUESTS} or (status >= 500 and status not in MISSING_OPERATION)  # noqa: PLR2004


def has_ended(status: int | None, in_the_services_words: bool) -> bool:
    """Whether a failed answer to a write proves that nothing of that write is still to come.

    Only then does it mean something that a look afterwards does not find what the write should have created.

    - No answer, or a part of one: nobody knows whether the service is still at it.
    - 408, 502, 504 and the other statuses of 5xx: said on the way to whoever does the work, who may still do it.
    - 500 and 503: the end of the work where the service says so in its own form of errors. Something on the way says
      the same in words of its own, even after it has passed the request on.
    - 2xx, whose content can't be used: the service says that it is done. If it does not show yet, it will.
    """
    return in_the_services_words and status in _ENDS_THE_WORK


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
