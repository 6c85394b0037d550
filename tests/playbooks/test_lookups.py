# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookups in playbooks: few requests, the documented examples, and errors that are those of the task."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from ansible_collections.edgeops.ingress.plugins.lookup.event_types import EXAMPLES
from playbook_run import Ansible, Run

pytestmark = pytest.mark.every_core

POLICIES = [
    {"id": "ipp_office", "description": "Office"},
    {"id": "ipp_home", "description": "Home"},
    {"id": "ipp_twin_1", "description": "Twin", "metadata": "one"},
    {"id": "ipp_twin_2", "description": "Twin", "metadata": "{{ two }}"},
]
TASKS = """
- name: loop
  ansible.builtin.debug: {msg: "{{ lookup('edgeops.ingress.object_id', 'ip_policies', description=item) }}"}
  loop: [Office, Home, Office, Home]

- name: variables and two fields
  ansible.builtin.debug:
    msg: "{{ lookup('edgeops.ingress.object_id', 'ip_policies', description='Twin', metadata='one') }}"

- name: a rule
  ansible.builtin.debug:
    msg: "{{ lookup('edgeops.ingress.object_id', 'ip_policy_rules', ip_policy_id='ipp_office') }}"

- name: created after the first look
  edgeops.ingress.object:
    collection: ip_policies
    find_by: {description: "{{ item }}"}
    body: {metadata: "{{ previous }}"}
  vars:
    previous: >-
      {{ 'none' if item == 'New 1' else lookup('edgeops.ingress.object_id', 'ip_policies', description='New 1') }}
  loop: [New 1, New 2]
"""
# Lookups in templates, and parts of the error of the task.
WRONG = {
    "lookup('edgeops.ingress.object_id', 'ip_policies', description='Twin')": [
        *("2 objects in ip_policies match", "ipp_twin_2 (metadata '{{ two }}')", "ipp_twin_1 (metadata"),
        "Add a field in which they differ.",
    ],
    "lookup('edgeops.ingress.object_id', 'ip_policies', description='Offce')": [
        *("No object in ip_policies has description 'Offce'", "ipp_office (description 'Office')")
    ],
    "lookup('edgeops.ingress.object_id', '/ip_policies', description='', timeout='soon')": [
        *("timeout: 'soon' is not a number", "_terms: '/ip_policies' is not the path of a collection"),
        "description: is empty",
    ],
    "lookup('edgeops.ingress.object_id', 'ip_policies', settings={'public': false})": [
        "object_id: false and 0 also match objects without these fields"
    ],
    "lookup('edgeops.ingress.object_id', 'ip_policies')": ["object_id: every object would match; set at least one"],
    "lookup('edgeops.ingress.object_id', 'ip_policies', id='ipp_office')": ["object_id: id: use the ID itself"],
    "lookup('edgeops.ingress.object_id', description='Office')": [
        "_terms: expected the path of one collection, got 0 terms"
    ],
    "query('edgeops.ingress.event_types', ['domain_*', 'ip_policy_create.v0'], resource='domains')": [
        *("_terms: unknown event type 'ip_policy_create.v0'", "resource: unknown resource 'domains'")
    ],
    "query('edgeops.ingress.event_types', fields='ture', familly=1, family='audits')": [
        *("familly: unknown option; did you mean `family`?", "family: 'audits' "),
        "fields: 'ture' is not a boolean; expected true or false",
    ],
}
SPELT = "lookup('edgeops.ingress.object_id', 'edges/https', hostports=['xn--bcher-kva.example:443', 'A.example:443'])"
# Lookups whose fields differ from those of an object only in their spelling, and what is said of it.
NEAR_MISSES = {
    "lookup('edgeops.ingress.object_id', 'ip_policies', description='office')": [
        "ipp_office has 'Office' for description, which may be the declared value in the spelling of the service.",
        "or use the ID ipp_office. If it is another object, no object has these values.",
    ],
    "lookup('edgeops.ingress.object_id', 'edges/https', hostports=['c.example.:443'])": [
        "edghts_three has ['c.example:443'] for hostports, which may be the declared value"
    ],
}
LOOK = """
- name: "{lookup}"
  ansible.builtin.debug: {{msg: "{{{{ {lookup} }}}}"}}
  ignore_errors: true
"""
FROM_NOTHING = """
- name: created
  edgeops.ingress.object: {collection: ip_policies, find_by: {description: Not yet there}}

- name: refers to it
  edgeops.ingress.tls_edge_ip_restriction:
    edge_id: edgtls_one
    ip_policy_ids: ["{{ lookup('edgeops.ingress.object_id', 'ip_policies', description='Not yet there') }}"]
"""


