# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits between the retries of a task, within the limits of its options, and counts them."""

from __future__ import annotations

import random
import threading

from .._errors import RequestError, as_sentence
from .._model.masking import Masks
from .connection import Connection
from .progress import Progress
from .retries import TOO_MANY_REQUESTS, backoff, is_used_up

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
        that the task may wait. Of 429, which passes, only the time is limited.
        """
        will_pass = error.request.status == TOO_MANY_REQUESTS
        failure = self._masks.library_text(str(error))
        asked_for = error.request.retry_after or 0.0
        delay = max(backoff(retry, random.random()), asked_for)
        with self._lock:
            now = self._progress.clock()
            # If several threads wait at the same time, count the time only once.
            longer = max(0.0, now + delay - max(now, self._waiting_until))
            has_time = self.waited + longer <= self._connection.retry_max_wait
            if not has_time or is_used_up(retry, self._connection.retries, will_pass=will_pass):
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
