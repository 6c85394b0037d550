# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/many_accounts.md with fifty accounts: each gets its own, with its own key, whatever becomes of the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from accounts import (
    NAMES,
    Services,
    change_key,
    hostport_of,
    hostports,
    keys_sent,
    running_services,
    write_page,
    writes,
)
from awx import PROJECT, variables
from awx_job import Controller
from playbook_run import IN_WORKER, Ansible

MADE = "Make the service match"
WRONG, FOREIGN = "account07", "ak_of_account08"
SLICES = 2


@pytest.fixture(scope="module")
def running_accounts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    with running_services(tmp_path_factory.mktemp("accounts")) as services:
        yield services


@pytest.fixture
def accounts(running_accounts: Services) -> Services:
    """The accounts' services, holding nothing."""
    for service in running_accounts.values():
        service.reset()
    return running_accounts


def test_each_account_gets_its_own_and_one_with_a_wrong_key_fails_alone(accounts: Services, tmp_path: Path) -> None:
    write_page(tmp_path, accounts)
    ansible = Ansible(tmp_path, accounts[WRONG])
    arguments = ["-i", "inventory/accounts.yml", "--vault-password-file", "vault_password", "--forks", "25", "-vvvv"]
    key = accounts[WRONG].api_key

    change_key(tmp_path, WRONG, FOREIGN)
    first = ansible.playbook(tmp_path / "accounts.yml", *arguments)
    after_first = {name: hostports(service) for name, service in accounts.items()}
    sent_first = {name: keys_sent(service) for name, service in accounts.items()}
    for service in accounts.values():
        service.forget_journal()
    change_key(tmp_path, WRONG, key)
    second = ansible.playbook(tmp_path / "accounts.yml", *arguments)

    others = set(NAMES) - {WRONG}
    assert first.code == 2, first.output
    assert {record["host"] for record in first.records if record["failed"]} == {WRONG}
    assert {record["host"] for record in first.records if record["result"]["changed"]} == others
    [failed] = [record["result"] for record in first.records if record["failed"]]
    assert "401" in failed["msg"]
    assert "API key" in failed["msg"]
    assert after_first == {name: [] if name == WRONG else [hostport_of(name)] for name in NAMES}
    assert sent_first == {name: {FOREIGN if name == WRONG else f"ak_of_{name}"} for name in NAMES}
    assert [way.way for way in first.ways()] == [IN_WORKER] * len(NAMES)

    assert second.code == 0, second.output
    assert {record["host"] for record in second.records if record["result"]["changed"]} == {WRONG}
    assert {name: hostports(service) for name, service in accounts.items()} == {n: [hostport_of(n)] for n in NAMES}
    assert {name for name, service in accounts.items() if writes(service)} == {WRONG}
    assert not [service.api_key for service in accounts.values() if service.api_key in first.output + second.output]


def test_an_account_answers_to_its_own_key_alone(accounts: Services) -> None:
    service = accounts[WRONG]

    def status(key: str) -> int:
        headers = {"Authorization": f"Bearer {key}", "Svc-Version": "2"}
        return requests.get(f"{service.base_url}/tunnels", headers=headers, timeout=30).status_code

    assert [status(service.api_key), status(FOREIGN)] == [200, 401]


def test_slices_of_a_job_share_the_accounts(accounts: Services, collections_path: Path, tmp_path: Path) -> None:
    controller = Controller(tmp_path, PROJECT, collections_path)
    write_page(controller.project, accounts)
    controller.synchronize("inventory/accounts.yml")
    arguments = ["--vault-password-file", "vault_password", "--forks", "25"]
    reached: list[str] = []

    for number in range(1, SLICES + 1):
        controller.deal(number, SLICES)
        job = controller.job("estate.yml", arguments, variables("run", {}), {})
        assert job.code == 0, job.output
        reached += (now := [name for name in NAMES if hostports(accounts[name]) and name not in reached])
        assert now == NAMES[number - 1 :: SLICES]

    assert {name: hostports(service) for name, service in accounts.items()} == {n: [hostport_of(n)] for n in NAMES}
    assert {name: keys_sent(service) for name, service in accounts.items()} == {n: {f"ak_of_{n}"} for n in NAMES}
