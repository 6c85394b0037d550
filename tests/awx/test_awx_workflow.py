# SPDX-License-Identifier: GPL-3.0-or-later
"""The workflows of docs/awx: exactly the plans that somebody has approved are applied, account by account, and every
account is in the report once, whichever slice has collected it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import awx
from accounts import Services, hostport_of, writes
from amount import first_alone
from awx import APPLY_APPROVED, PREVIEW, ControlNode, Job, launch, run_workflow, variables

MADE = "Make the service match the declaration"
ASKED = "Fail if something differs"
REJECTED = "Reject an account without an approved plan"
SAME, CHANGED, SETTLED, BROKEN = "account00", "account01", "account02", "account03"
ACCOUNTS = (SAME, CHANGED, SETTLED, BROKEN)
HOSTILE = "{{ lookup('ansible.builtin.pipe', 'touch evaluated') }}"
OTHER = "0123456789abcdef" * 2


@pytest.fixture
def accounts(services: Services) -> Services:
    """The accounts' services: each has one edge, whose description is not the declared one."""
    accounts = {name: services[name] for name in ACCOUNTS}
    for name, service in accounts.items():
        service.reset()
        service.seed(https_edges=[edge_of(name, "new" if name == SETTLED else HOSTILE)])
        service.forget_journal()
    return accounts


@pytest.fixture
def control_node(accounts: Services, collections_path: Path, tmp_path: Path) -> ControlNode:
    """A control node with a host for each account that has a service."""
    control_node = ControlNode(tmp_path, collections_path)
    declared = {}
    for name, service in accounts.items():
        edges = [edge_of(name, "new"), *[{"id": "edghts_missing", "description": "new"}] * (name == BROKEN)]
        connection = {"ingress_base_url": service.base_url, "ingress_api_key": service.api_key}
        declared[name] = {**connection, "estate_https_edges": edges}
    control_node.set_accounts(declared)
    return control_node


def edge_of(name: str, description: str) -> dict[str, Any]:
    return {"hostports": [hostport_of(name)], "description": description}


def failures(job: Job, task: str) -> dict[str, str]:
    """The message of each account in which a task failed."""
    return {
        event["event_data"]["host"]: event["event_data"]["res"]["msg"]
        for event in job.events
        if event["event"] == "runner_on_failed" and event["event_data"]["task"] == task
    }


def test_each_account_gets_the_plan_that_was_approved_or_nothing(
    accounts: Services, control_node: ControlNode, tmp_path: Path
) -> None:
    def change_one(preview: Job) -> bool:
        assert not any(map(writes, accounts.values()))
        [edge] = accounts[CHANGED].state()["https_edges"]
        accounts[CHANGED].reset()
        accounts[CHANGED].seed(https_edges=[{**edge_of(CHANGED, "by hand"), "id": edge["id"]}])
        return True

    jobs = run_workflow(control_node, change_one)
    preview, applied = jobs["preview"], jobs["apply"]

    assert [preview.code, applied.code] == [2, 2], preview.output + applied.output
    # What the approval is about, and what is handed on.
    assert failures(preview, ASKED).keys() == {SAME, CHANGED}
    assert failures(preview, MADE).keys() == {BROKEN}
    passed = preview.custom_stats()
    digests = passed["job_expect_plan"]
    assert digests.keys() == {SAME, CHANGED, SETTLED}
    assert all(name in passed["ingress_plans"] for name in (*ACCOUNTS, *digests.values(), "edghts_missing", HOSTILE))
    # What came of it.
    assert failures(applied, MADE).keys() == {CHANGED}
    assert digests[CHANGED] in failures(applied, MADE)[CHANGED]
    assert failures(applied, REJECTED).keys() == {BROKEN}
    assert {name: writes(service) for name, service in accounts.items() if writes(service)} == {SAME: ["PATCH"]}
    assert [edge["description"] for edge in accounts[SAME].state()["https_edges"]] == ["new"]
    assert not list(tmp_path.rglob("evaluated"))


