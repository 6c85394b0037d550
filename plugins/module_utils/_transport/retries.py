# SPDX-License-Identifier: GPL-3.0-or-later
"""When a request may be retried, and after which delay. Pure: `progress` does the waiting."""

from __future__ import annotations

import email.utils
from datetime import datetime, timezone

from .._errors import POSSIBLY_UNSUPPORTED, OutcomeUnknown, RequestError, RequestRejected, Unreachable

REPEATABLE_METHODS = frozenset({"GET", "PUT", "DELETE"})
"""Methods that have the same effect if they are sent twice."""

TOO_MANY_REQUESTS = 429
ALREADY_THERE = frozenset({400, 409, 422})
"""Statuses that can mean that the object to create already exists."""

_FINAL_SERVER_ERRORS = frozenset({500, 503})

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_DOUBLINGS = 10


def may_resend(error: RequestError, *, after_reading: bool) -> bool:
    """Return whether a failed request may be retried.

    `after_reading` if the object is read before that, so that only what is still missing is sent.
    """
    method, status = error.request.method, error.request.status
    if isinstance(error, OutcomeUnknown):
        return after_reading or method in REPEATABLE_METHODS
    if not after_reading:
        # The service certainly did not process it.
        return isinstance(error, Unreachable) or status == TOO_MANY_REQUESTS
    # Another job may have deleted the object, or created it.
    is_deleted = method == "DELETE" and isinstance(error, POSSIBLY_UNSUPPORTED)
    return is_deleted or (method == "POST" and isinstance(error, RequestRejected) and status in ALREADY_THERE)


def is_passing(status: int) -> bool:
    """Return whether a status is about a state of the service that may pass, and not about the request."""
    return status in {408, TOO_MANY_REQUESTS} or (status >= 500 and status != 501)  # noqa: PLR2004


def has_ended(status: int | None, is_explained: bool) -> bool:
    """Return whether a failed response to a write proves that the service will not process the write later.

    Only then is a created object that cannot be found certainly not created.

    - No response, or a part of one: the service may still be processing the request.
    - 408, 502, 504, and the other statuses of 5xx: a server in between returns them, and the service may still be
      processing the request.
    - 500 and 503: final if the response is an error in the service's own format (`is_explained`). A server in between
      returns the same statuses in its own format, even after it has forwarded the request.
    - 2xx with an unusable body: the service has processed the request, and the object may become visible later.
    """
    return is_explained and status in _FINAL_SERVER_ERRORS


def backoff(attempt: int, chance: float) -> float:
    """Return the seconds to wait before retry number `attempt` (from 0).

    `chance`, from 0 to 1, spreads the retries of requests that failed at the same time.
    """
    return float(min(_FIRST_WAIT * 2.0 ** min(attempt, _DOUBLINGS), _LONGEST_WAIT) * (0.5 + chance / 2))


def retry_after(header: str | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks for; None if it contains neither seconds nor a date."""
    if not header:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - now).total_seconds())
