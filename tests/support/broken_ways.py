# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to a service that break, before a request has left and while its response arrives: proxies and TLS."""

from __future__ import annotations

import os
import socket
import time

from scripted_service import Ending, ScriptedService, Serve, read_request, talk

RAW_RECORDS = {
    "a bad record": b"\x17\x03\x03\x00\x20" + b"\x00" * 32,
    "an alert": b"\x15\x03\x03\x00\x02\x02\x50",
    "plain text": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    "nothing more": b"",
}
"""What a server writes past its TLS connection."""


def raw_record(record: bytes, part: float) -> Ending:
    """A part of the response, and then what is not a record of this TLS connection."""

    def end(line: socket.socket, response: bytes) -> None:
        line.sendall(response[: int(len(response) * part)])
        os.write(line.fileno(), record)

    return end


def saying(data: bytes) -> Serve:
    """Says this to whatever comes first: a request, a TLS handshake, or the wish for a tunnel."""

    def serve(_way: ScriptedService, connection: socket.socket) -> None:
        connection.recv(2**16)
        connection.sendall(data)

    return serve


def in_tunnel(serve: Serve = talk, seconds_between: float = 0.0) -> Serve:
    """A proxy that is asked for a tunnel, and opens it byte by byte."""

    def opened(way: ScriptedService, connection: socket.socket) -> None:
        read_request(connection)
        for byte in b"HTTP/1.1 200 Connection established\r\n\r\n":
            connection.sendall(bytes([byte]))
            time.sleep(seconds_between)
        serve(way, connection)

    return opened


def closing_kept(way: ScriptedService, connection: socket.socket) -> None:
    """Closes each connection with the second request on it, which it has read."""
    way.respond(connection)
    read_request(connection)


def stalling(way: ScriptedService, _connection: socket.socket) -> None:
    way.is_over.wait(10)
