# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of control calls: all others are rejected with a reason, and change nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from running_service import HEADERS, Running

JSON = {"Content-Type": "application/json"}
DEEP = '{"tunnels": ' + "[" * 5000 + "]" * 5000 + "}"
DEEP_MEMBER: Any = json.loads("[" * 300 + "]" * 300)


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


@pytest.mark.parametrize(
    ("method", "call"),
    [
        *(("GET", call) for call in ("health", "switches", "state")),
        *(("PUT", "switches"), ("PATCH", "switches"), ("POST", "seed"), ("POST", "reset"), ("DELETE", "journal")),
    ],
)
def test_unknown_queries_are_rejected(service: Running, method: str, call: str) -> None:
    service.new_edge()
    before = service.control("GET", "state"), service.journal()
    body = {} if call in ("switches", "seed") and method != "GET" else None
    assert "keep" in service.rejected(method, f"/_control/{call}?keep=1", body, headers={})["msg"]
    assert (service.control("GET", "state"), service.journal()) == before


@pytest.mark.parametrize(("method", "call"), [("POST", "reset"), ("DELETE", "journal"), ("GET", "state")])
def test_unexpected_bodies_are_rejected(service: Running, method: str, call: str) -> None:
    """A body such as `{"kind": "tunnels"}` must not be ignored silently."""
    service.new_edge()
    before = service.control("GET", "state"), service.journal()
    assert "body" in service.rejected(method, f"/_control/{call}", {"kind": "tunnels"}, headers={})["msg"]
    assert (service.control("GET", "state"), service.journal()) == before


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
    before = service.control("GET", "switches")
    for method in ("PUT", "PATCH"):
        service.rejected(method, "/_control/switches", switches, headers={})
    assert service.control("GET", "switches") == before


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
