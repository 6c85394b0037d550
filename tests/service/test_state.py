# SPDX-License-Identifier: GPL-3.0-or-later
"""The state: the request log, `kill -9`, simultaneous writes, and the control calls for it."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from running_service import HEADERS, Running, running

RULE = {"ip_policy_id": "ipp_unknown", "cidr": "192.0.2.0/24", "action": "deny"}


def test_the_request_log_contains_every_request(service: Running) -> None:
    service.new_edge(description="é")
    service.rejected(
        "GET", "/tunnels?x=1&y=%20", headers={**HEADERS, "Authorization": "Bearer x", "X-Own": "1"}, status=401
    )
    service.rejected("POST", "/edges/https", data=b"{")
    service.rejected("GET", "/nowhere/%20", status=404)
    created, rejected, malformed, unknown = service.journal()
    assert set(created) == {"number", "at", "method", "path", "query", "headers", "body", "status"}
    assert (created["method"], created["path"], created["query"]) == ("POST", "/edges/https", "")
    assert (created["body"], created["status"]) == ({"description": "é"}, 201)
    assert created["headers"]["authorization"] == HEADERS["Authorization"]
    assert created["headers"]["svc-version"] == "2"
    assert (rejected["path"], rejected["query"], rejected["status"]) == ("/tunnels", "x=1&y=%20", 401)
    assert (rejected["headers"]["authorization"], rejected["headers"]["x-own"]) == ("Bearer x", "1")
    assert rejected["body"] is None
    assert (malformed["body"], malformed["status"]) == ("{", 400)
    assert (unknown["path"], unknown["status"]) == ("/nowhere/%20", 404)
    assert created["number"] < rejected["number"] < malformed["number"] < unknown["number"]


def test_request_log_after_a_number_and_cleared(service: Running) -> None:
    for _again in range(3):
        service.done("GET", "/tunnels")
    first, second, third = service.journal()
    assert service.journal(after=first["number"]) == [second, third]
    assert service.journal(after=third["number"]) == service.journal(after=2**63 - 1) == []
    service.control("DELETE", "journal", status=204)
    assert service.journal() == []
    service.done("GET", "/tunnels")
    assert service.journal()[0]["number"] > third["number"]


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
    assert seed["tls_edges"][0].items() <= state["tls_edges"][0].items()
    assert seed["event_subscriptions"][0].items() <= state["event_subscriptions"][0].items()
    assert state["https_edges"][0]["hostports"] == ["a:443"]
    assert route.items() <= state["https_edges"][0]["routes"][0].items()
    assert service.done("GET", "/tunnels/tn_mine")["endpoint"]["id"].startswith("ep_")
    assert service.done("GET", "/edges/https/edghts_mine/routes/edghtsrt_mine")["match"] == "/"
    service.done("GET", "/edges/tls/edgtls_mine/ip_restriction")


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


def test_rules_apply_to_simultaneous_writes(service: Running) -> None:
    edge, sources = service.new_edge(), service.new_subscription()
    many = 24
    for path, body in (
        ("/edges/https", {"hostports": ["a:443"]}),
        (f"{edge}/routes", {"match_type": "exact_path", "match": "/"}),
        (sources, {"type": "domain_created.v0"}),
    ):
        with ThreadPoolExecutor(many) as pool:
            sent = [pool.submit(service.send, "POST", path, body) for _number in range(many)]
        assert Counter(one.result().status_code for one in sent) == {201: 1, 400: many - 1}


def test_simultaneous_writes_are_all_kept(service: Running) -> None:
    route = service.new_route()
    modules = ("compression", "saml", "oidc", "oauth", "policy", "websocket_tcp_converter", "user_agent_filter")
    with ThreadPoolExecutor(len(modules)) as pool:
        list(pool.map(lambda name: service.done("PUT", f"{route}/{name}", {}), modules))
    found = service.done("GET", route)
    assert all(found[name] is not None for name in modules)


def test_a_delayed_response_delays_no_other_and_its_operation_is_done(service: Running) -> None:
    service.switches(response_delay_ms=60_000)
    with pytest.raises(requests.exceptions.ReadTimeout):
        requests.post(f"{service.base_url}/edges/https", json={}, headers=HEADERS, timeout=0.5)
    service.switches()
    assert len(service.done("GET", "/edges/https")["https_edges"]) == 1
    assert [each["status"] for each in service.journal()] == [201, 200]
