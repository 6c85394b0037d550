# SPDX-License-Identifier: GPL-3.0-or-later
"""Connection options and proxies that lead nowhere: the task fails immediately, says what is probably wrong, and sends
no key. What the address of a proxy holds of user name and password is in no error, whatever a library says of it.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked
from ansible_collections.edgeops.ingress.plugins.module_utils._model.masking import Masks
from ansible_collections.edgeops.ingress.plugins.module_utils._transport import exchange
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.machine_settings import problem_with_proxy
from certificates import Authority
from module_process import printed_and_logged
from module_task import Given, Tasks, work_of
from scripted_service import Response, ScriptedService, as_json, encrypted, in_turn, saying, scripted_service

TUNNELS = as_json({"tunnels": [], "next_page_uri": None})
LOOPBACK = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


class Machine:
    """The environment of the tasks, and what names resolve to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        for name in (*VARIABLES, *map(str.lower, VARIABLES)):
            monkeypatch.delenv(name, raising=False)
        exchange._session_for.cache_clear()  # sessions read the environment once

    def set(self, name: str, value: object) -> None:
        self._monkeypatch.setenv(name, str(value))
        exchange._session_for.cache_clear()

    def resolve(self, name: str, number: int | None = None) -> None:
        """Let a name lead to loopback, or be an error."""
        real = socket.getaddrinfo

        def looked_up(host: Any, port: Any, *others: Any, **more: Any) -> Any:
            if host != name:
                return real(host, port, *others, **more)
            if number is not None:
                raise socket.gaierror(number, "as it says")
            return [(*LOOPBACK[:4], (LOOPBACK[4][0], port))]

        self._monkeypatch.setattr(socket, "getaddrinfo", looked_up)


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.fixture
def tls(authority: Authority) -> ssl.SSLContext:
    return authority.context("localhost")


def read_tunnels(tasks: Tasks, base_url: str, **connection: Any) -> Given:
    return tasks.run("tunnel_info", **{"base_url": base_url, "retries": 3, "retry_max_wait": 0.1, **connection})


# What is made at the path, and what is said of it.
FILES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "missing": (lambda path: None, "does not exist"),
    "empty": (
        lambda path: path.write_bytes(b""),
        "contains no certificate; expected certificates of authorities in PEM",
    ),
    "text": (lambda path: path.write_bytes(b"what?"), "contains no certificate; expected"),
    "folder": (lambda path: path.mkdir(), "is a directory without certificates that OpenSSL finds; run `openssl"),
    "circle": (lambda path: path.symlink_to(path), "cannot be read"),
}


@pytest.mark.parametrize("source", ["ca_path", "REQUESTS_CA_BUNDLE"])
@pytest.mark.parametrize("name", FILES)
def test_unreadable_authorities(tasks: Tasks, tmp_path: Path, machine: Machine, name: str, source: str) -> None:
    make, fault = FILES[name]
    path = tmp_path / name
    make(path)
    options = {"ca_path": str(path)} if source == "ca_path" else {}
    if not options:
        machine.set(source, path)
    with scripted_service() as service:
        url = f"https://localhost:{service.port}"
        result = read_tunnels(tasks, url, **options)
        assert f"{source}: {path} {fault}" in result["msg"]
        assert (result["retries"], service.received) == (0, [])


# The host of the certificate, what it is otherwise, whether its authority is trusted, the cause, and the advice.
CERTIFICATES: dict[str, tuple[str, dict[str, bool], bool, str, str]] = {
    "of nobody known": ("localhost", {}, False, "unable to get local issuer", "set `ca_path` to a file"),
    "self-signed": ("localhost", {"self_signed": True}, True, "self-signed certificate", "set `ca_path` to a file"),
    "expired": ("localhost", {"expired": True}, True, "certificate has expired", "has expired; renew it"),
    "of another host": (
        *("other.example.com", {}, True),
        *("Hostname mismatch|doesn't match", "check the host name in `base_url`"),
    ),
}


