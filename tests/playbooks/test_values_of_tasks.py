# SPDX-License-Identifier: GPL-3.0-or-later
"""What Ansible makes of values on their way into tasks and out of them, and from one item of a loop to the next."""

from __future__ import annotations

import pytest

from playbook_run import IN_PROCESS_OF_ITS_OWN, IN_WORKER, Ansible

pytestmark = pytest.mark.every_core

TEXT = "{{ 7 * 7 }} {% if true %}yes{% endif %} {{ lookup('ansible.builtin.pipe', 'echo run') }}"

TASKS = """
- name: Read it
  edgeops.ingress.https_edge: {id: edghts_text, metadata: "by the task"}
  register: edge
- name: Hand it on
  ansible.builtin.set_fact: {text: "{{ edge.https_edge.description }}"}
- name: Hand it on once more
  ansible.builtin.set_fact: {text: "{{ text }}"}
- name: Declare it
  edgeops.ingress.https_edge: {id: edghts_text, description: "{{ text }}"}
- name: Let it be rejected
  edgeops.ingress.https_edge: {find_by: none, hostports: ["{{ text }}"]}
  ignore_errors: true
  register: rejected
- name: Show the rejection
  ansible.builtin.debug: {msg: "{{ rejected.msg }}"}
- name: A login for a group that is omitted
  edgeops.ingress.https_edge_route:
    edge_id: edghts_text
    match_type: path_prefix
    match: /
    saml: {idp_metadata: <x/>, authorized_groups: ["{{ group_of_nobody | default(omit) }}"]}
  ignore_errors: true
"""


@pytest.mark.parametrize("way", [IN_WORKER, pytest.param(IN_PROCESS_OF_ITS_OWN, marks=pytest.mark.long(cores=0))])
def test_texts_are_no_templates_and_omitted_members_do_not_admit_everybody(way: str, ansible: Ansible) -> None:
    ansible.service.seed(https_edges=[{"id": "edghts_text", "description": TEXT}])
    run = ansible.done(TASKS, play={"vars": {"ansible_edgeops_in_process": way == IN_WORKER}})
    assert run.result("Hand it on once more")["ansible_facts"]["text"] == TEXT
    assert run.result("Declare it")["changed"] is False
    assert TEXT in run.result("Show the rejection")["msg"]
    # Ansible drops the member since 2.19.
    said = run.result("A login for a group that is omitted")["msg"]
    assert "saml.authorized_groups: it is empty" in said or "saml.authorized_groups[0]: `omit` is not" in said
    [edge] = ansible.service.state()["https_edges"]
    assert (edge["description"], edge["routes"]) == (TEXT, [])


LOOPS = """
- name: Create an edge
  edgeops.ingress.https_edge: {hostports: ["new.example.com:443"]}
  register: new
- name: Add routes to what a task returned
  edgeops.ingress.https_edge_route: {edge: "{{ new.https_edge }}", match_type: path_prefix, match: "{{ item }}"}
  loop: [/a, /b, /c]
- name: Add routes to an edge by its hostport
  edgeops.ingress.https_edge_route: {edge: "old.example.com:443", match_type: path_prefix, match: "{{ item }}"}
  loop: [/a, /b, /c]
"""


@pytest.mark.parametrize("check", [[], ["--check"]], ids=["real", "check"])
def test_a_loop_over_an_edge_without_its_id_lists_the_edges_once(ansible: Ansible, check: list[str]) -> None:
    ansible.service.seed(https_edges=[{"hostports": ["old.example.com:443"]}])
    run = ansible.tasks(LOOPS, *check)
    assert run.output.count("=> (item=") == 6, run.output
    requests = [f"{one['method']} {one['path']}" for one in ansible.service.journal()]
    # Once to create the edge, never for what the task returned, and once for the hostport.
    assert requests.count("GET /edges/https") == 2
