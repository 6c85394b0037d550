# SPDX-License-Identifier: GPL-3.0-or-later
"""Creations that are rejected, and creations that are delayed."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from running_service import HEADERS, Running

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
    """The key, the body, and the parent are checked first. Seeds are not limited."""
    service.switches(rejected_creations="all", creation_rejection=409)
    for kind, path in paths.items():
        service.rejected("POST", path, BODIES[kind], headers={**HEADERS, "Authorization": "Bearer x"}, status=401)
        service.rejected("POST", path, {**BODIES[kind], "colour": 1})
    for path, kind in (("/edges/https/edghts_none/routes", "routes"), ("/event_subscriptions/e/sources", "sources")):
        service.rejected("POST", path, BODIES[kind], status=404)
    route = {"match_type": "exact_path", "match": "/"}
    service.control("POST", "seed", {"https_edges": [{"routes": [route]}], "event_subscriptions": [{}]})


def test_existing_objects_can_still_be_changed(service: Running) -> None:
    route, sources = service.new_route(), service.new_subscription("domain_created.v0")
    service.switches(rejected_creations="all")
    service.done("PATCH", route, {"description": "d"})
    service.done("PUT", f"{route}/compression", {})
    service.done("PATCH", f"{sources}/domain_created.v0", {})
    service.done("DELETE", route, status=204)


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


def test_a_taken_name_is_detected_after_the_delay(service: Running) -> None:
    service.switches(slow_creations_ms=200)
    with ThreadPoolExecutor() as threads:
        sent = [threads.submit(service.send, "POST", "/edges/https", BODIES["edges"]) for _again in range(2)]
    assert sorted(each.result().status_code for each in sent) == [201, 400]


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
