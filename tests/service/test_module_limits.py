# SPDX-License-Identifier: GPL-3.0-or-later
"""All fields and rules of traffic modules, with values at and above each limit (API reference, 2.2, 2.4, 2.5, 7, 8)."""

from __future__ import annotations

from typing import Any

import pytest

from running_service import Running

UINT32 = 2**32 - 1
APP = {"client_id": "id", "client_secret": "cs"}
SIGN_IN = {"options_passthrough": True, "cookie_prefix": "x.", "inactivity_timeout": 1, "maximum_duration": UINT32}
EVERY_APP = {
    "github": {"teams": ["org/team"], "organizations": ["org"]},
    **{name: {**APP, "scopes": ["s"]} for name in ("facebook", "microsoft", "google", "linkedin", "gitlab")},
    **{name: {"email_addresses": ["a@b.c"], "email_domains": ["b.c"]} for name in ("twitch", "amazon")},
}
RULE = {"name": "r", "expressions": ["a", "a"], "actions": {"type": "deny", "config": {"any": [1, {"thing": None}]}}}

ACCEPTED: list[tuple[str, dict[str, Any]]] = [
    ("mutual_tls", {"enabled": False, "certificate_authority_ids": ["ca_1", "ca_2"]}),
    ("tls_termination", {"min_version": "1.3"}),
    ("tls_termination", {"min_version": None}),
    ("backend", {"enabled": False, "backend_id": "bkd_1"}),
    ("ip_restriction", {"ip_policy_ids": ["ipp_1", "ipp_2"]}),
    ("circuit_breaker", {"tripped_duration": 0, "rolling_window": UINT32, "num_buckets": 128, "volume_threshold": 0}),
    ("circuit_breaker", {"error_threshold_percentage": 0}),
    ("circuit_breaker", {"error_threshold_percentage": 1}),
    ("circuit_breaker", {"error_threshold_percentage": 0.25}),
    ("compression", {"enabled": False}),
    ("request_headers", {"add": {"X-A": "1", "X-B": ""}, "remove": ["X-C"]}),
    ("response_headers", {"add": {"X-A": "1"}, "remove": ["X-A"]}),
    ("webhook_verification", {"provider": "github", "secret": "s"}),
    ("webhook_verification", {"provider": "sns"}),
    ("webhook_verification", {"provider": "SNS"}),
    ("webhook_verification", {"provider": "TWILIO", "secret": "s"}),
    ("oauth", {**SIGN_IN, "auth_check_interval": UINT32, "provider": EVERY_APP}),
    ("oauth", {"provider": {"google": {**APP, "scopes": ["a", "b"]}}}),
    ("oauth", {"provider": {"google": {"client_id": "", "client_secret": "", "scopes": []}}}),
    ("saml", {**SIGN_IN, "idp_metadata": "<x/>", "force_authn": True, "allow_idp_initiated": False}),
    ("saml", {"authorized_groups": ["g"], "nameid_format": "urn:x"}),
    ("oidc", {**SIGN_IN, "issuer": "https://i", "client_id": "c", "client_secret": "s", "scopes": ["openid"]}),
    ("oidc", {"client_id": "c", "scopes": ["openid"]}),
    ("websocket_tcp_converter", {"enabled": True}),
    ("user_agent_filter", {"allow": ["a"], "deny": ["b"]}),
    ("policy", {"inbound": RULE, "outbound": RULE}),
    ("policy", {"inbound": [RULE, RULE], "outbound": [{**RULE, "actions": [{"type": "a"}, {"type": "a"}]}]}),
]

