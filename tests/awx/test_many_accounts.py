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


ARGUMENTS = ("-i", "inventory/accounts.yml", "--vault-password-file", "vault_password", "--forks", "8")
WRONG, KEYLESS, FOREIGN = "account07", "account11", "ak_of_account08"
CHANGED, MISSING = "account03", "account05"


@pytest.mark.long(cores=0)
def test_each_account_gets_its_own_whatever_becomes_of_the_others(services: Services, tmp_path: Path) -> None:
    for service in services.values():
        service.reset()
    ansible, failing, others = Ansible(tmp_path), {WRONG, KEYLESS}, set(NAMES) - {WRONG, KEYLESS}

    write_page(tmp_path, services)
    for name, line in ((WRONG, f"ingress_api_key: {FOREIGN}\n"), (KEYLESS, "")):
        path = tmp_path / "host_vars" / f"{name}.yml"
        path.write_text(KEY.sub(line, path.read_text(encoding="utf-8")), encoding="utf-8")
    run = ansible.playbook(tmp_path / "accounts.yml", *ARGUMENTS, "-vvvv", environment={"INGRESS_API_KEY": FOREIGN})

    assert run.code == 2, run.output
    failures = messages(run)
    assert failures.keys() == failing
    assert "401" in failures[WRONG]
    assert "API key" in failures[WRONG]
    assert "'ingress_api_key' is undefined" in failures[KEYLESS]
    assert {record["host"] for record in run.records if record["result"].get("changed")} == others
    assert {name: hostports(service) for name, service in services.items()} == {
        name: [] if name in failing else [hostport_of(name)] for name in NAMES
    }
    assert {name: keys_sent(service) for name, service in services.items()} == {
        **{name: {f"ak_of_{name}"} for name in others},
        WRONG: {FOREIGN},
        KEYLESS: set(),
    }
    assert {way.way for way in run.ways()} == {IN_WORKER}

    # With their own keys, those that have failed get what was approved. Nobody approved what changed in another one.
    write_page(tmp_path, services)
    for service in services.values():
        service.forget_journal()
    planned = ansible.playbook(tmp_path / "plan.yml", *ARGUMENTS, "--check")
    read = (tmp_path / "plans.md").read_text(encoding="utf-8")
    services[CHANGED].reset()
    (tmp_path / f"{MISSING}.digest").unlink()
    applied = ansible.playbook(tmp_path / "approved.yml", *ARGUMENTS)

    assert planned.code == 0, planned.output
    assert all(f"### {name}" in read for name in NAMES)
    assert applied.code == 2, applied.output
    assert messages(applied).keys() == {CHANGED, MISSING}
    assert "The plan is not the one that was approved" in messages(applied)[CHANGED]
    assert {name for name, service in services.items() if writes(service)} == failing
    assert all(hostports(services[name]) == [hostport_of(name)] for name in failing)
    shown = "".join(each.output for each in (run, planned, applied))
    assert not [service.api_key for service in services.values() if service.api_key in shown]


def messages(run: Run) -> dict[str, str]:
    """What is said of each account that has failed."""
    return {record["host"]: record["result"]["msg"] for record in run.records if record["failed"]}


def hostports(service: ReferenceService) -> list[str]:
    """What the edges of an account serve."""
    return [hostport for edge in service.state()["https_edges"] for hostport in edge["hostports"]]


def keys_sent(service: ReferenceService) -> set[str]:
    """The keys of all requests that an account's service got, whoever sent them."""
    return {dict(request["headers"])["authorization"].removeprefix("Bearer ") for request in service.journal()}
