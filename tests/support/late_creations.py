# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that responds to some creations before it carries them out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from scripted_service import Received, Response, forwarding

NEVER = 10**6


@dataclass
class Lateness:
    """A creation gets this response, and is carried out after so many reads of something (None: never)."""

    response: Response
    looks: int | None


class LateCreations:
    """The script of a service before that at `base_url`. `late` is asked of each POST, once for each body and path."""

    def __init__(self, base_url: str, late: Callable[[Received], Lateness | None]) -> None:
        self._to_the_service = forwarding(base_url)
        self._late = late
        self._lock = Lock()
        self._seen: set[tuple[str, bytes]] = set()
        self._waiting: list[tuple[Received, int]] = []
        self.looks = 0

    def __call__(self, request: Received) -> Response:
        if request.method == "GET":
            with self._lock:
                self.looks += 1
                self._carry_out(self.looks)
        elif request.method == "POST" and (lateness := self._lateness(request)) is not None:
            return lateness.response
        return self._to_the_service(request)

    def settle(self) -> None:
        """Carry out all that is left."""
        with self._lock:
            self._carry_out(2 * NEVER)

    def _lateness(self, request: Received) -> Lateness | None:
        with self._lock:
            one = (request.path, request.body)
            if one in self._seen:
                return None
            self._seen.add(one)
            lateness = self._late(request)
            if lateness is not None and lateness.looks is not None:
                self._waiting.append((request, self.looks + lateness.looks))
            return lateness

    def _carry_out(self, looks: int) -> None:
        due = [request for request, moment in self._waiting if moment <= looks]
        self._waiting = [(request, moment) for request, moment in self._waiting if moment > looks]
        for request in due:
            self._to_the_service(request)
