# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches that reject or delay creations, or accept variants of requests: nulls, an empty match, and no body."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from running_service import HEADERS, JSON, Running

BODIES: dict[str, Any] = {
    "edges": {"hostports": ["new.example:443"]},
    "routes": {"match_type": "exact_path", "match": "/new"},
    "sources": {"type": "domain_created.v0"},
    "objects": {"description": "new"},
}


@pytest.fixture
def paths(service: Running) -> dict[str, str]:
    routes, sources = f"{service.new_edge()}/routes", service.new_subscription()
    return {"edges": "/edges/https", "routes": routes, "sources": sources, "objects": "/ip_policies"}


@pytest.mark.parametrize("status", [400, 402, 429, 499])
@pytest.mark.parametrize("rejected", ["none", *BODIES, "all"])
def test_chosen_creations_are_rejected(service: Running, paths: dict[str, str], rejected: str, status: int) -> None:
    service.switches(rejected_creations=rejected, creation_rejection=status)
    for kind, path in paths.items():
        before = service.control("GET", "state")
        if rejected in (kind, "all"):
            error = service.rejected("POST", path, BODIES[kind], status=status)
            assert (error["error_code"], kind in error["msg"]) == (f"ERR_{kind[:-1].upper()}_LIMIT", True)
            assert service.control("GET", "state") == before
        else:
            service.done("POST", path, BODIES[kind], status=201)
            assert service.control("GET", "state") != before


def test_checks_before_a_rejected_creation(service: Running, paths: dict[str, str]) -> None:
    """The key, the body, and the parent are checked first. Seeds and updates are not limited."""
    route = service.new_route()
    service.switches(rejected_creations="all", creation_rejection=409)
    service.done("PATCH", route, {"description": "d"})
    service.done("PUT", f"{route}/compression", {})
    for kind, path in paths.items():
        service.rejected("POST", path, BODIES[kind], headers={**HEADERS, "Authorization": "Bearer x"}, status=401)
        service.rejected("POST", path, {**BODIES[kind], "colour": 1})
    for path, kind in (("/edges/https/edghts_none/routes", "routes"), ("/event_subscriptions/e/sources", "sources")):
        service.rejected("POST", path, BODIES[kind], status=404)
    service.control("POST", "seed", {"https_edges": [{"routes": [BODIES["routes"]]}], "event_subscriptions": [{}]})


@pytest.mark.parametrize("kind", BODIES)
def test_a_slow_creation_does_not_delay_other_requests(service: Running, paths: dict[str, str], kind: str) -> None:
    """The object does not exist before the delay ends, while other requests are processed."""
    before = service.control("GET", "state")
    service.switches(slow_creations_ms=1500)
    with ThreadPoolExecutor() as threads:
        creation = threads.submit(service.send, "POST", paths[kind], BODIES[kind])
        while not service.journal() or service.journal()[-1]["path"] != paths[kind]:
            time.sleep(0.01)
        service.done("GET", "/tunnels")
        assert service.control("GET", "state") == before
        assert not creation.done()
        assert creation.result().status_code == 201
    assert service.control("GET", "state") != before


def test_a_slow_creation_survives_a_disconnect(service: Running) -> None:
    service.switches(slow_creations_ms=300)
    with pytest.raises(OSError, match="timed out"):
        service._session.post(service.base_url + "/edges/https", json={}, headers=HEADERS, timeout=0.1)
    while service.journal()[-1]["status"] is None:
        time.sleep(0.01)
    assert len(service.control("GET", "state")["https_edges"]) == 1


def test_a_hostport_is_released_only_after_some_requests(service: Running) -> None:
    service.switches(slow_releases=2)
    giver = service.new_edge(hostports=["a.example:443", "b.example:443"])
    taker = service.new_edge()
    service.done("PATCH", giver, {"hostports": ["b.example:443"]})
    for _time in range(2):
        error = service.rejected("PATCH", taker, {"hostports": ["A.example:443"]})
        assert error["msg"] == f"hostports: 'A.example:443' belongs to another edge, {giver.rpartition('/')[2]}"
    service.done("PATCH", taker, {"hostports": ["A.example:443"]})
    # The edge that has given it up can have it back.
    service.done("PATCH", taker, {"hostports": []})
    service.done("PATCH", taker, {"hostports": ["a.example:443"]})
    service.done("DELETE", taker, status=204)
    for status in (400, 400, 201):
        service.done("POST", "/edges/https", {"hostports": ["a.example:443"]}, status=status)


