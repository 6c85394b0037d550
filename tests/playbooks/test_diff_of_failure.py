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
JSON_LINES = ['-            "match": "/a",', '+    "description": "new",']
YAML_LINES = ["-    -   match: /a", "+    description: new"]
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
"""
PARTLY = """
- name: Change one, fail with the other
  edgeops.ingress.estate:
    https_edges: [{id: edghts_open, description: new}, {id: edghts_gone, description: new}]
  ignore_errors: true
"""
IN_A_LOOP = "  loop: [1]\n"


@pytest.fixture
def ansible(ansible: Ansible) -> Ansible:
    ansible.service.seed(https_edges=[EDGE])
    return ansible


@pytest.mark.parametrize("variables", WAYS, ids=str)
def test_check_mode_shows_a_plan_beyond_max_deletions(ansible: Ansible, variables: dict[str, bool]) -> None:
    run = ansible.tasks(f"{CAPPED}{CAPPED}{IN_A_LOOP}", "--check", "--diff", play={"vars": variables})
    assert run.output.count(DELETED) == 2, run.output
    assert run.output.splitlines().count(JSON_LINES[0]) == 2


@pytest.mark.long(cores=0)
@pytest.mark.parametrize("argument", ["--check", "--diff"])
def test_the_diff_of_a_plan_beyond_max_deletions_needs_check_and_diff(ansible: Ansible, argument: str) -> None:
    assert DELETED not in ansible.tasks(CAPPED, argument).output


@pytest.mark.parametrize("variables", WAYS, ids=str)
@pytest.mark.parametrize(
    "arguments", [pytest.param(["--check", "--diff"], marks=pytest.mark.long(cores=0)), ["--diff"]], ids=len
)
def test_changes_next_to_a_failure_are_shown(
    ansible: Ansible, arguments: list[str], variables: dict[str, bool]
) -> None:
    tasks = f"{PARTLY}{IN_A_LOOP}" if variables else PARTLY
    run = ansible.tasks(tasks, *arguments, play={"vars": variables})
    assert run.output.count(UPDATED) == 1, run.output
    assert JSON_LINES[1] in run.output.splitlines()


@pytest.mark.long(cores=0)
def test_the_diff_of_a_failure_is_shown_in_the_configured_format(ansible: Ansible) -> None:
    yaml = {"ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml"}
    run = ansible.tasks(f"{CAPPED}{PARTLY}", "--check", "--diff", environment=yaml)
    assert [line for line in run.output.splitlines() if line in YAML_LINES] == YAML_LINES, run.output


@pytest.mark.long(cores=0)
def test_nothing_is_shown_where_nobody_may_look(ansible: Ansible) -> None:
    assert DELETED not in ansible.tasks(f"{CAPPED}  no_log: true\n", "--check", "--diff").output


@pytest.mark.long(cores=0)
def test_the_minimal_callback_also_shows_the_diff_of_a_failure(ansible: Ansible) -> None:
    minimal = {"ANSIBLE_STDOUT_CALLBACK": "minimal"}
    assert ansible.tasks(CAPPED, "--check", "--diff", environment=minimal).output.count(DELETED) == 1
