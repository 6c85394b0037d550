# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of requests: not read without a key, and never read beyond the limit."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from running_service import HEADERS, SOURCES, Running

assert SOURCES
from reference_service.bodies import MAX_BODY_BYTES  # noqa: E402

JSON = {**HEADERS, "Content-Type": "application/json"}
WRONG_KEY = {**JSON, "Authorization": "Bearer x"}
TOO_MUCH = MAX_BODY_BYTES + 1


def response_to(
    service: Running, method: str, path: str, headers: dict[str, str], *parts: bytes
) -> tuple[int, dict[str, Any]]:
    """Send a request with these headers and this part of its body, and read the response."""
    address = urlsplit(service.base_url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
    try:
        connection.putrequest(method, path)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        for part in parts:
            connection.send(part)
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"null")
    finally:
        connection.close()


def chunks(size: int) -> Iterator[bytes]:
    part = b"x" * 2**20
    for _number in range(size // len(part) + 1):
        yield f"{len(part):x}\r\n".encode() + part + b"\r\n"
    yield b"0\r\n\r\n"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (WRONG_KEY, 401),
        ({name: value for name, value in JSON.items() if name != "Authorization"}, 401),
    ],
    ids=["wrong key", "no key"],
)
def test_the_key_is_checked_before_the_body_arrives(service: Running, headers: dict[str, str], status: int) -> None:
    for length in ("5", str(TOO_MUCH)):
        assert response_to(service, "POST", "/edges/https", {**headers, "Content-Length": length})[0] == status
    assert response_to(service, "POST", "/edges/https", {**headers, "Transfer-Encoding": "chunked"})[0] == status
    assert [(each["status"], each["body"]) for each in service.journal()] == [(status, None)] * 3


def test_a_rejection_without_a_key_is_immediate_and_keeps_the_connection(service: Running) -> None:
    for _again in range(2):
        service.rejected("POST", "/edges/https", data=b"x" * 2**22, headers=WRONG_KEY, status=401)
        service.done("GET", "/tunnels")


@pytest.mark.parametrize("path", ["/edges/https", "/_control/seed"])
def test_a_body_with_a_content_length_above_the_limit_is_not_read(service: Running, path: str) -> None:
    status, error = response_to(service, "POST", path, {**JSON, "Content-Length": str(TOO_MUCH)}, b"{")
    assert status == error["status_code"] == 413
    assert f"{MAX_BODY_BYTES} bytes" in error["msg"]


@pytest.mark.parametrize("path", ["/edges/https", "/_control/seed"])
def test_a_body_above_the_limit_is_rejected(service: Running, path: str) -> None:
    status, error = response_to(service, "POST", path, {**JSON, "Transfer-Encoding": "chunked"}, *chunks(TOO_MUCH))
    assert status == error["status_code"] == 413
    assert not any(service.control("GET", "state").values())


def test_the_request_log_omits_a_body_above_the_limit(service: Running) -> None:
    response_to(service, "POST", "/edges/https", {**JSON, "Content-Length": str(TOO_MUCH)})
    [entry] = service.journal()
    assert (entry["status"], entry["body"]) == (413, None)


def test_a_body_within_the_limit_is_read(service: Running) -> None:
    body = b'{"description": "of the tests"}'.ljust(MAX_BODY_BYTES)
    service.done("POST", "/edges/https", data=body, headers=JSON, status=201)


def test_a_quoted_body_is_read_within_the_limit(service: Running) -> None:
    service.switches(error_quotes_request="json")
    assert "The request was: {}" in service.rejected("POST", "/edges/https", {}, headers=WRONG_KEY, status=401)["msg"]
    status, error = response_to(service, "POST", "/edges/https", {**WRONG_KEY, "Content-Length": str(TOO_MUCH)})
    assert status == 401
    assert "The request was" not in error["msg"]
