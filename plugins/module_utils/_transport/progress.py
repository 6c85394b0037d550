# SPDX-License-Identifier: GPL-3.0-or-later
"""What a long task tells while it goes on: how far it is, what failed, what it waits for, how long it may yet take."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

SECONDS_BETWEEN = 5.0


class Progress:
    """Says something once a task has taken more than SECONDS_BETWEEN, and then as often. Quick tasks stay silent."""

    def __init__(
        self,
        say: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._say, self.clock, self._sleep = say, clock, sleep
        self._lock = threading.Lock()
        self._last = self._started = self._writes_started = clock()
        self._planned = self._done = self._failed = 0

    def plans(self, number: int) -> None:
        """So many objects are about to be seen to."""
        self._planned += number
        self._writes_started = self.clock()

    def did(self, failed: bool) -> None:
        """One of them has been seen to."""
        with self._lock:
            self._done += 1
            self._failed += failed
        self._tell()

    def waits(self, seconds: float, why: str) -> None:
        """Wait, and say for what."""
        while seconds > 0:
            self._tell(seconds, why)
            self._sleep(min(seconds, SECONDS_BETWEEN))
            seconds -= SECONDS_BETWEEN

    def _tell(self, wait: float = 0.0, why: str = "") -> None:
        if self._say is None:
            return
        with self._lock:
            now = self.clock()
            if now - self._last < SECONDS_BETWEEN:
                return
            self._last = now
            line = self._line(now, wait) + (f", waiting {wait:.0f} s: {why}" if why else "")
        self._say(line)

    def _line(self, now: float, wait: float) -> str:
        if not self._planned:
            return f"reading, for {now - self._started:.0f} s"
        failed = f", {self._failed} failed" if self._failed else ""
        left = self._planned - self._done
        rate = (now - self._writes_started) / self._done if self._done else 0.0
        time_left = f", about {wait + left * rate:.0f} s left" if self._done and left else ""
        return f"{self._done} of {self._planned} objects{failed}{time_left}"
