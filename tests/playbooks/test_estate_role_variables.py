# SPDX-License-Identifier: GPL-3.0-or-later
"""The roles `estate` and `report` reject variables that they do not have: a misspelt one must not count as not set."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playbook_run import Ansible, Run

pytestmark = pytest.mark.every_core

# The role, its variables, and all that is said of them. No value of an unknown one is templated: it would fail in its
# own way. Ansible's own check of the arguments comes first, and notices some of the others.
REJECTED: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "estate",
        {
            "estate_https_edge": "{{ nothing_of_that_name }}",
            "estate_event_subcriptions": [],
            "estate_url": "https://api.example.com",
            "estate_purge": ["edges"],
            "estate_zzz": "{{ lookup('ansible.builtin.pipe', 'exit 1') }}",
        },
        [
            "estate_event_subcriptions: unknown variable; did you mean estate_event_subscriptions?",
            "estate_https_edge: unknown variable; did you mean estate_https_edges",
            "estate_url: unknown variable; did you mean estate_base_url?",
            "estate_zzz: unknown variable. Names that start with estate_ are reserved for the role",
        ],
    ),
    ("estate", {"estate_https_edges": None}, ["estate_https_edges: is null; expected a list."]),
    ("estate", {"estate_https_edges": "{{ shop_edgs }}"}, ["shop_edgs"]),
    ("estate", {"estate_api_key": "{{ vault_of_shop }}"}, ["vault_of_shop"]),
    (
        "report",
        {"report_fail_on_nev": "low", "report_destt": "{{ nothing_of_that_name }}", "report_accounts": None},
        [
            "report_accounts: unknown variable.",
            "report_destt: unknown variable; did you mean report_dest?",
            "report_fail_on_nev: unknown variable; did you mean report_fail_on_new?",
            "Names that start with report_ are reserved for the role.",
        ],
    ),
    ("report", {"report_expected_accounts": None}, ["report_expected_accounts: is null; expected a list."]),
]
ROLE = """
- ansible.builtin.include_role: {{name: edgeops.ingress.{role}}}
  vars: {variables}
"""
ATTEMPT = """
- block:
    - ansible.builtin.include_role: {{name: edgeops.ingress.{role}}}
      vars: {variables}
    - ansible.builtin.fail: {{msg: it went on}}
  rescue:
    - name: Show the error
      ansible.builtin.debug: {{var: ansible_failed_result.msg}}
"""


def run_of(ansible: Ansible, template: str, *roles: tuple[str, dict[str, Any]]) -> Run:
    tasks = "".join(template.format(role=role, variables=json.dumps(variables)) for role, variables in roles)
    connection = {f"{role}_{name}": one for role in ("estate", "report") for name, one in ansible.connection.items()}
    return ansible.done(tasks, play={"vars": {**connection, "report_dest": "report.html", "my_estate_owner": "me"}})


def test_misspelt_variables_and_those_without_a_value_are_errors(ansible: Ansible) -> None:
    run = run_of(ansible, ATTEMPT, *((role, variables) for role, variables, _said in REJECTED))
    messages = [one["result"]["ansible_failed_result.msg"] for one in run.records if one["task"] == "Show the error"]
    for (_role, _variables, said), message in zip(REJECTED, messages, strict=True):
        assert [part for part in said if part not in " ".join(message.split())] == []
        for words in ("unknown variable", "Names that start with", "it went on"):
            assert message.count(words) == str(said).count(words)
    assert ansible.service.journal() == []


def test_the_variables_of_the_roles_pass_again_and_again(ansible: Ansible) -> None:
    estate = {"estate_https_edges": [{"hostports": ["one.example.com:443"]}], "estate_purge": ["edges"]}
    report = {"report_owners": [], "report_tunnels": False}
    # The second run of a role sees the result of the first.
    run = run_of(ansible, ROLE, *[("estate", estate)] * 2, *[("report", report)] * 2)
    made = [one["result"]["changed"] for one in run.records if one["action"] == "edgeops.ingress.estate"]
    assert made == [True, False]
    assert (ansible.folder / "report.html").exists()
