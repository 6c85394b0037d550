# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the modules' documentation as sample tasks, and tasks of our own that return as much as possible."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import yaml

from collection_tree import CHECKOUT, MODULES

COLLECTION = "edgeops.ingress"


def constants_of(name: str, folder: str = "modules") -> dict[str, Any]:
    """The strings that a plugin assigns to names at its top level, such as DOCUMENTATION. It is not imported."""
    tree = ast.parse((CHECKOUT / "plugins" / folder / f"{name}.py").read_text(encoding="utf-8"))
    assigned = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
    return {target.id: node.value.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}  # type: ignore[attr-defined]


def examples_of(module: str) -> list[dict[str, Any]]:
    tasks = yaml.safe_load(constants_of(module)["EXAMPLES"])
    return [task[f"{COLLECTION}.{module}"] or {} for task in tasks if f"{COLLECTION}.{module}" in task]


def all_examples() -> Iterator[tuple[str, dict[str, Any]]]:
    for module in MODULES:
        for options in examples_of(module):
            yield module, options


# One task for each module that succeeds and returns as much as possible, and the objects that it needs.
LIVE_ROUTE = {"id": "edghtsrt_one", "match_type": "path_prefix", "match": "/"}
SEED: dict[str, Any] = {
    "https_edges": [{"id": "edghts_one", "hostports": ["seeded.example.com:443"], "routes": [LIVE_ROUTE]}],
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
    """The options of the task above, or those of the module's first example that contains no template."""
    return TASKS[module] if module in TASKS else next(one for one in examples_of(module) if "{{" not in str(one))
