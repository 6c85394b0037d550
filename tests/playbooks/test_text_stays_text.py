# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service says is text: nothing in it is taken for a template, wherever it goes from the result."""

from __future__ import annotations

from typing import Any

import pytest

from playbook_run import COLLECTION, IN_PROCESS_OF_ITS_OWN, IN_WORKER, Ansible

pytestmark = pytest.mark.every_core

TEXT = "{{ 7 * 7 }} {% if true %}yes{% endif %} {{ lookup('ansible.builtin.pipe', 'echo run') }}"

TASKS = f"""
- name: Read it
  edgeops.ingress.https_edge:
    id: edghts_text
    metadata: "by the task"
  register: edge
- name: Hand it on
  ansible.builtin.set_fact:
    text: "{{{{ edge.https_edge.description }}}}"
- name: Hand it on once more
  ansible.builtin.set_fact:
    text: "{{{{ text }}}}"
- name: Declare it
  edgeops.ingress.https_edge:
    id: edghts_text
    description: "{{{{ text }}}}"
- name: Let it be rejected
  {COLLECTION}.https_edge:
    find_by: none
    hostports:
      - "{{{{ text }}}}"
  ignore_errors: true
  register: rejected
- name: Show the rejection
  ansible.builtin.debug:
    msg: "{{{{ rejected.msg }}}}"
"""


@pytest.mark.parametrize("way", [IN_WORKER, pytest.param(IN_PROCESS_OF_ITS_OWN, marks=pytest.mark.long(cores=0))])
def test_no_text_is_a_template(way: str, ansible: Ansible) -> None:
    ansible.service.seed(https_edges=[{"id": "edghts_text", "description": TEXT}])
    variables = {"ansible_edgeops_in_process": way == IN_WORKER}
    run = ansible.tasks(
        TASKS, play={"module_defaults": {f"group/{COLLECTION}.all": ansible.connection}, "vars": variables}
    )
    assert run.code == 0, run.output
    results: dict[str, Any] = {record["task"]: record["result"] for record in run.records}
    assert results["Hand it on once more"]["ansible_facts"]["text"] == TEXT
    assert results["Declare it"]["changed"] is False
    assert TEXT in results["Show the rejection"]["msg"]
    assert ansible.service.state()["https_edges"][0]["description"] == TEXT
