# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookup of event types in playbooks: its examples, and unknown names."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.lookup.event_types import EXAMPLES
from playbook_run import COLLECTION, Ansible

pytestmark = pytest.mark.every_core


INVALID = """
- ansible.builtin.debug:
    msg: "{{ query('edgeops.ingress.event_types', ['domain_*', 'ip_policy_create.v0'], resource='domains') }}"
  name: unknown names
  ignore_errors: true
- ansible.builtin.debug:
    msg: "{{ query('edgeops.ingress.event_types', fields='ture', familly=1, family='audits') }}"
  name: wrong options
  ignore_errors: true
"""
SAID = {
    "unknown names": ["_terms: unknown event type 'ip_policy_create.v0'", "resource: unknown resource 'domains'"],
    "wrong options": [
        "familly: unknown option; did you mean `family`?",
        "family: 'audits' ",
        "fields: 'ture' is not a boolean; expected true or false",
    ],
}


def test_the_documented_examples_return_the_documented_event_types(ansible: Ansible) -> None:
    ansible.service.seed(event_subscriptions=[{"id": "esb_2fQmJ8sYv1", "sources": []}])
    run = ansible.tasks(EXAMPLES, play={"module_defaults": {f"group/{COLLECTION}.all": ansible.connection}})
    assert run.code == 0, run.output
    subscribed, deleted, fields = (record["result"] for record in run.records)
    policies = [f"ip_policy_{happening}.v0" for happening in ("created", "updated", "deleted")]
    assert subscribed["changed"]
    assert sorted(ansible.service.state()["event_subscriptions"][0]["sources"]) == sorted(policies)
    assert len(deleted["msg"]) == 15
    assert all(name.endswith("_deleted.v0") for name in deleted["msg"])
    assert fields["msg"] == ["conn.client_ip", "conn.server_ip", "conn.server_name", "conn.server_port"]


def test_errors_of_terms_and_options_are_those_of_the_task(ansible: Ansible) -> None:
    run = ansible.tasks(INVALID)
    for name, parts in SAID.items():
        assert run.of(name)["failed"]
        assert [part for part in parts if part not in str(run.result(name)["msg"]).replace('"', "'")] == []
