# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that the API reference only refers to: their operations, their references, and their seeds."""

from __future__ import annotations

from typing import Any

import pytest

from real_collections import SAMPLES, with_id
from running_service import Running


def new(service: Running, collection: str, body: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return what the creation of an object returns, and the path of the object."""
    created: dict[str, Any] = service.done("POST", f"/{collection}", body, status=201)
    return created, f"/{collection}/{created['id']}"


def bodies(service: Running, collection: str) -> tuple[dict[str, Any], dict[str, Any]]:
    sample = SAMPLES[collection]
    needed = sample.needs and service.done("POST", f"/{sample.needs}", SAMPLES[sample.needs].whole, status=201)
    identifier = needed["id"] if needed else ""
    return with_id(sample.whole, identifier), with_id(sample.changed, identifier)


REFERENCES = {
    "event_subscriptions": "destinations",
    "ip_policy_rules": "ip_policy",
    "ip_restrictions": "ip_policies",
    "reserved_domains": "certificate",
    "vault_secrets": "vault",
}


@pytest.mark.parametrize("collection", SAMPLES)
def test_objects_are_created_changed_and_deleted(service: Running, collection: str) -> None:
    sample = SAMPLES[collection]
    first, second = bodies(service, collection)
    created, path = new(service, collection, first)
    assert created["uri"] == service.base_url + path
    kept = {name: value for name, value in created.items() if name != "token"}
    assert kept.items() <= service.done("GET", path).items()
    changed = service.done("PATCH", path, second)
    assert created.keys().isdisjoint(sample.hidden)
    assert REFERENCES.get(collection, "id") in changed
    assert {**kept, **changed} == changed
    state = service.control("GET", "state")
    [held] = {**state, **state["objects"], "edges/tls": state["tls_edges"]}[collection]
    sent = {name: value for name, value in {**first, **second}.items() if name != "sources"}
    assert sent.items() <= held.items()
    listed = service.done("GET", f"/{collection}?limit=1")
    assert [value for value in listed.values() if isinstance(value, list)] == [[changed]]
    service.done("DELETE", path, status=204)
    service.rejected("GET", path, status=404)
    service.rejected("PATCH", path, second, status=404)


@pytest.mark.parametrize("collection", [name for name, sample in SAMPLES.items() if sample.constant])
def test_constant_fields_cannot_be_changed(service: Running, collection: str) -> None:
    first, _second = bodies(service, collection)
    _created, path = new(service, collection, first)
    for name in SAMPLES[collection].constant:
        service.switches(constant_fields="refused")
        assert f"{name}: is not a known field" in service.rejected("PATCH", path, {name: first[name]})["msg"]
        service.switches(constant_fields="ignored")
        assert service.done("PATCH", path, {name: "other"}) == service.done("GET", path)


@pytest.mark.parametrize("collection", ["backends/failover", "backends/weighted"])
def test_a_patch_that_omits_the_backends_empties_them(service: Running, collection: str) -> None:
    first, _second = bodies(service, collection)
    _created, path = new(service, collection, first)
    service.switches(patch_empties="nothing")
    assert service.done("PATCH", path, {"metadata": "two"})["backends"] == first["backends"]
    service.switches(patch_empties="backends")
    changed = service.done("PATCH", path, {"metadata": "three"})
    assert (changed["backends"], changed["description"]) == (type(first["backends"])(), "The one")
    service.switches(patch_empties="everything")
    assert service.done("PATCH", path, first)["metadata"] == ""


@pytest.mark.parametrize("collection", ["api_keys", "credentials"])
def test_only_the_creation_shows_a_token(service: Running, collection: str) -> None:
    created, path = new(service, collection, {})
    assert created["token"] != service.done("POST", f"/{collection}", {}, status=201)["token"]
    assert service.done("GET", path)["token"] is None
    assert service.done("PATCH", path, {"description": "x"})["token"] is None


def test_unreserved_hostports_can_be_rejected(service: Running) -> None:
    address, path = new(service, "reserved_addrs", {})
    domain, _path = new(service, "reserved_domains", {"domain": "shop.example.com"})
    assert address["addr"] == service.done("GET", path)["addr"]
    assert domain["cname_target"] == "shop.example.com.cname.example.net"
    service.switches(unreserved_hostports="refused")
    for edges, reserved, other in (
        ("tcp", address["addr"], "1.tcp.example.io:1"),
        ("tls", "shop.example.com:8443", "blog.example.com:443"),
        ("https", "shop.example.com:443", "blog.example.com:443"),
    ):
        _edge, path = new(service, f"edges/{edges}", {"hostports": [reserved]})
        for method, place in (("POST", f"/edges/{edges}"), ("PATCH", path)):
            assert service.rejected(method, place, {"hostports": [other]})["error_code"] == "ERR_NOT_RESERVED"


def test_unknown_fields_can_be_ignored(service: Running) -> None:
    body = {"colour": "red", "target": {"kinesis": {"stream_arn": "arn:one", "size": 1}}}
    assert "colour: is not a known field" in service.rejected("POST", "/event_destinations", body)["msg"]
    service.switches(unknown_fields="ignored")
    created, _path = new(service, "event_destinations", body)
    assert (created["target"]["kinesis"], "colour" in created) == ({"auth": None, "stream_arn": "arn:one"}, False)


@pytest.mark.parametrize("collection", ["backends/failover", "backends/weighted"])
def test_a_backend_in_use_is_not_deleted(service: Running, collection: str) -> None:
    first, _second = bodies(service, collection)
    service.done("POST", f"/{collection}", first, status=201)
    [identifier] = first["backends"]
    service.rejected("DELETE", f"/{SAMPLES[collection].needs}/{identifier}", status=409)
    error = service.rejected("POST", f"/{collection}", with_id(SAMPLES[collection].new, "bkdst_unknown"))
    assert "backends: there is no object with the ID 'bkdst_unknown'" in error["msg"]


@pytest.mark.parametrize("status", [409, 400])
def test_an_object_in_use_is_not_deleted(service: Running, status: int) -> None:
    service.switches(deletion_in_use=status)
    policy = service.done("POST", "/ip_policies", {}, status=201)["id"]
    edge = service.new_edge()
    service.new_route(edge, ip_restriction={"ip_policy_ids": [policy]}, description=policy)
    error = service.rejected("DELETE", f"/ip_policies/{policy}", status=status)
    assert (error["error_code"], "the route edghtsrt_" in error["msg"]) == ("ERR_IN_USE", True)
    service.done("DELETE", edge, status=204)
    service.new_edge(description=policy, metadata=policy)  # which is not a reference
    service.done("DELETE", f"/ip_policies/{policy}", status=204)


RULE = {"ip_policy_id": "ipp_unknown", "cidr": "192.0.2.0/24", "action": "deny"}


@pytest.mark.parametrize(("value", "of_edge"), [("in_edges", 201), ("refused", 400)])
def test_unknown_references_can_be_rejected(service: Running, value: str, of_edge: int) -> None:
    edge = service.new_edge()
    service.switches(unknown_references=value)
    route = {"match_type": "exact_path", "match": "/", "backend": {"backend_id": "bkd_unknown"}}
    assert service.send("POST", f"{edge}/routes", route).status_code == of_edge
    tls_edge = {"ip_restriction": {"ip_policy_ids": ["ipp_unknown"]}}
    assert service.send("POST", "/edges/tls", tls_edge).status_code == of_edge
    created = service.done("POST", "/edges/tls", {}, status=201)["id"]
    module = service.send("PUT", f"/edges/tls/{created}/ip_restriction", {"ip_policy_ids": ["ipp_unknown"]})
    assert (module.status_code, of_edge) in {(200, 201), (400, 400)}
    error = service.rejected("POST", "/ip_policy_rules", RULE)
    assert "ip_policy_id: there is no object with the ID 'ipp_unknown'" in error["msg"]
    service.switches(unknown_references="accepted")
    service.done("POST", "/ip_policy_rules", RULE, status=201)


@pytest.mark.parametrize("references", ["list", "single", "ids"])
def test_forms_of_references(service: Running, references: str) -> None:
    service.control("POST", "seed", {"objects": {"backends/failover": [{"id": "f", "backends": ["one", "two"]}]}})
    service.control("POST", "seed", {"objects": {"ip_policy_rules": [{"id": "r", **RULE}]}})
    service.switches(references=references, lists="reordered")
    rule = service.done("GET", "/ip_policy_rules/r")["ip_policy"]
    assert (rule if references == "ids" else rule["id"]) == "ipp_unknown"
    # They are plain IDs, whose order matters.
    assert service.done("GET", "/backends/failover/f")["backends"] == ["one", "two"]


def test_values_of_plain_objects_have_the_chosen_form(service: Running) -> None:
    creds = {"aws_access_key_id": "AKIA", "aws_secret_access_key": "hidden"}
    target = {"kinesis": {"auth": {"creds": creds}, "stream_arn": "arn:one"}}
    service.switches(secrets="left_out", changed_identity="addresses")
    created = service.done("POST", "/event_destinations", {"target": target}, status=201)
    assert created["target"]["kinesis"]["auth"]["creds"] == {"aws_access_key_id": "AKIA"}
    address = {"address": "shop.example.com:443"}
    assert service.done("POST", "/backends/static", address, status=201)["address"] == "shop.example.com"


def test_the_sources_of_a_subscription_are_its_event_sources(service: Running) -> None:
    body = {"sources": [{"type": "domain_created.v0"}], "description": "Audit"}
    _created, path = new(service, "event_subscriptions", body)
    service.done("POST", f"{path}/sources", {"type": "domain_deleted.v0"}, status=201)
    service.done("DELETE", f"{path}/sources/domain_created.v0", status=204)
    found = service.done("GET", path)
    assert [each["type"] for each in found["sources"]] == ["domain_deleted.v0"]
    assert found["description"] == "Audit"
    service.rejected("PATCH", path, {"sources": [{"type": "domain_create.v0"}]})
    service.switches(patch_empties="everything")
    assert service.done("PATCH", path, {"metadata": "x"})["sources"] == []
    assert service.done("GET", f"{path}/sources")["sources"] == []
