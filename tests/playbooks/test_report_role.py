# SPDX-License-Identifier: GPL-3.0-or-later
"""The role `report` in a play with several hosts: whose plans it shows, and which hosts are missing."""

from __future__ import annotations

import json

import pytest
import yaml

from playbook_run import Ansible, Run

pytestmark = pytest.mark.every_core

PLAN = """
- ansible.builtin.import_role:
    name: edgeops.ingress.estate
  check_mode: true
  vars:
    estate_https_edges: [{hostports: ["new.example.com:443"]}]
"""
REPORT = """
- ansible.builtin.include_role:
    name: edgeops.ingress.report
  vars:
    report_format: json
    report_dest: DEST
    report_plan: PLAN
    report_tls_edges: [edgtls_typo]
"""


def play(ansible: Ansible, tasks: str) -> Run:
    """The tasks on two hosts, each of which stands for an account. The role has the name of the variable."""
    connection = {f"{role}_{name}": one for role in ("estate", "report") for name, one in ansible.connection.items()}
    variables = {"ansible_connection": "local", **connection}
    inventory = {"accounts": {"hosts": {"shop": {}, "warehouse": {}}, "vars": variables}}
    (ansible.folder / "hosts.yml").write_text(yaml.safe_dump(inventory), encoding="utf-8")
    return ansible.tasks(tasks, "-i", "hosts.yml", play={"hosts": "accounts"})


def test_it_shows_the_plans_of_the_hosts_that_are_still_in_the_play(ansible: Ansible) -> None:
    """A host that failed has the variables of the role from before."""
    report = REPORT.replace("PLAN", "estate_result")
    leave = "- ansible.builtin.fail:\n  when: inventory_hostname == 'warehouse'\n"
    run = play(ansible, PLAN + report.replace("DEST", "both.json") + leave + report.replace("DEST", "one.json"))
    both, one = (json.loads((ansible.folder / f"{name}.json").read_text("utf-8")) for name in ("both", "one"))
    summaries = [(found["summary"]["missing"], found["summary"]["changes"]["create"]) for found in (both, one)]
    assert summaries == [([], 2), (["warehouse"], 1)], run.output
    assert [account["name"] for account in one["accounts"]] == ["shop"]
    # The service has no such TLS edge, so nobody knows who gets through.
    assert (one["accounts"][0]["exposure"]["exposure"], one["accounts"][0]["collected_at"][:2]) == ([], "20")


def test_a_skipped_plan_does_not_stop_the_report(ansible: Ansible) -> None:
    planned = "- edgeops.ingress.estate:\n    https_edges: [{hostports: ['new.example.com:443']}]\n  check_mode: true\n"
    only_one = f"{planned}  register: plan_result\n  when: inventory_hostname == 'shop'\n"
    run = play(ansible, only_one + REPORT.replace("DEST", "report.json").replace("PLAN", "plan_result"))
    assert run.code == 0, run.output
    summary = json.loads((ansible.folder / "report.json").read_text("utf-8"))["summary"]
    assert (summary["missing"], summary["changes"]["create"]) == ([], 1)


NO_NAME = "report_plan: expected the name of a variable, such as estate_result, got"
NOT_THERE = "report_plan: these hosts have no variable"


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("'{{ plan_result }}'", f"{NO_NAME} a value of the type dict."),
        ("no-name", f"{NO_NAME} 'no-name'."),
        ('""', f"{NO_NAME} ''."),
        ("plan_result", f"{NOT_THERE} plan_result: warehouse."),
        ("role_name", f"{NOT_THERE} role_name: shop, warehouse."),
    ],
)
def test_a_plan_that_is_not_there_is_an_error_before_anything_is_read(ansible: Ansible, plan: str, said: str) -> None:
    only_one = "- ansible.builtin.set_fact:\n    plan_result: {plan: []}\n  when: inventory_hostname == 'shop'\n"
    run = play(ansible, only_one + REPORT.replace("DEST", "report.json").replace("PLAN", plan))
    assert run.code != 0
    messages = [record["result"].get("msg", "") for record in run.records if record["failed"]]
    assert any(message.startswith(said) for message in messages), run.output
    assert ansible.service.journal() == []
