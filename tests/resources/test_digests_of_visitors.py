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
