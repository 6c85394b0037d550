# SPDX-License-Identifier: GPL-3.0-or-later
"""The IDs of objects that check mode would create: accepted wherever an ID is expected, and part of no request."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes

NEW = "would-be-created"
EDGE, TLS_EDGE, SUBSCRIPTION, POLICY, OTHER = (
    f"{prefix}_{NEW}" for prefix in ("edghts", "edgtls_till", "esb_audit", "ipp_office", "new_shop")
)
ROUTE: dict[str, Any] = {
    "match_type": "exact_path",
    "match": "/",
    "backend": {"backend_id": OTHER},
    "ip_restriction": {"ip_policy_ids": [POLICY]},
}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"hostports": ["a.example.com:443"], "mutual_tls": {"certificate_authority_ids": [OTHER]}}),
    ("https_edge_info", {"id": EDGE}),
    ("https_edge_route", {"edge_id": EDGE, **ROUTE}),
    ("https_edge_routes", {"edge_id": EDGE, "routes": [ROUTE]}),
    ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, "ip_policy_ids": [POLICY, OTHER]}),
    ("tls_edge_tls_termination", {"edge_id": TLS_EDGE, "terminate_at": "edge"}),
    ("tls_edge_info", {"id": TLS_EDGE}),
    ("event_source", {"subscription_id": SUBSCRIPTION, "type": "domain_created.v0"}),
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": ["domain_created.v0"]}),
    ("event_source_info", {"subscription_id": SUBSCRIPTION}),
    ("event_source_info", {"subscription_id": SUBSCRIPTION, "type": "domain_created.v0"}),
    ("object", {"collection": "ip_policies", "id": POLICY, "body": {"description": "Office"}}),
    ("object", {"collection": "ip_policy_rules", "find_by": {"ip_policy_id": POLICY, "cidr": "192.0.2.0/24"}}),
    ("object", {"collection": f"vaults/{OTHER}/secrets", "find_by": {"name": "key"}}),
    ("object_info", {"collection": "ip_policies", "id": POLICY}),
    ("object_info", {"collection": "ip_policy_rules", "find_by": {"ip_policy_id": POLICY}}),
    (
        "estate",
        {
            "https_edges": [{"hostports": ["a.example.com:443"], "routes": [ROUTE]}],
            "tls_edges": [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": [POLICY]}}],
            "event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": ["domain_created.v0"]}],
        },
    ),
    ("estate_info", {"tls_edges": [TLS_EDGE], "event_subscriptions": [SUBSCRIPTION]}),
    ("exposure_info", {"tls_edges": [TLS_EDGE], "event_subscriptions": [SUBSCRIPTION]}),
]


@pytest.mark.parametrize(("module", "options"), CASES)
def test_check_mode_accepts_them_and_sends_none(tasks: Tasks, module: str, options: dict[str, Any]) -> None:
    result = tasks.done(module, check=True, **options)
    assert "warnings" not in result
    assert not [one["path"] for one in result["sent"] if NEW in one["path"]]


def test_a_real_run_sends_no_placeholder_either(tasks: Tasks) -> None:
    edge = {"hostports": ["a.example.com:443"], "mutual_tls": {"certificate_authority_ids": [OTHER]}}
    result = tasks.failed("https_edge", **edge)
    assert (
        f"Skipped, because it refers to {OTHER}, a check-mode placeholder for an object that was not created."
        in result["msg"]
    )
    assert not writes(result)
