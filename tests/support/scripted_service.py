# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that returns what the test says, for what the reference service never does: responses that break off, that
are not JSON, that lead elsewhere. It can also stand before another service and spoil some of its responses.

Written against sockets, since no library for servers breaks off in the middle of a response.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from socketserver import ThreadingTCPServer
from threading import Event, Lock, Thread
from typing import Any, TypeVar
from urllib.parse import urlsplit

from urllib3 import HTTPConnectionPool

Ending = Callable[[socket.socket, bytes], None]
"""What a client gets in place of a response, given its connection and the response."""


@dataclass
class Received:
    """A request as it came in. `number` counts from 0."""

    number: int
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body; None without one."""
        return json.loads(self.body) if self.body else None


@dataclass
class Response:
    """What to return. Without `status`, the connection is broken off instead, and with an `ending` after that."""

    status: int | None = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    ending: Ending | None = field(default=None, repr=False)

    def __bytes__(self) -> bytes:
        length = {} if self.status == 204 else {"Content-Length": str(len(self.body))}
        lines = [f"{name}: {value}\r\n" for name, value in {**length, **self.headers}.items()]
        return "".join([f"HTTP/1.1 {self.status} x\r\n", *lines, "\r\n"]).encode("latin-1") + self.body


One = TypeVar("One", bound="ScriptedService")
Script = Callable[[Received], Response]
Instead = Callable[[Received], "Response | None"]
"""The response in place of the service, or None to leave it to the service."""
BREAK_OFF = Response(status=None)


def as_json(value: Any, status: int = 200, **headers: str) -> Response:
    """A response with a JSON body; underscores in the names of headers stand for dashes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status, json.dumps(value).encode(), {"Content-Type": "application/json", **named})


def in_turn(*responses: Response) -> Script:
    """These responses in sequence, then the last of them for all further requests."""
    return lambda request: responses[min(request.number, len(responses) - 1)]


_OF_CONNECTION = ("host", "connection", "content-length")


def forwarding(base_url: str) -> Script:
    """What the service at `base_url` returns for the same request, which may have been sent to a proxy."""
    url = urlsplit(base_url)
    # A third of what requests would take, of which some tests send ten thousand.
    connections = HTTPConnectionPool(str(url.hostname), url.port, timeout=30, maxsize=16, retries=False)

    def forwarded(request: Received) -> Response:
        # A body that was changed has another length.
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _OF_CONNECTION}
        path = url.path + re.sub("^http://[^/]*", "", request.path)
        response = connections.request(request.method, path, body=request.body or None, headers=headers)
        return Response(response.status, response.data, {"Content-Type": "application/json"})

    return forwarded


def changing(base_url: str, change: Callable[[Received, Any], Any]) -> Instead:
    """A service that returns what `change` makes of the JSON that the one at `base_url` returns."""
    forward = forwarding(base_url)

    def changed(request: Received) -> Response:
        response = forward(request)
        body = json.dumps(change(request, json.loads(response.body))).encode() if response.body else b""
        return replace(response, body=body)

    return changed


def dropping(base_url: str, name: str, value: Any = None) -> Instead:
    """A service that ignores a field of each body, or takes another value for it."""
    forward = forwarding(base_url)

    def dropped(request: Received) -> Response | None:
        fields = request.json() or {}
        taken = {one: own if one != name else value for one, own in fields.items() if one != name or value is not None}
        return forward(replace(request, body=json.dumps(taken).encode())) if name in fields else None

    return dropped