def test_source_patch_without_body(service: Running) -> None:
    sources = service.new_subscription("domain_created.v0")
    one = f"{sources}/domain_created.v0"
    service.rejected("PATCH", one)
    service.switches(source_patch_without_body=True)
    for headers in (HEADERS, JSON, {**HEADERS, "Content-Type": "text/plain"}):
        assert service.done("PATCH", one, headers=headers) == service.done("GET", one)
    assert service.done("PATCH", one, {}) == service.done("GET", one)
    service.rejected("PATCH", one, data=b"null")
    service.rejected("PATCH", f"{sources}/domain_deleted.v0", status=404)
    service.rejected("PATCH", service.new_edge())
    service.rejected("POST", sources)


def test_empty_texts_can_be_ignored(service: Running) -> None:
    route = service.new_route(match="/a", match_type="exact_path", description="d", metadata="m")
    before = service.done("GET", route)
    empty = {"match": "", "match_type": ""}
    service.rejected("PATCH", route, {"match_type": ""})
    service.switches(empty_match="ignored")
    assert service.done("PATCH", route, empty) == before
    kind = {"match_type": "path_prefix"}
    assert service.done("PATCH", route, {"match": "", **kind}) == {**before, **kind}
    assert service.done("PATCH", route, {**empty, "description": ""})["description"] == ""
    service.rejected("POST", route.rpartition("/")[0], {"match": "", "match_type": "exact_path"})
    service.rejected("PATCH", route, data=b'""')
    empty = {"description": "", "metadata": ""}
    service.switches(cleared_text="ignored")
    assert service.done("PATCH", route, {**empty, "description": "new"})["metadata"] == "m"
    assert service.done("PATCH", route, empty)["description"] == "new"
    service.switches()
    assert service.done("PATCH", route, empty)["metadata"] == ""


NULLS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"description": None, "metadata": None, "match": None, "match_type": None}, {}),
    ({"oauth": None, "policy": None}, {}),
    ({"circuit_breaker": {"num_buckets": None, "enabled": None}}, {"circuit_breaker": {}}),
    ({"request_headers": {"add": None, "remove": ["A"]}}, {"request_headers": {"remove": ["A"]}}),
    ({"oauth": {"provider": {"google": {"scopes": None}}}}, {"oauth": {"provider": {"google": {}}}}),
    ({"oauth": {"provider": None}}, {"oauth": {}}),
    ({"policy": {"inbound": [{"name": None, "actions": [{"type": "x", "config": None}]}]}},
     {"policy": {"inbound": [{"actions": [{"type": "x"}]}]}}),
    ({"policy": {"outbound": {"expressions": None}}}, {"policy": {"outbound": {}}}),
]  # fmt: skip
ONLY_PROVIDERS = ({"oauth": {"provider": {"github": None, "google": {}}}}, {"oauth": {"provider": {"google": {}}}})


@pytest.mark.parametrize(("given", "meant"), [*NULLS, ONLY_PROVIDERS])
@pytest.mark.parametrize("value", ["refused", "providers", "accepted"])
def test_nulls_can_be_accepted(service: Running, value: str, given: dict[str, Any], meant: dict[str, Any]) -> None:
    base = {"match_type": "exact_path", "match": "/a", "description": "d", "compression": {}}
    route = service.new_route(**base)
    service.switches(null_members=value)
    if value == "refused" or (value == "providers" and (given, meant) != ONLY_PROVIDERS):
        service.rejected("PATCH", route, given)
        return
    service.done("PATCH", route, given)
    [edge] = service.control("GET", "state")["https_edges"]
    [held] = edge["routes"]
    assert {name: held[name] for name in held if name not in ("id", "created_at")} == {**base, **meant}


def test_nulls_outside_of_objects(service: Running) -> None:
    """Maps with keys of the user keep nulls. Lists and required fields reject them."""
    service.switches(null_members="accepted")
    policy = {"inbound": {"actions": {"type": "x", "config": {"a": None, "b": [None]}}}}
    route = service.new_route(policy=policy)
    assert service.done("GET", route)["policy"]["inbound"]["actions"]["config"] == {"a": None, "b": [None]}
    for body in (
        {"request_headers": {"add": {"A": None}}},
        {"request_headers": {"remove": [None]}},
        {"policy": {"inbound": [None]}},
        {"colour": None},
    ):
        service.rejected("PATCH", route, body)
    service.rejected("POST", route.rpartition("/")[0], {"match": None, "match_type": "exact_path"})
    service.rejected("PATCH", route, data=b"[null]")


def test_null_is_accepted_in_other_requests_as_well(service: Running) -> None:
    service.switches(null_members="accepted")
    edge = service.done("POST", "/edges/https", {"hostports": None, "mutual_tls": None}, status=201)
    assert (edge["hostports"], edge["mutual_tls"]) == ([], None)
    upstream = {"terminate_at": "upstream", "min_version": None}
    response = service.done("PUT", f"{service.new_tls_edge()}/tls_termination", upstream)
    assert response == {"enabled": True, **upstream}
