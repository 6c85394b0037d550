# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that can go wrong between the collection and the service, by name, and a proxy where it does go wrong.

Every response closes its connection, so that each request has a connection of its own that can be rejected or reset.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from threading import Timer
from typing import Any

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


class FaultProxy(ScriptedService):
    """A running one. `requests` are those that came in, and `statuses` what the service returned, by their number."""

    def __init__(self, target: str) -> None:
        super().__init__(self._response)
        self._forwarded = forwarding(target)
        self._faults: Mapping[int, Fault] = {}
        self.requests = self.received
        self.statuses: dict[int, int | None] = {}
        self.injected: list[int] = []

    def begin(self, faults: Mapping[int, Fault] | None = None) -> None:
        """Count requests from 0 again, with these faults at the requests of these numbers."""
        self.raise_errors()
        for counted in (self.requests, self.injected, self.statuses):
            counted.clear()
        self._faults = faults or {}
        self._reject_if_due(0)

    def _reject_if_due(self, number: int) -> None:
        fault = self._faults.get(number)
        if fault is not None and fault.spoiled is None and number not in self.injected:
            self.injected.append(number)
            self.close()
            Timer(REJECTING_SECONDS, self.open).start()

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


def fault_proxy(target: str) -> AbstractContextManager[FaultProxy]:
    """Start one on loopback before the service at `target`, and stop it in the end."""
    return FaultProxy(target).running()


TIMEOUT = 0.25
"""Seconds that a request may take in these tests; what stalls and what drips takes longer."""

PAGE = b"<html><body>Bad gateway</body></html>", {"Content-Type": "text/html"}
HUGE = 50 * 2**20


def reset(line: socket.socket, _response: bytes) -> None:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def cut(line: socket.socket, response: bytes) -> None:
    head, end, body = response.partition(b"\r\n\r\n")
    line.sendall(head + end + body[: len(body) // 2])


def stall(_line: socket.socket, _response: bytes) -> None:
    time.sleep(3 * TIMEOUT)


def drip(line: socket.socket, response: bytes) -> None:
    for byte in response[:40]:
        line.sendall(bytes([byte]))
        time.sleep(TIMEOUT / 4)


def send_huge(line: socket.socket, head: bytes) -> None:
    line.sendall(head)
    for _megabyte in range(HUGE // 2**20):
        line.sendall(b" " * 2**20)


def returning(status: int, body: bytes = b"", headers: Any = (), **fields: Any) -> Fault:
    return Fault(lambda _response: Response(status, body, dict(headers), **fields))


def ending(how: Callable[[socket.socket, bytes], None], takes_effect: bool = True) -> Fault:
    return Fault(lambda response: replace(response, ending=how), takes_effect)


def changed(change: Callable[[bytes], bytes], kind: str = "application/json") -> Fault:
    def spoiled(response: Response) -> Response:
        return Response(response.status, change(response.body), {"Content-Type": kind}) if response.body else response

    return Fault(spoiled, takes_effect=True)


def _numbers_for_strings(body: bytes) -> bytes:
    def number(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: number(member) for name, member in value.items()}
        if isinstance(value, list):
            return [number(member) for member in value]
        return 7 if isinstance(value, str) else value

    return json.dumps(number(json.loads(body))).encode()


def _without_list(body: bytes) -> bytes:
    """The page of a list without its list; any other response as it is."""
    found = json.loads(body)
    if not isinstance(found, dict) or "id" in found:
        return body
    return json.dumps({name: value for name, value in found.items() if not isinstance(value, list)}).encode()


def _busy_until_soon(_response: Response) -> Response:
    moment = datetime.now(timezone.utc) + timedelta(seconds=1)
    return Response(429, b"{}", {"Retry-After": format_datetime(moment, usegmt=True)})


KINDS: dict[str, Fault] = {
    "refused": Fault(None),
    "reset before": ending(reset, takes_effect=False),
    "reset after": ending(reset),
    "cut": ending(cut),
    **{f"{status} before": returning(status, *PAGE) for status in (500, 502, 503, 504)},
    **{f"{status} after": replace(returning(status, *PAGE), takes_effect=True) for status in (500, 504)},
    "408": returning(408),
    "429": returning(429),
    "429 with seconds": returning(429, b"{}", {"Retry-After": "1"}),
    "429 with a date": Fault(_busy_until_soon),
    "stall before": ending(stall, takes_effect=False),
    "stall after": ending(stall),
    "drip": ending(drip),
    "redirect": returning(307, headers={"Location": "http://127.0.0.2:9/stolen"}),
    "another content type": changed(lambda body: body, "text/plain"),
    "a page of HTML": returning(200, *PAGE),
    "an empty body before": returning(200),
    "an empty body after": changed(lambda body: b""),
    "50 MB": replace(returning(200, headers={"Content-Length": HUGE}, ending=send_huge), takes_effect=True),
    "broken UTF-8": changed(lambda body: body.replace(b'"', b'"\xff', 1)),
    "a list for an object": changed(lambda body: b"[" + body + b"]"),
    "a page without its list": changed(_without_list),
    "a number for a string": changed(_numbers_for_strings),
}

SLOW = ("stall before", "stall after", "drip", "50 MB")
"""Kinds that take time to try."""
