# SPDX-License-Identifier: GPL-3.0-or-later
"""Control calls, and the state that they show: only programs on this machine may send them, not web pages in a browser
on it. Invalid ones are rejected with a reason, and change nothing. The state survives `kill -9`.
"""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from running_service import HEADERS, Running, running

DEEP_MEMBER: Any = json.loads("[" * 300 + "]" * 300)
CALLS = [
    *(("GET", call) for call in ("health", "journal", "switches", "state", "unknown")),
    *(("DELETE", "journal"), ("PUT", "switches"), ("PATCH", "switches"), ("POST", "seed"), ("POST", "reset")),
]
HOST, ORIGIN, SITE = ("Host", "127.0.0.1:PORT"), "Origin", "Sec-Fetch-Site"
OWN_ORIGIN = (ORIGIN, "http://127.0.0.1:PORT")
FOREIGN_HOSTS = [
    *("evil.example", "evil.example:PORT", "localhost.evil.example:PORT", "127.0.0.1.evil.example:PORT"),
    *("evil.example@127.0.0.1:PORT", "localhost.:PORT", "127.0.0.1:PORT:PORT", "127.0.0.1:x", ""),
    *("10.0.0.1:PORT", "0.0.0.0:PORT", "[::]:PORT", "[::1", "::1", "2130706433:PORT", "127.1:PORT", "127.0.0.\xb9"),
]
FOREIGN_ORIGINS = [
    *("https://evil.example", "http://evil.example:PORT", "null", "", "file://", "http://localhost:3000"),
    *("http://localhost:PORT", "http://127.0.0.1", "https://127.0.0.1:PORT"),
    "http://127.0.0.1:PORT, https://evil.example",
]
# The headers of requests that a web page could send, and of those that a program or the user sends.
FOREIGN = [
    *([("Host", host)] for host in FOREIGN_HOSTS),
    *([], [HOST, HOST], [HOST, ("Host", "evil.example")]),
    *([HOST, (ORIGIN, origin)] for origin in FOREIGN_ORIGINS),
    *([HOST, (SITE, site)] for site in ("cross-site", "same-site", "", "something new")),
    [HOST, OWN_ORIGIN, (ORIGIN, "https://evil.example")],
]
OWN = [
    *([("Host", f"{host}:PORT")] for host in ("127.0.0.1", "localhost", "LocalHost", "[::1]")),
    *([("Host", host)] for host in ("127.0.0.1", "127.0.0.1:9", "127.9.9.9")),
    *([HOST, OWN_ORIGIN], [HOST, OWN_ORIGIN, (SITE, "same-origin")], [HOST, (SITE, "none")]),
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


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_foreign_page_is_rejected(service: Running, held: dict[str, Any], headers: list[tuple[str, str]]) -> None:
    for method, call in CALLS:
        for path in (f"/_control/{call}", f"/%5Fcontrol/{call}"):
            assert status(service, method, path, *headers) in (400, 403), path
    assert everything(service) == held


@pytest.mark.parametrize("headers", OWN, ids=str)
def test_a_program_and_a_typed_url_are_accepted(service: Running, headers: list[tuple[str, str]]) -> None:
    assert status(service, "GET", "/_control/state", *headers) == 200


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


@pytest.mark.parametrize(("method", "call"), [each for each in CALLS if each[1] != "unknown"])
def test_unknown_queries_and_bodies_are_rejected(service: Running, held: Any, method: str, call: str) -> None:
    """A query or a body such as `{"kind": "tunnels"}` must not be ignored silently."""
    has_body = call in ("switches", "seed") and method != "GET"
    query = service.rejected(method, f"/_control/{call}?keep=1", {} if has_body else None, headers={})
    body = service.rejected(method, f"/_control/{call}", {"kind": "tunnels"}, headers={})
    assert ("keep" in query["msg"], ("kind" if has_body else "body") in body["msg"]) == (True, True)
    assert everything(service) == held


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
    service.rejected("POST", "/_control/seed", data=json.dumps(seed).encode())
    assert not any(service.control("GET", "state").values())


def test_an_api_body_may_be_deep_but_not_too_deep_to_be_stored(service: Running) -> None:
    path, start = f"{service.new_route()}/policy", b'{"inbound": {"actions": {"type": "x", "config": {"x": '
    for depth in (201, 250, 300, 1000, 1020, 5000):
        config = b"[" * depth + b"]" * depth
        for data in (start + config + b"}}}}", b'{"inbound": ' + config + b"}", config):
            assert service.rejected("PUT", path, data=data)["msg"].startswith("the body: is not valid JSON: ")
    stored = service.done("PUT", path, data=start + b"[" * 190 + b"]" * 190 + b"}}}}")
    assert stored["inbound"]["actions"]["config"]["x"] == json.loads("[" * 190 + "]" * 190)
    assert service.done("GET", "/edges/https")["https_edges"][0]["routes"][0]["policy"] == stored


RULE = {"ip_policy_id": "ipp_unknown", "cidr": "192.0.2.0/24", "action": "deny"}


def test_the_request_log_contains_every_request(service: Running) -> None:
    service.new_edge(description="é")
    headers = {**HEADERS, "Authorization": "Bearer x", "X-Own": "1"}
    service.rejected("GET", "/tunnels?x=1&y=%20", headers=headers, status=401)
    service.rejected("POST", "/edges/https", data=b"{")
    service.rejected("GET", "/nowhere/%20", status=404)
    log = service.journal()
    assert set(log[0]) == {"number", "at", "method", "path", "query", "headers", "body", "status"}
    assert [tuple(each[name] for name in ("method", "path", "query", "body", "status")) for each in log] == [
        ("POST", "/edges/https", "", {"description": "é"}, 201),
        ("GET", "/tunnels", "x=1&y=%20", None, 401),
        ("POST", "/edges/https", "", "{", 400),
        ("GET", "/nowhere/%20", "", None, 404),
    ]
    assert (log[0]["headers"]["authorization"], log[0]["headers"]["svc-version"]) == (HEADERS["Authorization"], "2")
    assert (log[1]["headers"]["authorization"], log[1]["headers"]["x-own"]) == ("Bearer x", "1")
    numbers = [each["number"] for each in log]
    assert numbers == sorted(set(numbers))
    assert service.journal(after=numbers[1]) == log[2:]
    assert service.journal(after=numbers[-1]) == service.journal(after=2**63 - 1) == []
    service.control("DELETE", "journal", status=204)
    assert service.journal() == []
    service.done("GET", "/tunnels")
    assert service.journal()[0]["number"] > numbers[-1]


def test_seeded_objects_are_returned(service: Running) -> None:
    route = {"id": "edghtsrt_mine", "match_type": "exact_path", "match": "/", "oidc": {"client_secret": "s"}}
    seed: dict[str, Any] = {
        "tunnels": [{"id": "tn_mine", "public_url": "https://a.example"}],
        "tls_edges": [{"id": "edgtls_mine", "ip_restriction": {"ip_policy_ids": ["ipp_1"]}}],
        "https_edges": [{"id": "edghts_mine", "hostports": ["a:443"], "routes": [route]}],
        "event_subscriptions": [{"id": "esb_mine", "sources": ["domain_created.v0"]}],
        "objects": {"ip_policies": [{"id": "ipp_mine", "description": "Office"}], "ip_policy_rules": [RULE]},
    }
    planted = service.control("POST", "seed", seed)
    assert planted["https_edges"] == [{"id": "edghts_mine", "routes": [{"id": "edghtsrt_mine"}]}]
    others = planted["tunnels"], planted["tls_edges"], planted["event_subscriptions"], planted["objects"]["ip_policies"]
    assert others == tuple([{"id": f"{prefix}_mine"}] for prefix in ("tn", "edgtls", "esb", "ipp"))
    state = service.control("GET", "state")
    assert sorted(state["objects"]) == ["ip_policies", "ip_policy_rules"]
    assert RULE.items() <= state["objects"]["ip_policy_rules"][0].items()
    for kind in ("tls_edges", "event_subscriptions"):
        assert seed[kind][0].items() <= state[kind][0].items()
    [edge] = state["https_edges"]
    assert edge["hostports"] == ["a:443"]
    assert route.items() <= edge["routes"][0].items()
    assert service.done("GET", "/tunnels/tn_mine")["endpoint"]["id"].startswith("ep_")


def test_the_state_survives_kill_9(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        edge = first.new_edge(hostports=["a:443"])
        route = first.new_route(edge, oidc={"client_secret": "s"})
        first.switches(secrets="redacted")
        sources = first.new_subscription("domain_created.v0")
        before = first.control("GET", "state"), first.control("GET", "switches"), first.journal()
        first.process.kill()
        first.process.wait()
    with running(tmp_path) as second:
        assert (second.control("GET", "state"), second.control("GET", "switches"), second.journal()) == before
        assert second.done("GET", route)["oidc"]["client_secret"] == "********"
        second.done("GET", sources)
        second.rejected("POST", "/edges/https", {"hostports": ["A:443"]})
        assert second.journal()[-1]["number"] > before[2][-1]["number"]


@pytest.mark.parametrize("delay", [0, 200])
def test_rules_apply_to_simultaneous_writes_and_all_are_kept(service: Running, delay: int) -> None:
    edge, sources = service.new_edge(), service.new_subscription()
    service.switches(slow_creations_ms=delay)
    many = 24
    for path, body in (
        ("/edges/https", {"hostports": ["a:443"]}),
        (f"{edge}/routes", {"match_type": "exact_path", "match": "/"}),
        (sources, {"type": "domain_created.v0"}),
    ):
        with ThreadPoolExecutor(many) as pool:
            sent = [pool.submit(service.send, "POST", path, body) for _number in range(many)]
        assert Counter(one.result().status_code for one in sent) == {201: 1, 400: many - 1}
    route, modules = service.new_route(), ("compression", "saml", "oidc", "oauth", "policy", "user_agent_filter")
    with ThreadPoolExecutor(many) as pool:
        list(pool.map(lambda name: service.done("PUT", f"{route}/{name}", {}), modules))
    assert None not in map(service.done("GET", route).get, modules)


def test_a_delayed_response_delays_no_other_and_its_operation_is_done(service: Running) -> None:
    service.switches(response_delay_ms=60_000)
    with pytest.raises(requests.exceptions.ReadTimeout):
        requests.post(f"{service.base_url}/edges/https", json={}, headers=HEADERS, timeout=0.5)
    service.switches()
    assert len(service.done("GET", "/edges/https")["https_edges"]) == 1
    assert [each["status"] for each in service.journal()] == [201, 200]
