# SPDX-License-Identifier: GPL-3.0-or-later
"""A proxy that spoils some of the requests on their way to a service, or the responses on their way back.

Every response closes its connection, so that each request has a connection of its own that can be rejected or reset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Timer

from scripted_service import Received, Response, ScriptedService, forwarding

REJECTING_SECONDS = 0.03


@dataclass(frozen=True)
class Fault:
    """What is done to one request, or before it. `spoiled` makes another response of the service's.

    The service gets the request only if it `takes_effect`; without, its response is empty. With neither, the connection
    is rejected.
    """

    spoiled: Callable[[Response], Response] | None
    takes_effect: bool = False


class FaultProxy:
    """A running one. `requests` are those that came in, and `statuses` what the service returned, by their number."""

    def __init__(self, target: str) -> None:
        self._forwarded = forwarding(target)
        self._faults: Mapping[int, Fault] = {}
        self._service = ScriptedService(self._response)
        self.requests = self._service.received
        self.statuses: dict[int, int | None] = {}
        self.injected: list[int] = []

    @property
    def base_url(self) -> str:
        return self._service.base_url

    def begin(self, faults: Mapping[int, Fault] | None = None) -> None:
        """Count requests from 0 again, with these faults at the requests of these numbers."""
        self.raise_errors()
        for counted in (self.requests, self.injected, self.statuses):
            counted.clear()
        self._faults = faults or {}
        self._reject_if_due(0)

    def raise_errors(self) -> None:
        self._service.raise_errors()

    def _reject_if_due(self, number: int) -> None:
        fault = self._faults.get(number)
        if fault is not None and fault.spoiled is None and number not in self.injected:
            self.injected.append(number)
            self._service.close()
            Timer(REJECTING_SECONDS, self._service.open).start()

    def _response(self, request: Received) -> Response:
        fault = self._faults.get(request.number, Fault(None))
        response = Response(204)
        if fault.spoiled is None or fault.takes_effect:
            response = self._forwarded(request)
            self.statuses[request.number] = response.status
        self._reject_if_due(request.number + 1)
        if fault.spoiled is not None:
            self.injected.append(request.number)
            response = fault.spoiled(response)
        return replace(response, headers={**response.headers, "Connection": "close"})


@contextmanager
def fault_proxy(target: str) -> Iterator[FaultProxy]:
    """Start one on loopback before the service at `target`, and stop it in the end."""
    proxy = FaultProxy(target)
    with proxy._service.running():
        yield proxy
