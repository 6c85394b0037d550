# SPDX-License-Identifier: GPL-3.0-or-later
"""The permission to send control calls: for programs on this machine, not for web pages in a browser on it."""

from __future__ import annotations

from typing import Any

import pytest

from running_service import HEADERS, Running

CALLS = [
    *(("GET", call) for call in ("health", "journal", "switches", "state", "unknown")),
    *(("DELETE", "journal"), ("PUT", "switches"), ("PATCH", "switches"), ("POST", "seed"), ("POST", "reset")),
]
FOREIGN_HOSTS = [
    *("evil.example", "evil.example:PORT", "localhost.evil.example:PORT", "127.0.0.1.evil.example:PORT"),
    *("evil.example@127.0.0.1:PORT", "localhost.:PORT", "127.0.0.1:PORT:PORT", "127.0.0.1:x", ""),
    *("10.0.0.1:PORT", "0.0.0.0:PORT", "[::]:PORT", "[::1", "::1", "2130706433:PORT", "127.1:PORT", "127.0.0.\xb9"),
]
OWN_HOSTS = [
    *("127.0.0.1:PORT", "localhost:PORT", "LocalHost:PORT", "[::1]:PORT", "127.0.0.1", "127.0.0.1:9", "127.9.9.9"),
]


def status(service: Running, method: str, path: str, *headers: tuple[str, str], body: bytes = b"") -> int:
    """Send exactly these headers. `PORT` in their values is replaced by the port of the service."""
    port = service.base_url.rpartition(":")[2]
    given = [(name, value.replace("PORT", port)) for name, value in headers]
    return service.sent(method, path, [*given, ("Content-Length", str(len(body)))], body)[0]


@pytest.fixture
def held(service: Running) -> dict[str, Any]:
    service.new_edge(hostports=["a:443"])
    service.switches(extra_keys=True)
    return everything(service)


def everything(service: Running) -> dict[str, Any]:
    return {call: service.control("GET", call) for call in ("state", "switches", "journal")}


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_foreign_host_is_rejected(service: Running, held: dict[str, Any], host: str) -> None:
    for method, call in CALLS:
        assert status(service, method, f"/_control/{call}", ("Host", host)) in (400, 403), call
    assert everything(service) == held


def test_the_host_is_given_once(service: Running, held: dict[str, Any]) -> None:
    own = ("Host", "127.0.0.1:PORT")
    for headers in ([], [own, own], [own, ("Host", "evil.example")]):
        for method, call in CALLS:
            assert status(service, method, f"/_control/{call}", *headers) in (400, 403), call
    assert everything(service) == held


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_a_loopback_host_is_accepted(service: Running, host: str) -> None:
    assert status(service, "GET", "/_control/state", ("Host", host)) == 200


@pytest.mark.parametrize(
    "header",
    [
        *(("Origin", origin) for origin in ("https://evil.example", "http://evil.example:PORT", "null", "", "file://")),
        *(("Origin", origin) for origin in ("http://localhost:3000", "http://localhost:PORT", "http://127.0.0.1")),
        *(("Origin", origin) for origin in ("https://127.0.0.1:PORT", "http://127.0.0.1:PORT, https://evil.example")),
        *(("Sec-Fetch-Site", site) for site in ("cross-site", "same-site", "", "something new")),
    ],
    ids=": ".join,
)
def test_a_foreign_page_is_rejected(service: Running, held: dict[str, Any], header: tuple[str, str]) -> None:
    for method, call in CALLS:
        for path in (f"/_control/{call}", f"/%5Fcontrol/{call}"):
            assert status(service, method, path, ("Host", "127.0.0.1:PORT"), header) == 403, path
    assert everything(service) == held


def test_an_own_origin_does_not_excuse_a_foreign_origin(service: Running, held: dict[str, Any]) -> None:
    origins = (("Origin", "http://127.0.0.1:PORT"), ("Origin", "https://evil.example"))
    assert status(service, "POST", "/_control/reset", ("Host", "127.0.0.1:PORT"), *origins) == 403
    assert everything(service) == held


@pytest.mark.parametrize(
    "headers",
    [
        [("Origin", "http://127.0.0.1:PORT")],
        [("Origin", "http://127.0.0.1:PORT"), ("Sec-Fetch-Site", "same-origin")],
        [("Sec-Fetch-Site", "none")],
    ],
    ids=str,
)
def test_the_own_url_of_the_service_is_accepted_in_a_browser(service: Running, headers: list[tuple[str, str]]) -> None:
    assert status(service, "GET", "/_control/state", ("Host", "127.0.0.1:PORT"), *headers) == 200


def test_a_form_cannot_send_a_body(service: Running, held: dict[str, Any]) -> None:
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        headers = (("Host", "127.0.0.1:PORT"), ("Content-Type", content_type))
        assert status(service, "PUT", "/_control/switches", *headers, body=b"{}") == 400
    assert everything(service) == held


def test_the_rejection_says_why(service: Running) -> None:
    error = service.rejected("GET", "/_control/state", headers={"Host": "evil.example"}, status=403)
    assert "Host" in error["msg"]
    assert "evil.example" not in error["msg"]
    assert "Origin" in service.rejected("GET", "/_control/state", headers={"Origin": "null"}, status=403)["msg"]


def test_api_requests_may_name_another_host(service: Running) -> None:
    """API requests have the key, so another name or a proxy is allowed."""
    uri = service.done("GET", "/tunnels", headers={**HEADERS, "Host": "ingress.example"})["uri"]
    assert uri == "http://ingress.example/tunnels"
