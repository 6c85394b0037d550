# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports the progress of a long task: processed and failed objects, delays with their reason, and the time left."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

SECONDS_BETWEEN = 5.0
_SHOWN = 3


class Progress:
    """The progress of one task. Reports a line every SECONDS_BETWEEN seconds, so quick tasks report nothing.

    `unfinished` returns the objects that are partly done at that time, each with its state.
    """

    def __init__(
        self,
        report: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._report_line, self.clock, self._sleep = report, clock, sleep
        self._lock = threading.Lock()
        self._last = self._started = self._writes_started = clock()
        self._planned = self._done = self._failed = 0
        self.unfinished: Callable[[], Sequence[str]] = tuple

    def add_planned(self, number: int) -> None:
        self._planned += number
        self._writes_started = self.clock()

    def object_done(self, failed: bool) -> None:
        with self._lock:
            self._done += 1
            self._failed += failed
        self._report()

    def wait(self, seconds: float, reason: str) -> None:
        while seconds > 0:
            self._report(seconds, reason)
            self._sleep(min(seconds, SECONDS_BETWEEN))
            seconds -= SECONDS_BETWEEN

    def interrupted(self) -> str:
        """Return a sentence for a task that is interrupted now; an empty string if it has not begun to write.

        A signal handler may call this while the interrupted code holds the lock, so it does not wait for that.
        """
        if not self._planned:
            return ""
        failed = f", of which {self._failed} failed" if self._failed else ""
        unfinished = self.unfinished()
        more = f"; and {len(unfinished) - _SHOWN} more" if len(unfinished) > _SHOWN else ""
        partly = f" Not finished: {'; '.join(unfinished[:_SHOWN])}{more}." if unfinished else ""
        return f"Interrupted after {self._done} of {self._planned} objects{failed}.{partly}"

    def _report(self, delay: float = 0.0, reason: str = "") -> None:
        if self._report_line is None:
            return
        with self._lock:
            now = self.clock()
            if now - self._last < SECONDS_BETWEEN:
                return
            self._last = now
            line = self._line(now, delay) + (f"; waiting {delay:.0f} s: {reason}" if reason else "")
        self._report_line(line)

    def _line(self, now: float, delay: float) -> str:
        if not self._planned:
            return f"reading ({now - self._started:.0f} s)"
        failed = f", {self._failed} failed" if self._failed else ""
        left = self._planned - self._done
        rate = (now - self._writes_started) / self._done if self._done else 0.0
        time_left = f", about {delay + left * rate:.0f} s left" if self._done and left else ""
        return f"processed {self._done} of {self._planned} objects{failed}{time_left}"
