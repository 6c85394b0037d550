# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task waits for, and what it reports meanwhile: retries within its limits, and the option
`requests_per_minute`.

A service counts all requests of an account, so jobs in parallel share its limit. The API reference defines none
(section 8).
"""

from __future__ import annotations

import os
import queue
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from .._errors import RequestError, as_sentence
from .._model.masking import Masks
from .connection import Connection
from .retries import TOO_MANY_REQUESTS, backoff

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
        begin = f"Interrupted after {self._done} of {self._planned} objects{failed}."
        return f"{begin}{partly} Requests that were under way may have changed more."

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


_LONG = 60.0
"""After so many seconds of waiting, people want to know how long it goes on."""


class Patience:
    """The retries of one task. Several threads may use it at a time.

    `retries` and `waited`, in seconds, count those of all requests; `last_failure` is the reason for the last one.
    """

    def __init__(self, connection: Connection, progress: Progress, masks: Masks) -> None:
        self._connection, self._progress, self._masks = connection, progress, masks
        self._lock = threading.Lock()
        self._waiting_until = self._rate_limited_until = 0.0
        self.retries = 0
        self.waited = 0.0
        self.last_failure = ""

    def wait(self, error: RequestError, retry: int) -> None:
        """Wait before a request is retried; `retry` counts from 0.

        Raises `error` if the request was retried as often as allowed, or if the delay exceeds what is left of the time
        that the task may wait. Of 429, which passes, only the time is limited, unless retries are disabled.
        """
        retries = self._connection.retries
        is_used_up = retry >= retries and (error.request.status != TOO_MANY_REQUESTS or retries == 0)
        failure = self._masks.library_text(str(error))
        asked_for = error.request.retry_after or 0.0
        delay = max(backoff(retry, random.random()), asked_for)
        with self._lock:
            now = self._progress.clock()
            # If several threads wait at the same time, count the time only once.
            longer = max(0.0, now + delay - max(now, self._waiting_until))
            if is_used_up or self.waited + longer > self._connection.retry_max_wait:
                raise error.after_retries(retry)
            self._waiting_until = max(self._waiting_until, now + delay)
            self._rate_limited_until = max(self._rate_limited_until, now + asked_for)
            self.waited += longer
            self.retries += 1
            self.last_failure = failure
            rest = self._connection.retry_max_wait - self.waited
            has_been_long = self.waited - longer >= _LONG
        limit = f" At most {rest:.0f} s more; to wait less, decrease `retry_max_wait`." if has_been_long else ""
        self._progress.wait(delay, f"{as_sentence(failure)}{limit}" if limit else failure)

    def wait_for_rate_limit(self) -> None:
        """Wait as long as the service has asked another thread to."""
        rest = self._rate_limited_until - self._progress.clock()
        if rest > 0:
            self._progress.wait(rest, self.last_failure)


MINUTE = 60.0

_slots: dict[tuple[int, Connection], queue.SimpleQueue[float]] = {}


def recall(connection: Connection, progress: Progress, seconds: Iterable[float]) -> None:
    """Count requests of other processes, each of which occupies a slot for so many seconds from now."""
    slots = RequestsPerMinute(connection, progress).free_from
    free_from = [progress.clock() + rest for rest in seconds]
    others = len(free_from)
    with suppress(queue.Empty):  # The rest is in use, and stays occupied for a minute after that.
        while True:
            free_from.append(slots.get_nowait())
    for moment in sorted(free_from)[others:]:
        slots.put(moment)


class RequestsPerMinute:
    """The limit of one task that has one. Several threads may use it at a time.

    The items of a loop run in one process, and share the limit. A forked process has a limit of its own, because slots
    that were in use at the fork would never be returned there.
    """

    def __init__(self, connection: Connection, progress: Progress) -> None:
        self._limit, self._progress = connection.requests_per_minute, progress
        key = (os.getpid(), connection)
        if key not in _slots:
            slots: queue.SimpleQueue[float] = queue.SimpleQueue()
            for _slot in range(self._limit or 0):
                slots.put(progress.clock())
            _slots.setdefault(key, slots)  # Another thread may have been quicker.
        self.free_from = _slots[key]

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait until a request is allowed, and count the request that is sent in the context.

        It occupies its slot until a minute after its end, because nobody knows when it arrived at the service.
        """
        rest = self.free_from.get() - self._progress.clock()
        try:
            if rest > 0:
                self._progress.wait(rest, f"requests_per_minute={self._limit}")
            yield
        finally:
            self.free_from.put(self._progress.clock() + MINUTE)
