# SPDX-License-Identifier: GPL-3.0-or-later
"""The limit of requests per rolling minute. All keys belong to the same account."""

import time
from collections import deque
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from math import ceil

from ..switches import Switches
from ..values.rejection_codes import Code
from ..values.rejections import Rejection

WINDOW_SECONDS = 60


class RateLimit:
    def __init__(self) -> None:
        self._admitted: deque[float] = deque()

    def forget(self) -> None:
        self._admitted.clear()

    def admit(self, switches: Switches) -> None:
        """Count one request. Raises `Rejection` (429) if the account has reached its limit."""
        if not switches.rate_limit:
            return
        present = time.monotonic()
        while self._admitted and self._admitted[0] <= present - WINDOW_SECONDS:
            self._admitted.popleft()
        if len(self._admitted) >= switches.rate_limit:
            wait = max(1, ceil(self._admitted[0] + WINDOW_SECONDS - present))
            message = f"This account may send {switches.rate_limit} requests a minute."
            date = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=wait), usegmt=True)
            value = {"seconds": str(wait), "date": date, "none": None}[switches.retry_after]
            raise Rejection(429, Code.RATE_LIMIT, message, {"Retry-After": value} if value else {})
        self._admitted.append(present)
