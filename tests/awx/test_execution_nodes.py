# SPDX-License-Identifier: GPL-3.0-or-later
"""Slices of jobs on several execution nodes: what they read is merged, and a node that goes away is noticed."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accounts import NAMES, Services, hostport_of, hostports, writes
from awx import APPLY, PROJECT, variables
from execution_node import ExecutionNodes, Slice

ACCOUNTS = tuple(NAMES[:9])
SLICES = 3
KILLED = ACCOUNTS[1::SLICES]
"""The accounts of the node that goes away."""

DELAY_MS = 1500
"""Long enough for a node to go away while it waits for an account, which is its only one at a time."""


@pytest.fixture
def accounts(services: Services) -> Services:
    """The accounts' services, each with one edge."""
    accounts = {name: services[name] for name in ACCOUNTS}
    for name, service in accounts.items():
        service.reset()
        service.seed(https_edges=[{"hostports": [hostport_of(name)], "description": "As found"}])
        service.forget_journal()
    return accounts


@pytest.fixture
def nodes(collections_path: Path, tmp_path: Path) -> Iterator[ExecutionNodes]:
    """Nodes with the collection as in an execution environment, where nobody but root can write to it."""
    installed = tmp_path / "usr" / "share" / "ansible" / "collections"
    shutil.copytree(collections_path, installed, ignore=shutil.ignore_patterns("__pycache__"))
    before = contents(installed)
    for path in before:
        path.chmod(path.stat().st_mode & ~0o222)
    nodes = ExecutionNodes(tmp_path, PROJECT, installed)
    yield nodes
    nodes.stop()
    assert contents(installed) == before


def contents(folder: Path) -> dict[Path, int]:
    """The files with the times of their changes, without the bytecode that root leaves there."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    return {path: path.stat().st_mtime_ns for path in files}


def hosts(accounts: Services, names: tuple[str, ...] = ACCOUNTS) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "ansible_connection": "local",
            "ansible_python_interpreter": "{{ ansible_playbook_python }}",
            "ingress_base_url": accounts[name].base_url,
            "ingress_api_key": accounts[name].api_key,
            "estate_https_edges": [{"hostports": [hostport_of(name)], "description": "As declared"}],
        }
        for name in names
    }


def started(nodes: ExecutionNodes, accounts: Services, playbook: str, extra: dict[str, Any], *more: str) -> list[Slice]:
    """The slices of a job, dealt as AWX deals them, on a node each."""
    return [nodes.start(playbook, hosts(accounts, ACCOUNTS[first::SLICES]), extra, more) for first in range(SLICES)]


def killed_in_the_middle(accounts: Services, slices: list[Slice]) -> None:
    """End the second node once it has begun with its first account."""
    for _attempt in range(600):
        if any(accounts[name].journal() for name in KILLED):
            slices[1].kill()
            return
        time.sleep(0.1)
    raise AssertionError("the node has not begun")


def merged(nodes: ExecutionNodes, accounts: Services, artifacts: dict[str, Any], folder: Path) -> tuple[Any, str]:
    """The report on all accounts, and the output of the job that writes it."""
    given = {**artifacts, "report_dest": str(folder / "all.json"), "report_format": "json"}
    code, _handed_on, output = nodes.start("report.yml", hosts(accounts), given).artifacts()
    assert code == 0, output
    return json.loads((folder / "all.json").read_text(encoding="utf-8")), output


def test_the_accounts_of_a_node_that_goes_away_are_missing_and_the_others_whole(
    accounts: Services, nodes: ExecutionNodes, tmp_path: Path
) -> None:
    for name in KILLED:
        accounts[name].switches(response_delay_ms=DELAY_MS)
    slices = started(nodes, accounts, "collect.yml", {}, "--forks", "1")
    killed_in_the_middle(accounts, slices)
    codes, artifacts = [], {}
    for each in slices:
        code, handed_on, _output = each.artifacts()
        codes.append(code == 0)
        artifacts |= handed_on

    report, output = merged(nodes, accounts, artifacts, tmp_path)

    assert codes == [True, False, True]
    assert [each["name"] for each in report["accounts"]] == sorted(set(ACCOUNTS) - set(KILLED))
    assert f"Missing: {', '.join(KILLED)}. Incomplete: none." in output


@pytest.mark.long(cores=0)
def test_the_next_job_finishes_what_a_node_that_went_away_has_begun(accounts: Services, nodes: ExecutionNodes) -> None:
    for name in KILLED:
        accounts[name].switches(response_delay_ms=DELAY_MS)
    slices = started(nodes, accounts, "estate.yml", variables(APPLY, {}), "--forks", "1")
    killed_in_the_middle(accounts, slices)
    assert [each.artifacts()[0] == 0 for each in slices] == [True, False, True]
    unfinished = {name for name, service in accounts.items() if described(service) != ["As declared"]}
    assert unfinished
    assert unfinished <= set(KILLED)
    for name, service in accounts.items():
        service.switches(response_delay_ms=0)
        service.forget_journal()
        assert hostports(service) == [hostport_of(name)]

    for each in started(nodes, accounts, "estate.yml", variables(APPLY, {})):
        code, _handed_on, output = each.artifacts()
        assert code == 0, output

    assert [described(service) for service in accounts.values()] == [["As declared"]] * len(ACCOUNTS)
    assert {name for name, service in accounts.items() if writes(service)} == unfinished


def described(service: Any) -> list[str]:
    return [edge["description"] for edge in service.state()["https_edges"]]
