# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task prints in a large account: the dangerous first, and not more than people read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playbook_run import Ansible

pytestmark = pytest.mark.every_core

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


def edges(number: int) -> list[dict[str, Any]]:
    """So many edges with a route each, as they are declared and seeded."""
    routes = [{"match_type": "path_prefix", "match": "/"}]
    return [{"hostports": [f"h{one}.example.com:443"], "routes": routes} for one in range(number)]


def configure(https_edges: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"name": "Configure", "edgeops.ingress.estate": {"https_edges": https_edges}, **more}


def test_a_long_result_is_registered_and_not_displayed(ansible: Ansible) -> None:
    show = {"name": "Count", "ansible.builtin.debug": {"msg": "{{ planned.plan | length }} changes"}}
    run = ansible.tasks(json.dumps([configure(edges(200), register="planned"), show]), "--check", "-v")
    assert '"plan_digest"' not in run.output
    assert "characters long, so it is displayed only with -vvv" in run.output
    assert "400 changes" in run.output


def test_a_failed_task_prints_one_short_line_unless_something_can_read_it(ansible: Ansible) -> None:
    declared = [*edges(200), {"id": "edghts_gone"}]
    rescue = [{"ansible.builtin.debug": {"msg": "{{ ansible_failed_result.plan | length }} changes"}}]
    block = {"block": [{"block": [configure(declared)]}], "rescue": rescue}
    run = ansible.tasks(json.dumps([configure(declared, ignore_errors=True), block]), "--check", "-v")
    short, whole = (line for line in run.output.splitlines() if line.startswith("fatal: "))
    assert len(short) <= 20_100, short
    assert '"plan": 400' in short.partition('"omitted"')[2]
    assert '"omitted"' not in whole
    assert "400 changes" in run.output


def test_the_plan_is_listed_before_its_diffs(ansible: Ansible) -> None:
    ansible.service.seed(https_edges=edges(30))
    lines = ansible.tasks(PURGE, "--check", "--diff").output.splitlines()
    [start] = [number for number, line in enumerate(lines) if ": estate: 1 " in line]
    assert all(line.startswith("  - delete https_edge h") for line in lines[start + 1 : start + 21])
    assert lines[start + 21] == "  and 10 more"
    assert any(line.startswith("--- before: - delete https_edge h") for line in lines[start:])
