# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/many_accounts.md with more accounts than forks: each gets its own, whatever becomes of the others."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest
import yaml

from accounts import NAMES, Services, hostport_of, writes
from collection_tree import CHECKOUT
from page import blocks
from playbook_run import IN_WORKER, Ansible, Run
from reference_service_process import ReferenceService
from vaulted import VAULT_PASSWORD, encrypted

KEY = re.compile(r"^ingress_api_key:.*\n( +.*\n)*", re.MULTILINE)


def write_page(folder: Path, services: Services) -> None:
    """Write the files of the page, with these accounts instead of its own, and their keys encrypted."""
    files = {block.file: block.text for block in blocks(CHECKOUT / "docs" / "many_accounts.md") if block.file}
    example = yaml.safe_load(files.pop("host_vars/shop.yml"))
    files["inventory/accounts.yml"] = yaml.safe_dump({"accounts": {"hosts": dict.fromkeys(NAMES)}})
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "host_vars").mkdir(exist_ok=True)
    [edge] = example["estate_https_edges"]
    for name, service in services.items():
        edges = [{**edge, "hostports": [hostport_of(name)], "description": name}]
        connection = {"ingress_base_url": service.base_url, "ingress_api_key": "ENCRYPTED"}
        account = {**example, **connection, "estate_https_edges": edges}
        assert account.keys() == example.keys()
        key = f"!vault |\n{indent(encrypted(service.api_key), '  ')}".rstrip()
        text = yaml.safe_dump(account).replace("ENCRYPTED", key)
        (folder / "host_vars" / f"{name}.yml").write_text(text, encoding="utf-8")
    (folder / "vault_password").write_text(VAULT_PASSWORD, encoding="utf-8")


def change_key(folder: Path, name: str, key: str | None) -> None:
    """Give an account another key, which nobody encrypted, or none."""
    path = folder / "host_vars" / f"{name}.yml"
    text = KEY.sub("" if key is None else f"ingress_api_key: {key}\n", path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


def hostports(service: ReferenceService) -> list[str]:
    """What the edges of an account serve."""
    return [hostport for edge in service.state()["https_edges"] for hostport in edge["hostports"]]


def keys_sent(service: ReferenceService) -> set[str]:
    """The keys of all requests that an account's service got, whoever sent them."""
    return {dict(request["headers"])["authorization"].removeprefix("Bearer ") for request in service.journal()}


ARGUMENTS = ("-i", "inventory/accounts.yml", "--vault-password-file", "vault_password", "--forks", "8")
WRONG, KEYLESS, FOREIGN = "account07", "account11", "ak_of_account08"


@pytest.fixture
def accounts(services: Services, tmp_path: Path) -> Services:
    """The accounts' services, holding nothing, next to the files of the page."""
    for service in services.values():
        service.reset()
    write_page(tmp_path, services)
    return services


@pytest.mark.long(cores=0)
def test_only_accounts_without_a_valid_key_fail(accounts: Services, tmp_path: Path) -> None:
    ansible = Ansible(tmp_path, accounts[WRONG])
    arguments = [*ARGUMENTS, "-vvvv"]
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
    ansible = Ansible(tmp_path, accounts[WRONG])

    planned = ansible.playbook(tmp_path / "plan.yml", *ARGUMENTS, "--check")
    read = (tmp_path / "plans.md").read_text(encoding="utf-8")
    accounts[WRONG].seed(https_edges=[{"hostports": [hostport_of(WRONG)]}])
    (tmp_path / f"{KEYLESS}.digest").unlink()
    applied = ansible.playbook(tmp_path / "approved.yml", *ARGUMENTS)

    assert planned.code == 0, planned.output
    assert all(f"### {name}" in read for name in NAMES)
    assert applied.code == 2, applied.output
    messages = {record["host"]: record["result"]["msg"] for record in applied.records if record["failed"]}
    assert messages.keys() == {WRONG, KEYLESS}
    assert "The plan is not the one that was approved" in messages[WRONG]
    assert {name for name, service in accounts.items() if writes(service)} == set(NAMES) - {WRONG, KEYLESS}


def changed(run: Run) -> set[str]:
    return {record["host"] for record in run.records if record["result"].get("changed")}
