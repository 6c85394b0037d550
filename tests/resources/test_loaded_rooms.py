# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task imports: Ansible compiles each file in each run, so what decides who gets in is loaded only if needed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from collection_tree import CHECKOUT
from module_task import Tasks
from places import EDGE, seed_edge

ROUTE = {"id": "edghtsrt_root", "match_type": "path_prefix", "match": "/", "backend": {"backend_id": "bkd_one"}}
PROGRAM = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from module_task import Tasks
from types import SimpleNamespace
module, options, base_url, api_key = json.loads(sys.argv[2])
tasks = Tasks(SimpleNamespace(base_url=base_url, api_key=api_key, journal=lambda after=0: []))
assert tasks.done(module, **options)["changed"]
print(json.dumps([name for name in sys.modules if "._access" in name or "._exposure" in name]))
"""

CASES: dict[str, tuple[str, dict[str, Any], bool]] = {
    "a description of an edge": ("https_edge", {"id": EDGE, "description": "New"}, False),
    "a description of a route": ("https_edge_route", {"edge_id": EDGE, **ROUTE, "description": "New"}, False),
    "a login": ("https_edge_route", {"edge_id": EDGE, **ROUTE, "ip_restriction": {"ip_policy_ids": ["ipp_1"]}}, True),
}


@pytest.mark.parametrize("name", CASES)
def test_who_gets_in_is_computed_only_if_the_task_changes_it(tasks: Tasks, name: str) -> None:
    module, options, is_loaded = CASES[name]
    seed_edge(tasks, routes=[ROUTE])
    arguments = json.dumps([module, options, tasks.service.base_url, tasks.service.api_key])
    command = [
        sys.executable,
        "-c",
        PROGRAM,
        json.dumps([*sys.path, str(CHECKOUT / ".ansible/collections")]),
        arguments,
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert bool(json.loads(done.stdout)) is is_loaded