REJECTED: list[tuple[str, dict[str, Any], str]] = [
    ("mutual_tls", {"certificate_authority_ids": ["ca_1", "ca_1"]}, "certificate_authority_ids"),
    ("mutual_tls", {"certificate_authority_ids": [""]}, "certificate_authority_ids.0"),
    ("mutual_tls", {"certificate_authorities": []}, "certificate_authorities"),
    ("tls_termination", {"terminate_at": "edge"}, "terminate_at"),
    ("tls_termination", {"min_version": 1.2}, "min_version"),
    ("backend", {"backend_id": 5}, "backend_id"),
    ("backend", {"backend_id": None}, "backend_id"),
    ("backend", {"backend": {"id": "bkd_1"}}, "backend"),
    ("ip_restriction", {"ip_policy_ids": ["ipp_1", "ipp_1"]}, "ip_policy_ids"),
    ("ip_restriction", {"ip_policy_ids": ["ipp_"]}, "ip_policy_ids.0"),
    ("ip_restriction", {"ip_policy_ids": ["esb_1"]}, "ip_policy_ids.0"),
    ("ip_restriction", {"ip_policy_ids": "ipp_1"}, "ip_policy_ids"),
    *(
        ("circuit_breaker", {"tripped_duration": wrong}, "tripped_duration")
        for wrong in (-1, UINT32 + 1, "5", True, 5.0)
    ),
    *(("circuit_breaker", {"rolling_window": wrong}, "rolling_window") for wrong in (-1, UINT32 + 1, None)),
    *(("circuit_breaker", {"volume_threshold": wrong}, "volume_threshold") for wrong in (-1, UINT32 + 1)),
    *(("circuit_breaker", {"num_buckets": wrong}, "num_buckets") for wrong in (-1, 129, False)),
    *(
        ("circuit_breaker", {"error_threshold_percentage": wrong}, "error_threshold_percentage")
        for wrong in (-0.01, 1.01, 50, "0.5", True, None)
    ),
    ("compression", {"enabled": "true"}, "enabled"),
    ("compression", {"enabled": 1}, "enabled"),
    ("compression", {"enabled": None}, "enabled"),
    ("compression", {"level": 9}, "level"),
    ("request_headers", {"add": {"X-A": 1}}, "add.X-A"),
    ("request_headers", {"add": {"X-A": "1", "x-a": "2"}}, "add"),
    ("request_headers", {"add": ["X-A"]}, "add"),
    ("response_headers", {"remove": ["X-A", "x-a"]}, "remove"),
    ("response_headers", {"remove": None}, "remove"),
    ("webhook_verification", {"provider": "github"}, "secret"),
    ("webhook_verification", {"provider": "github", "secret": ""}, "secret"),
    ("webhook_verification", {}, "secret"),
    ("oauth", {"provider": {"google": {"client_id": "id"}}}, "provider.google"),
    ("oauth", {"provider": {"google": {"client_secret": "cs"}}}, "provider.google"),
    ("oauth", {"provider": {"google": {"scopes": ["s"]}}}, "provider.google"),
    ("oauth", {"provider": {"google": {**APP, "scopes": ["s", "s"]}}}, "provider.google.scopes"),
    ("oauth", {"provider": {"google": {"teams": ["o/t"]}}}, "provider.google.teams"),
    ("oauth", {"provider": {"google": {"email_addresses": ["a", "a"]}}}, "email_addresses"),
    ("oauth", {"provider": {"google": {"email_domains": ["a", "a"]}}}, "email_domains"),
    ("oauth", {"provider": {"github": {"organizations": ["a", "a"]}}}, "organizations"),
    ("oauth", {"provider": {"github": {"teams": ["a", "a"]}}}, "teams"),
    ("oauth", {"provider": {"example": {}}}, "provider.example"),
    ("oauth", {"provider": {"github": None}}, "provider.github"),
    *(("oauth", {name: -1}, name) for name in ("inactivity_timeout", "maximum_duration", "auth_check_interval")),
    *(("oauth", {name: UINT32 + 1}, name) for name in ("inactivity_timeout", "auth_check_interval")),
    ("oauth", {"options_passthrough": "no"}, "options_passthrough"),
    ("oauth", {"idp_metadata": "x"}, "idp_metadata"),
    ("saml", {"entity_id": "x"}, "entity_id"),
    ("saml", {"metadata_url": "x"}, "metadata_url"),
    ("saml", {"authorized_groups": ["g", "g"]}, "authorized_groups"),
    ("saml", {"auth_check_interval": 1}, "auth_check_interval"),
    ("saml", {"maximum_duration": UINT32 + 1}, "maximum_duration"),
    ("saml", {"force_authn": 0}, "force_authn"),
    ("oidc", {"scopes": ["a", "a"]}, "scopes"),
    ("oidc", {"inactivity_timeout": "1"}, "inactivity_timeout"),
    ("oidc", {"issuer": None}, "issuer"),
    ("websocket_tcp_converter", {"x": 1}, "x"),
    ("user_agent_filter", {"allow": ["a", "a"]}, "allow"),
    ("user_agent_filter", {"deny": [1]}, "deny.0"),
    ("policy", {"inbound": [{"name": 5}]}, "inbound.0.name"),
    ("policy", {"inbound": {"when": "x"}}, "inbound.when"),
    ("policy", {"outbound": {"actions": {"config": "x"}}}, "outbound.actions.config"),
    ("policy", {"outbound": {"actions": [{"kind": "x"}]}}, "outbound.actions.0.kind"),
    ("policy", {"inbound": None}, "inbound"),
]

