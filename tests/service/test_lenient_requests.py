# SPDX-License-Identifier: GPL-3.0-or-later
"""Variants of requests that some services accept: nulls, an empty match, and no body."""

from __future__ import annotations

from typing import Any

import pytest

from running_service import HEADERS, JSON, Running


def test_source_patch_without_body(service: Running) -> None:
    sources = service.new_subscription("domain_created.v0")
    one = f"{sources}/domain_created.v0"
    service.rejected("PATCH", one)
    service.switches(source_patch_without_body=True)
    for headers in (HEADERS, JSON, {**HEADERS, "Content-Type": "text/plain"}):
        assert service.done("PATCH", one, headers=headers) == service.done("GET", one)
    assert service.done("PATCH", one, {}) == service.done("GET", one)
    service.rejected("PATCH", one, {"type": "domain_created.v0"})
    service.rejected("PATCH", one, data=b"null")
    service.rejected("PATCH", f"{sources}/domain_deleted.v0", status=404)
    service.rejected("PATCH", service.new_edge())
    service.rejected("POST", sources)


def test_an_empty_match_can_be_ignored(service: Running) -> None:
    route = service.new_route(match="/a", match_type="exact_path", description="d")
    before = service.done("GET", route)
    empty = {"match": "", "match_type": ""}
    for body in ({"match": ""}, {"match_type": ""}, empty):
        service.rejected("PATCH", route, body)
    service.switches(empty_match="ignored")
    assert service.done("PATCH", route, empty) == before
    kind = {"match_type": "path_prefix"}
    assert service.done("PATCH", route, {"match": "", **kind}) == {**before, **kind}
    assert service.done("PATCH", route, {**empty, "description": ""})["description"] == ""
    service.rejected("POST", route.rpartition("/")[0], {"match": "", "match_type": "exact_path"})
    service.rejected("PATCH", route, data=b'""')


def test_empty_descriptions_and_metadata_can_be_ignored(service: Running) -> None:
    route = service.new_route(match="/a", match_type="exact_path", description="d", metadata="m")
    empty = {"description": "", "metadata": ""}
    service.switches(cleared_text="ignored")
    assert service.done("PATCH", route, empty)["description"] == "d"
    assert service.done("PATCH", route, {**empty, "description": "new"})["metadata"] == "m"
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
    for body in (b"null", b"[null]", b"5"):
        service.rejected("PATCH", route, data=body)


def test_null_is_accepted_in_other_requests_as_well(service: Running) -> None:
    service.switches(null_members="accepted")
    edge = service.done("POST", "/edges/https", {"hostports": None, "mutual_tls": None}, status=201)
    assert (edge["hostports"], edge["mutual_tls"]) == ([], None)
    restriction = service.done("PUT", f"{service.new_tls_edge()}/ip_restriction", {"ip_policy_ids": None})
    assert restriction == {"enabled": True, "ip_policies": []}
    upstream = {"terminate_at": "upstream", "min_version": None}
    response = service.done("PUT", f"{service.new_tls_edge()}/tls_termination", upstream)
    assert response == {"enabled": True, **upstream}
