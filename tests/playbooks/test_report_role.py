# SPDX-License-Identifier: GPL-3.0-or-later
"""The role `report` in a play with several hosts: whose plans it shows, and which hosts are missing."""

from __future__ import annotations

import json

import pytest
import yaml

from amount import first_alone
from playbook_run import Ansible, Run

pytestmark = pytest.mark.every_core

PLAN = """
- edgeops.ingress.estate: {https_edges: [{hostports: ["new.example.com:443"]}]}
  check_mode: true
  register: plan_result
  when: inventory_hostname == 'shop'
- ansible.builtin.import_role: {name: edgeops.ingress.estate}
  check_mode: true
  vars:
    estate_https_edges: [{hostports: ["new.example.com:443"]}]
"""


def report(plan: str, name: str = "report") -> str:
    return f"""
- ansible.builtin.include_role: {{name: edgeops.ingress.report}}
  vars:
    report_format: json
    report_dest: {name}.json
    report_plan: {plan}
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
    """A host that failed has the variables of the role from before, and one whose plan was skipped is not missing."""
    reports = [report("plan_result", "skipped"), report("estate_result", "both")]
    leave = "- ansible.builtin.fail:\n  when: inventory_hostname == 'warehouse'\n"
    run = play(ansible, PLAN + "".join(reports) + leave + report("estate_result", "one"))
    files = [ansible.folder / f"{name}.json" for name in ("skipped", "both", "one")]
    found = [json.loads(file.read_text("utf-8")) for file in files]
    summaries = [(each["summary"]["missing"], each["summary"]["changes"]["create"]) for each in found]
    assert summaries == [([], 1), ([], 2), (["warehouse"], 1)], run.output
    [shop] = found[2]["accounts"]
    # The service has no such TLS edge, so nobody knows who gets through.
    assert (shop["name"], shop["exposure"]["exposure"], shop["collected_at"][:2]) == ("shop", [], "20")


NO_NAME = "report_plan: expected the name of a variable, such as estate_result, got"
NOT_THERE = "report_plan: these hosts have no variable"


@pytest.mark.parametrize(
    ("plan", "said"),
    first_alone(
        [
            ("plan_result", f"{NOT_THERE} plan_result: warehouse."),
            ("role_name", f"{NOT_THERE} role_name: shop, warehouse."),
            ("'{{ plan_result }}'", f"{NO_NAME} a value of the type dict."),
            ("no-name", f"{NO_NAME} 'no-name'."),
            ('""', f"{NO_NAME} ''."),
        ]
    ),
)
def test_a_plan_that_is_not_there_is_an_error_before_anything_is_read(ansible: Ansible, plan: str, said: str) -> None:
    only_one = "- ansible.builtin.set_fact:\n    plan_result: {plan: []}\n  when: inventory_hostname == 'shop'\n"
    run = play(ansible, only_one + report(plan))
    assert run.code != 0
    messages = [record["result"].get("msg", "") for record in run.records if record["failed"]]
    assert any(message.startswith(said) for message in messages), run.output
    assert ansible.service.journal() == []