EDGE_MODULES = ("mutual_tls", "tls_termination")


def owner_of(service: Running, module: str) -> str:
    return service.new_edge() if module in EDGE_MODULES else service.new_route()


@pytest.mark.parametrize(("module", "body"), ACCEPTED)
def test_a_valid_traffic_module_is_stored_as_it_was_sent(service: Running, module: str, body: dict[str, Any]) -> None:
    """PUT and PATCH accept the same traffic module, store it as it was sent, and return it in the same format."""
    owner = owner_of(service, module)
    response = service.done("PUT", f"{owner}/{module}", body)
    assert response["enabled"] is body.get("enabled", True)
    assert service.done("GET", f"{owner}/{module}") == response
    assert service.done("GET", owner)[module] == response
    assert service.done("PATCH", owner, {module: body})[module] == response

    [edge] = service.control("GET", "state")["https_edges"]
    held = edge if module in EDGE_MODULES else edge["routes"][0]
    assert held[module] == body


@pytest.mark.parametrize(("module", "body", "field"), REJECTED)
def test_an_invalid_traffic_module_is_rejected_and_changes_nothing(
    service: Running, module: str, body: dict[str, Any], field: str
) -> None:
    """An invalid value is rejected in every request, the error names the field, and nothing changes."""
    owner = owner_of(service, module)
    before = service.control("GET", "state")
    assert field in service.rejected("PUT", f"{owner}/{module}", body)["msg"]
    assert module in service.rejected("PATCH", owner, {module: body})["msg"]
    created = {module: body} if module in EDGE_MODULES else {"match_type": "exact_path", "match": "/x", module: body}
    parent = owner.rpartition("/")[0]
    assert field in service.rejected("POST", parent, created)["msg"]
    assert service.control("GET", "state") == before


def test_every_module_is_in_both_tables() -> None:
    names = {name for name, _value in ACCEPTED}
    assert len(names) == 15
    assert {name for name, *_rest in REJECTED} == names


TLS_ACCEPTED = [
    {"terminate_at": "edge", "min_version": "1.2"},
    {"terminate_at": "upstream"},
    {"terminate_at": "upstream", "min_version": None},
    {"min_version": "1.3"},
]
TLS_REJECTED: list[tuple[str, dict[str, Any], str]] = [
    *(("tls_termination", {"terminate_at": "upstream", "min_version": one}, "min_version") for one in ("1.2", "")),
    *(("tls_termination", {"terminate_at": wrong}, "terminate_at") for wrong in ("middle", None)),
    *(("tls_termination", {name: wrong}, name) for name, wrong in (("enabled", "yes"), ("mutual_tls", {}))),
    *(
        ("ip_restriction", {"ip_policy_ids": wrong}, "ip_policy_ids")
        for wrong in (["ipp_1", "ipp_1"], ["pol_1"], "ipp_1", [None])
    ),
]


@pytest.mark.parametrize("body", TLS_ACCEPTED)
def test_tls_edge_termination(service: Running, body: dict[str, Any]) -> None:
    path = f"{service.new_tls_edge()}/tls_termination"
    response = service.done("PUT", path, body)
    upstream = body.get("terminate_at") == "upstream"
    assert response["terminate_at"] == ("upstream" if upstream else "edge")
    assert response["min_version"] == (None if upstream else body.get("min_version"))
    assert service.done("GET", path) == response


@pytest.mark.parametrize(("module", "body", "field"), TLS_REJECTED)
def test_an_invalid_module_of_a_tls_edge_is_rejected(
    service: Running, module: str, body: dict[str, Any], field: str
) -> None:
    assert field in service.rejected("PUT", f"{service.new_tls_edge()}/{module}", body)["msg"]