@pytest.mark.long(cores=0)
def test_no_approval_is_requested_if_nothing_would_change(accounts: Services, control_node: ControlNode) -> None:
    asked: list[Job] = []

    def reject(preview: Job) -> bool:
        asked.append(preview)
        return False

    denied = run_workflow(control_node, reject, job_accounts=SAME)
    settled = run_workflow(control_node, reject, job_accounts=SETTLED)

    assert list(denied) == list(settled) == ["preview"]
    assert asked == [denied["preview"]]
    assert settled["preview"].code == 0, settled["preview"].output
    assert not any(map(writes, accounts.values()))


@pytest.mark.long(cores=0)
def test_extra_variables_can_be_strings(accounts: Services, control_node: ControlNode) -> None:
    preview = launch(control_node, PREVIEW, variables(PREVIEW, {"job_accounts": f"{SAME},{CHANGED}"}))
    digests = preview.custom_stats()["job_expect_plan"]

    for account, approved in ((SAME, digests[SAME]), (CHANGED, json.dumps(digests))):
        given = {**variables(APPLY_APPROVED, {"job_accounts": account}), "job_expect_plan": approved}
        applied = launch(control_node, APPLY_APPROVED, given)
        assert applied.code == 0, applied.output
        assert [edge["description"] for edge in accounts[account].state()["https_edges"]] == ["new"]


NOT_APPROVED = [
    # This is what the job template has if it is launched outside of the workflow.
    awx.TEMPLATES[APPLY_APPROVED]["extra_vars"]["job_expect_plan"],
    None,
    "",
    # One digest does not approve the plans of several accounts.
    OTHER,
    # One account is missing.
    {SAME: "", CHANGED: None, SETTLED: [OTHER], "account09": OTHER},
]


@pytest.mark.parametrize("approved", first_alone(NOT_APPROVED), ids=repr)
def test_without_an_approved_plan_nothing_is_sent(accounts: Services, control_node: ControlNode, approved: Any) -> None:
    given = {**variables(APPLY_APPROVED, {}), "job_expect_plan": approved}

    job = launch(control_node, APPLY_APPROVED, given)

    assert failures(job, REJECTED).keys() == set(ACCOUNTS)
    assert not any(service.journal() for service in accounts.values())


@pytest.mark.long(cores=0)
def test_a_variable_that_is_not_set_approves_no_plan(accounts: Services, control_node: ControlNode) -> None:
    given = {**variables(awx.APPLY, {}), "job_expect_plan": "{{ aproved }}"}

    job = control_node.job("estate.yml", given)

    assert "aproved" in job.output
    assert failures(job, REJECTED).keys() == set(ACCOUNTS)
    assert not any(service.journal() for service in accounts.values())


@pytest.mark.long(cores=0)
def test_the_report_has_accounts_of_all_slices(accounts: Services, control_node: ControlNode, tmp_path: Path) -> None:
    playbooks = {one["name"]: one["playbook"] for one in awx.read("objects/report.yml")["report_templates"]}
    keys = {name: service.api_key for name, service in accounts.items()} | {BROKEN: "ak_of_nobody"}
    control_node.set_accounts(
        {name: {"ingress_base_url": accounts[name].base_url, "ingress_api_key": key} for name, key in keys.items()}
    )
    artifacts: dict[str, Any] = {}
    for number in (1, 2):  # the last slice, which has the third account, never runs
        control_node.deal(number, 3)
        job = control_node.job(playbooks["Ingress: collect the accounts"], {})
        assert job.code == 0, job.output
        assert not artifacts.keys() & job.custom_stats().keys()
        artifacts.update(job.custom_stats())
    control_node.deal(1, 1)

    given = {**artifacts, "report_dest": str(tmp_path / "all.json"), "report_format": "json"}
    job = control_node.job(playbooks["Ingress: write the report"], given)

    assert job.code == 0, job.output
    report = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    known = {account["name"]: account for account in report["accounts"]}
    assert known.keys() == {SAME, CHANGED, BROKEN}
    assert known[CHANGED]["estate"]["https_edges"][0]["description"] == HOSTILE
    assert "401" in known[BROKEN]["error"]
    assert report["summary"]["missing"] == [SETTLED]
    assert not list(tmp_path.rglob("evaluated"))
    assert not any(map(writes, accounts.values()))
