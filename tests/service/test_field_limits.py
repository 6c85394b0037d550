# SPDX-License-Identifier: GPL-3.0-or-later
"""The limits of fields outside of traffic modules: what no service accepts, and what every service accepts."""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from hostport_samples import FINE, WRONG
from reference_service.values.rejection_codes import Code
from running_service import Running

POLICY = {"objects": {"ip_policies": [{"id": "ipp_one"}]}}
TARGETS = {
    "firehose": {"delivery_stream_arn": "arn:one"},
    "kinesis": {"stream_arn": "arn:two"},
    "cloudwatch_logs": {"log_group_arn": "arn:three"},
}
REGIONS = ("au", "eu", "ap", "us", "us-cal-1", "jp", "in", "sa")


def rule(cidr: str) -> dict[str, Any]:
    return {"ip_policy_id": "ipp_one", "action": "allow", "cidr": cidr}


def endpoint(url: str = "https://shop.example.com", kind: str = "cloud") -> dict[str, Any]:
    return {"url": url, "type": kind, "traffic_policy": "on_http_request: []"}


ACCEPTED: list[tuple[str, dict[str, Any]]] = [
    *(("ip_policy_rules", rule(cidr)) for cidr in ("0.0.0.0/0", "192.0.2.7/24", "192.0.2.1/32", "2001:db8::/128")),
    *(("endpoints", endpoint(f"{scheme}://shop.example.com")) for scheme in ("http", "https", "tcp", "tls")),
    *(("endpoints", endpoint(url)) for url in ("https://*.example.com:443", "tcp://1.tcp.example.io:20001")),
    *(("backends/http_response", {"status_code": status}) for status in (100, 599)),
    *(("backends/static", {"tls": {"enabled": enabled}}) for enabled in (True, False)),
    *(("event_destinations", {"target": {name: target}}) for name, target in TARGETS.items()),
    *((path, {"region": region}) for path in ("reserved_addrs", "reserved_domains") for region in REGIONS),
    *(("reserved_domains", {"certificate_management_policy": {"private_key_type": kind}}) for kind in ("rsa", "ecdsa")),
    *(("ssh_certificate_authorities", {"private_key_type": kind}) for kind in ("rsa", "ecdsa", "ed25519")),
    *(("reserved_domains", {"domain": domain}) for domain in ("shop.example.com", "*.example.com", "bücher.example")),
    ("event_subscriptions", {"description": "é" * 255, "metadata": "é" * 4096}),
]

BASE: dict[str, dict[str, Any]] = {
    "ip_policy_rules": rule("192.0.2.0/24"),
    "endpoints": endpoint(),
    "agent_ingresses": {"domain": "a.example"},
    "routes": {"match_type": "exact_path", "match": "/"},
}
REJECTED = cases(
    """
    ip_policy_rules cidr | NETWORK | [192.0.2.0/33, "2001:db8::/129", 192.0.2.0, 192.0.2.0/255.0.0.0, 192.0.2/24, any/0]
    endpoints url | URL | [a.example, "ftp://a.example", "https://", "https://a b", "https://a/b", "tcp://a:0"]
    endpoints type | UNKNOWN_VALUE | [any, edge, ""]
    backends/http_response status_code | OUT_OF_RANGE | [99, 600]
    backends/weighted backends.bkd_one | OUT_OF_RANGE | [-1, 10001]
    backends/static tls | INVALID_REQUEST | [true, "true"]
    backends/static tls.enabled | INVALID_REQUEST | [1]
    event_destinations target | ONE_TARGET | [{}, *three_targets, *two_targets]
    reserved_addrs region | UNKNOWN_VALUE | ["", EU, europe]
    reserved_domains region | UNKNOWN_VALUE | ["", EU, europe]
    reserved_domains certificate_management_policy.private_key_type | UNKNOWN_VALUE | ["", RSA, ed25519]
    agent_ingresses certificate_management_policy.private_key_type | UNKNOWN_VALUE | ["", RSA, ed25519]
    ssh_certificate_authorities private_key_type | UNKNOWN_VALUE | ["", RSA, dsa]
    reserved_domains domain | HOST | ["a.example:443", "https://a.example", a example, a/b]
    agent_ingresses domain | HOST | ["a.example:443", "https://a.example", a example, a/b]
    event_subscriptions description | TOO_LONG | [*long_description]
    event_subscriptions metadata | TOO_LONG | [*long_metadata]
    edges/https description | TOO_LONG | [*long_description]
    edges/https description of another type | INVALID_REQUEST | [1, null]
    edges/https hostports | INVALID_REQUEST | ["x:1", null]
    edges/https hostports without a name | EMPTY | [[""]]
    edges/https hostports repeated | NOT_UNIQUE | [["x:1", "X:1"], ["ü.example:1", "XN--TDA.example:1"]]
    edges/https mutual_tls | "NULL" | [null]
    edges/https colour | UNKNOWN_FIELD | [1]
    routes match_type | UNKNOWN_VALUE | [regex, null]
    routes match | EMPTY | [""]
    routes match_type omitted | REQUIRED | [omitted]
    routes match omitted | REQUIRED | [omitted]
    routes traffic_policy | UNKNOWN_FIELD | [{}]
    routes tls_termination | UNKNOWN_FIELD | [{}]
    """,
    three_targets=TARGETS,
    two_targets={name: TARGETS[name] for name in ("firehose", "kinesis")},
    long_description="é" * 256,
    long_metadata="é" * 4097,
)
"""Collections with the paths of fields in them, the code of the rejection, and the values that are rejected."""


