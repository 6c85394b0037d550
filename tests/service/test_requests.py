# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for all requests: key, version, query, body, and the format of errors (API reference, 5, 7, 9)."""

from __future__ import annotations

import json

import pytest

from reference_service.serving.openapi_document import document
from reference_service.values.rejection_codes import Code
from running_service import API_KEY, HEADERS, Running

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
    *((path, f"limit={wrong}", "limit") for path in ("/tunnels", "/edges/https") for wrong in (0, 101)),
    *(
        (path, f"before_id={wrong}", "before_id")
        for path in ("/tunnels", "/edges/https")
        for wrong in ("", "%00", "%ff", "%ED%A0%80", "x" * 5000, "tn_none", "edghts_none")
    ),
    ("/_control/journal", f"after={2**63}", "after"),
    *(
        ("/_control/journal", query, named)
        for query, named in (("aftr=5", "aftr"), ("limit=1", "limit"), ("after=0&x", "x"))
    ),
]


@pytest.mark.parametrize(("path", "query", "named"), QUERIES, ids=lambda text: f"{len(text)} {text[:30]}")
def test_an_invalid_query_is_rejected(service: Running, path: str, query: str, named: str) -> None:
    assert named in service.rejected("GET", f"{path}?{query}")["msg"]


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
    ("content_type", "taken"),
    [
        ("application/json", True),
        ("Application/JSON; charset=utf-8", True),
        ("text/plain", False),
        ("application/x-www-form-urlencoded", False),
        ("application/merge-patch+json", False),
        (None, False),
    ],
)
def test_a_body_must_have_a_json_content_type(service: Running, content_type: str | None, taken: bool) -> None:
    headers = {**HEADERS, "Content-Type": content_type}
    status = service.send("POST", "/edges/https", data=json.dumps({}).encode(), headers=headers).status_code
    assert status == (201 if taken else 400)


def test_all_errors_are_reported_together(service: Running) -> None:
    wrong = {"description": "x" * 256, "hostports": ["a", "a"], "colour": 1, "mutual_tls": {"enabled": 1}}
    error = service.rejected("POST", "/edges/https", wrong)
    for part in ("description", "255", "256", "hostports", "colour", "mutual_tls.enabled"):
        assert part in error["msg"]
    assert error["error_code"] == Code.TOO_LONG.value, "the first invalid value determines the code"