@pytest.mark.parametrize(("name", "options", "trusts", "cause", "advice"), CERTIFICATES.values(), ids=CERTIFICATES)
def test_a_certificate_that_does_not_check(
    tasks: Tasks, authority: Authority, name: str, options: dict[str, bool], trusts: bool, cause: str, advice: str
) -> None:
    with scripted_service(in_turn(TUNNELS), authority.context(name, **options)) as service:
        url = f"https://localhost:{service.port}"
        msg = read_tunnels(tasks, url, **({"ca_path": str(authority.path)} if trusts else {}))["msg"]
        assert re.search(f"{advice}.*({cause})", msg), msg
        assert service.received == []
        assert read_tunnels(tasks, url, validate_certs=False)["tunnels"] == []


def test_authorities_that_appear_later(tasks: Tasks, tmp_path: Path, authority: Authority, tls: ssl.SSLContext) -> None:
    path = tmp_path / "late.pem"
    with scripted_service(in_turn(TUNNELS), tls) as service:
        url = f"https://localhost:{service.port}"
        assert "does not exist" in read_tunnels(tasks, url, ca_path=str(path))["msg"]
        path.write_bytes(authority.path.read_bytes())
        assert read_tunnels(tasks, url, ca_path=str(path))["tunnels"] == []
        assert service.received[0].headers["Authorization"] == f"Bearer {tasks.service.api_key}"


@pytest.mark.parametrize("module", ["tunnel_info", "https_edge"])
def test_http_to_a_port_that_wants_tls(tasks: Tasks, tls: ssl.SSLContext, module: str) -> None:
    options = {"hostports": ["a.example.com:443"]} if module == "https_edge" else {}
    with scripted_service(in_turn(TUNNELS), tls) as service:
        result = tasks.failed(module, base_url=f"http://localhost:{service.port}", retries=3, **options)
        assert f"localhost:{service.port} expects TLS; use https instead of http in `base_url` (" in result["msg"]
        assert "Error(" not in result["msg"]
        assert (result["retries"], service.received) == (0, [])


@pytest.mark.parametrize("module", ["tunnel_info", "https_edge"])
def test_a_service_wants_a_certificate(tasks: Tasks, authority: Authority, tls: ssl.SSLContext, module: str) -> None:
    tls.verify_mode = ssl.CERT_REQUIRED
    tls.minimum_version = ssl.TLSVersion.TLSv1_3
    tls.load_verify_locations(authority.path)

    def rejected(way: ScriptedService, connection: socket.socket) -> None:
        # A connection that is closed immediately takes the alert with it, if the request arrives later.
        with connection.dup() as kept:
            with suppress(ssl.SSLError):
                encrypted(tls)(way, connection)
            while kept.recv(65536):
                pass

    with scripted_service(serve=rejected) as way:
        options = {"find_by": "none", "metadata": "m"} if module == "https_edge" else {}
        url, path = f"https://localhost:{way.port}", str(authority.path)
        result = tasks.failed(module, base_url=url, ca_path=path, retries=3, **options)
    assert f"localhost:{way.port} requires a client certificate; check `base_url`" in result["msg"]
    assert ("may have created" in result["msg"]) == (module == "https_edge")
    assert result["retries"] == 0


@pytest.mark.parametrize(
    ("number", "retries", "message"),
    [
        (socket.EAI_NONAME, 0, "the host name service.example does not exist; check the host name in `base_url`"),
        (socket.EAI_AGAIN, 1, "as it says.*check `base_url`"),
    ],
)
def test_a_name_that_does_not_exist(tasks: Tasks, machine: Machine, number: int, retries: int, message: str) -> None:
    machine.resolve("service.example", number)
    result = read_tunnels(tasks, "https://service.example", retries=1, retry_max_wait=60)
    assert re.search(message, result["msg"]), result["msg"]
    assert result["retries"] == retries


PROXIES = {
    "http://proxy.example:3128": "the host name of the proxy does not exist; check its URL in the environment",
    "https://127.0.0.1:{port}": "the proxy does not speak TLS; its URL .* must begin with http://",
    "socks9://127.0.0.1:{port}": "check the URL of the proxy in the environment",
}


