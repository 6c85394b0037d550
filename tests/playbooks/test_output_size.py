# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task prints in a large account: the dangerous first, and not more than people read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from playbook_run import Ansible
from reference_service_process import ReferenceService

pytestmark = pytest.mark.every_core

LIVE = [
    {"hostports": [f"h{number}.example.com:443"], "routes": [{"match_type": "path_prefix", "match": "/"}]}
    for number in range(1000)
]
ONE_FAILS = """
- name: Change one edge and fail with another
  edgeops.ingress.estate:
    https_edges:
      - {hostports: ["h1.example.com:443"], description: new}
      - {id: edghts_gone, description: new}
"""
PURGE = """
- name: Keep three edges and add one
  edgeops.ingress.estate:
    https_edges:
      - {hostports: ["new.example.com:443"]}
      - {hostports: ["h0.example.com:443"], description: new, routes: [{match: /, match_type: path_prefix}]}
      - {hostports: ["h1.example.com:443"]}
    purge: [edges]
    max_deletions: 100
"""


@pytest.fixture
def ansible(service: ReferenceService, tmp_path: Path) -> Ansible:
    service.reset()
    return Ansible(tmp_path, service)


def test_a_failed_task_prints_one_short_line(ansible: Ansible) -> None:
    ansible.service.seed(https_edges=LIVE)
    run = ansible.tasks(f"{ONE_FAILS}  ignore_errors: true\n", "-v")
    [fatal] = [line for line in run.output.splitlines() if line.startswith("fatal: ")]
    assert len(fatal) <= 10_100, fatal
    assert '"undeclared": 1000' in fatal.partition('"omitted"')[2]


@pytest.mark.parametrize(
    ("around", "more", "is_read"),
    [
        ({}, {}, False),
        ({}, {"register": "planned"}, False),
        ({}, {"ignore_errors": True}, False),
        ({}, {"register": "planned", "ignore_errors": True}, True),
        ({}, {"register": "planned", "failed_when": "planned is failed"}, True),
        ({"rescue": [{"ansible.builtin.debug": {}}]}, {"register": "planned"}, True),
        ({"always": [{"ansible.builtin.debug": {}}]}, {"register": "planned"}, True),
        ({}, {"register": "planned", "when": "inventory_hostname == 'first'"}, True),
    ],
    ids=["alone", "registered", "ignored", "ignored and registered", "judged", "rescued", "always", "another host"],
)
def test_only_a_plan_that_can_be_read_makes_a_failed_preview_longer(
    ansible: Ansible, around: dict[str, Any], more: dict[str, Any], is_read: bool
) -> None:
    ansible.service.seed(https_edges=LIVE[:200])
    edges = [{"hostports": [f"h{number}.example.com:443"], "description": "new"} for number in range(200)]
    options = {"https_edges": [*edges, {"id": "edghts_gone", "description": "new"}]}
    task = {"name": "Preview", "edgeops.ingress.estate": options, **more}
    hosts = "first,second," if "when" in more else "localhost,"
    play = {"hosts": "all", "connection": "local"}
    run = ansible.tasks(json.dumps([{"block": [{"block": [task]}], **around}]), "--check", "-i", hosts, play=play)
    [fatal] = [line for line in run.output.splitlines() if line.startswith("fatal: ")]
    assert (len(fatal) <= 10_100) == (not is_read)
    assert ('"plan": 20' in fatal.partition('"omitted"')[2]) == (not is_read)
    assert ("plan" in run.result("Preview")) == is_read


@pytest.mark.parametrize(("arguments", "are_listed"), [(["--check"], True), (["--check", "--diff"], True), ([], False)])
def test_the_plan_is_listed_before_its_diffs(ansible: Ansible, arguments: list[str], are_listed: bool) -> None:
    ansible.service.seed(https_edges=LIVE[:30])
    lines = ansible.tasks(PURGE, *arguments).output.splitlines()
    [start] = [number for number, line in enumerate(lines) if ": estate: 1 " in line]
    listed = sum(line.startswith("  - delete https_edge h") for line in lines[start + 1 : start + 21])
    assert listed == (20 if are_listed else 0), lines
    assert ("  and 10 more" in lines) == are_listed
    assert any(line.startswith("--- before: - delete https_edge h") for line in lines[start:]) == (len(arguments) == 2)
