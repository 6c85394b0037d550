# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of requests: not read without a key, and never read beyond the limit. Errors quote them if a switch says so,
which tests whether a client masks its secrets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from reference_service.serving.raw_bodies import MAX_BODY_BYTES
from running_service import HEADERS, JSON, Running

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


SECRETS = '{"provider": "github", "secret": "sé\\"c/r et", "colour": 1}'.encode()


def quoted(message: str) -> str:
    return message.partition(" The request was: ")[2]


@pytest.mark.parametrize(
    ("value", "sent", "expected"),
    [
        ("none", SECRETS, ""),
        ("json", SECRETS, SECRETS.decode()),
        (
            "escaped",
            SECRETS,
            '"{\\"provider\\": \\"github\\", \\"secret\\": \\"s\\\\u00e9\\\\\\"c/r et\\", \\"colour\\": 1}"',
        ),
        (
            "urlencoded",
            SECRETS,
            "%7B%22provider%22%3A%20%22github%22%2C%20%22secret%22%3A%20%22s%C3%A9%5C%22c%2Fr%20et%22%2C%20%22colour%22%3A%201%7D",
        ),
        ("json", b"{\xffx", "{\ufffdx"),
        ("escaped", b"{\xffx", '"{\\ufffdx"'),
        ("urlencoded", b"{\xffx", "%7B%FFx"),
    ],
)
def test_an_error_quotes_the_body(service: Running, value: str, sent: bytes, expected: str) -> None:
    path = f"{service.new_route()}/webhook_verification"
    service.switches(error_quotes_request=value)
    message = service.rejected("PUT", path, data=sent)["msg"]
    assert message.startswith(("colour: ", "the body: is not valid JSON: "))
    assert quoted(message) == expected
    service.rejected("PUT", path, data=b"[" * 20_000)


def test_every_error_quotes_the_request_and_nothing_else_does(service: Running) -> None:
    service.new_edge(hostports=["a:443"])
    service.switches(error_quotes_request="json")
    body = {"hostports": ["a:443"]}
    for path, headers, status in (
        ("/edges/https", HEADERS, 400),
        ("/edges/https", WRONG_KEY, 401),
        ("/edges/https", {**HEADERS, "Svc-Version": "1"}, 400),
        ("/edges/https?x=1", HEADERS, 400),
        ("/unknown", HEADERS, 404),
    ):
        message = service.rejected("POST", path, body, headers=headers, status=status)["msg"]
        assert json.loads(quoted(message)) == body, path
    status, error = response_to(service, "/edges/https", {**WRONG_KEY, "Content-Length": str(TOO_MUCH)})
    assert (status, "The request was" in error["msg"]) == (401, False)
    assert "The request was" not in service.send("POST", "/edges/https", {"description": "d"}).text
    assert "The request was" not in str(service.control("PUT", "switches", {"colour": 1}, status=400))
    assert "The request was" not in service.rejected("GET", "/tunnels/tn_none", status=404)["msg"]