@pytest.mark.parametrize(("proxy", "message"), PROXIES.items())
def test_an_unusable_proxy_url_is_a_final_error(tasks: Tasks, machine: Machine, proxy: str, message: str) -> None:
    machine.resolve("proxy.example", socket.EAI_NONAME)
    with scripted_service(serve=saying(bytes(Response(400)))) as service:
        machine.set("HTTPS_PROXY", proxy.format(port=service.port))
        result = read_tunnels(tasks, "https://service.example")
    assert re.search(message, result["msg"]), result["msg"]
    assert result["retries"] == 0


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "a.localhost"])
def test_what_stays_on_this_machine_takes_no_proxy(tasks: Tasks, machine: Machine, variable: str, host: str) -> None:
    machine.resolve("a.localhost")
    with scripted_service(in_turn(TUNNELS)) as proxy, scripted_service(in_turn(TUNNELS)) as service:
        for scheme in ("http", "socks5"):
            machine.set(variable, proxy.base_url.replace("http:", f"{scheme}:"))
            machine.set("NO_PROXY", "nothing.example")
            assert read_tunnels(tasks, f"http://{host}:{service.port}")["tunnels"] == []
        assert (len(service.received), proxy.received) == (2, [])


def test_plain_http_to_a_proxy_must_be_allowed(tasks: Tasks, machine: Machine) -> None:
    machine.resolve("service.example", socket.EAI_NONAME)
    with scripted_service(in_turn(TUNNELS)) as proxy:
        machine.set("HTTP_PROXY", proxy.base_url)
        assert "allow_http: true" in read_tunnels(tasks, "http://service.example")["msg"]
        assert proxy.received == []
        assert read_tunnels(tasks, "http://service.example", allow_http=True)["tunnels"] == []
        assert [request.path for request in proxy.received] == ["http://service.example/tunnels"]
        machine.set("NO_PROXY", "service.example")
        assert read_tunnels(tasks, "http://service.example", allow_http=True).get("failed")
        assert len(proxy.received) == 1


