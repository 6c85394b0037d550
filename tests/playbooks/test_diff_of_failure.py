# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that fails shows its diff as well: what a capped plan would do, and what was done in addition to a failure."""

from __future__ import annotations

import pytest

from playbook_run import Ansible

pytestmark = pytest.mark.every_core

EDGE = {
    "id": "edghts_open",
    "hostports": ["open.example.com:443"],
    "routes": [{"match_type": "exact_path", "match": "/a"}],
}
OBJECT = "https_edge open.example.com:443 (edghts_open)"
DELETED, UPDATED = f"--- before: - delete {OBJECT}", f"--- before: ~ update {OBJECT}"
WAYS = [{}, pytest.param({"ansible_edgeops_in_process": False}, marks=pytest.mark.long(cores=0))]

CAPPED = """
- name: Purge
  edgeops.ingress.estate:
    https_edges: []
    purge: [edges]
    allow_empty: true
    max_deletions: 0
  ignore_errors: true
  check_mode: true
"""
PARTLY = """
- name: Change one, fail with the other
  edgeops.ingress.estate:
    https_edges: [{id: edghts_open, description: new}, {id: edghts_gone, description: new}]
  ignore_errors: true
"""
LOOP = "  loop: [1]\n"


@pytest.mark.parametrize("variables", WAYS, ids=str)
def test_diffs_of_failures_are_shown(ansible: Ansible, variables: dict[str, bool]) -> None:
    ansible.service.seed(https_edges=[EDGE])
    run = ansible.tasks(CAPPED + CAPPED + LOOP + PARTLY, "--diff", play={"vars": variables})
    lines = run.output.splitlines()
    assert run.output.count(DELETED) == lines.count('-            "match": "/a",') == 2, run.output
    assert run.output.count(UPDATED) == lines.count('+    "description": "new",') == 1


@pytest.mark.long(cores=0)
def test_the_diff_of_a_failure_is_shown_in_the_configured_format(ansible: Ansible) -> None:
    ansible.service.seed(https_edges=[EDGE])
    yaml = {"ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml"}
    lines = ansible.tasks(CAPPED + PARTLY, "--diff", environment=yaml).output.splitlines()
    expected = ["-    -   match: /a", "+    description: new"]
    assert [line for line in lines if line in expected] == expected
