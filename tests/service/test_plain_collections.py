# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that the API reference only refers to: their operations, their references, and their seeds."""

from __future__ import annotations

from typing import Any

import pytest

from running_service import Running

POLICY = {"description": "Office"}
# A body that creates an object of each collection, and one that changes it. `{other}` is the ID of what they need.
BODIES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "ip_policies": ("", POLICY, {"metadata": "{}"}),
    "ip_policy_rules": (
        "ip_policies",
        {"ip_policy_id": "{other}", "cidr": "192.0.2.0/24"},
        {"cidr": "198.51.100.0/24", "action": "deny"},
    ),
    "backends/http_response": ("", {"body": "closed", "status_code": 503}, {"headers": {"Retry-After": "60"}}),
    "backends/tunnel_group": ("", {"labels": {"service": "shop"}}, {"labels": {"service": "blog"}}),
    "backends/static_address": ("", {"address": "backend.example.com:443"}, {"address": "other.example.com:443"}),
    "backends/failover": (
        "backends/http_response",
        {"backend_ids": ["{other}"]},
        {"backend_ids": ["{other}"], "description": "Both"},
    ),
    "certificate_authorities": ("", {"ca_pem": "-----BEGIN"}, {"description": "Staff"}),
    "edges/tls": ("", {"hostports": ["till.example.com:443"]}, {"hostports": ["till.example.com:8443"]}),
    "event_destinations": (
        "",
        {"target": {"firehose": {"delivery_stream_arn": "arn:one"}}},
        {"target": {"kinesis": {"stream_arn": "arn:two"}}},
    ),
    "event_subscriptions": (
        "event_destinations",
        {"sources": [{"type": "domain_created.v0"}], "destination_ids": ["{other}"]},
        {"sources": [{"type": "domain_deleted.v0"}]},
    ),
}
NEEDED = {"ip_policies": POLICY, "backends/http_response": {}, "event_destinations": {}}


def bodies(service: Running, collection: str) -> tuple[dict[str, Any], dict[str, Any]]:
    other, *given = BODIES[collection]
    if not other:
        return given[0], given[1]
    identifier = service.done("POST", f"/{other}", NEEDED[other], status=201)["id"]
    first, second = (
        {
            name: identifier if value == "{other}" else [identifier] if value == ["{other}"] else value
            for name, value in body.items()
        }
        for body in given
    )
    return first, second


