# SPDX-License-Identifier: GPL-3.0-or-later
"""An estate that declares everything to which its edges and subscriptions refer."""

from __future__ import annotations

from typing import Any

OBJECTS: list[dict[str, Any]] = [
    {
        "name": "network",
        "collection": "ip_policy_rules",
        "find_by": {"ip_policy_id": "ref:office", "cidr": "192.0.2.0/24"},
        "body": {"action": "allow"},
        "create_only": ["ip_policy_id", "action"],
    },
    {"name": "office", "collection": "ip_policies", "find_by": {"description": "Office"}},
    {"name": "shop", "collection": "backends/static", "find_by": {"address": "shop.internal:443"}},
    {
        "name": "staff",
        "collection": "certificate_authorities",
        "find_by": {"description": "Staff"},
        "body": {"ca_pem": "x"},
    },
    {"name": "till", "collection": "edges/tls", "find_by": {"description": "Tills"}},
    {"name": "stream", "collection": "event_destinations", "find_by": {"description": "Audit"}},
    {
        "name": "audit",
        "collection": "event_subscriptions",
        "find_by": {"description": "Audit"},
        "body": {"destination_ids": ["ref:stream"]},
        "unordered": ["destination_ids"],
    },
]
ROUTE: dict[str, Any] = {
    "match_type": "path_prefix",
    "match": "/",
    "backend": {"backend_id": "ref:shop"},
    "ip_restriction": {"ip_policy_ids": ["ref:office"]},
}
ESTATE: dict[str, Any] = {
    "objects": OBJECTS,
    "https_edges": [
        {
            "hostports": ["shop.example.com:443"],
            "description": "ref:nobody",
            "mutual_tls": {"certificate_authority_ids": ["ref:staff"]},
            "routes": [ROUTE, {**ROUTE, "match": "/admin"}],
        }
    ],
    "tls_edges": [{"edge_id": "ref:till", "ip_restriction": {"ip_policy_ids": ["ref:office"]}}],
    "event_subscriptions": [{"subscription_id": "ref:audit", "sources": ["domain_created.v0"]}],
}
