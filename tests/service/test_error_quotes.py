# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors that quote the body of the request, which test whether a client masks its secrets."""

from __future__ import annotations

import json

import pytest

from running_service import HEADERS, Running

SECRET = 'sé"c/r et'
BODY = {"provider": "github", "secret": SECRET, "colour": 1}
SENT = json.dumps(BODY, ensure_ascii=False).encode()


def quoted(message: str) -> str:
    return message.partition(" The request was: ")[2]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("none", ""),
        ("json", '{"provider": "github", "secret": "sé\\"c/r et", "colour": 1}'),
        (
            "escaped",
            '"{\\"provider\\": \\"github\\", \\"secret\\": \\"s\\\\u00e9\\\\\\"c/r et\\", \\"colour\\": 1}"',
        ),
        (
            "urlencoded",
            "%7B%22provider%22%3A%20%22github%22%2C%20%22secret%22%3A%20%22s%C3%A9%5C%22c%2Fr%20et%22%2C%20%22colour%22%3A%201%7D",
        ),
    ],
)
def test_error_quotes_request(service: Running, value: str, expected: str) -> None:
    path = f"{service.new_route()}/webhook_verification"
    service.switches(error_quotes_request=value)
    message = service.rejected("PUT", path, data=SENT)["msg"]
    assert message.startswith("colour: ")
    assert quoted(message) == expected


def test_every_error_quotes_the_request(service: Running) -> None:
    edge = service.new_edge(hostports=["a:443"])
    quotes = {"error_quotes_request": "json"}
    wrong_key = {**HEADERS, "Authorization": "Bearer x"}
    body = {"hostports": ["a:443"]}
    for switches, method, path, headers, status in (
        ({}, "POST", "/edges/https", HEADERS, 400),
        ({}, "POST", "/edges/https", wrong_key, 401),
        ({"rejection_status": 403}, "POST", "/edges/https", wrong_key, 403),
        ({}, "POST", "/edges/https", {**HEADERS, "Svc-Version": "1"}, 400),
        ({}, "POST", "/unknown", HEADERS, 404),
        ({}, "PATCH", "/edges/https/edghts_none", HEADERS, 404),
        ({}, "PUT", edge, HEADERS, 404),
        ({}, "DELETE", edge, HEADERS, 400),
        ({}, "POST", "/edges/https?x=1", HEADERS, 400),
        ({"account": "edges_off"}, "PATCH", edge, HEADERS, 403),
        ({"operations": "documented", "missing_operation": 501}, "PUT", f"{edge}/mutual_tls", HEADERS, 501),
        ({"rejected_creations": "all", "creation_rejection": 422}, "POST", "/edges/https", HEADERS, 422),
    ):
        service.switches(**quotes, **switches)
        given = {"hostports": ["new:443"]} if status == 422 else body
        message = service.rejected(method, path, given, headers=headers, status=status)["msg"]
        assert json.loads(quoted(message)) == given, (method, path)
    service.switches(**quotes, rate_limit=1)
    service.done("GET", "/tunnels")
    assert json.loads(quoted(service.rejected("POST", "/edges/https", body, status=429)["msg"])) == body


@pytest.mark.parametrize("value", ["json", "escaped", "urlencoded"])
def test_invalid_json_is_quoted_in_the_error(service: Running, value: str) -> None:
    service.switches(error_quotes_request=value)
    expected = {"json": "{\ufffdx", "escaped": '"{\\ufffdx"', "urlencoded": "%7B%FFx"}
    assert quoted(service.rejected("POST", "/edges/https", data=b"{\xffx")["msg"]) == expected[value]
    assert "The request was" not in service.rejected("GET", "/tunnels/tn_none", status=404)["msg"]
    service.rejected("POST", "/edges/https", data=b"[" * 20_000)


def test_a_successful_response_quotes_nothing(service: Running) -> None:
    service.switches(error_quotes_request="json")
    assert "The request was" not in service.send("POST", "/edges/https", {"description": "d"}).text
    assert "The request was" not in str(service.control("PUT", "switches", {"colour": 1}, status=400))