class ScriptedService:
    """A running one, which lets `serve` handle each connection. `received` are the requests that it got, and `errors`
    what went wrong in itself.
    """

    def __init__(self, script: Script, serve: Serve | None = None) -> None:
        self.script, self._serve = script, serve or talk
        self.received: list[Received] = []
        self.errors: list[Exception] = []
        self.connections = self.port = 0
        self.is_over = Event()
        self._lock = Lock()
        self._server: ThreadingTCPServer | None = None

    @property
    def authority(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"http://{self.authority}"

    def writes(self) -> list[str]:
        return [f"{request.method} {request.path}" for request in self.received if request.method != "GET"]

    @contextmanager
    def running(self: One) -> Iterator[One]:
        self.open()
        try:
            yield self
        finally:
            self.is_over.set()
            self.close()
        self.raise_errors()

    def open(self) -> None:
        """Accept connections, on the same port as before."""
        with self._lock:
            if self._server is None:
                server = self._server = _Server(("127.0.0.1", self.port), lambda line, *_rest: self._handle(line))
                self.port = server.server_address[1]
                Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self) -> None:
        """Reject connections."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()

    def _handle(self, connection: socket.socket) -> None:
        self.connections += 1
        try:
            self._serve(self, connection)
        except (ConnectionError, ssl.SSLError):
            pass
        except Exception as error:
            self.errors.append(error)

    def respond(self, connection: socket.socket) -> bool:
        """Read one request and return its response. Returns whether another request may follow."""
        if not (data := read_request(connection)):
            return False
        head, _end, body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _version = first.split(" ")
        with self._lock:
            request = Received(len(self.received), method, path, dict(line.split(": ", 1) for line in lines), body)
            self.received.append(request)
        response = self.script(request)
        if response.status is None:
            return False
        if response.ending is not None:
            response.ending(connection, bytes(response))
            return False
        connection.sendall(bytes(response))
        return "Connection" not in response.headers

    def raise_errors(self) -> None:
        """Raise what went wrong in the service itself, such as in its script."""
        if self.errors:
            raise self.errors.pop(0)


class _Server(ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


Serve = Callable[[ScriptedService, socket.socket], None]


def read_request(line: socket.socket) -> bytes:
    """A whole request, or nothing if its connection ends before, or begins with a TLS handshake."""
    data = b""
    while not (head := re.match(rb".*?\r\n\r\n", data, re.DOTALL)) or len(data) < head.end() + _length(head[0]):
        piece = line.recv(2**16)
        data += piece
        if not piece or data.startswith(b"\x16"):
            return b""
    return data


def _length(head: bytes) -> int:
    found = re.search(rb"(?i)\ncontent-length: *(\d+)", head)
    return int(found[1]) if found else 0


def talk(service: ScriptedService, line: socket.socket) -> None:
    while service.respond(line):
        pass


def saying(data: bytes) -> Serve:
    """Says this to whatever comes first: a request, a TLS handshake, or the wish for a tunnel."""

    def serve(_service: ScriptedService, connection: socket.socket) -> None:
        connection.recv(2**16)
        connection.sendall(data)

    return serve


def encrypted(tls: ssl.SSLContext, serve: Serve = talk) -> Serve:
    def over_tls(service: ScriptedService, connection: socket.socket) -> None:
        with tls.wrap_socket(connection, server_side=True) as line:
            serve(service, line)

    return over_tls


def scripted_service(
    script: Script | None = None, tls: ssl.SSLContext | None = None, serve: Serve = talk
) -> AbstractContextManager[ScriptedService]:
    """Start one on loopback, and stop it in the end. With `tls`, it takes https."""
    return ScriptedService(script or in_turn(Response(404)), encrypted(tls, serve) if tls else serve).running()


def standing_before(base_url: str, instead: Instead) -> AbstractContextManager[ScriptedService]:
    """Stand before the service at `base_url`, and respond `instead` where that has a response."""
    forward = forwarding(base_url)
    return scripted_service(lambda request: instead(request) or forward(request))


def rejecting(method: str, end: str = "", response: Response | None = None) -> Instead:
    """Reject the requests with this method whose path ends like this, without an effect."""
    rejection = response or Response(403)
    return lambda request: rejection if request.method == method and request.path.endswith(end) else None


def losing(base_url: str, method: str, response: Response = BREAK_OFF) -> Instead:
    """Let the service at `base_url` carry such requests out, and return something else."""
    forward = forwarding(base_url)

    def instead(request: Received) -> Response | None:
        if request.method != method:
            return None
        forward(request)
        return response

    return instead


def once(method: str, instead: Instead) -> Instead:
    """Respond `instead` to the first request with this method only."""
    left = iter([instead])
    return lambda request: next(left, lambda _request: None)(request) if request.method == method else None
