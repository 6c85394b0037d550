# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits how many requests a process sends to an account in any minute, as the option `requests_per_minute` demands.

A service counts all requests of an account, so jobs in parallel share its limit. The API reference defines none
(section 8).
"""

from __future__ import annotations

import os
import queue
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .connection import Connection
from .progress import Progress

MINUTE = 60.0

_slots: dict[tuple[int, Connection], queue.SimpleQueue[float]] = {}


def recall(connection: Connection, progress: Progress, seconds: Iterable[float]) -> None:
    """Count the requests of an earlier process, each of which occupies its slot for so many seconds from now.

    If this process has a limit for the connection, it has counted them itself.
    """
    limit, key = connection.requests_per_minute, (os.getpid(), connection)
    if limit is None or key in _slots:
        return
    RequestsPerMinute(connection, progress)
    for rest in sorted(seconds)[-limit:]:
        _slots[key].get()
        _slots[key].put(progress.clock() + rest)


class RequestsPerMinute:
    """The limit of one task. Several threads may use it at a time.

    The items of a loop run in one process, and share the limit. A forked process has a limit of its own, because slots
    that were in use at the fork would never be returned there.
    """

    def __init__(self, connection: Connection, progress: Progress) -> None:
        self._limit, self._progress = connection.requests_per_minute, progress
        if self._limit is not None:
            key = (os.getpid(), connection)
            if key not in _slots:
                slots: queue.SimpleQueue[float] = queue.SimpleQueue()
                for _slot in range(self._limit):
                    slots.put(progress.clock())
                _slots.setdefault(key, slots)  # Another thread may have been quicker.
            self._free_from = _slots[key]

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait until a request is allowed, and count the request that is sent in the context.

        It occupies its slot until a minute after its end, because nobody knows when it arrived at the service.
        """
        if self._limit is None:
            yield
            return
        rest = self._free_from.get() - self._progress.clock()
        try:
            if rest > 0:
                self._progress.wait(rest, f"requests_per_minute={self._limit}")
            yield
        finally:
            self._free_from.put(self._progress.clock() + MINUTE)
