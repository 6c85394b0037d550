# SPDX-License-Identifier: GPL-3.0-or-later
"""The limits of fields: what no service accepts, and what every service accepts, with values at and above each limit.

Of traffic modules, these are all fields and rules (API reference, 2.2, 2.4, 2.5, 7, 8).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cases import cases
from hostport_samples import FINE, WRONG
from reference_fields import EDGE, ROUTE, TLS_EDGE, Fields, declared
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
    *(("edges/https", {"description": text}) for text in ("a" * 255, "é" * 127 + "a", "😀" * 63 + "aaa")),
    *(("edges/https", {"metadata": text}) for text in ("a" * 4096, "é" * 2048, "😀" * 1024)),
]

BASE: dict[str, dict[str, Any]] = {
    "ip_policy_rules": rule("192.0.2.0/24"),
    "endpoints": endpoint(),
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
    ssh_certificate_authorities private_key_type | UNKNOWN_VALUE | ["", RSA, dsa]
    reserved_domains domain | HOST | ["a.example:443", "https://a.example", a example, a/b]
    event_subscriptions description | TOO_LONG | [*long_description]
    event_subscriptions metadata | TOO_LONG | [*long_metadata]
    edges/https description of another type | INVALID_REQUEST | [1, null]
    edges/https description | TOO_LONG | [*long_in_bytes]
    edges/https metadata | TOO_LONG | [*long_metadata_in_bytes]
    routes description | TOO_LONG | [*long_in_bytes]
    routes metadata | TOO_LONG | [*long_metadata_in_bytes]
    routes metadata of another type | INVALID_REQUEST | [1, null]
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
    long_in_bytes="é" * 128,
    long_metadata_in_bytes="é" * 2048 + "a",
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


Body = dict[str, Any]

OWNERS = {"new_edge": EDGE, "new_route": ROUTE, "new_tls_edge": TLS_EDGE}
MODULES = [(create, module) for create, modules in OWNERS.items() for module in modules]
UINT32 = 2**32 - 1
OF_BREAKERS = ("tripped_duration", "rolling_window", "volume_threshold")
OF_SESSIONS = ("inactivity_timeout", "maximum_duration", "auth_check_interval")
MAXIMA = {"num_buckets": 128, "error_threshold_percentage": 1, **dict.fromkeys((*OF_BREAKERS, *OF_SESSIONS), UINT32)}
"""Of the numbers in the API reference, which start at 0. Those of a service that is extended may have other limits."""
APP = {"client_id": "id", "client_secret": "cs"}
EVERY_APP = {
    "github": {"teams": ["org/team"], "organizations": ["org"]},
    **{name: {**APP, "scopes": ["s"]} for name in ("facebook", "microsoft", "google", "linkedin", "gitlab")},
    **{name: {"email_addresses": ["a@b.c"], "email_domains": ["b.c"]} for name in ("twitch", "amazon")},
}
RULE = {"name": "r", "expressions": ["a", "a"], "actions": {"type": "deny", "config": {"any": [1, {"thing": None}]}}}

# What else the traffic modules accept, and what none of them accepts, besides values of the wrong type.
OF_MODULES_ACCEPTED: dict[str, list[Body]] = {
    "tls_termination": [{}, {"min_version": None}],
    "webhook_verification": [{"provider": "sns"}, {"provider": "SNS"}, {"provider": "TWILIO", "secret": "s"}],
    "oauth": [{"provider": each} for each in (EVERY_APP, {"google": {"client_id": "", "scopes": []}})],
    "oidc": [{"client_id": "c", "scopes": ["openid"]}],
    "policy": [{"inbound": [RULE, RULE], "outbound": [{**RULE, "actions": [{"type": "a"}, {"type": "a"}]}]}],
}
PROVIDERS = {
    "google": [
        *({"client_id": "id"}, {"client_secret": "cs"}, {"scopes": ["s"]}, {**APP, "scopes": ["s", "s"]}),
        *({"teams": ["o/t"]}, {"email_addresses": ["a", "a"]}, {"email_domains": ["a", "a"]}),
    ],
    "github": [{"organizations": ["a", "a"]}, {"teams": ["a", "a"]}, None],
    "example": [{}],
}
OF_MODULES_REJECTED: dict[str, list[tuple[Body, str]]] = {
    "mutual_tls": [({"certificate_authority_ids": [""]}, "ids.0"), ({"certificate_authorities": []}, "authorities")],
    "backend": [({"backend": {"id": "bkd_1"}}, "backend"), ({"backend_id": ""}, "backend_id")],
    "ip_restriction": [({"ip_policy_ids": [wrong]}, "ip_policy_ids.0") for wrong in ("ipp_", "esb_1", None)],
    "compression": [({"level": 9}, "level")],
    "request_headers": [({"add": {"X-A": 1}}, "add.X-A"), ({"add": {"X-A": "1", "x-a": "2"}}, "add")],
    "response_headers": [({"remove": ["X-A", "x-a"]}, "remove")],
    "webhook_verification": [({"provider": "github"}, "secret"), ({"provider": "x", "secret": ""}, "secret")],
    "oauth": [
        *(({"provider": {name: wrong}}, f"provider.{name}") for name, each in PROVIDERS.items() for wrong in each),
        ({"idp_metadata": "x"}, "idp_metadata"),
    ],
    "saml": [({name: wrong}, name) for name, wrong in (("entity_id", "x"), ("auth_check_interval", 1))],
    "policy": [
        ({"inbound": [{"name": 5}]}, "inbound.0.name"),
        ({"inbound": {"when": "x"}}, "inbound.when"),
        ({"outbound": {"actions": {"config": "x"}}}, "outbound.actions.config"),
        ({"outbound": {"actions": [{"kind": "x"}]}}, "outbound.actions.0.kind"),
    ],
}
OF_TLS_EDGES: dict[str, list[tuple[Body, str]]] = {
    "tls_termination": [
        *(({"terminate_at": "upstream", "min_version": wrong}, "min_version") for wrong in ("1.2", "")),
        ({"terminate_at": "middle"}, "terminate_at"),
    ],
}
OF_EDGES: dict[str, list[tuple[Body, str]]] = {"tls_termination": [({"terminate_at": "edge"}, "terminate_at")]}


def accepted(module: str, fields: Fields) -> Iterator[Body]:
    """Bodies of a traffic module, with the numbers at their limits among them."""
    whole = declared(fields, "first")
    yield from (whole, declared(fields, "changed"), {**whole, "enabled": False}, *OF_MODULES_ACCEPTED.get(module, ()))
    for name in fields.keys() & MAXIMA.keys():
        yield from ({**whole, name: limit} for limit in (0, MAXIMA[name]))


def rejected(create: str, module: str, fields: Fields) -> Iterator[tuple[Body, str]]:
    """Bodies that are wrong in one field, each with what the error names."""
    for name, field in fields.items():
        wrong: dict[str, list[Any]] = {
            "bool": ["true", 1],
            "int": [-1, MAXIMA.get(name, UINT32) + 1, "5", True, 5.0],
            "float": [-0.01, 1.01, 50, "0.5", True],
            "list": ["x", [1], [*field.first][:1] * 2] if field.type == "list" else [],
        }
        nulls = [] if name == "min_version" else [None]
        for value in [*wrong.get(field.type, [5, ["x"]]), *nulls]:
            yield {**declared(fields, "first"), name: value}, name
    own = {"new_edge": OF_EDGES, "new_tls_edge": OF_TLS_EDGES}.get(create, {})
    yield from [*OF_MODULES_REJECTED.get(module, ()), *own.get(module, ()), ({"colour": 1}, "colour")]


def held(service: Running, create: str) -> Body:
    """The only object in the state that this method has created."""
    state = service.control("GET", "state")
    [found] = state["tls_edges" if create == "new_tls_edge" else "https_edges"]
    return dict(found["routes"][0] if create == "new_route" else found)


@pytest.mark.parametrize(("create", "module"), MODULES)
def test_a_valid_traffic_module_is_stored_as_it_was_sent(service: Running, create: str, module: str) -> None:
    owner = getattr(service, create)()
    path = f"{owner}/{module}"
    for body in accepted(module, OWNERS[create][module]):
        response = service.done("PUT", path, body)
        assert response["enabled"] is body.get("enabled", True)
        assert held(service, create)[module] == body
        assert service.done("GET", path) == service.done("GET", owner)[module] == response
        assert service.done("PATCH", owner, {module: body})[module] == response
        assert held(service, create)[module] == body
    for _again in range(2):
        assert service.done("DELETE", path, status=204) is None
        assert service.done("GET", path) is None
    for method, given in (("GET", None), ("PUT", body), ("DELETE", None)):
        service.rejected(method, f"{owner}x/{module}", given, status=404)


@pytest.mark.parametrize(("create", "module"), MODULES)
def test_an_invalid_traffic_module_is_rejected_and_changes_nothing(service: Running, create: str, module: str) -> None:
    owner = getattr(service, create)()
    parent, new = owner.rpartition("/")[0], {"match_type": "exact_path", "match": "/x"} if "routes" in owner else {}
    before = service.control("GET", "state")
    for body, field in rejected(create, module, OWNERS[create][module]):
        assert field in service.rejected("PUT", f"{owner}/{module}", body)["msg"]
        assert module in service.rejected("PATCH", owner, {module: body})["msg"]
        assert field in service.rejected("POST", parent, {**new, module: body})["msg"]
    assert service.control("GET", "state") == before
