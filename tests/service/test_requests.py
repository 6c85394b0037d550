# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for all requests: key, version, query, body, and the format of errors (API reference, 5, 7, 9).

Bodies are not read without a key, and never beyond the limit. Errors quote them if a switch says so, which tests
whether a client masks its secrets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from reference_service.serving.openapi_document import document
from reference_service.serving.raw_bodies import MAX_BODY_BYTES
from reference_service.values.rejection_codes import Code
from running_service import API_KEY, HEADERS, JSON, Running

DEEP = b'{"tunnels": ' + b"[" * 5000 + b"]" * 5000 + b"}"
IDS = {"id": "x_1", "edge_id": "edghts_1", "subscription_id": "esb_1", "type": "domain_created.v0"}
DOCUMENTED = [
    (method.upper(), path.format(**IDS))
    for path, operations in document("Svc-Version")["paths"].items()
    for method, operation in operations.items()
    if "x-extension-operation" not in operation
]
KEYS = (None, "Bearer", f"Bearer {API_KEY}x", f"Basic {API_KEY}", API_KEY, "Bearer ü")


@pytest.mark.parametrize(("method", "path"), [*DOCUMENTED, ("GET", "/unknown")])
def test_what_no_operation_accepts(service: Running, method: str, path: str) -> None:
    body = {} if method in ("POST", "PUT", "PATCH") else None
    for key in KEYS:
        headers = {**HEADERS, "Authorization": key.encode() if key else None}
        error = service.rejected(method, path, headers=headers, status=401)
        assert (error["error_code"], API_KEY in error["msg"]) == ("ERR_API_KEY", False)
    for version in (None, "1", "02", ""):
        error = service.rejected(method, path, headers={**HEADERS, "Svc-Version": version})
        assert (error["error_code"], "Svc-Version" in error["msg"]) == ("ERR_API_VERSION", True)
    if path != "/unknown":
        assert "force" in service.rejected(method, f"{path}?force=true", body)["msg"]
        assert body is not None or "body" in service.rejected(method, path, {})["msg"]


NO_NUMBERS = ["-1", "9" * 25, "9" * 5000, "", "x", "%00", "%ff", "1.5", "1e3", "nan"]
LISTS = {"/tunnels": "limit", "/edges/https": "limit", "/_control/journal": "after"}
QUERIES = [
    *((path, f"{name}={wrong}", name) for path, name in LISTS.items() for wrong in (*NO_NUMBERS, f"1&{name}=2")),
    *(("/tunnels", f"limit={wrong}", "limit") for wrong in (0, 101)),
    *(("/tunnels", f"before_id={wrong}", "before_id") for wrong in ("", "%00", "%ff", "%ED%A0%80", "x" * 5000)),
    *(("/edges/https", f"before_id={wrong}", "before_id") for wrong in ("tn_none", "edghts_none")),
    *(("/_control/journal", f"{query}=5", query) for query in ("aftr", "limit", "after=0&x")),
    ("/_control/journal", f"after={2**63}", "after"),
]


@pytest.mark.parametrize(("path", "query", "named"), QUERIES, ids=lambda text: f"{len(text)} {text[:30]}")
def test_an_invalid_query_is_rejected(service: Running, path: str, query: str, named: str) -> None:
    assert named.rpartition("&")[2] in service.rejected("GET", f"{path}?{query}")["msg"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("GET", path) for path in ("/", "/edges", "/backends", "/tunnels/", "/tunnel_sessions", "//tunnels")),
        *((method, "/tunnels") for method in ("POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")),
        *(("GET", path) for path in ("/docs", "/openapi.json", "/edges/https/edghts_1/routes", "/_control/unknown")),
        ("PUT", "/_control/health"),
        ("PUT", "/edges/https/edghts_1"),
        ("PATCH", "/edges/tls/edgtls_1/ip_restriction"),
        ("PUT", "/event_subscriptions/esb_1/sources/domain_created.v0"),
    ],
)
def test_an_unknown_operation_returns_404(service: Running, method: str, path: str) -> None:
    if method == "HEAD":
        assert service.send(method, path).status_code == 404
    else:
        assert "error_code" not in service.rejected(method, path, status=404)


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b'"x"', b"5", b'{"description": "\xff"}', b'{"description": "\\ud800"}'),
        *(b'{"description": NaN}', b"{}{}", b'{"description": 5}', b'{"descriptions": ""}', DEEP),
    ],
    ids=lambda body: f"{len(body)} {body[:20]!r}",
)
def test_body_must_be_the_object(service: Running, body: bytes) -> None:
    for method, path in (
        *(("POST", "/edges/https"), ("PATCH", service.new_edge())),
        *(("PUT", "/_control/switches"), ("PATCH", "/_control/switches"), ("POST", "/_control/seed")),
    ):
        service.rejected(method, path, data=body)
    assert [edge.keys() for edge in service.control("GET", "state")["https_edges"]] == [{"id", "created_at", "routes"}]


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        *((taken, 201) for taken in ("application/json", "Application/JSON; charset=utf-8")),
        *((other, 400) for other in ("text/plain", "application/merge-patch+json", None)),
    ],
)
def test_a_body_must_have_a_json_content_type(service: Running, content_type: str | None, status: int) -> None:
    headers = {**HEADERS, "Content-Type": content_type}
    assert service.send("POST", "/edges/https", data=b"{}", headers=headers).status_code == status


def test_all_errors_are_reported_together(service: Running) -> None:
    wrong = {"description": "x" * 256, "hostports": ["a", "a"], "colour": 1, "mutual_tls": {"enabled": 1}}
    error = service.rejected("POST", "/edges/https", wrong)
    for part in ("description", "255", "256", "hostports", "colour", "mutual_tls.enabled"):
        assert part in error["msg"]
    assert error["error_code"] == Code.TOO_LONG.value, "the first invalid value determines the code"


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
    for _again in range(2):  # the connection is kept
        service.rejected("POST", "/edges/https", data=b"x" * 2**22, headers=headers, status=401)
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


ESCAPED = r'"{\"provider\": \"github\", \"secret\": \"s\\u00e9\\\"c/r et\", \"colour\": 1}"'
IN_URL = (
    "%22provider%22%3A%20%22github%22%2C%20%22secret%22%3A%20%22s%C3%A9%5C%22c%2Fr%20et%22%2C%20%22colour%22%3A%201"
)


def quoted(message: str) -> str:
    return message.partition(" The request was: ")[2]


@pytest.mark.parametrize(
    ("value", "sent", "expected"),
    [
        *(("none", SECRETS, ""), ("json", SECRETS, SECRETS.decode()), ("escaped", SECRETS, ESCAPED)),
        ("urlencoded", SECRETS, f"%7B{IN_URL}%7D"),
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
