# SPDX-License-Identifier: GPL-3.0-or-later
"""Proxies and TLS connections that break: only what was certainly not sent is retried."""

from __future__ import annotations

import itertools
import re
import socket
import ssl
import time
from threading import Event, Lock, Thread
from typing import Any

import pytest

from amount import first_alone, some_of
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import (
    Misdirected,
    OutcomeUnknown,
    RequestError,
    Unreachable,
)
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
from module_task import Tasks

IMPATIENT = 0.25
PATIENT = 5.0
FAR = "service.example"
"""A service that is not on this machine, which only a proxy finds: what is on it is asked for without one."""

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority of this test's own."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def tls(authority: Authority) -> ssl.SSLContext:
    certificate = authority.certificate("localhost", FAR)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.chain, certificate.key)
    return context


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets the proxy of the sessions to come."""
    monkeypatch.setenv("NO_PROXY", "")

    def through(way: Way) -> None:
        for name in ("HTTP_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{way.port}")

    return through


def connection(base_url: str, authority: Authority, **options: Any) -> dict[str, Any]:
    """The options of a connection that has no session yet: proxies are determined once for each session."""
    settings = {"base_url": base_url, "timeout": 5.0, "retries": 2, "retry_max_wait": 1000.0 + next(_numbers)}
    return {**settings, "ca_path": str(authority.path), **options}


def https_to(way: Way, is_proxy: bool) -> str:
    return f"https://{FAR if is_proxy else 'localhost'}:{way.port}"


def client(tasks: Tasks, base_url: str, authority: Authority, **options: Any) -> Client:
    """A client that does not really wait."""
    settings = connection(base_url, authority, **options)
    return Client(Connection(api_key=tasks.service.api_key, **settings), Progress(sleep=lambda seconds: None))


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
    tasks: Tasks, figures: Figures, authority: Authority, tls: ssl.SSLContext, proxied: Any, name: str, find_by: str
) -> None:
    serve = WAYS[name]
    with broken_way(serve, tasks.service.base_url, tls) as way:
        is_tls = name.startswith("TLS")
        is_proxied = not is_tls or "proxy" in name
        if is_proxied:
            proxied(way)
        host = FAR if is_proxied else "localhost"
        options = connection(f"{'https' if is_tls else 'http'}://{host}:{way.port}", authority, allow_http=True)
        result = tasks.run("https_edge", **options, find_by=find_by, metadata="the one")
    held = tasks.service.state()["https_edges"]
    complaints = [f"there are {len(held)} edges"] if len(held) != 1 else []
    figures.tried("proxies and TLS connections that break during a response", 1, complaints)
    assert complaints == []
    assert [request.startswith(b"POST") for request in way.delivered].count(True) == 1
    assert result.get("failed", False) == (find_by == "none")
    assert find_by == "metadata" or "may have created" in result["msg"]


CERTAINLY_NOT_SENT: dict[str, tuple[Serve, bool]] = {
    **{
        f"a proxy returns {status}": (saying(http_response(status)), True)
        for status in ("429 Too Many Requests", "502 Bad Gateway")
    },
    "a proxy closes": (saying(b""), True),
    "a proxy says nothing": (stalling, True),
    "an alert": (saying(RAW_RECORDS["an alert"]), False),
    "no response to a handshake": (saying(b""), False),
    "a handshake that stalls": (stalling, False),
}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", CERTAINLY_NOT_SENT)
def test_a_connection_that_breaks_before_sending_is_retried(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, proxied: Any, name: str, method: str
) -> None:
    serve, is_proxy = CERTAINLY_NOT_SENT[name]
    with broken_way(serve, tasks.service.base_url, tls) as way:
        if is_proxy:
            proxied(way)
        timeout = IMPATIENT if serve is stalling else 5.0
        this = client(tasks, https_to(way, is_proxy), authority, timeout=timeout)
        with pytest.raises(Unreachable, match=f"^{method} /edges/https: "):
            this.call(method, "/edges/https")
        # A busy machine may accept the last connection after the client has given it up.
        end = time.monotonic() + PATIENT
        while way.connections < 3 and time.monotonic() < end:
            time.sleep(0.01)
        assert (way.connections, way.delivered, this.patience.retries) == (3, [], 2)


NO_PROXY = "the proxy in the environment does not speak HTTP"

NEVER_SENT: dict[str, tuple[Serve, bool, str]] = {
    "no handshake": (
        saying(b"what?"),
        False,
        r"localhost:\d+ does not speak TLS; check the scheme and the port of `base_url`",
    ),
    "plain http": (saying(http_response("400 Bad Request")), False, r"localhost:\d+ does not speak TLS"),
    "no handshake through a proxy": (saying_in_tunnel(b"what?"), True, rf"{FAR}:\d+ does not speak TLS"),
    "a proxy without the password": (
        saying(http_response("407 x")),
        True,
        "the proxy requires a user name and a password",
    ),
    "a proxy that wants another password": (
        saying(http_response("407 x")),
        True,
        r"such as in HTTPS_PROXY, and percent-encode [^*]*\(Tunnel connection failed: 407 x\)$",
    ),
    **{
        f"a proxy returns {status}": (
            saying(http_response(f"{status} x")),
            True,
            rf"rejects the connection \({status}\); check .* {FAR}:\d+ \(Tunnel connection failed: {status} x\)$",
        )
        for status in (101, 204, 301, 302, 403, 404, 600)
    },
    **{
        f"a proxy that is none: {said[:9]!r}": (saying(said), True, rf"{NO_PROXY}; check its URL .* \({shown}\)$")
        for said, shown in (
            (b"SSH-2.0-OpenSSH_9\r\n", "SSH-2.0-OpenSSH_9"),
            (b"<html>hello</html>", "<html>hello</html>"),
            (b"what?\r\n\r\n", r"what\?"),
            (b"\x15\x03\x01\x00\x02\x02\x46\r\n", r"(\\u00\d\d)+F"),
            (b"x" * 5000, "x{499}\N{HORIZONTAL ELLIPSIS}"),
            (b"x" * 70000, "got more than .*"),
        )
    },
    "no common version of TLS": (
        saying(b"\x15\x03\x03\x00\x02\x02\x46"),
        False,
        r"localhost:\d+ and this machine have no TLS version in common; check `base_url`",
    ),
}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", NEVER_SENT)
def test_a_permanent_connection_error_is_not_retried(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, proxied: Any, name: str, method: str
) -> None:
    serve, is_proxy, message = NEVER_SENT[name]
    with broken_way(serve, tasks.service.base_url, tls) as way:
        if is_proxy:
            proxied(way)
        this = client(tasks, https_to(way, is_proxy), authority)
        with pytest.raises(Misdirected, match=f"^{method} /edges/https: .*{message}"):
            this.call(method, "/edges/https")
        assert (way.connections, way.delivered, this.patience.retries) == (1, [], 0)


def test_a_proxy_with_too_many_requests(tasks: Tasks, authority: Authority, tls: ssl.SSLContext, proxied: Any) -> None:
    with broken_way(saying(http_response("429 x")), tasks.service.base_url, tls) as way:
        proxied(way)
        with pytest.raises(Unreachable, match="the proxy in the environment received too many requests; run fewer"):
            client(tasks, https_to(way, is_proxy=True), authority).call("GET", "/edges/https")


def test_a_connection_that_has_worked_before_is_retried(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext
) -> None:
    fine = breaking(lambda line, response: line.sendall(response), tls=True)

    def serve(way: Way, connection: socket.socket) -> None:
        (saying(b"what?") if way.connections == 2 else fine)(way, connection)

    with broken_way(serve, tasks.service.base_url, tls) as way:
        this = client(tasks, https_to(way, is_proxy=False), authority)
        for _again in range(2):
            this.call("GET", "/edges/https")
        assert (way.connections, len(way.delivered), this.patience.retries) == (3, 2, 1)


@pytest.mark.parametrize(
    "name", [name for name, (serve, _proxy) in CERTAINLY_NOT_SENT.items() if serve is not stalling]
)
def test_what_comes_after_a_broken_start_is_created_once(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, proxied: Any, name: str
) -> None:
    broken, is_proxy = CERTAINLY_NOT_SENT[name]
    fine = breaking(lambda line, response: line.sendall(response), tls=True, tunnel=is_proxy)

    def serve(way: Way, connection: socket.socket) -> None:
        (broken if way.connections == 1 else fine)(way, connection)

    with broken_way(serve, tasks.service.base_url, tls) as way:
        if is_proxy:
            proxied(way)
        options = connection(https_to(way, is_proxy), authority)
        result = tasks.done("https_edge", **options, find_by="none")
    assert (len(tasks.service.state()["https_edges"]), result["retries"]) == (1, 1)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_connection_that_takes_too_long(tasks: Tasks, authority: Authority, scheme: str) -> None:
    with full_port() as port:
        this = client(tasks, f"{scheme}://127.0.0.1:{port}", authority, timeout=IMPATIENT, retries=1)
        with pytest.raises(Unreachable, match=r"POST /x: no connection within 0\.25 seconds"):
            this.call("POST", "/x", {})
    assert this.patience.retries == 1


def test_a_request_that_was_given_up_does_not_leave_later(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, proxied: Any
) -> None:
    gone = Event()

    def serve(way: Way, connection: socket.socket) -> None:
        with tls.wrap_socket(connection, server_side=True) as line:
            way.pass_on(read_request(line))

    def until_the_end(way: Way, connection: socket.socket) -> None:
        try:
            slow_tunnel(serve)(way, connection)
        finally:
            gone.set()

    with broken_way(until_the_end, tasks.service.base_url, tls) as way:
        proxied(way)
        this = client(tasks, https_to(way, is_proxy=True), authority, timeout=IMPATIENT, retries=0)
        with pytest.raises(Unreachable, match="no connection"):
            this.call("POST", "/edges/https", {})
        assert gone.wait(10)
        assert (way.connections, way.delivered) == (1, [])


def test_the_error_without_a_proxy_names_base_url_and_the_proxy(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, proxied: Any
) -> None:
    with broken_way(stalling, tasks.service.base_url, tls) as way:
        proxied(way)
    this = client(tasks, f"http://{FAR}", authority, allow_http=True)
    with pytest.raises(Unreachable, match=r"POST /edges/https: .*check `base_url` and the proxy"):
        this.call("POST", "/edges/https", {})
    assert (this.patience.retries, tasks.service.state()["https_edges"]) == (2, [])


def test_an_unknown_certificate_behind_a_proxy_is_not_retried(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, proxied: Any
) -> None:
    with broken_way(breaking(lambda line, response: None, tls=True, tunnel=True), tasks.service.base_url, tls) as way:
        proxied(way)
        with pytest.raises(Misdirected, match="ca_path"):
            client(tasks, https_to(way, is_proxy=True), authority, ca_path=None).call("POST", "/edges/https", {})
        assert (way.connections, way.delivered) == (1, [])


def test_a_service_that_wants_a_certificate_says_so_when_the_request_has_left(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext
) -> None:
    tls.load_verify_locations(authority.path)
    tls.verify_mode = ssl.CERT_REQUIRED
    with broken_way(breaking(lambda line, response: None, tls=True), tasks.service.base_url, tls) as way:
        this = client(tasks, f"https://localhost:{way.port}", authority)
        with pytest.raises(OutcomeUnknown):
            this.call("POST", "/edges/https", {})
        assert (way.connections, way.delivered) == (1, [])


def responding_once(way: Way, connection: socket.socket) -> None:
    """Closes each connection with the second request on it, which it has read."""
    way.delivered.append(read_request(connection))
    connection.sendall(http_response("200 OK", b"{}"))
    way.delivered.append(read_request(connection))


@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_a_kept_connection_that_is_closed_with_a_request_on_it(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, method: str
) -> None:
    """It may have been read: only what may be sent twice is retried. What comes later takes no kept connection."""
    with broken_way(responding_once, tasks.service.base_url, tls) as way:
        this = client(tasks, f"http://127.0.0.1:{way.port}", authority)
        this.call("GET", "/first")
        if method == "GET":
            assert this.call(method, "/second") == (200, {})
        else:
            with pytest.raises(OutcomeUnknown):
                this.call(method, "/second", {})
        assert way.connections == (2 if method == "GET" else 1)
        for _again in range(3):
            assert this.call("PATCH", "/third", {}) == (200, {})


@pytest.mark.parametrize("is_proxied", [False, True])
def test_a_creation_takes_no_kept_connection(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, proxied: Any, is_proxied: bool
) -> None:
    def serve(way: Way, connection: socket.socket) -> None:
        if is_proxied:
            open_tunnel(connection)
        with tls.wrap_socket(connection, server_side=True) as line:
            responding_once(way, line)

    with broken_way(serve, tasks.service.base_url, tls) as way:
        if is_proxied:
            proxied(way)
        this = client(tasks, https_to(way, is_proxied), authority)
        for method, number in (("GET", 1), ("POST", 2), ("POST", 3)):
            assert this.call(method, "/x", None if method == "GET" else {}) == (200, {})
            assert way.connections == number


def test_a_change_takes_no_connection_that_was_idle_for_long(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with broken_way(responding_once, tasks.service.base_url, tls) as way:
        this = client(tasks, f"http://127.0.0.1:{way.port}", authority)
        this.call("GET", "/first")
        monkeypatch.setattr(delivery.time, "monotonic", lambda now=time.monotonic: now() + 2)
        assert this.call("PATCH", "/second", {}) == (200, {})
        assert way.connections == 2


@pytest.mark.parametrize("find_by", first_alone(["hostports", "none"]))
def test_a_service_that_closes_kept_connections_takes_writes(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext, find_by: str
) -> None:
    """It reads one more request, and closes without a word."""

    def serve(way: Way, connection: socket.socket) -> None:
        response = way.pass_on(read_request(connection))
        connection.sendall(re.sub(rb"(?i)connection: close\r\n", b"", response))
        read_request(connection)

    with broken_way(serve, tasks.service.base_url, tls) as way:
        options = connection(f"http://127.0.0.1:{way.port}", authority, retries=3)
        named = {"find_by": find_by, "hostports": ["a.example.com:443"], "metadata": "the one"}
        edge = tasks.done("https_edge", **options, **named)["https_edge"]
        changed = {"id": edge["id"], "description": "new"}
        assert tasks.done("https_edge", **options, **changed)["https_edge"]["description"] == "new"
        route = {"edge_id": edge["id"], "match_type": "exact_path", "match": "/x"}
        tasks.done("https_edge_route", **options, **route)
    [held] = tasks.service.state()["https_edges"]
    assert (held["description"], [each["match"] for each in held["routes"]]) == ("new", ["/x"])


def test_a_kept_connection_that_was_closed_before_is_noticed(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext
) -> None:
    closed = Event()

    def serve(way: Way, connection: socket.socket) -> None:
        way.delivered.append(read_request(connection))
        connection.sendall(http_response("200 OK", b"{}"))
        connection.close()
        closed.set()

    with broken_way(serve, tasks.service.base_url, tls) as way:
        this = client(tasks, f"http://127.0.0.1:{way.port}", authority)
        this.call("GET", "/first")
        assert closed.wait(10)
        assert this.call("POST", "/second", {}) == (200, {})
        assert (way.connections, len(way.delivered), this.patience.retries) == (2, 2, 0)


def test_each_of_many_threads_knows_whether_its_bytes_were_sent(
    tasks: Tasks, authority: Authority, tls: ssl.SSLContext
) -> None:
    """They share a session: each knows of its own request whether it was sent."""
    lock, taken = Lock(), itertools.count()
    broken_handshake, after = saying(b""), breaking(lambda line, response: None, tls=True)

    def serve(way: Way, connection: socket.socket) -> None:
        with lock:
            number = next(taken)
        (broken_handshake if number % 2 else after)(way, connection)

    errors: list[type[RequestError]] = []

    def call(this: Client, number: int) -> None:
        try:
            this.call("POST", "/edges/https", {"description": str(number)})
        except RequestError as error:
            errors.append(type(error))

    with broken_way(serve, tasks.service.base_url, tls) as way:
        this = client(tasks, f"https://localhost:{way.port}", authority, retries=0)
        threads = [Thread(target=call, args=(this, number)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(way.delivered) == 8
    assert sorted(each.__name__ for each in errors) == ["OutcomeUnknown"] * 8 + ["Unreachable"] * 8
    assert len(tasks.service.state()["https_edges"]) == 8