@pytest.mark.parametrize("host", ["localhost", "a.localhost"])
def test_a_name_of_this_machine_that_leads_elsewhere_gets_no_key(
    tasks: Tasks, machine: Machine, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    machine.resolve(host)
    with scripted_service(in_turn(TUNNELS)) as service:
        monkeypatch.setattr(socket.socket, "getpeername", lambda self: ("192.0.2.1", 80), raising=False)
        result = read_tunnels(tasks, f"http://{host}:{service.port}")
        assert "`base_url` leads to 192.0.2.1, which is not this machine" in result["msg"]
        assert (result["retries"], service.received) == (0, [])
        assert read_tunnels(tasks, f"http://{host}:{service.port}", allow_http=True)["tunnels"] == []


def said(status: int, body: bytes, kind: str = "") -> Response:
    return Response(status, body, {"Content-Type": kind} if kind else {})


HTML, JSON, TEXT = "text/html", "application/json", "text/plain"
VERSIONS = "Check `version_header` and `api_version`."
NOTHING = "Check `base_url`: nothing at http://127.0.0.1:"
SIGN_IN = b"<!DOCTYPE html><title>\n Sign &amp; in </title>"
OLD, MISSING = {"error_code": "ERR_API_VERSION", "msg": "too old"}, {"msg": "The header Ingress-Version is missing."}
LOOKS: dict[str, Response] = {
    'expected JSON, got an HTML page with the title "Sign & in" (status 200). Check that `base_url` points to': said(
        200, SIGN_IN, HTML
    ),
    "expected JSON, got an HTML page (status 200). Check": said(200, b"<html><body>hello"),
    "expected JSON, got application/zip (status 200).": said(200, b"PK\x03", "application/zip"),
    "expected JSON, got invalid JSON (status 200). Check that `base_url`": said(200, b"{", JSON),
    'the service returned 403 with an HTML page with the title "Denied"': said(
        403, b"<x:html><title>Denied</title>", "application/xhtml+xml"
    ),
    'the service returned 403 with an HTML page with the title "Blocked by proxy". Check `api_key` and': said(
        403, b"<html><title>Blocked by proxy</title>", HTML
    ),
    '404 with the text "404 page not found". Check': said(404, b"404 page not found\n", TEXT),
    r'404 with the text "\u001b[31m\u0000 none". Check': said(404, b"\x1b[31m\x00 none", TEXT),
    f"the service returned 404. {NOTHING}": Response(404),
    f"the service returned 404: no such operation. {NOTHING}": as_json({"msg": "no such operation"}, 404),
    f"400 ERR_API_VERSION: too old. {VERSIONS}": as_json(OLD, 400),
    f"400: The header Ingress-Version is missing. {VERSIONS}": as_json(MISSING, 400),
    "400: min_version is unknown.": as_json({"msg": "min_version is unknown."}, 400),
    "This port expects TLS; use https instead of http in `base_url`.": said(
        400, b"<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>", HTML
    ),
    'an HTTPS server.". This port expects TLS; use https instead': said(
        400, b"Client sent an HTTP request to an HTTPS server.\n", TEXT
    ),
}


@pytest.mark.parametrize(("message", "response"), LOOKS.items(), ids=LOOKS)
def test_what_a_response_that_is_not_the_services_looks_like(tasks: Tasks, response: Response, message: str) -> None:
    with scripted_service(in_turn(response)) as service:
        assert message in read_tunnels(tasks, service.base_url)["msg"]


@pytest.mark.parametrize(("response", "is_advised"), [(Response(404), True), (as_json(MISSING, 404), False)])
def test_an_object_that_is_missing_may_be_so_because_of_the_url(
    tasks: Tasks, response: Response, is_advised: bool
) -> None:
    with scripted_service(in_turn(response)) as service:
        result = tasks.failed("api", method="GET", path="/vaults/v_a", base_url=service.base_url)
    assert (NOTHING in result["msg"]) == is_advised


@pytest.mark.parametrize("length", [90, 115, 2**13 - 20, 2**13 - 3])
@pytest.mark.parametrize("filling", [b"x", b" "])
@pytest.mark.parametrize("begin", [b"<html><title>", b""])
@pytest.mark.parametrize("status", [200, 403])
def test_a_page_with_the_key_is_masked(tasks: Tasks, length: int, filling: bytes, begin: bytes, status: int) -> None:
    page = begin + filling * length + b"canary-key-of-a-test</title>"
    kind = {"Content-Type": "text/html" if begin else "text/plain"}
    with scripted_service(in_turn(Response(status, page, kind))) as service:
        shown = read_tunnels(tasks, service.base_url, api_key="canary-key-of-a-test")["msg"]
    assert "can" not in shown
    assert "key-" not in shown


def test_the_error_about_a_response_that_is_not_http_is_one_line(tasks: Tasks) -> None:
    with scripted_service(serve=saying(b"SSH-2.0-Open\x1bSSH_9\r\n")) as way:
        msg = read_tunnels(tasks, way.base_url, retries=0)["msg"]
    assert r"SSH-2.0-Open\u001bSSH_9" in msg
    assert "\n" not in msg


@pytest.mark.parametrize("status", ["100 Continue", "102 Processing", "103 Early Hints"])
def test_interim_responses_are_not_taken_for_the_response(tasks: Tasks, status: str) -> None:
    early = f"HTTP/1.1 {status}\r\nLink: </x>; rel=preload\r\n\r\n".encode()
    with scripted_service(serve=saying(early * 2 + bytes(TUNNELS))) as way:
        assert read_tunnels(tasks, way.base_url, retries=0)["tunnels"] == []


def test_a_list_that_is_not_there_may_be_a_wrong_address(tasks: Tasks) -> None:
    with scripted_service(in_turn(Response(404))) as service:
        msg = tasks.failed("https_edge", base_url=service.base_url, hostports=["a.example.com:443"])["msg"]
    assert re.search("Check `base_url`.*If `base_url` is correct, this.*addressed by its ID", msg), msg


SECRET = "canary"
SERVICES = {"HTTPS_PROXY": "https", "http_proxy": "http", "ALL_PROXY": "https"}


@pytest.mark.parametrize("sign", [*"/#?\\[]", "[x]"])
@pytest.mark.parametrize("start", ["http://", "socks5://", ""])
@pytest.mark.parametrize("variable", SERVICES)
def test_a_password_that_is_not_encoded(tasks: Tasks, machine: Machine, sign: str, start: str, variable: str) -> None:
    machine.set(variable, f"{start}user_{SECRET}:{SECRET}_one{sign}{SECRET}_two@127.0.0.1:1")
    base_url = f"{SERVICES[variable]}://service.example"
    result = tasks.failed("tunnel_info", base_url=base_url, allow_http=True, retries=3)
    assert f"{variable}: the user name or the password in the URL of the proxy contains a character" in result["msg"]
    assert ("percent-encode" in result["msg"], result["retries"], SECRET in str(result)) == (True, 0, False)


USABLE = [
    *("http://proxy.example", "proxy.example:3128", "http://proxy.example:3128/", "http://proxy.example:/"),
    *("HTTP://user@proxy.example:3128/path?x#y", "http://user:p%2Fw@[::1]:3128", "user:pass@proxy"),
    *("http://user:p@ss:word@[fe80::1%25eth0]", "socks5h://user:a b@proxy.example:1080"),
    " http://proxy.example:3128\n",
]


@pytest.mark.parametrize("address", USABLE)
def test_an_address_that_can_be_used(address: str) -> None:
    assert problem_with_proxy(address, "https", {}) is None


WITHOUT_HOST = [
    *(f"http://user:{SECRET}@{host}" for host in ("host:port", "host:65536", "", "[::1:80", "a b:80")),
    *(f"http://user:{SECRET}%40host:1", f"http://{SECRET}:1:2", "http://:1", "://"),
]


@pytest.mark.parametrize("address", WITHOUT_HOST)
def test_an_address_without_a_valid_host(address: str) -> None:
    option_error = str(problem_with_proxy(address, "https", {"all_proxy": address}))
    assert option_error.startswith("all_proxy: the URL of the proxy has no valid host and port; expected")
    assert SECRET not in option_error
    assert Masks(lambda: ["ak_x"]).library_text(option_error) == option_error


WHERE = [
    ({"HTTPS_PROXY": "http://:1"}, "HTTPS_PROXY"),
    ({"https_proxy": "http://:1", "HTTPS_PROXY": "http://:2"}, "https_proxy"),
    ({"HTTP_PROXY": "http://:2", "ALL_PROXY": "http://:1"}, "ALL_PROXY"),
    ({}, "proxy settings of this machine"),
]


@pytest.mark.parametrize(("environ", "name"), WHERE)
def test_where_the_address_comes_from(environ: dict[str, str], name: str) -> None:
    assert str(problem_with_proxy("http://:1", "https", environ)).startswith(f"{name}: ")


PASSWORD = "p@ss/w#rd?\u00e9"
QUOTED = quote(PASSWORD, safe="")
PARTS = ("canary_user", PASSWORD, quote(PASSWORD), QUOTED, "w#rd", "p@ss", "p%40ss")
SHOWN_BY_ERRORS = [
    *(f"http://canary_user:{password}@127.0.0.1:9" for password in (PASSWORD, QUOTED)),
    *(f"http://canary_user:{PASSWORD}@127.0.0.1:port", f"http://canary_user:{QUOTED}@"),
    *(f"canary_user:{QUOTED}@127.0.0.1:9", f"socks9://canary_user:{QUOTED}@127.0.0.1:9"),
]


@pytest.mark.parametrize("variable", ["ALL_PROXY", "HTTPS_PROXY"])
@pytest.mark.parametrize("proxy", SHOWN_BY_ERRORS)
def test_no_error_shows_the_credentials_of_a_proxy(machine: Machine, proxy: str, variable: str) -> None:
    machine.set(variable, proxy)
    for address in ("http://service.example:8600", "https://service.example"):
        given: Given = {"base_url": address, "api_key": "ak_x", "retries": 0, "timeout": 1, "allow_http": True}
        work = work_of("tunnel_info")
        arguments = checked(work, given)
        try:
            result = entry.result_of(work, arguments.options)
        except Exception as exc:
            result = entry.crash(exc)
        assert result["failed"]
        printed, logged = printed_and_logged("tunnel_info", **given)
        for text in (str(result), str(masked(result, work, arguments)), str(printed), logged):
            assert not [part for part in PARTS if part in text], text


def test_a_service_that_quotes_the_credentials_of_a_proxy_does_not_show_them(tasks: Tasks, machine: Machine) -> None:
    said = as_json({"msg": "Proxy-Authorization: Basic Y2FuYXJ5X3VzZXI6Y2FuYXJ5X3Bhc3N3b3Jk, canary_password"}, 407)
    with scripted_service(in_turn(said)) as proxy:
        machine.set("HTTP_PROXY", f"http://canary_user:canary_password@{proxy.authority}")
        result = tasks.failed("tunnel_info", base_url="http://service.example", allow_http=True)
    assert "Proxy-Authorization: Basic ********, ********" in result["msg"]
