# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task prints in a large account: the dangerous first, and not more than people read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playbook_run import Ansible, Run

pytestmark = pytest.mark.every_core

LIVE = [
    {"hostports": [f"h{number}.example.com:443"], "routes": [{"match_type": "path_prefix", "match": "/"}]}
    for number in range(30)
]
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


def edges(first: int, last: int, routes: int, **more: Any) -> list[dict[str, Any]]:
    """Edges with so many routes each, as they are declared and seeded."""
    backend = {"backend_id": "bkdhr_2fQmJ8sYv1"}
    return [
        {
            "hostports": [f"h{number}.example.com:443"],
            "routes": [{"match_type": "path_prefix", "match": f"/{one}", "backend": backend} for one in range(routes)],
            **more,
        }
        for number in range(first, last)
    ]


def longest_line(run: Run) -> int:
    return max(map(len, run.output.splitlines()))


def configure(https_edges: list[dict[str, Any]], **more: Any) -> str:
    return json.dumps([{"name": "Configure", "edgeops.ingress.estate": {"https_edges": https_edges}, **more}])


def test_new_edges_beside_many_others_are_displayed_in_a_short_line(ansible: Ansible) -> None:
    ansible.service.seed(https_edges=edges(0, 500, 1))
    run = ansible.tasks(configure(edges(500, 520, 0)), "-v")
    assert 10_000 < longest_line(run) <= 20_000
    assert "20 created, 500 undeclared" in run.output
    result = run.result("Configure")
    assert result["undeclared_counts"] == {"https_edge": 500}
    assert len(result["plan"]) == len(result["undeclared"]) == 20


def test_the_result_of_many_unchanged_edges_is_short(ansible: Ansible) -> None:
    ansible.service.seed(https_edges=edges(0, 500, 2))
    run = ansible.tasks(configure(edges(0, 500, 2)), "-v")
    result = run.result("Configure")
    assert len(result["https_edges"]) == result["summary"]["unchanged"] - 1000 == 500
    assert len(json.dumps(result["https_edges"][0])) < 85
    assert len(json.dumps({**result, "invocation": None})) < 500 * 85 + 1000
    assert longest_line(run) <= 20_000


def test_a_long_result_is_registered_and_not_displayed(ansible: Ansible) -> None:
    show = {"name": "Count", "ansible.builtin.debug": {"msg": "{{ planned.plan | length }} changes"}}
    tasks = [*json.loads(configure(edges(0, 200, 1), register="planned")), show]
    run = ansible.tasks(json.dumps(tasks), "--check", "-v")
    assert '"plan_digest"' not in run.output
    assert "characters long, so it is displayed only with -vvv" in run.output
    assert "400 changes" in run.output


def test_a_failed_task_prints_one_short_line(ansible: Ansible) -> None:
    run = ansible.tasks(configure([*edges(0, 200, 1), {"id": "edghts_gone"}], ignore_errors=True), "--check", "-v")
    [fatal] = [line for line in run.output.splitlines() if line.startswith("fatal: ")]
    assert len(fatal) <= 20_100, fatal
    assert '"plan": 400' in fatal.partition('"omitted"')[2]


def test_a_failed_result_is_complete_if_something_can_read_it(ansible: Ansible) -> None:
    declared = [*edges(0, 100, 1, description="new"), {"id": "edghts_gone"}]
    rescue = [{"ansible.builtin.debug": {"msg": "{{ ansible_failed_result.plan | length }} changes"}}]
    block = {"block": [{"block": json.loads(configure(declared))}], "rescue": rescue}
    run = ansible.tasks(json.dumps([block]))
    assert len(run.result("Configure")["operations"]) == 200
    assert "omitted" not in run.result("Configure")
    assert "200 changes" in run.output


def test_the_plan_is_listed_before_its_diffs(ansible: Ansible) -> None:
    ansible.service.seed(https_edges=LIVE)
    lines = ansible.tasks(PURGE, "--check", "--diff").output.splitlines()
    [start] = [number for number, line in enumerate(lines) if ": estate: 1 " in line]
    assert all(line.startswith("  - delete https_edge h") for line in lines[start + 1 : start + 21])
    assert lines[start + 21] == "  and 10 more"
    assert any(line.startswith("--- before: - delete https_edge h") for line in lines[start:])