@pytest.fixture
def ansible(ansible: Ansible) -> Ansible:
    rule = {"id": "ipr_1", "ip_policy_id": "ipp_office", "cidr": "192.0.2.0/24", "action": "allow"}
    two = ["a.example:443", "BÜCHER.example:443"]
    ansible.service.seed(
        https_edges=[{"id": "edghts_two", "hostports": two}, {"id": "edghts_three", "hostports": ["c.example:443"]}],
        tls_edges=[{"id": "edgtls_one"}],
        objects={"ip_policies": POLICIES},
    )
    ansible.service.seed(objects={"ip_policy_rules": [rule]})
    return ansible


def run_with_lookups(ansible: Ansible, tasks: str, errors: Mapping[str, list[str]], *arguments: str) -> Run:
    """Run these tasks, a lookup of an edge in another spelling, and lookups with these parts of their errors."""
    tasks += "".join(LOOK.format(lookup=one) for one in (SPELT, *errors))
    variables = {f"ingress_{name}": value for name, value in ansible.connection.items()}
    run = ansible.done(tasks, *arguments, play={"vars": variables})
    assert run.result(SPELT)["msg"] == "edghts_two"
    for lookup, parts in errors.items():
        assert run.of(lookup)["failed"]
        assert [part for part in parts if part not in str(run.result(lookup)["msg"]).replace('"', "'")] == []
    assert ansible.service.api_key not in run.output
    return run


def test_lookups_find_ids_with_few_requests_and_explain_their_errors(ansible: Ansible) -> None:
    run = run_with_lookups(ansible, TASKS, {**WRONG, **NEAR_MISSES})
    assert [one["msg"] for one in run.result("loop")["results"]] == ["ipp_office", "ipp_home"] * 2
    assert run.result("variables and two fields")["msg"] == "ipp_twin_1"
    assert run.result("a rule")["msg"] == "ipr_1"
    ids = {one["description"]: one for one in ansible.service.state()["objects"]["ip_policies"]}
    assert ids["New 2"]["metadata"] == ids["New 1"]["id"]
    listed = [f"{one['method']} {one['path']}" for one in ansible.service.journal()]
    # The loop, the two fields, and the rule take one request each.
    assert listed[:3] == ["GET /ip_policies", "GET /ip_policies", "GET /ip_policy_rules"]


def test_check_mode_from_nothing(ansible: Ansible) -> None:
    run = run_with_lookups(ansible, FROM_NOTHING, NEAR_MISSES, "--check")
    [policy] = run.result("refers to it")["ip_restriction"]["ip_policy_ids"]
    assert re.fullmatch(r"ipp_[0-9a-f]{12}_would-be-created", policy)
    assert run.result("created")["object"]["id"] == policy
    assert "no object in ip_policies has this description" in " ".join(run.output.split())
    assert {one["method"] for one in ansible.service.journal()} == {"GET"}


def test_the_documented_examples_return_the_documented_event_types(ansible: Ansible) -> None:
    ansible.service.seed(event_subscriptions=[{"id": "esb_2fQmJ8sYv1", "sources": []}])
    run = ansible.done(EXAMPLES)
    subscribed, deleted, fields = (record["result"] for record in run.records)
    policies = [f"ip_policy_{happening}.v0" for happening in ("created", "updated", "deleted")]
    assert subscribed["changed"]
    assert sorted(ansible.service.state()["event_subscriptions"][0]["sources"]) == sorted(policies)
    assert len(deleted["msg"]) == 15
    assert all(name.endswith("_deleted.v0") for name in deleted["msg"])
    assert fields["msg"] == ["conn.client_ip", "conn.server_ip", "conn.server_name", "conn.server_port"]