def references(found: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a response that a body contains, with IDs in place of Refs, and sources without URIs."""
    names = {"ip_policy_id": "ip_policy", "backend_ids": "backends", "destination_ids": "destinations"}
    shown = {name: found[names.get(name, name)] for name in body}
    for name, value in shown.items():
        if name in names:
            shown[name] = [each["id"] for each in value] if isinstance(value, list) else value["id"]
        elif name == "sources":
            shown[name] = [{"type": each["type"]} for each in value]
    return shown


@pytest.mark.parametrize("collection", BODIES)
def test_operations(service: Running, collection: str) -> None:
    first, second = bodies(service, collection)
    created = service.done("POST", f"/{collection}", first, status=201)
    path = f"/{collection}/{created['id']}"
    assert created["uri"] == service.base_url + path
    assert service.done("GET", path) == created
    changed = service.done("PATCH", path, second)
    for body, found in ((first, created), (second, changed)):
        shown = references(found, body)
        if "target" in body:
            [(name, target)] = body["target"].items()
            assert target.items() <= shown["target"][name].items()
        else:
            assert shown == body
    listed = service.done("GET", f"/{collection}?limit=1")
    assert [value for value in listed.values() if isinstance(value, list)] == [[changed]]
    service.done("DELETE", path, status=204)
    service.refused("GET", path, status=404)
    service.refused("PATCH", path, second, status=404)


@pytest.mark.parametrize("collection", BODIES)
def test_they_are_an_extension(service: Running, collection: str) -> None:
    service.switches(operations="documented")
    service.refused("GET", f"/{collection}", status=404)


@pytest.mark.parametrize("status", [409, 400])
def test_an_object_in_use_is_not_deleted(service: Running, status: int) -> None:
    service.switches(deletion_in_use=status)
    policy = service.done("POST", "/ip_policies", {}, status=201)["id"]
    edge = service.new_edge()
    service.new_route(edge, ip_restriction={"ip_policy_ids": [policy]}, description=policy)
    error = service.refused("DELETE", f"/ip_policies/{policy}", status=status)
    assert (error["error_code"], "the route edghtsrt_" in error["msg"]) == ("ERR_IN_USE", True)
    service.done("DELETE", edge, status=204)
    service.done("DELETE", f"/ip_policies/{policy}", status=204)


def test_an_id_in_a_text_is_no_reference(service: Running) -> None:
    policy = service.done("POST", "/ip_policies", {}, status=201)["id"]
    service.new_edge(description=policy, metadata=policy)
    service.done("DELETE", f"/ip_policies/{policy}", status=204)


RULE = {"ip_policy_id": "ipp_unknown", "cidr": "192.0.2.0/24"}


@pytest.mark.parametrize(("value", "of_edge", "of_object"), [("in_edges", 201, 400), ("refused", 400, 400)])
def test_unknown_references(service: Running, value: str, of_edge: int, of_object: int) -> None:
    edge = service.new_edge()
    service.switches(unknown_references=value)
    route = {"match_type": "exact_path", "match": "/", "backend": {"backend_id": "bkd_unknown"}}
    assert service.send("POST", f"{edge}/routes", route).status_code == of_edge
    tls_edge = {"ip_restriction": {"ip_policy_ids": ["ipp_unknown"]}}
    assert service.send("POST", "/edges/tls", tls_edge).status_code == of_edge
    created = service.done("POST", "/edges/tls", {}, status=201)["id"]
    module = service.send("PUT", f"/edges/tls/{created}/ip_restriction", {"ip_policy_ids": ["ipp_unknown"]})
    assert (module.status_code, of_edge) in {(200, 201), (400, 400)}
    error = service.refused("POST", "/ip_policy_rules", RULE, status=of_object)
    assert "ip_policy_id: there is no object with the ID 'ipp_unknown'" in error["msg"]
    service.switches(unknown_references="accepted")
    service.done("POST", "/ip_policy_rules", RULE, status=201)


@pytest.mark.parametrize(
    ("references", "ip_policy", "backends"),
    [("list", {"id"}, ["one", "two"]), ("single", {"id"}, "one"), ("ids", None, ["one", "two"])],
)
def test_forms_of_references(service: Running, references: str, ip_policy: Any, backends: Any) -> None:
    service.control("POST", "seed", {"objects": {"backends/failover": [{"id": "f", "backend_ids": ["one", "two"]}]}})
    service.control("POST", "seed", {"objects": {"ip_policy_rules": [{"id": "r", **RULE}]}})
    service.switches(references=references, lists="reordered")
    rule = service.done("GET", "/ip_policy_rules/r")["ip_policy"]
    assert rule == "ipp_unknown" if ip_policy is None else rule["id"] == "ipp_unknown"
    # Their order matters, so it is kept.
    found = service.done("GET", "/backends/failover/f")["backends"]
    if references == "single":
        assert found["id"] == backends
    else:
        assert [each if references == "ids" else each["id"] for each in found] == backends


def test_constant_fields_cannot_be_updated(service: Running) -> None:
    authority = service.done("POST", "/certificate_authorities", {"ca_pem": "a"}, status=201)["id"]
    assert "ca_pem" in service.refused("PATCH", f"/certificate_authorities/{authority}", {"ca_pem": "b"})["msg"]


def test_a_hostport_belongs_to_one_edge_of_any_kind(service: Running) -> None:
    service.new_edge(hostports=["shop.example.com:443"])
    error = service.refused("POST", "/edges/tls", {"hostports": ["shop.example.com:443"]})
    assert error["error_code"] == "ERR_HOSTPORT_TAKEN"


def test_secrets_of_a_destination(service: Running) -> None:
    creds = {"aws_access_key_id": "AKIA", "aws_secret_access_key": "hidden"}
    body = {"target": {"kinesis": {"auth": {"creds": creds}, "stream_arn": "arn:one"}}}
    path = f"/event_destinations/{service.done('POST', '/event_destinations', body, status=201)['id']}"
    service.switches(secrets="left_out")
    assert service.done("GET", path)["target"]["kinesis"]["auth"]["creds"] == {"aws_access_key_id": "AKIA"}


def test_the_sources_of_a_subscription_are_its_event_sources(service: Running) -> None:
    body = {"sources": [{"type": "domain_created.v0"}], "description": "Audit"}
    subscription = service.done("POST", "/event_subscriptions", body, status=201)["id"]
    path = f"/event_subscriptions/{subscription}"
    service.done("POST", f"{path}/sources", {"type": "domain_deleted.v0"}, status=201)
    service.done("DELETE", f"{path}/sources/domain_created.v0", status=204)
    found = service.done("GET", path)
    assert [each["type"] for each in found["sources"]] == ["domain_deleted.v0"]
    assert found["description"] == "Audit"
    service.refused("PATCH", path, {"sources": [{"type": "domain_create.v0"}]})


def test_seed_and_state(service: Running) -> None:
    objects = {"ip_policies": [{"id": "ipp_mine", "description": "Office"}], "ip_policy_rules": [RULE]}
    planted = service.control("POST", "seed", {"objects": objects})
    assert planted["objects"]["ip_policies"] == [{"id": "ipp_mine"}]
    state = service.control("GET", "state")["objects"]
    assert sorted(state) == ["ip_policies", "ip_policy_rules"]
    assert RULE.items() <= state["ip_policy_rules"][0].items()
    for wrong in ({"policies": [{}]}, {"edges/tls": [{}]}, {"ip_policies": [{"colour": 1}]}):
        service.control("POST", "seed", {"objects": wrong}, status=400)


def test_creations_can_be_rejected(service: Running) -> None:
    service.switches(refused_creations="objects")
    assert service.refused("POST", "/ip_policies", {})["error_code"] == "ERR_OBJECT_LIMIT"
