# SPDX-License-Identifier: GPL-3.0-or-later
"""Proxies and TLS connections that break: only what was certainly not sent is retried."""

from __future__ import annotations

import itertools
import re
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import Any

import pytest

from amount import first_alone, some_of
from ansible_collections.edgeops.ingress.plugins.module_utils import _errors
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Misdirected, OutcomeUnknown, Unreachable
from ansible_collections.edgeops.ingress.plugins.module_utils._transport import delivery
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.client import Client
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from broken_ways import (
    RAW_RECORDS,
    Ending,
    Serve,
    Way,
    breaking,
    broken_way,
    full_port,
    http_response,
    open_tunnel,
    raw_record,
    read_request,
    reset,
    saying,
    saying_in_tunnel,
    slow_tunnel,
    stalling,
)
from certificates import Authority
from figures import Figures
from module_task import Given, Tasks

IMPATIENT = 0.25
PATIENT = 5.0
FAR = "service.example"
"""A service that is not on this machine, which only a proxy finds: what is on it is asked for without one."""

_numbers = itertools.count(1)


class Ways:
    """Breaking ways to the service of the tasks, and clients that take them."""

    def __init__(self, tasks: Tasks, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tls = authority.certificate("localhost", FAR).context()
        self._tasks, self._authority, self._monkeypatch = tasks, authority, monkeypatch
        monkeypatch.setenv("NO_PROXY", "")

    @contextmanager
    def to_the_service(self, serve: Serve, is_proxy: bool = False) -> Iterator[Way]:
        """A way, which is the proxy of the sessions to come if it is one."""
        with broken_way(serve, self._tasks.service.base_url, self.tls) as way:
            for name in ("HTTP_PROXY", "HTTPS_PROXY") if is_proxy else ():
                self._monkeypatch.setenv(name, f"http://127.0.0.1:{way.port}")
            yield way

    def connection(self, base_url: str, **options: Any) -> Given:
        """The options of a connection that has no session yet: proxies are determined once for each session."""
        settings = {"base_url": base_url, "timeout": 5.0, "retries": 2, "retry_max_wait": 1000.0 + next(_numbers)}
        return {**settings, "ca_path": str(self._authority.path), **options}

    def client(self, base_url: str, **options: Any) -> Client:
        settings = {"api_key": self._tasks.service.api_key, **self.connection(base_url, **options)}
        return Client(Connection(**settings), Progress(sleep=lambda seconds: None))


@pytest.fixture
def ways(tasks: Tasks, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(tasks, authority, monkeypatch)


def https_to(way: Way, is_proxy: bool = False) -> str:
    return f"https://{FAR if is_proxy else 'localhost'}:{way.port}"


def http_to(way: Way) -> str:
    return f"http://127.0.0.1:{way.port}"


BREAKING_PROXIES: dict[str, Ending] = {
    "closes": lambda line, response: None,
    "resets": lambda line, response: reset(line),
    "closes in the middle of the response": lambda line, response: line.sendall(response[: len(response) // 2]),
    "returns 502": lambda line, response: line.sendall(http_response("502 Bad Gateway")),
    "returns what is not HTTP": lambda line, response: line.sendall(b"what?\r\n\r\n"),
}
BREAKING_TLS: dict[str, Ending] = {
    f"{name} {when}": raw_record(record, part)
    for name, record in RAW_RECORDS.items()
    for when, part in (("instead of the response", 0.0), ("in the middle of the response", 0.5))
}
WAYS: dict[str, Serve] = {
    **{f"a proxy {name}": breaking(ending) for name, ending in BREAKING_PROXIES.items()},
    **{f"TLS has {name}": breaking(ending, tls=True) for name, ending in BREAKING_TLS.items()},
    **{f"TLS has {name}, in a proxy's tunnel": breaking(e, tls=True, tunnel=True) for name, e in BREAKING_TLS.items()},
}


@pytest.mark.parametrize("find_by", ["metadata", "none"])
@pytest.mark.parametrize("name", some_of([*WAYS], 6, "broken ways"))
def test_a_connection_that_breaks_later_makes_no_second_edge(
    tasks: Tasks, figures: Figures, ways: Ways, name: str, find_by: str
) -> None:
    is_tls = name.startswith("TLS")
    is_proxy = not is_tls or "proxy" in name
    with ways.to_the_service(WAYS[name], is_proxy) as way:
        base_url = https_to(way, is_proxy) if is_tls else https_to(way, is_proxy).replace("https:", "http:")
        options = ways.connection(base_url, allow_http=True)
        result = tasks.run("https_edge", **options, find_by=find_by, metadata="the one")
    held = tasks.service.state()["https_edges"]
    complaints = [f"there are {len(held)} edges"] if len(held) != 1 else []
    figures.tried("proxies and TLS connections that break during a response", 1, complaints)
    assert complaints == []
    assert [request.startswith(b"POST") for request in way.delivered].count(True) == 1
    assert result.get("failed", False) == (find_by == "none")
    assert find_by == "metadata" or "may have created" in result["msg"]


def returning(status: str) -> Serve:
    return saying(http_response(status))


# What the way does, and whether it is a proxy.
CERTAINLY_NOT_SENT: dict[str, tuple[Serve, bool]] = {
    "a proxy returns 429": (returning("429 Too Many Requests"), True),
    "a proxy returns 502": (returning("502 Bad Gateway"), True),
    "a proxy closes": (saying(b""), True),
    "a proxy says nothing": (stalling, True),
    "an alert": (saying(RAW_RECORDS["an alert"]), False),
    "no response to a handshake": (saying(b""), False),
    "a handshake that stalls": (stalling, False),
}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", CERTAINLY_NOT_SENT)
def test_a_connection_that_breaks_before_sending_is_retried(ways: Ways, name: str, method: str) -> None:
    serve, is_proxy = CERTAINLY_NOT_SENT[name]
    with ways.to_the_service(serve, is_proxy) as way:
        this = ways.client(https_to(way, is_proxy), timeout=IMPATIENT if serve is stalling else 5.0)
        with pytest.raises(Unreachable, match=f"^{method} /edges/https: "):
            this.call(method, "/edges/https")
        # A busy machine may accept the last connection after the client has given it up.
        end = time.monotonic() + PATIENT
        while way.connections < 3 and time.monotonic() < end:
            time.sleep(0.01)
        assert (way.connections, way.delivered, this.patience.retries) == (3, [], 2)


NO_PROXY = "the proxy in the environment does not speak HTTP"

NO_TLS = r"localhost:\d+ does not speak TLS"
NO_VERSION = r"localhost:\d+ and this machine have no TLS version in common; check `base_url`"
NO_PASSWORD = "the proxy requires a user name and a password"
OTHER_PASSWORD = r"such as in HTTPS_PROXY, and percent-encode [^*]*\(Tunnel connection failed: 407 x\)$"
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
NEVER_SENT: dict[str, tuple[Serve, bool, str]] = {
    "no handshake": (saying(b"what?"), False, f"{NO_TLS}; check the scheme and the port of `base_url`"),
    "plain http": (returning("400 Bad Request"), False, NO_TLS),
    "no handshake through a proxy": (saying_in_tunnel(b"what?"), True, rf"{FAR}:\d+ does not speak TLS"),
    "a proxy without the password": (returning("407 x"), True, NO_PASSWORD),
    "a proxy that wants another password": (returning("407 x"), True, OTHER_PASSWORD),
    **{
        f"a proxy returns {status}": (returning(f"{status} x"), True, REJECTED.format(status))
        for status in (101, 204, 301, 302, 403, 404, 600)
    },
    **{
        f"a proxy that is none: {said[:9]!r}": (saying(said), True, rf"{NO_PROXY}; check its URL .* \({shown}\)$")
        for said, shown in NO_PROXIES.items()
    },
    "no common version of TLS": (saying(b"\x15\x03\x03\x00\x02\x02\x46"), False, NO_VERSION),
}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", NEVER_SENT)
def test_a_permanent_connection_error_is_not_retried(ways: Ways, name: str, method: str) -> None:
    serve, is_proxy, message = NEVER_SENT[name]
    with ways.to_the_service(serve, is_proxy) as way:
        this = ways.client(https_to(way, is_proxy))
        with pytest.raises(Misdirected, match=f"^{method} /edges/https: .*{message}"):
            this.call(method, "/edges/https")
        assert (way.connections, way.delivered, this.patience.retries) == (1, [], 0)


def test_a_proxy_with_too_many_requests(ways: Ways) -> None:
    busy = "the proxy in the environment received too many requests; run fewer"
    proxy = saying(http_response("429 x"))
    with ways.to_the_service(proxy, is_proxy=True) as way, pytest.raises(Unreachable, match=busy):
        ways.client(https_to(way, is_proxy=True)).call("GET", "/edges/https")


def test_a_connection_that_has_worked_before_is_retried(ways: Ways) -> None:
    fine = breaking(lambda line, response: line.sendall(response), tls=True)

    def serve(way: Way, connection: socket.socket) -> None:
        (saying(b"what?") if way.connections == 2 else fine)(way, connection)

    with ways.to_the_service(serve) as way:
        this = ways.client(https_to(way))
        for _again in range(2):
            this.call("GET", "/edges/https")
        assert (way.connections, len(way.delivered), this.patience.retries) == (3, 2, 1)


QUICK = [name for name, (serve, _is_proxy) in CERTAINLY_NOT_SENT.items() if serve is not stalling]


@pytest.mark.parametrize("name", QUICK)
def test_what_comes_after_a_broken_start_is_created_once(tasks: Tasks, ways: Ways, name: str) -> None:
    broken, is_proxy = CERTAINLY_NOT_SENT[name]
    fine = breaking(lambda line, response: line.sendall(response), tls=True, tunnel=is_proxy)

    def serve(way: Way, connection: socket.socket) -> None:
        (broken if way.connections == 1 else fine)(way, connection)

    with ways.to_the_service(serve, is_proxy) as way:
        result = tasks.done("https_edge", **ways.connection(https_to(way, is_proxy)), find_by="none")
    assert (len(tasks.service.state()["https_edges"]), result["retries"]) == (1, 1)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_connection_that_takes_too_long(ways: Ways, scheme: str) -> None:
    with full_port() as port:
        this = ways.client(f"{scheme}://127.0.0.1:{port}", timeout=IMPATIENT, retries=1)
        with pytest.raises(Unreachable, match=r"POST /x: no connection within 0\.25 seconds"):
            this.call("POST", "/x", {})
    assert this.patience.retries == 1


def test_a_request_that_was_given_up_does_not_leave_later(ways: Ways) -> None:
    gone = Event()

    def serve(way: Way, connection: socket.socket) -> None:
        with way.tls.wrap_socket(connection, server_side=True) as line:
            way.pass_on(read_request(line))

    def until_the_end(way: Way, connection: socket.socket) -> None:
        try:
            slow_tunnel(serve)(way, connection)
        finally:
            gone.set()

    with ways.to_the_service(until_the_end, is_proxy=True) as way:
        this = ways.client(https_to(way, is_proxy=True), timeout=IMPATIENT, retries=0)
        with pytest.raises(Unreachable, match="no connection"):
            this.call("POST", "/edges/https", {})
        assert gone.wait(10)
        assert (way.connections, way.delivered) == (1, [])


def test_the_error_without_a_proxy_names_base_url_and_the_proxy(tasks: Tasks, ways: Ways) -> None:
    with ways.to_the_service(stalling, is_proxy=True):
        pass
    this = ways.client(f"http://{FAR}", allow_http=True)
    with pytest.raises(Unreachable, match=r"POST /edges/https: .*check `base_url` and the proxy"):
        this.call("POST", "/edges/https", {})
    assert (this.patience.retries, tasks.service.state()["https_edges"]) == (2, [])


def test_an_unknown_certificate_behind_a_proxy_is_not_retried(ways: Ways) -> None:
    with ways.to_the_service(breaking(lambda line, response: None, tls=True, tunnel=True), is_proxy=True) as way:
        with pytest.raises(Misdirected, match="ca_path"):
            ways.client(https_to(way, is_proxy=True), ca_path=None).call("POST", "/edges/https", {})
        assert (way.connections, way.delivered) == (1, [])


def test_a_service_that_wants_a_certificate_says_so_when_the_request_has_left(ways: Ways, authority: Authority) -> None:
    ways.tls.load_verify_locations(authority.path)
    ways.tls.verify_mode = ssl.CERT_REQUIRED
    with ways.to_the_service(breaking(lambda line, response: None, tls=True)) as way:
        with pytest.raises(OutcomeUnknown):
            ways.client(https_to(way)).call("POST", "/edges/https", {})
        assert (way.connections, way.delivered) == (1, [])


def responding_once(way: Way, connection: socket.socket) -> None:
    """Closes each connection with the second request on it, which it has read."""
    way.delivered.append(read_request(connection))
    connection.sendall(http_response("200 OK", b"{}"))
    way.delivered.append(read_request(connection))


@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_a_kept_connection_that_is_closed_with_a_request_on_it(ways: Ways, method: str) -> None:
    """It may have been read: only what may be sent twice is retried. What comes later takes no kept connection."""
    with ways.to_the_service(responding_once) as way:
        this = ways.client(http_to(way))
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
    def serve(way: Way, connection: socket.socket) -> None:
        if is_proxy:
            open_tunnel(connection)
        with way.tls.wrap_socket(connection, server_side=True) as line:
            responding_once(way, line)

    with ways.to_the_service(serve, is_proxy) as way:
        this = ways.client(https_to(way, is_proxy))
        for method, number in (("GET", 1), ("POST", 2), ("POST", 3)):
            assert this.call(method, "/x", None if method == "GET" else {}) == (200, {})
            assert way.connections == number


def test_a_change_takes_no_connection_that_was_idle_for_long(ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    with ways.to_the_service(responding_once) as way:
        this = ways.client(http_to(way))
        this.call("GET", "/first")
        monkeypatch.setattr(delivery.time, "monotonic", lambda now=time.monotonic: now() + 2)
        assert this.call("PATCH", "/second", {}) == (200, {})
        assert way.connections == 2


@pytest.mark.parametrize("find_by", first_alone(["hostports", "none"]))
def test_a_service_that_closes_kept_connections_takes_writes(tasks: Tasks, ways: Ways, find_by: str) -> None:
    """It reads one more request, and closes without a word."""

    def serve(way: Way, connection: socket.socket) -> None:
        response = way.pass_on(read_request(connection))
        connection.sendall(re.sub(rb"(?i)connection: close\r\n", b"", response))
        read_request(connection)

    with ways.to_the_service(serve) as way:
        options = ways.connection(http_to(way), retries=3)
        named = {"find_by": find_by, "hostports": ["a.example.com:443"], "metadata": "the one"}
        edge = tasks.done("https_edge", **options, **named)["https_edge"]
        changed = {"id": edge["id"], "description": "new"}
        assert tasks.done("https_edge", **options, **changed)["https_edge"]["description"] == "new"
        route = {"edge_id": edge["id"], "match_type": "exact_path", "match": "/x"}
        tasks.done("https_edge_route", **options, **route)
    [held] = tasks.service.state()["https_edges"]
    assert (held["description"], [each["match"] for each in held["routes"]]) == ("new", ["/x"])


def test_a_kept_connection_that_was_closed_before_is_noticed(ways: Ways) -> None:
    closed = Event()

    def serve(way: Way, connection: socket.socket) -> None:
        way.delivered.append(read_request(connection))
        connection.sendall(http_response("200 OK", b"{}"))
        connection.close()
        closed.set()

    with ways.to_the_service(serve) as way:
        this = ways.client(http_to(way))
        this.call("GET", "/first")
        assert closed.wait(10)
        assert this.call("POST", "/second", {}) == (200, {})
        assert (way.connections, len(way.delivered), this.patience.retries) == (2, 2, 0)


def test_each_of_many_threads_knows_whether_its_bytes_were_sent(tasks: Tasks, ways: Ways) -> None:
    """They share a session: each knows of its own request whether it was sent."""
    lock, taken = Lock(), itertools.count()
    broken_handshake, after = saying(b""), breaking(lambda line, response: None, tls=True)

    def serve(way: Way, connection: socket.socket) -> None:
        with lock:
            number = next(taken)
        (broken_handshake if number % 2 else after)(way, connection)

    errors: list[str] = []

    def call(this: Client, number: int) -> None:
        try:
            this.call("POST", "/edges/https", {"description": str(number)})
        except _errors.RequestError as error:
            errors.append(type(error).__name__)

    with ways.to_the_service(serve) as way:
        this = ways.client(https_to(way), retries=0)
        threads = [Thread(target=call, args=(this, number)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(way.delivered) == 8
    assert sorted(errors) == ["OutcomeUnknown"] * 8 + ["Unreachable"] * 8
    assert len(tasks.service.state()["https_edges"]) == 8
