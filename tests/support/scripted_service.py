# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that returns what the test says, for what the reference service never does: responses that break off, that
are not JSON, that lead elsewhere. It can also stand before another service and spoil some of its responses.
"""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import requests


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
    """What to return. Without `status`, the connection is broken off instead."""

    status: int | None = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


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


def forwarding(base_url: str) -> Script:
    """What the service at `base_url` returns for the same request."""

    session = requests.Session()
    session.trust_env = False

    def forwarded(request: Received) -> Response:
        headers = {name: value for name, value in request.headers.items() if name.lower() not in ("host", "connection")}
        url = base_url + request.path
        response = session.request(request.method, url, data=request.body or None, headers=headers, timeout=30)
        return Response(response.status_code, response.content, {"Content-Type": "application/json"})

    return forwarded


class ScriptedService:
    """A running one. `received` are the requests that it got."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self._server = server
        self.received: list[Received] = []
        self.script: Script = in_turn(Response(404))

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def authority(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"http://{self.authority}"

    def writes(self) -> list[str]:
        return [f"{request.method} {request.path}" for request in self.received if request.method != "GET"]


@contextmanager
def scripted_service(script: Script | None = None, tls: ssl.SSLContext | None = None) -> Iterator[ScriptedService]:
    """Start one on loopback, and stop it in the end. With `tls`, it takes https."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # a body that waits for the head to be acknowledged takes 40 ms

        def _response(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            request = Received(len(running.received), self.command, self.path, dict(self.headers), body)
            running.received.append(request)
            response = running.script(request)
            if response.status is None:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            if response.status != 204:
                self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            self.wfile.write(response.body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _response  # noqa: N815 - the names that the server looks for

        def handle(self) -> None:
            with suppress(ssl.SSLError, ConnectionError):
                super().handle()

        def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - its name in the base class
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls is not None:
        # The handshake is left to the thread of each connection, which may fail without ending the service.
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    running = ScriptedService(server)
    if script is not None:
        running.script = script
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def standing_before(base_url: str, instead: Instead) -> Iterator[ScriptedService]:
    """Stand before the service at `base_url`, and respond `instead` where that has a response."""
    forward = forwarding(base_url)
    with scripted_service(lambda request: instead(request) or forward(request)) as between:
        yield between


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
