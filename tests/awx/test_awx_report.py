# SPDX-License-Identifier: GPL-3.0-or-later
"""The workflow of docs/awx that writes a report: every account is in it once, whichever slice has collected it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accounts import Services, hostport_of, running_services, writes
from awx import PROJECT, read
from awx_job import ControlNode
from collection_tree import COLLECTIONS_PATH

READ, HOSTILE, UNCOLLECTED, REJECTED = "account00", "account01", "account02", "account03"
ACCOUNTS = (READ, HOSTILE, UNCOLLECTED, REJECTED)
TEXT = "{{ lookup('ansible.builtin.pipe', 'touch evaluated') }} \"'</script>"
OBJECTS = read("objects/report.yml")


@pytest.fixture(scope="module")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running_services(tmp_path_factory.mktemp("accounts"), ACCOUNTS) as services:
        for name, service in services.items():
            service.reset()
            service.seed(https_edges=[{"hostports": [hostport_of(name)], "description": TEXT}])
            service.forget_journal()
        yield services


@pytest.fixture
def control_node(accounts: Services, tmp_path: Path) -> ControlNode:
    control_node = ControlNode(tmp_path, PROJECT, COLLECTIONS_PATH)
    declared = {}
    for name, service in accounts.items():
        key = "ak_of_nobody" if name == REJECTED else service.api_key
        declared[name] = {"ingress_base_url": service.base_url, "ingress_api_key": key}
    control_node.set_accounts(declared)
    return control_node


def playbook_of(node: str) -> str:
    [found] = [one for one in OBJECTS["report_workflow"]["nodes"] if one["identifier"] == node]
    [template] = [one for one in OBJECTS["report_templates"] if one["name"] == found["unified_job_template"]]
    return str(template["playbook"])


@pytest.mark.long(cores=0)
def test_the_report_has_the_accounts_of_all_slices(
    accounts: Services, control_node: ControlNode, tmp_path: Path
) -> None:
    artifacts: dict[str, Any] = {}
    for number in (1, 2):  # the last slice never runs
        control_node.deal(number, 3)
        job = control_node.job(playbook_of("collect"), [], {}, {})
        assert job.code == 0, job.output
        assert not artifacts.keys() & job.custom_stats().keys()
        artifacts.update(job.custom_stats())
    control_node.deal(1, 1)

    given = {**artifacts, "report_dest": str(tmp_path / "all.json"), "report_format": "json"}
    job = control_node.job(playbook_of("write"), [], given, {})

    assert job.code == 0, job.output
    report = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    known = {account["name"]: account for account in report["accounts"]}
    assert known.keys() == {READ, HOSTILE, REJECTED}
    assert known[HOSTILE]["estate"]["https_edges"][0]["description"] == TEXT
    assert "401" in known[REJECTED]["error"]
    assert report["summary"]["missing"] == [UNCOLLECTED]
    assert not list(tmp_path.rglob("evaluated"))
    assert not any(map(writes, accounts.values()))


def test_the_report_is_written_even_if_accounts_are_not_collected() -> None:
    collect, write = OBJECTS["report_workflow"]["nodes"]
    assert collect["always_nodes"] == [write["identifier"]]
    assert [template["is_sliced"] for template in OBJECTS["report_templates"]] == [True, False]
    assert all((PROJECT / playbook_of(node["identifier"])).is_file() for node in (collect, write))
