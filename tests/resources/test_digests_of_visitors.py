# SPDX-License-Identifier: GPL-3.0-or-later
"""A digest approves who gets through with what a plan opens, also if the live account has changed since."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from places import EDGE, seed_edge
from rich_world import FIRST

Given = dict[str, Any]

ROOT: Given = {"id": "edghtsrt_root", "match_type": "path_prefix", "match": "/", "backend": {"backend_id": "bkd_one"}}
LOGIN: Given = {"oidc": FIRST["oidc"]}
CLIENTS: Given = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
CLOSED: Given = {"backend": {"backend_id": "bkd_one", "enabled": False}}


def edge(*routes: Given, **more: Any) -> Given:
    return {"https_edges": [{"id": EDGE, **more, **({"routes": list(routes)} if routes else {})}]}


# What is live when a plan is approved and when it is applied, and what is declared.
CASES: dict[str, tuple[Given, Given, Given]] = {
    "new": (
        {"routes": [{**ROOT, **LOGIN}], "hostports": []},
        {"routes": [ROOT], "hostports": []},
        edge(hostports=["shop.example.com:443"]),
    ),
    "reopened": (
        {"routes": [{**ROOT, **CLOSED}], **CLIENTS},
        {"routes": [{**ROOT, **CLOSED}]},
        edge({**ROOT, "backend": {"backend_id": "bkd_one", "enabled": True}}),
    ),
    "unlocked": (
        {"routes": [{**ROOT, **LOGIN}], **CLIENTS},
        {"routes": [{**ROOT, **LOGIN}]},
        edge({**ROOT, "absent_modules": ["oidc"]}),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_plan_is_not_applied_if_others_would_get_in(tasks: Tasks, name: str) -> None:
    approved, now, declared = CASES[name]
    seed_edge(tasks, **approved)
    digest = tasks.done("estate", True, **declared)["plan_digest"]
    tasks.service.reset()
    seed_edge(tasks, **now)
    result = tasks.failed("estate", **declared, expect_plan=digest)
    assert "not the one that was approved" in result["msg"]
    assert writes(result) == []


OFFICE: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
RULE: Given = {"ip_policy_id": "ipp_office", "action": "allow"}


@pytest.mark.parametrize("module", ["estate", "https_edge_routes"])
def test_a_plan_is_not_applied_if_a_policy_to_which_it_opens_admits_others(tasks: Tasks, module: str) -> None:
    seed_edge(tasks, routes=[{**ROOT, **LOGIN}])
    route = {**ROOT, **OFFICE, "absent_modules": ["oidc"]}
    declared = edge(route) if module == "estate" else {"edge_id": EDGE, "routes": [route]}
    digests = []
    for number, cidr in enumerate(("10.0.0.0/8", "0.0.0.0/0")):
        tasks.service.seed(objects={"ip_policy_rules": [{"id": f"ipr_{number}", **RULE, "cidr": cidr}]})
        digests.append(tasks.done(module, True, **declared)["plan_digest"])
    result = tasks.failed(module, **declared, expect_plan=digests[0])
    assert "not the one that was approved" in result["msg"]
    assert writes(result) == []
    assert tasks.done(module, **declared, expect_plan=digests[1])["changed"]
