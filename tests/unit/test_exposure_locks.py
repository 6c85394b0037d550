# SPDX-License-Identifier: GPL-3.0-or-later
"""What each traffic module on the way checks, whether it does so, and whom it admits."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge

Given = dict[str, Any]

OFFICE: Given = {"ip_policy_ids": ["ipp_vpn", "ipp_office"]}
STAFF: Given = {"provider": {"github": {"organizations": ["shop-staff"]}}}
OIDC: Given = {"issuer": "https://login.example.com", "client_id": "app", "client_secret": "canary"}
SAML: Given = {"idp_metadata": "<EntityDescriptor/>"}
LIMIT: Given = {"inbound": [{"name": "limit", "expressions": [], "actions": [{"type": "deny", "config": "canary"}]}]}
BACKEND: Given = {"backend_id": "bk_app"}


def exposed(route: Given, **edge: Any) -> Given:
    whole = {"match_type": "path_prefix", "match": "/", "backend": BACKEND, **route}
    result = judge({"https_edges": [{"hostports": ["a.example.com:443"], "routes": [whole], **edge}]}).result()
    return dict(result["exposure"][0])


def test_the_locks_of_the_edge_and_the_route_are_in_the_order_of_the_checks() -> None:
    found = exposed(
        {"policy": LIMIT, "oauth": STAFF, "ip_restriction": OFFICE, "compression": {}},
        mutual_tls={"certificate_authority_ids": ["ca_shop"]},
    )
    assert [(one["requires"], one["module"], one["state"]) for one in found["locks"]] == [
        ("certificate", "mutual_tls", "on"),
        ("network", "ip_restriction", "on"),
        ("login", "oauth", "on"),
        ("policy", "policy", "unknown"),
    ]
    assert [one["path"] for one in found["locks"]][:2] == [
        "https_edges[0].mutual_tls",
        "https_edges[0].routes[0].ip_restriction",
    ]


NINE = [f"ipp_{number}" for number in range(9)]
HOOK: Given = {"provider": "stripe", "secret": "canary"}
LOCKS: list[tuple[str, Given, str, list[str]]] = [
    ("ip_restriction", OFFICE, "on", ["ipp_office", "ipp_vpn"]),
    ("ip_restriction", {**OFFICE, "enabled": False}, "off", ["ipp_office", "ipp_vpn"]),
    ("ip_restriction", {"ip_policy_ids": []}, "open", []),
    ("ip_restriction", {"ip_policy_ids": [], "enabled": False}, "off", []),
    (
        "ip_restriction",
        {"ip_policy_ids": [f"ipp_{number}" for number in range(9)]},
        "on",
        [f"ipp_{n}" for n in range(9)],
    ),
    ("oauth", STAFF, "on", ["shop-staff"]),
    ("oauth", {"provider": {"google": {}}}, "on", ["any user of google"]),
    ("oauth", {"provider": {}}, "open", []),
    ("oidc", OIDC, "on", ["https://login.example.com"]),
    ("saml", SAML, "on", ["any user"]),
    ("saml", {**SAML, "authorized_groups": ["staff"]}, "on", ["staff"]),
    ("webhook_verification", HOOK, "on", ["stripe"]),
    ("webhook_verification", {**HOOK, "secret": ""}, "open", []),
    ("policy", LIMIT, "unknown", ["limit"]),
    ("policy", {**LIMIT, "enabled": False}, "off", ["limit"]),
    ("policy", {"inbound": [{"name": "limit", "actions": []}]}, "open", ["limit"]),
]


@pytest.mark.parametrize(("name", "module", "state", "admits"), LOCKS)
def test_a_lock_says_whether_it_checks_and_whom_it_admits(
    name: str, module: Given, state: str, admits: list[str]
) -> None:
    """Few of those whom it admits are listed, and all of them are counted."""
    [lock] = exposed({name: module})["locks"]
    assert (lock["state"], lock["admits"], lock["admits_count"]) == (state, admits[:5], len(admits))
    assert "canary" not in json.dumps(lock)


def test_the_locks_of_a_closed_route_are_known() -> None:
    found = exposed({"backend": {**BACKEND, "enabled": False}, "oauth": STAFF})
    assert (found["access"], found["by"]) == (["closed"], {})
    assert [one["state"] for one in found["locks"]] == ["on"]
