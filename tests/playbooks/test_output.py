# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task prints: the dangerous first, not more than people read, and its diff even if it fails."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playbook_run import Ansible

pytestmark = pytest.mark.every_core


def edges(number: int) -> list[dict[str, Any]]:
    routes = [{"match_type": "path_prefix", "match": "/"}]
    return [{"hostports": [f"h{one}.example.com:443"], "routes": routes} for one in range(number)]


def configure(https_edges: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"name": "Configure", "edgeops.ingress.estate": {"https_edges": https_edges}, **more}


def count(result: str) -> dict[str, Any]:
    return {"ansible.builtin.debug": {"msg": f"{{{{ {result}.plan | length }}}} changes of {result}"}}


def test_long_results_are_not_displayed_but_whatever_reads_them_gets_the_whole(ansible: Ansible) -> None:
    long, failing = edges(200), [*edges(200), {"id": "edghts_gone"}]
    block = {"block": [{"block": [configure(failing)]}], "rescue": [count("ansible_failed_result")]}
    tasks = [configure(long, register="planned"), count("planned"), configure(failing, ignore_errors=True), block]
    run = ansible.tasks(json.dumps(tasks), "--check", "-v")
    succeeded = run.output.partition("fatal: ")[0]
    assert '"plan_digest"' not in succeeded
    assert "characters long, so it is displayed only with -vvv" in succeeded
    short, whole = (line for line in run.output.splitlines() if line.startswith("fatal: "))
    assert len(short) <= 20_100, short
    assert '"plan": 400' in short.partition('"omitted"')[2]
    assert '"omitted"' not in whole
    assert "400 changes of planned" in run.output
    assert "400 changes of ansible_failed_result" in run.output


EDGE = {
    "id": "edghts_open",
    "hostports": ["open.example.com:443"],
    "routes": [{"match_type": "exact_path", "match": "/a"}],
}
OBJECT = "https_edge open.example.com:443 (edghts_open)"
DELETED, UPDATED = f"--- before: - delete {OBJECT}", f"--- before: ~ update {OBJECT}"
WAYS = [{}, pytest.param({"ansible_edgeops_in_process": False}, marks=pytest.mark.long(cores=0))]

PURGE = """
- edgeops.ingress.estate:
    https_edges: [{hostports: ["new.example.com:443"]}]
    purge: [edges]
    max_deletions: 100
  ignore_errors: true
  check_mode: true
"""
CAPPED = PURGE.replace("100", "0")
PARTLY = """
- name: Change one, fail with the other
  edgeops.ingress.estate:
    https_edges: [{id: edghts_open, description: new}, {id: edghts_gone, description: new}]
  ignore_errors: true
"""


@pytest.mark.parametrize("variables", WAYS, ids=str)
def test_the_plan_is_listed_before_diffs_and_those_of_failures_are_shown(
    ansible: Ansible, variables: dict[str, bool]
) -> None:
    ansible.service.seed(https_edges=[EDGE, *edges(25)])
    run = ansible.tasks(PURGE + CAPPED + CAPPED + "  loop: [1]\n" + PARTLY, "--diff", play={"vars": variables})
    lines = run.output.splitlines()
    assert lines.count(DELETED) == lines.count('-            "match": "/a",') == 3, run.output
    assert lines.count(UPDATED) == lines.count('+    "description": "new",') == 1
    start = next(number for number, line in enumerate(lines) if ": estate: 1 to create, 26 to delete" in line)
    assert all(line.startswith("  - delete https_edge ") for line in lines[start + 1 : start + 21])
    assert lines[start + 21] == "  and 7 more"
    assert DELETED not in lines[:start]


@pytest.mark.long(cores=0)
def test_the_diff_of_a_failure_is_shown_in_the_configured_format(ansible: Ansible) -> None:
    ansible.service.seed(https_edges=[EDGE])
    yaml = {"ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml"}
    lines = ansible.tasks(CAPPED + PARTLY, "--diff", environment=yaml).output.splitlines()
    expected = ["-    -   match: /a", "+    description: new"]
    assert [line for line in lines if line in expected] == expected
