# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of whether a request can have left: recorded where its bytes are handed to a connection, never inferred.

The classes of exceptions do not tell. Libraries call it a proxy's error when a proxy closes after it has passed the
request on, and a TLS error when the response to a delivered request cannot be decrypted.
"""

from __future__ import annotations

import http.client
import math
import threading
import time
from typing import Any

from .addresses import is_loopback


class DeliveryForbidden(Exception):
    """Nobody waits for this request any more, so it is not sent."""


class NotThisMachine(Exception):
    """A request that may go to this machine only would have gone to another."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__(address)


class Delivery:
    """One request's delivery. It begins once, with the first byte for a socket whose TLS and proxy are set up.

    With `stays_here`, it is for this machine and for no other, whatever a name leads to. It takes no connection
    that has been idle for longer than `longest_idle` seconds: the other side may be about to close that.
    """

    def __init__(self, *, stays_here: bool = False, longest_idle: float = math.inf) -> None:
        self._stays_here = stays_here
        self._longest_idle = longest_idle
        self._lock = threading.Lock()
        self._has_connected = self._has_begun = self._is_forbidden = False

    def connect(self) -> None:
        """Record that a connection is about to be made for it, so that none of its bytes has left yet."""
        with self._lock:
            self._has_connected = True

    def check(self, sock: Any) -> None:
        """Raise NotThisMachine if what was connected to is not where the request may go."""
        if self._stays_here and not is_loopback(address := sock.getpeername()[0]):
            raise NotThisMachine(address)

    def takes(self, idle: float) -> bool:
        """Whether it may use a connection that has been idle for so many seconds."""
        return idle < self._longest_idle

    def was_on_kept_connection(self) -> bool:
        """Whether it began on a connection that was there already."""
        with self._lock:
            return self._has_begun and not self._has_connected

    def has_connected(self) -> bool:
        """Whether a connection was made for it, or begun."""
        with self._lock:
            return self._has_connected or self._has_begun

    def begin(self) -> None:
        """Record that bytes are about to leave. Raises DeliveryForbidden where that must not happen any more."""
        with self._lock:
            if self._is_forbidden and not self._has_begun:
                raise DeliveryForbidden
            self._has_begun = True

    def may_have_begun(self) -> bool:
        """Whether any byte can have left so far: yes, unless it is seen to wait for its connection."""
        with self._lock:
            return self._has_begun or not self._has_connected

    def forbid(self) -> bool:
        """Keep the delivery from beginning. Returns whether it may have begun before."""
        with self._lock:
            self._is_forbidden = True
            return self._has_begun or not self._has_connected


_here = threading.local()


def deliver_here(delivery: Delivery) -> None:
    """Let what this thread sends from now on be recorded in `delivery`."""
    _here.delivery = delivery


def record_deliveries(manager: Any) -> Any:
    """Let all connections that a pool manager of urllib3 makes record what is sent over them. Returns the manager."""
    pools = manager.pool_classes_by_scheme
    # Managers of proxies are asked for again and again.
    if not any(issubclass(pool.ConnectionCls, _Recording) for pool in pools.values()):
        manager.pool_classes_by_scheme = {scheme: _recording(pool) for scheme, pool in pools.items()}
    return manager


def _recording(pool: Any) -> Any:
    connection = type(pool.ConnectionCls.__name__, (_Recording, pool.ConnectionCls), _named_like(pool.ConnectionCls))
    return type(pool.__name__, (_Choosing, pool), {**_named_like(pool), "ConnectionCls": connection})


def _named_like(original: Any) -> dict[str, str]:
    """Errors quote the names of these classes, so they keep them."""
    return {"__module__": original.__module__, "__qualname__": original.__qualname__}


class _Choosing:
    """What is mixed into urllib3's pools: which of the connections that are kept a delivery takes."""

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
    """The answer itself: what a server says before that (1xx) is read and dropped. http.client drops 100 only."""

    def _read_status(self) -> Any:
        while True:
            line = super()._read_status()  # type: ignore[misc]
            status = line[1]
            # 101 is the last that is said in HTTP.
            if status // 100 != 1 or status in (http.client.CONTINUE, http.client.SWITCHING_PROTOCOLS):
                return line
            http.client.parse_headers(self.fp)


class _Recording:
    """What is mixed into urllib3's connections: all that they write passes through `send`, of http.client."""

    sock: Any
    auto_open: Any
    response_class = _FinalResponse
    _is_connecting = False

    def connect(self) -> None:
        # What is sent in here is for the proxy, and the TLS handshake.
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
