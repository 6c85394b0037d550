# SPDX-License-Identifier: GPL-3.0-or-later
"""One task for each module that succeeds and returns as much as possible, and the objects that it needs."""

from __future__ import annotations

from typing import Any

from module_examples import plain_example

SEED: dict[str, Any] = {
    "https_edges": [
        {
            "id": "edghts_one",
            "hostports": ["seeded.example.com:443"],
            "routes": [{"id": "edghtsrt_one", "match_type": "path_prefix", "match": "/"}],
        },
    ],
    "tls_edges": [{"id": "edgtls_one"}],
    "event_subscriptions": [{"id": "esb_one", "sources": ["http_request_complete.v0"]}],
    "tunnels": [{"id": "tn_one", "labels": {"service": "shop"}, "backends": [{"id": "bk_one"}]}],
}
ROUTE: dict[str, Any] = {
    "match_type": "exact_path",
    "match": "/shop",
    "backend": {"backend_id": "bk_one"},
    "ip_restriction": {"ip_policy_ids": ["ipp_two", "ipp_one"]},
    "oidc": {"issuer": "https://a.example", "client_id": "x", "client_secret": "canary", "scopes": ["b", "a"]},
}
POLICY = {"collection": "ip_policies", "find_by": {"description": "Offices"}, "body": {"metadata": {"a": [1, 0.5]}}}
EDGE = {"hostports": ["a.example.com:443"], "mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
TASKS: dict[str, dict[str, Any]] = {
    "api": {"method": "GET", "path": "/tunnels"},
    "estate": {
        "objects": [{"name": "offices", **POLICY}],
        "https_edges": [{**EDGE, "routes": [ROUTE]}],
        "tls_edges": [{"edge_id": "edgtls_one", "ip_restriction": {"ip_policy_ids": ["ref:offices"]}}],
        "event_subscriptions": [{"subscription_id": "esb_one", "sources": ["ip_policy_created.v0"]}],
        "purge": ["edges", "sources"],
        "reject_findings": "high",
    },
    "estate_info": {"tls_edges": ["edgtls_one"], "event_subscriptions": ["esb_one"], "objects": ["ip_policies"]},
    "event_source": {"subscription_id": "esb_one", "type": "ip_policy_created.v0"},
    "event_source_info": {"subscription_id": "esb_one", "type": "http_request_complete.v0"},
    "event_sources": {"subscription_id": "esb_one", "types": ["ip_policy_created.v0"], "purge": True},
    "exposure_info": {"tls_edges": ["edgtls_one"], "event_subscriptions": ["esb_one"]},
    "https_edge": EDGE,
    "https_edge_info": {"hostports": ["seeded.example.com:443"]},
    "https_edge_route": {"edge_id": "edghts_one", **ROUTE},
    "https_edge_routes": {"edge_id": "edghts_one", "routes": [ROUTE], "purge": True},
    "object": POLICY,
    "object_info": {"collection": "ip_policies"},
    "tls_edge_info": {"id": "edgtls_one"},
    "tls_edge_ip_restriction": {"edge_id": "edgtls_one", "ip_policy_ids": ["ipp_one"]},
    "tls_edge_tls_termination": {"edge_id": "edgtls_one", "terminate_at": "edge", "min_version": "1.3"},
    "tunnel_info": {},
}


def task_of(module: str) -> dict[str, Any]:
    """Return the options of the task above, or those of the module's first example."""
    return TASKS[module] if module in TASKS else plain_example(module)
