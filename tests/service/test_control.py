# SPDX-License-Identifier: GPL-3.0-or-later
"""Control calls: only programs on this machine may send them, not web pages in a browser on it. Invalid ones are
rejected with a reason, and change nothing.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from running_service import HEADERS, Running

JSON = {"Content-Type": "application/json"}
DEEP = '{"tunnels": ' + "[" * 5000 + "]" * 5000 + "}"
DEEP_MEMBER: Any = json.loads("[" * 300 + "]" * 300)
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


@pytest.mark.parametrize(
    ("query", "named"),
    [
        *((f"after={number}", "after") for number in ("99999999999999999999999", "9" * 5000, str(2**63), "-1")),
        *((f"after={text}", "after") for text in ("x", "", "1.5", "1e3", "nan", "%00", "%ff", "1&after=2")),
        ("aftr=5", "aftr"),
        ("limit=1", "limit"),
        ("after=0&x", "x"),
    ],
    ids=lambda text: f"{len(text)} {text[:30]}",
)
def test_invalid_queries_of_the_request_log(service: Running, query: str, named: str) -> None:
    assert named in service.rejected("GET", f"/_control/journal?{query}", headers={})["msg"]


def test_the_largest_number(service: Running) -> None:
    assert service.control("GET", f"journal?after={2**63 - 1}")["requests"] == []


@pytest.mark.parametrize(("method", "call"), [each for each in CALLS if each[1] not in ("journal", "unknown")])
def test_unknown_queries_are_rejected(service: Running, held: dict[str, Any], method: str, call: str) -> None:
    body = {} if call in ("switches", "seed") and method != "GET" else None
    assert "keep" in service.rejected(method, f"/_control/{call}?keep=1", body, headers={})["msg"]
    assert everything(service) == held


@pytest.mark.parametrize(("method", "call"), [("POST", "reset"), ("DELETE", "journal"), ("GET", "state")])
def test_unexpected_bodies_are_rejected(service: Running, held: dict[str, Any], method: str, call: str) -> None:
    """A body such as `{"kind": "tunnels"}` must not be ignored silently."""
    assert "body" in service.rejected(method, f"/_control/{call}", {"kind": "tunnels"}, headers={})["msg"]
    assert everything(service) == held


@pytest.mark.parametrize(("method", "call"), [("PUT", "switches"), ("PATCH", "switches"), ("POST", "seed")])
@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b'"x"', b"5", b"{}{}", b'{"x": "\xff"}', b'{"x": "\\ud800"}', b'{"x": NaN}'),
        DEEP.encode(),
    ],
    ids=lambda body: f"{len(body)} {body[:20]!r}",
)
def test_a_body_must_be_an_object(service: Running, method: str, call: str, body: bytes) -> None:
    service.rejected(method, f"/_control/{call}", data=body, headers=JSON)
    assert not any(service.control("GET", "state").values())


@pytest.mark.parametrize(
    "switches",
    [
        *({"rate_limit": value} for value in (-1, 2**63, 10**30, "9" * 25, "9" * 5000, True, None, 1.5, [1])),
        *({"response_delay_ms": value} for value in (-1, 600_001, 10**30, "9" * 25, "²")),
        *({"page_size": value} for value in (0, 101, "", None)),
        *({"lists": value} for value in (None, 0, True, "Kept", ["kept"], {})),
        *({"extra_keys": value} for value in ("yes", 1, None, "")),
        *({"creation_rejection": value} for value in (399, 500)),
        *({name: -1} for name in ("slow_creations_ms", "", "x\x00", "colour")),
    ],
    ids=lambda switches: f"{len(repr(switches))} {switches!r:.40}",
)
def test_invalid_switches_are_rejected_and_change_nothing(service: Running, switches: dict[str, Any]) -> None:
    service.switches(extra_keys=True, rate_limit=1000)
    before = everything(service)
    for method in ("PUT", "PATCH"):
        service.rejected(method, "/_control/switches", switches, headers={})
    assert everything(service) == before


@pytest.mark.parametrize(
    "wrong",
    [
        *({"tunnels": wrong} for wrong in ({}, None, [{"labels": {"a": 1}}], [{"metadata": "\ud800"}])),
        *({"tunnels": wrong} for wrong in ([{"id": "tn_1"}] * 2, [{"colour": 1}], [{"proto": "udp"}])),
        {"tls_edges": [{"id": "edghts_1"}]},
        {"https_edges": [{"routes": [{"match_type": "exact_path", "match": "/", "policy": {"inbound": DEEP_MEMBER}}]}]},
        {"https_edges": [{"hostports": ["a:1", "a:1"]}]},
        {"https_edges": [{"hostports": ["a:1"]}, {"hostports": ["A:1"]}]},
        {"https_edges": [{"routes": [{"match_type": "exact_path", "match": "/"}] * 2}]},
        {"event_subscriptions": [{"id": "esb_1"}] * 2},
        *({"event_subscriptions": [{"sources": wrong}]} for wrong in ("domain_created.v0", [None], ["unknown.v0"])),
        *({"objects": wrong} for wrong in ({"policies": [{}]}, {"edges/tls": [{}]}, {"ip_policies": [{"colour": 1}]})),
        {"edges": []},
    ],
    ids=lambda wrong: f"{wrong!r:.80}",
)
def test_invalid_seeds_are_rejected_and_create_nothing(service: Running, wrong: dict[str, Any]) -> None:
    seed = {"event_subscriptions": [{}], "tunnels": [{}], **wrong}
    service.rejected("POST", "/_control/seed", data=json.dumps(seed).encode(), headers=JSON)
    assert not any(service.control("GET", "state").values())


def test_an_api_body_may_be_deep(service: Running) -> None:
    value: Any = json.loads("[" * 190 + "]" * 190)
    policy = {"inbound": {"actions": {"type": "x", "config": {"x": value}}}}
    route = service.new_route(policy=policy)
    assert service.done("GET", route)["policy"]["inbound"]["actions"] == policy["inbound"]["actions"]
    service.done("GET", "/edges/https")


def test_api_bodies_that_cannot_be_stored(service: Running) -> None:
    route = service.new_route()
    for switches in ({}, {"null_members": "accepted"}):
        service.switches(**switches)
        for depth in (201, 250, 300, 1000, 1020, 5000):
            config = b"[" * depth + b"]" * depth
            body = b'{"inbound": {"actions": {"type": "x", "config": {"x": ' + config + b"}}}}"
            for data in (body, b'{"inbound": ' + config + b"}", config):
                headers = {**HEADERS, **JSON}
                message = service.rejected("PUT", f"{route}/policy", data=data, headers=headers)["msg"]
                assert message.startswith("the body: is not valid JSON: ")
    assert service.done("GET", route)["policy"] is None
