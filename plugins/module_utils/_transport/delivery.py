# SPDX-License-Identifier: GPL-3.0-or-later
"""Records whether a request may have been sent, at the point where its bytes are passed to a connection.

This cannot be inferred from exceptions. Libraries raise a proxy error if a proxy closes after it has forwarded the
request, and a TLS error if the response to a delivered request cannot be decrypted.
"""

from __future__ import annotations

import http.client
import math
import threading
import time
from typing import Any

from .addresses import is_loopback


class DeliveryForbidden(Exception):
    """A request that is no longer waited for, so it is not sent."""


class NotThisMachine(Exception):
    """A request to another machine that is allowed to go to this machine only."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__(address)


class Delivery:
    """The delivery of one request, which begins with the first byte on a socket whose TLS and proxy are set up.

    If it `stays_here`, it goes to this machine only, no matter what a name resolves to. It does not use connections
    that have been idle for longer than `longest_idle` seconds, because the server may be about to close them.
    """

    def __init__(self, *, stays_here: bool = False, longest_idle: float = math.inf) -> None:
        self._stays_here = stays_here
        self._longest_idle = longest_idle
        self._lock = threading.Lock()
        self._has_connected = self._has_begun = self._is_forbidden = False

    def connect(self) -> None:
        """Record that a connection is about to be opened for the request, so none of its bytes has been sent yet."""
        with self._lock:
            self._has_connected = True

    def check(self, sock: Any) -> None:
        """Raise NotThisMachine if the request is not allowed to go to the connected server."""
        if self._stays_here and not is_loopback(address := sock.getpeername()[0]):
            raise NotThisMachine(address)

    def takes(self, idle: float) -> bool:
        """Return whether the request may use a connection that has been idle for this many seconds."""
        return idle < self._longest_idle

    def was_on_kept_connection(self) -> bool:
        """Return whether it began on a connection that was already open."""
        with self._lock:
            return self._has_begun and not self._has_connected

    def has_connected(self) -> bool:
        """Return whether a connection was opened for it, or used."""
        with self._lock:
            return self._has_connected or self._has_begun

    def begin(self) -> None:
        """Record that bytes are about to be sent. Raises DeliveryForbidden if this is no longer allowed."""
        with self._lock:
            if self._is_forbidden and not self._has_begun:
                raise DeliveryForbidden
            self._has_begun = True

    def may_have_begun(self) -> bool:
        """Return whether any byte may have been sent: yes, unless the request still waits for its connection."""
        with self._lock:
            return self._has_begun or not self._has_connected

    def forbid(self) -> bool:
        """Prevent the delivery from beginning. Returns whether it may have begun already."""
        with self._lock:
            self._is_forbidden = True
            return self._has_begun or not self._has_connected


_here = threading.local()


def deliver_here(delivery: Delivery) -> None:
    """Record in `delivery` what this thread sends from now on."""
    _here.delivery = delivery


def record_deliveries(manager: Any) -> Any:
    """Make all connections of a pool manager of urllib3 record what is sent over them. Returns the manager."""
    pools = manager.pool_classes_by_scheme
    # Managers of proxies are passed here repeatedly.
    if not any(issubclass(pool.ConnectionCls, _DeliveryConnection) for pool in pools.values()):
        manager.pool_classes_by_scheme = {scheme: _recording(pool) for scheme, pool in pools.items()}
    return manager


def _recording(pool: Any) -> Any:
    connection = type(
        pool.ConnectionCls.__name__, (_DeliveryConnection, pool.ConnectionCls), _named_like(pool.ConnectionCls)
    )
    return type(pool.__name__, (_DeliveryPool, pool), {**_named_like(pool), "ConnectionCls": connection})


def _named_like(original: Any) -> dict[str, str]:
    """Keep the names of the classes, because error messages quote them."""
    return {"__module__": original.__module__, "__qualname__": original.__qualname__}


class _DeliveryPool:
    """A mixin for connection pools of urllib3 that chooses among the kept connections."""

    def _get_conn(self, timeout: float | None = None) -> Any:
        connection = super()._get_conn(timeout)  # type: ignore[misc]
        kept_since = getattr(connection, "kept_since", None)
        if kept_since is None or _here.delivery.takes(time.monotonic() - kept_since):
            return connection
        connection.close()
        return self._new_conn()  # type: ignore[attr-defined]

    def _put_conn(self, connection: Any) -> None:
        if connection is not None:
            connection.kept_since = time.monotonic()
        super()._put_conn(connection)  # type: ignore[misc]


class _FinalResponse(http.client.HTTPResponse):
    """A response without the interim responses (1xx) before it, of which http.client skips 100 only."""

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
    response_class = _FinalResponse
    _is_connecting = False

    def connect(self) -> None:
        # Until then, only the proxy and the TLS handshake receive bytes.
        self._is_connecting = True
        _here.delivery.connect()
        try:
            super().connect()  # type: ignore[misc]
            _here.delivery.check(self.sock)
        finally:
            self._is_connecting = False
        _here.delivery.begin()

    def send(self, data: Any) -> None:
        if self.sock is None and self.auto_open:
            self.connect()
        if not self._is_connecting:
            _here.delivery.begin()
        super().send(data)  # type: ignore[misc]
