# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to a service that break: proxies and TLS connections, before a request has left and while its response arrives.

Written against sockets, since no library for servers breaks off in the middle of a TLS record.
"""

from __future__ import annotations

import os
import re
import socket
import socketserver
import ssl
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from urllib.parse import urlsplit

Serve = Callable[["Way", socket.socket], None]
Ending = Callable[[socket.socket, bytes], None]

RAW_RECORDS = {
    "a bad record": b"\x17\x03\x03\x00\x20" + b"\x00" * 32,
    "an alert": b"\x15\x03\x03\x00\x02\x02\x50",
    "plain text": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    "nothing more": b"",
}
"""What a server writes past its TLS connection."""


@dataclass
class Way:
    """A running one. `delivered` are the requests that came out at its end, `connections` are all that were made to it.

    `target` is the service that requests are passed on to; it is asked only once for each.
    """

    target: str
    tls: ssl.SSLContext
    port: int = 0
    connections: int = 0
    delivered: list[bytes] = field(default_factory=list)
    is_over: Event = field(default_factory=Event)

    def pass_on(self, request: bytes) -> bytes:
        """The service's whole response to a request, or nothing if no request came."""
        if not request:
            return b""
        self.delivered.append(request)
        address = urlsplit(self.target)
        head, _end, body = request.partition(b"\r\n\r\n")
        first, *lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        method, path, version = first.split(b" ")
        own_path = re.sub(rb"^http://[^/]*", b"", path)  # proxies get whole addresses
        first = b" ".join((method, own_path, version))
        with socket.create_connection((address.hostname, address.port), 10) as service:
            service.sendall(b"\r\n".join([first, *lines, b"Connection: close"]) + b"\r\n\r\n" + body)
            return b"".join(iter(lambda: service.recv(2**16), b""))


def read_request(connection: socket.socket) -> bytes:
    """A whole request, or what came of it."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (piece := connection.recv(2**16)):
            return data
        data += piece
    head, _end, body = data.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while len(body) < int(lengths[0] if lengths else 0):
        body += connection.recv(2**16)
    return head + b"\r\n\r\n" + body


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def open_tunnel(connection: socket.socket) -> None:
    read_request(connection)
    connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")


def http_response(status: str, body: bytes = b"") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def breaking(ending: Ending, *, tls: bool = False, tunnel: bool = False) -> Serve:
    """Passes requests on. A write's response gets this ending; a read's response is returned.

    With `tls`, it is a service; with `tunnel`, a proxy that is asked for the way to one; with neither, a plain proxy.
    """

    def serve(way: Way, connection: socket.socket) -> None:
        if tunnel:
            open_tunnel(connection)
        line = way.tls.wrap_socket(connection, server_side=True) if tls else connection
        with line:
            request = read_request(line)
            response = way.pass_on(request)
            if request.startswith(b"GET"):
                line.sendall(response)
            else:
                ending(line, response)

    return serve


def raw_record(record: bytes, part: float) -> Ending:
    """A part of the response, and then what is not a record of this TLS connection."""

    def end(line: socket.socket, response: bytes) -> None:
        line.sendall(response[: int(len(response) * part)])
        os.write(line.fileno(), record)

    return end


# Before.


def saying(data: bytes) -> Serve:
    """Says this to whatever comes first: a TLS handshake, or the wish for a tunnel."""

    def serve(_way: Way, connection: socket.socket) -> None:
        connection.recv(2**16)
        connection.sendall(data)

    return serve


def saying_in_tunnel(data: bytes) -> Serve:
    """Says this to the handshake in a proxy's tunnel."""

    def serve(way: Way, connection: socket.socket) -> None:
        open_tunnel(connection)
        saying(data)(way, connection)

    return serve


def slow_tunnel(serve: Serve) -> Serve:
    """Takes longer to open a tunnel than a request may take, though it never pauses for long."""

    def opened_slowly(way: Way, connection: socket.socket) -> None:
        read_request(connection)
        for byte in b"HTTP/1.1 200 OK\r\n\r\n":
            connection.sendall(bytes([byte]))
            time.sleep(0.05)
        serve(way, connection)

    return opened_slowly


def stalling(way: Way, _connection: socket.socket) -> None:
    way.is_over.wait(10)


@contextmanager
def broken_way(serve: Serve, target: str, tls: ssl.SSLContext) -> Iterator[Way]:
    """Let `serve` handle each connection to a port of loopback, and stop in the end."""
    way = Way(target, tls)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            way.connections += 1
            with suppress(OSError):
                serve(way, self.request)

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    way.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield way
    finally:
        way.is_over.set()
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def full_port() -> Iterator[int]:
    """A port of loopback that takes no further connection, and rejects none."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = [socket.socket() for _number in range(4)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(listener.getsockname())
        try:
            yield listener.getsockname()[1]
        finally:
            for each in waiting:
                each.close()
