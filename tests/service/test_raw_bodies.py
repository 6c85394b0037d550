# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of requests: not read without a key, and never read beyond the limit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from running_service import JSON, SOURCES, Running

assert SOURCES
from reference_service.serving.raw_bodies import MAX_BODY_BYTES  # noqa: E402

WRONG_KEY = {**JSON, "Authorization": "Bearer x"}
NO_KEY = {name: value for name, value in JSON.items() if name != "Authorization"}
TOO_MUCH = MAX_BODY_BYTES + 1


def response_to(service: Running, path: str, headers: dict[str, str], *parts: bytes) -> tuple[int, dict[str, Any]]:
    """Create something with these headers and this part of a body, and return the parsed response."""
    status, body = service.sent("POST", path, [("Host", "localhost"), *headers.items()], *parts)
    return status, json.loads(body)


def chunks(size: int) -> Iterator[bytes]:
    part = b"x" * 2**20
    for _number in range(size // len(part) + 1):
        yield f"{len(part):x}\r\n".encode() + part + b"\r\n"
    yield b"0\r\n\r\n"


@pytest.mark.parametrize("headers", [WRONG_KEY, NO_KEY], ids=["wrong key", "no key"])
def test_the_key_is_checked_before_the_body_arrives(service: Running, headers: dict[str, str]) -> None:
    for length in ({"Content-Length": "5"}, {"Content-Length": str(TOO_MUCH)}, {"Transfer-Encoding": "chunked"}):
        assert response_to(service, "/edges/https", {**headers, **length})[0] == 401
    assert [(each["status"], each["body"]) for each in service.journal()] == [(401, None)] * 3


def test_a_rejection_without_a_key_is_immediate_and_keeps_the_connection(service: Running) -> None:
    for _again in range(2):
        service.rejected("POST", "/edges/https", data=b"x" * 2**22, headers=WRONG_KEY, status=401)
        service.done("GET", "/tunnels")


@pytest.mark.parametrize("path", ["/edges/https", "/_control/seed"])
def test_a_body_above_the_limit_is_rejected(service: Running, path: str) -> None:
    """With its length in a header, it is not even read."""
    announced, chunked = {"Content-Length": str(TOO_MUCH)}, {"Transfer-Encoding": "chunked"}
    for headers, parts in ((announced, [b"{"]), (chunked, chunks(TOO_MUCH))):
        status, error = response_to(service, path, {**JSON, **headers}, *parts)
        assert status == error["status_code"] == 413
        assert f"{MAX_BODY_BYTES} bytes" in error["msg"]
    found = [] if "_control" in path else [(413, None)] * 2
    assert [(each["status"], each["body"]) for each in service.journal()] == found
    assert not any(service.control("GET", "state").values())


def test_a_body_within_the_limit_is_read(service: Running) -> None:
    body = b'{"description": "of the tests"}'.ljust(MAX_BODY_BYTES)
    service.done("POST", "/edges/https", data=body, status=201)


def test_a_quoted_body_is_read_within_the_limit(service: Running) -> None:
    service.switches(error_quotes_request="json")
    assert "The request was: {}" in service.rejected("POST", "/edges/https", {}, headers=WRONG_KEY, status=401)["msg"]
    status, error = response_to(service, "/edges/https", {**WRONG_KEY, "Content-Length": str(TOO_MUCH)})
    assert status == 401
    assert "The request was" not in error["msg"]
