# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/many_accounts.md with more accounts than forks: each gets its own, whatever becomes of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from accounts import (
    NAMES,
    Services,
    change_key,
    hostport_of,
    hostports,
    keys_sent,
    write_page,
    writes,
)
from playbook_run import IN_WORKER, Ansible, Run

WRONG, KEYLESS, FOREIGN = "account07", "account11", "ak_of_account08"


@pytest.fixture
def accounts(services: Services) -> Services:
    """The accounts' services, holding nothing."""
    for service in services.values():
        service.reset()
    return services


@pytest.mark.long(cores=0)
def test_only_accounts_without_a_valid_key_fail(accounts: Services, tmp_path: Path) -> None:
    write_page(tmp_path, accounts)
    ansible = Ansible(tmp_path, accounts[WRONG])
    arguments = ["-i", "inventory/accounts.yml", "--vault-password-file", "vault_password", "--forks", "8", "-vvvv"]
    failing, others = {WRONG, KEYLESS}, set(NAMES) - {WRONG, KEYLESS}

    change_key(tmp_path, WRONG, FOREIGN)
    change_key(tmp_path, KEYLESS, None)
    first = ansible.playbook(tmp_path / "accounts.yml", *arguments, environment={"INGRESS_API_KEY": FOREIGN})
    after_first = {name: hostports(service) for name, service in accounts.items()}
    sent_first = {name: keys_sent(service) for name, service in accounts.items()}
    for service in accounts.values():
        service.forget_journal()
    write_page(tmp_path, accounts)
    second = ansible.playbook(tmp_path / "accounts.yml", *arguments)

    assert first.code == 2, first.output
    messages = {record["host"]: record["result"]["msg"] for record in first.records if record["failed"]}
    assert messages.keys() == failing
    assert "401" in messages[WRONG]
    assert "API key" in messages[WRONG]
    assert "'ingress_api_key' is undefined" in messages[KEYLESS]
    assert changed(first) == others
    assert after_first == {name: [] if name in failing else [hostport_of(name)] for name in NAMES}
    assert sent_first == {**{name: {f"ak_of_{name}"} for name in others}, WRONG: {FOREIGN}, KEYLESS: set()}
    assert {way.way for way in first.ways()} == {IN_WORKER}

    assert second.code == 0, second.output
    assert changed(second) == failing
    assert {name: hostports(service) for name, service in accounts.items()} == {n: [hostport_of(n)] for n in NAMES}
    assert {name for name, service in accounts.items() if writes(service)} == failing
    assert not [service.api_key for service in accounts.values() if service.api_key in first.output + second.output]


@pytest.mark.long(cores=0)
def test_each_account_gets_the_plan_that_was_approved_for_it(accounts: Services, tmp_path: Path) -> None:
    write_page(tmp_path, accounts)
    ansible = Ansible(tmp_path, accounts[WRONG])
    arguments = ["-i", "inventory/accounts.yml", "--vault-password-file", "vault_password", "--forks", "8"]

    planned = ansible.playbook(tmp_path / "plan.yml", *arguments, "--check")
    read = (tmp_path / "plans.md").read_text(encoding="utf-8")
    accounts[WRONG].seed(https_edges=[{"hostports": [hostport_of(WRONG)]}])
    (tmp_path / f"{KEYLESS}.digest").unlink()
    applied = ansible.playbook(tmp_path / "approved.yml", *arguments)

    assert planned.code == 0, planned.output
    assert all(f"### {name}" in read for name in NAMES)
    assert applied.code == 2, applied.output
    messages = {record["host"]: record["result"]["msg"] for record in applied.records if record["failed"]}
    assert messages.keys() == {WRONG, KEYLESS}
    assert "The plan is not the one that was approved" in messages[WRONG]
    assert {name for name, service in accounts.items() if writes(service)} == set(NAMES) - {WRONG, KEYLESS}


def changed(run: Run) -> set[str]:
    return {record["host"] for record in run.records if record["result"].get("changed")}