@pytest.mark.parametrize(("collection", "body"), ACCEPTED)
def test_a_value_within_its_limits_is_kept(service: Running, collection: str, body: dict[str, Any]) -> None:
    service.control("POST", "seed", POLICY)
    created = service.done("POST", f"/{collection}", body, status=201)
    for name in body.keys() & created.keys() - {"certificate_management_policy", "target"}:
        assert created[name] == body[name]


@pytest.mark.parametrize(
    ("place", "value"), [(place, one) for place, (_, values) in REJECTED.items() for one in values]
)
def test_a_value_beyond_its_limits_is_rejected(service: Running, place: str, value: Any) -> None:
    service.control("POST", "seed", POLICY)
    collection, path, *_ = place.split()
    field, _, member = path.partition(".")
    body = {**BASE.get(collection, {}), field: {member: value} if member else value}
    sent = {name: one for name, one in body.items() if one != "omitted"}
    url = f"{service.new_edge()}/routes" if collection == "routes" else f"/{collection}"
    error = service.rejected("POST", url, sent)
    assert (error["error_code"], (member or field) in error["msg"]) == (Code[REJECTED[place][0]].value, True)


@pytest.mark.parametrize("name", FINE)
def test_valid_hostports_are_accepted(service: Running, name: str) -> None:
    for edges in ("https", "tls", "tcp"):
        edge = service.done("POST", f"/edges/{edges}", {"hostports": [name]}, status=201)
        assert edge["hostports"] == [name]
        service.done("DELETE", f"/edges/{edges}/{edge['id']}", status=204)


@pytest.mark.parametrize("name", WRONG, ids=lambda text: ascii(text)[:40])
def test_invalid_hostports_are_rejected(service: Running, name: str) -> None:
    for edges in ("https", "tls", "tcp"):
        service.rejected("POST", f"/edges/{edges}", {"hostports": [name]})
    service.rejected("PATCH", service.new_edge(), {"hostports": ["a:1", name]})


def test_the_defaults_of_regions_and_of_tls(service: Running) -> None:
    assert service.done("POST", "/reserved_addrs", {}, status=201)["region"] == "us"
    assert service.done("POST", "/reserved_domains", {}, status=201)["region"] is None
    for given in ({}, {"tls": {}}):
        assert service.done("POST", "/backends/static", given, status=201)["tls"] == {"enabled": False}


def test_a_domain_is_reserved_once(service: Running) -> None:
    first = service.done("POST", "/reserved_domains", {"domain": "shop.example.com"}, status=201)["id"]
    for domain in ("shop.example.com", "Shop.Example.com"):
        error = service.rejected("POST", "/reserved_domains", {"domain": domain})
        assert (error["error_code"], "domain: " in error["msg"]) == (Code.DOMAIN_TAKEN.value, True)
    service.done("PATCH", f"/reserved_domains/{first}", {"metadata": "two"})
    service.done("DELETE", f"/reserved_domains/{first}", status=204)
    service.done("POST", "/reserved_domains", {"domain": "shop.example.com"}, status=201)
