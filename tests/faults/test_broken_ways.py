# SPDX-License-Identifier: GPL-3.0-or-later
"""Proxies and TLS connections that break: only what was certainly not sent is retried."""

from __future__ import annotations

import itertools
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Thread
from typing import Any

import pytest

from amount import some_of
from ansible_collections.edgeops.ingress.plugins.module_utils import _errors
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Misdirected, OutcomeUnknown, Unreachable
from ansible_collections.edgeops.ingress.plugins.module_utils._transport import delivery, exchange
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.client import Client
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from certificates import Authority
from fault_proxy import reset
from figures import Figures
from module_task import Given, Tasks
from scripted_service import (
    Ending,
    Received,
    Response,
    ScriptedService,
    Serve,
    as_json,
    encrypted,
    forwarding,
    in_turn,
    read_request,
    saying,
    scripted_service,
    talk,
)

IMPATIENT = 0.25
PATIENT = 5.0
FAR = "service.example"
"""A service that is not on this machine, which only a proxy finds: what is on it is asked for without one."""

EMPTY = in_turn(as_json({}))

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


class Ways:
    """Breaking ways to the service of the tasks, and clients that take them."""

    def __init__(self, tasks: Tasks, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tls = authority.context("localhost", FAR)
        self.forwarded = forwarding(tasks.service.base_url)
        self._tasks, self._authority, self._monkeypatch = tasks, authority, monkeypatch
        monkeypatch.setenv("NO_PROXY", "")
        exchange._session_for.cache_clear()

    @contextmanager
    def to_the_service(
        self, serve: Serve, is_proxy: bool = False, ending: Ending | None = None
    ) -> Iterator[ScriptedService]:
        """A way, which is the proxy of the sessions to come if it is one. The response to a write gets the ending."""

        def script(request: Received) -> Response:
            response = replace(self.forwarded(request), headers={"Connection": "close"})
            return response if request.method == "GET" else replace(response, ending=ending)

        with scripted_service(script, serve=serve) as way:
            if is_proxy:
                self.take_proxy(way.base_url)
            yield way

    def take_proxy(self, url: str) -> None:
        for name in ("HTTP_PROXY", "HTTPS_PROXY"):
            self._monkeypatch.setenv(name, url)
        exchange._session_for.cache_clear()  # sessions read the environment once

    def service(self, in_a_tunnel: bool = False) -> Serve:
        """A service with TLS, or a proxy with a tunnel to one."""
        return in_tunnel(encrypted(self.tls)) if in_a_tunnel else encrypted(self.tls)

    def connection(self, base_url: str, **options: Any) -> Given:
        settings = {"base_url": base_url, "timeout": 5.0, "retries": 2, "ca_path": str(self._authority.path)}
        return {**settings, **options}

    def client(self, base_url: str, **options: Any) -> Client:
        settings = {"api_key": self._tasks.service.api_key, **self.connection(base_url, **options)}
        return Client(Connection(**settings), Progress(sleep=lambda seconds: None))


@pytest.fixture
def ways(tasks: Tasks, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(tasks, authority, monkeypatch)


def https_to(way: ScriptedService, is_proxy: bool = False) -> str:
    return f"https://{FAR if is_proxy else 'localhost'}:{way.port}"


def returning(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()


def instead(data: bytes) -> Ending:
    return lambda line, response: line.sendall(data)


PROXIES: dict[str, Ending] = {
    "a proxy closes": instead(b""),
    "a proxy resets": reset,
    "a proxy closes in the middle of the response": lambda line, response: line.sendall(response[: len(response) // 2]),
    "a proxy returns 502": instead(returning("502 Bad Gateway")),
    "a proxy returns what is not HTTP": instead(b"what?\r\n\r\n"),
}
BREAKING_TLS: dict[str, Ending] = {
    f"TLS has {name} {when}": raw_record(record, part)
    for name, record in RAW_RECORDS.items()
    for when, part in (("instead of the response", 0.0), ("in the middle of the response", 0.5))
}
# The ending, and whether there is TLS and a proxy.
WAYS: dict[str, tuple[Ending, bool, bool]] = {
    **{name: (ending, False, True) for name, ending in PROXIES.items()},
    **{name: (ending, True, False) for name, ending in BREAKING_TLS.items()},
    **{f"{name}, in a proxy's tunnel": (ending, True, True) for name, ending in BREAKING_TLS.items()},
}


@pytest.mark.parametrize("find_by", ["metadata", "none"])
@pytest.mark.parametrize("name", some_of([*WAYS], 6, "broken ways"))
def test_a_broken_connection_makes_no_second_edge(
    tasks: Tasks, figures: Figures, ways: Ways, name: str, find_by: str
) -> None:
    ending, is_tls, is_proxy = WAYS[name]
    with ways.to_the_service(ways.service(is_proxy) if is_tls else talk, is_proxy, ending) as way:
        url = https_to(way, is_proxy) if is_tls else f"http://{FAR}"
        options = ways.connection(url, allow_http=True)
        result = tasks.run("https_edge", **options, find_by=find_by, metadata="the one")
    held = tasks.service.state()["https_edges"]
    complaints = [f"there are {len(held)} edges"] if len(held) != 1 else []
    figures.tried("proxies and TLS connections that break during a response", 1, complaints)
    assert complaints == []
    assert len(way.writes()) == 1
    assert result.get("failed", False) == (find_by == "none")
    assert find_by == "metadata" or "may have created" in result["msg"]


BUSY = "the proxy in the environment received too many requests; run fewer"
# What the way does before anything is sent, whether it is a proxy, and the message.
MAY_PASS: dict[str, tuple[Serve, bool, str]] = {
    "a proxy returns 429": (saying(returning("429 Too Many Requests")), True, BUSY),
    "a proxy returns 502": (saying(returning("502 Bad Gateway")), True, "502 Bad Gateway"),
    "a proxy closes": (saying(b""), True, "check `base_url` and the proxy"),
    "a proxy says nothing": (stalling, True, "no connection within"),
    "an alert": (saying(RAW_RECORDS["an alert"]), False, ""),
    "no response to a handshake": (saying(b""), False, "check `base_url` and the network connection"),
    "a handshake that stalls": (stalling, False, "no connection within"),
}
NO_PROXY = "the proxy in the environment does not speak HTTP"
NO_TLS = r"localhost:\d+ does not speak TLS"
NO_VERSION = r"localhost:\d+ and this machine have no TLS version in common; check `base_url`"
PASSWORD = (
    "the proxy requires a user name and a password, or other ones; "
    r"add .* such as in HTTPS_PROXY, and percent-encode [^*]*\(Tunnel connection failed: 407 x\)$"
)
REJECTED = rf"rejects the connection \({{0}}\); check .* {FAR}:\d+ \(Tunnel connection failed: {{0}} x\)$"
# What a proxy says that is none, and how that is shown.
NO_PROXIES = {
    b"SSH-2.0-OpenSSH_9\r\n": "SSH-2.0-OpenSSH_9",
    b"<html>hello</html>": "<html>hello</html>",
    b"what?\r\n\r\n": r"what\?",
    b"\x15\x03\x01\x00\x02\x02\x46\r\n": r"(\\u00\d\d)+F",
    b"x" * 5000: "x{499}\N{HORIZONTAL ELLIPSIS}",
    b"x" * 70000: "got more than .*",
}
PERMANENT: dict[str, tuple[Serve, bool, str]] = {
    "no handshake": (saying(b"what?"), False, f"{NO_TLS}; check the scheme and the port of `base_url`"),
    "plain http": (saying(returning("400 Bad Request")), False, NO_TLS),
    "no handshake through a proxy": (in_tunnel(saying(b"what?")), True, rf"{FAR}:\d+ does not speak TLS"),
    "a proxy that wants another password": (saying(returning("407 x")), True, PASSWORD),
    **{
        f"a proxy returns {status}": (saying(returning(f"{status} x")), True, REJECTED.format(status))
        for status in (101, 204, 301, 302, 403, 404, 600)
    },
    **{
        f"a proxy that is none: {said[:9]!r}": (saying(said), True, rf"{NO_PROXY}; check its URL .* \({shown}\)$")
        for said, shown in NO_PROXIES.items()
    },
    "no common version of TLS": (saying(b"\x15\x03\x03\x00\x02\x02\x46"), False, NO_VERSION),
}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", [*MAY_PASS, *PERMANENT])
def test_what_was_certainly_not_sent_is_retried_unless_it_is_permanent(ways: Ways, name: str, method: str) -> None:
    serve, is_proxy, message = {**MAY_PASS, **PERMANENT}[name]
    error, retries = (Unreachable, 2) if name in MAY_PASS else (Misdirected, 0)
    with ways.to_the_service(serve, is_proxy) as way:
        this = ways.client(https_to(way, is_proxy), timeout=IMPATIENT if serve is stalling else 5.0)
        with pytest.raises(error, match=f"^{method} /edges/https: .*{message}"):
            this.call(method, "/edges/https")
        # A busy machine may accept the last connection after the client has given it up.
        end = time.monotonic() + PATIENT
        while way.connections < retries + 1 and time.monotonic() < end:
            time.sleep(0.01)
        assert (way.connections, this.patience.retries) == (retries + 1, retries)


def test_a_connection_that_has_worked_before_is_retried(ways: Ways) -> None:
    def serve(way: ScriptedService, connection: socket.socket) -> None:
        (saying(b"what?") if way.connections == 2 else ways.service())(way, connection)

    with ways.to_the_service(serve) as way:
        this = ways.client(https_to(way))
        for _again in range(2):
            this.call("GET", "/edges/https")
        assert (way.connections, len(way.received), this.patience.retries) == (3, 2, 1)


def test_a_request_that_was_given_up_does_not_leave_later(ways: Ways) -> None:
    gone = Event()
    # Takes longer to open a tunnel than a request may take, though it never pauses for long.
    slow = in_tunnel(encrypted(ways.tls), seconds_between=0.02)

    def until_the_end(way: ScriptedService, connection: socket.socket) -> None:
        try:
            slow(way, connection)
        finally:
            gone.set()

    with ways.to_the_service(until_the_end, is_proxy=True) as way:
        this = ways.client(https_to(way, is_proxy=True), timeout=IMPATIENT, retries=0)
        with pytest.raises(Unreachable, match="no connection"):
            this.call("POST", "/edges/https", {})
        assert gone.wait(10)
        assert (way.connections, way.received) == (1, [])


def test_an_unknown_certificate_behind_a_proxy_is_not_retried(ways: Ways) -> None:
    with ways.to_the_service(ways.service(in_a_tunnel=True), is_proxy=True) as way:
        with pytest.raises(Misdirected, match="ca_path"):
            ways.client(https_to(way, is_proxy=True), ca_path=None).call("POST", "/edges/https", {})
        assert (way.connections, way.received) == (1, [])


@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_a_kept_connection_that_is_closed_with_a_request_on_it(ways: Ways, method: str) -> None:
    """It may have been read: only what may be sent twice is retried. What comes later takes no kept connection."""
    with scripted_service(EMPTY, serve=closing_kept) as way:
        this = ways.client(way.base_url)
        this.call("GET", "/first")
        if method == "GET":
            assert this.call(method, "/second") == (200, {})
        else:
            with pytest.raises(OutcomeUnknown):
                this.call(method, "/second", {})
        assert way.connections == (2 if method == "GET" else 1)
        for _again in range(3):
            assert this.call("PATCH", "/third", {}) == (200, {})


@pytest.mark.parametrize("is_proxy", [False, True])
def test_a_creation_takes_no_kept_connection(ways: Ways, is_proxy: bool) -> None:
    with scripted_service(EMPTY, serve=ways.service(is_proxy)) as way:
        if is_proxy:
            ways.take_proxy(way.base_url)
        this = ways.client(https_to(way, is_proxy))
        for method, number in (("GET", 1), ("POST", 2), ("POST", 3)):
            assert this.call(method, "/x", None if method == "GET" else {}) == (200, {})
            assert way.connections == number


def test_a_change_takes_no_connection_that_was_idle_for_long(ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_service(EMPTY) as way:
        this = ways.client(way.base_url)
        this.call("GET", "/first")
        monkeypatch.setattr(delivery.time, "monotonic", lambda now=time.monotonic: now() + 2)
        assert this.call("PATCH", "/second", {}) == (200, {})
        assert way.connections == 2


def test_each_of_many_threads_knows_whether_its_bytes_were_sent(tasks: Tasks, ways: Ways) -> None:
    """They share a session: each knows of its own request whether it was sent."""
    taken = itertools.count()

    def serve(way: ScriptedService, connection: socket.socket) -> None:
        (saying(b"") if next(taken) % 2 else ways.service())(way, connection)

    errors: list[str] = []

    def call(this: Client, number: int) -> None:
        try:
            this.call("POST", "/edges/https", {"description": str(number)})
        except _errors.RequestError as error:
            errors.append(type(error).__name__)

    with ways.to_the_service(serve, ending=instead(b"")) as way:
        this = ways.client(https_to(way), retries=0)
        threads = [Thread(target=call, args=(this, number)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(way.received) == 8
    assert sorted(errors) == ["OutcomeUnknown"] * 8 + ["Unreachable"] * 8
    assert len(tasks.service.state()["https_edges"]) == 8
