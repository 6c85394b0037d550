# SPDX-License-Identifier: GPL-3.0-or-later
"""A proxy that spoils some of the requests on their way to a service, or the responses on their way back.

Every response closes its connection, so that each request has a connection of its own that can be rejected or reset.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

REJECTING_SECONDS = 0.03


@dataclass
class Request:
    """A request as it came in. `number` counts from 0; `forwarded` says whether the service got it."""

    number: int
    method: str
    path: str
    raw: bytes
    body: bytes
    forwarded: bool = False
    status: int | None = None


@dataclass(frozen=True)
class Fault:
    """What is done to one request, or before it. `spoil` gets the writer to the client and the service's response.

    The service gets the request only if it `takes_effect`; without, the response is empty. With neither, the
    connection is rejected.
    """

    spoil: Callable[[asyncio.StreamWriter, bytes], Awaitable[None]] | None
    takes_effect: bool = False


@dataclass
class FaultProxy:
    """A running one. `requests` are those that came in; `saw` is called after each, with what came of it."""

    target: str
    port: int = 0
    requests: list[Request] = field(default_factory=list)
    saw: Callable[[Request], None] = lambda request: None
    injected: list[int] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    _faults: Mapping[int, Fault] = field(default_factory=dict)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _listener: asyncio.Server | None = None

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self, faults: Mapping[int, Fault] | None = None) -> None:
        """Count requests from 0 again, with these faults at the requests of these numbers, and nobody looking on."""
        self.raise_errors()
        self.requests.clear()
        self.injected.clear()
        self._faults = faults or {}
        self.saw = lambda request: None
        self._run(self._reject_if_due(0))

    def raise_errors(self) -> None:
        """Raise what went wrong in the proxy itself, such as in the `spoil` of a fault.

        Otherwise only its loop would know, and print the error when it is collected. If that happens while pytest
        renders another error, Python 3.11 before 3.11.5 fails in `ast`, and pytest's worker is lost.
        """
        if self.errors:
            raise self.errors.pop(0)

    def start(self) -> None:
        Thread(target=self._loop.run_forever, daemon=True).start()
        self._run(self._listen())

    def stop(self) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self.raise_errors()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _listen(self) -> None:
        self._listener = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    async def _reject_if_due(self, number: int) -> None:
        fault = self._faults.get(number)
        if fault is not None and fault.spoil is None and number not in self.injected:
            self.injected.append(number)
            await self._close()
            self._loop.call_later(REJECTING_SECONDS, lambda: self._loop.create_task(self._listen()))

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(_length(head))
            method, path, _version = head.split(b"\r\n", 1)[0].decode().split(" ")
            request = Request(len(self.requests), method, path, head + body, body)
            self.requests.append(request)
            await self._respond(request, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except Exception as error:
            self.errors.append(error)
        with suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()

    async def _respond(self, request: Request, writer: asyncio.StreamWriter) -> None:
        fault = self._faults.get(request.number)
        spoil = fault.spoil if fault else None
        response = b""
        if fault is None or spoil is None or fault.takes_effect:
            response = await self._forwarded(request)
        self.saw(request)
        await self._reject_if_due(request.number + 1)
        if spoil is None:
            await send(writer, response)
        else:
            self.injected.append(request.number)
            await spoil(writer, response)

    async def _forwarded(self, request: Request) -> bytes:
        """The service's response, with its connection closed."""
        address = urlsplit(self.target)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        head, _end, body = request.raw.partition(b"\r\n\r\n")
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        writer.write(b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + body)
        request.forwarded = True
        response = await reader.read(-1)
        request.status = int(response.split(b" ", 2)[1])
        writer.close()
        return response


async def send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


def _length(head: bytes) -> int:
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    return int(lengths[0]) if lengths else 0


@contextmanager
def fault_proxy(target: str) -> Iterator[FaultProxy]:
    """Start one on loopback before the service at `target`, and stop it in the end."""
    proxy = FaultProxy(target)
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.stop()
