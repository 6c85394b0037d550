# SPDX-License-Identifier: GPL-3.0-or-later
"""Records whether a request may have been sent, where its bytes are passed to a connection, and limits its time.

What was sent cannot be inferred from exceptions. Libraries raise a proxy error if a proxy closes after it has forwarded
the request, and a TLS error if the response to a delivered request cannot be decrypted. And their timeouts restart with
each piece that arrives, so a slow response would never end.
"""

from __future__ import annotations

import functools
import http.client
import io
import math
import threading
import time
from collections.abc import Callable
from typing import Any

from .addresses import is_loopback

_here = threading.local()


class NotThisMachine(Exception):
    """A request that is allowed to go to this machine only leads to another one, whose address is the message."""


class Delivery:
    """The delivery of one request, which begins with the first byte on a socket whose TLS and proxy are set up.

    It ends after so many `seconds`. If it `stays_here`, it goes to this machine only, no matter what a name resolves
    to. It does not use connections that have been idle for longer than `longest_idle` seconds, because the server may
    be about to close them. It `has_connected` once a connection is about to be opened for the request, none of whose
    bytes has been sent then. What the thread that made it then sends belongs to it.
    """

    def __init__(self, *, seconds: float, stays_here: bool = False, longest_idle: float = math.inf) -> None:
        self.ends = time.monotonic() + seconds
        self.stays_here, self.longest_idle = stays_here, longest_idle
        self.has_connected = self.has_begun = False
        _here.delivery = self

    def is_over(self) -> bool:
        return time.monotonic() >= self.ends

    def time_left(self) -> float:
        left = self.ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return left

    def limit(self, sock: Any) -> None:
        """Let the next read of a socket end in time. Raises TimeoutError if the time is over."""
        left, current = self.time_left(), sock.gettimeout()
        if current is None or left < current:
            sock.settimeout(left)

    def begin(self) -> None:
        """Record that bytes are about to be sent. Raises TimeoutError instead if none was and the time is over."""
        if not self.has_begun:
            self.time_left()
        self.has_begun = True

    def may_have_begun(self) -> bool:
        """Return whether any byte may have been sent: yes, unless the request still waits for its connection."""
        return self.has_begun or not self.has_connected


def record_deliveries(manager: Any) -> Any:
    """Make all connections of a pool manager of urllib3 record what is sent over them. Returns the manager."""
    pools = manager.pool_classes_by_scheme
    # Managers of proxies are passed here repeatedly.
    if not any(issubclass(pool.ConnectionCls, _DeliveryConnection) for pool in pools.values()):
        manager.pool_classes_by_scheme = {scheme: _recording(pool) for scheme, pool in pools.items()}
    return manager


@functools.cache
def _recording(pool: Any) -> Any:
    return _mixed(_DeliveryPool, pool, ConnectionCls=_mixed(_DeliveryConnection, pool.ConnectionCls))


def _mixed(mixin: Any, original: Any, **members: Any) -> Any:
    """Return a class with the mixin and the name of the original one, because error messages quote it."""
    names = {"__module__": original.__module__, "__qualname__": original.__qualname__}
    return type(original.__name__, (mixin, original), {**names, **members})


class _DeliveryPool:
    """A mixin for connection pools of urllib3 that chooses among the kept connections."""

    def _get_conn(self, timeout: float | None = None) -> Any:
        connection = super()._get_conn(timeout)  # type: ignore[misc]
        kept_since = getattr(connection, "kept_since", None)
        if kept_since is None or time.monotonic() - kept_since < _here.delivery.longest_idle:
            return connection
        connection.close()
        return self._new_conn()  # type: ignore[attr-defined]

    def _put_conn(self, connection: Any) -> None:
        if connection is not None:
            connection.kept_since = time.monotonic()
        super()._put_conn(connection)  # type: ignore[misc]


class _TimedReads(io.RawIOBase):
    """What is read from a socket until the time of a delivery is over."""

    def __init__(self, sock: Any, source: Any, delivery: Delivery) -> None:
        self._sock, self._source, self._delivery = sock, source, delivery

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        try:
            self._delivery.limit(self._sock)
        except TimeoutError:
            self._source.close()  # otherwise, the socket stays open as long as anything refers to this
            raise
        return self._source.readinto(buffer)

    def close(self) -> None:
        self._source.close()
        super().close()


class _FinalResponse(http.client.HTTPResponse):
    """A response, limited in time, without the interim ones (1xx) before it, of which http.client skips 100 only."""

    fp: Any

    def __init__(self, sock: Any, *args: Any, **settings: Any) -> None:
        super().__init__(sock, *args, **settings)
        self.fp = io.BufferedReader(_TimedReads(sock, self.fp.detach(), _here.delivery))

    def _read_status(self) -> Any:
        while True:
            line = super()._read_status()  # type: ignore[misc]
            status = line[1]
            # 101 is the last response in HTTP.
            if status // 100 != 1 or status in (http.client.CONTINUE, http.client.SWITCHING_PROTOCOLS):
                return line
            http.client.parse_headers(self.fp)


class _DeliveryConnection:
    """A mixin for connections of urllib3, which write everything through `send` of http.client."""

    sock: Any
    auto_open: Any
    close: Callable[[], None]
    response_class = _FinalResponse
    _is_connecting = False

    def connect(self) -> None:
        """Open the connection in a thread of its own, which can be abandoned.

        Nothing interrupts the resolution of a name, and each address, the proxy, and the TLS handshake have the whole
        timeout. Requests on a connection that is open need no thread, because the timeout of the socket limits them. A
        thread for each request would take longer than the rest of the request to a service nearby.
        """
        # Until then, only the proxy and the TLS handshake receive bytes.
        self._is_connecting = True
        delivery, connect = _here.delivery, super().connect  # type: ignore[misc]
        delivery.has_connected = True
        failures: list[BaseException] = []
        is_abandoned = threading.Event()

        def work() -> None:
            _here.delivery = delivery
            try:
                connect()
            except BaseException as exc:  # raised by the thread that waits for it
                failures.append(exc)
            if is_abandoned.is_set():
                failures.clear()  # They refer to the socket, which would stay open.
                self.close()

        opening = threading.Thread(target=work, daemon=True)
        opening.start()
        opening.join(delivery.time_left())
        if opening.is_alive():
            is_abandoned.set()
            delivery.ends = -math.inf
            raise TimeoutError("timed out")
        self._is_connecting = False
        if failures:
            raise failures[0]
        if delivery.stays_here and not is_loopback(address := self.sock.getpeername()[0]):
            raise NotThisMachine(address)
        delivery.begin()

    def send(self, data: Any) -> None:
        if self.sock is None and self.auto_open:
            self.connect()
        if not self._is_connecting:
            _here.delivery.begin()
            # A kept connection may have a shorter timeout, of the end of the previous request.
            self.sock.settimeout(_here.delivery.time_left())
        super().send(data)  # type: ignore[misc]
