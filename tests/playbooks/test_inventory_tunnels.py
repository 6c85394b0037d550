# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of tunnels with Ansible's own commands: keys, errors, and exports."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent

import pytest
import yaml

from inventory_in_process import PLUGIN
from playbook_run import Ansible, Run
from reference_service_process import API_KEY
from scripted_service import as_json, in_turn, scripted_service
from vaulted import VAULT_PASSWORD, encrypted

pytestmark = pytest.mark.every_core

FILE = "tunnels.yml"


def command(ansible: Ansible, name: str, *arguments: str, inventory: str = FILE, **environment: str) -> Run:
    """Run `ansible-<name>` with an inventory. One that cannot be read is a failure."""
    connection = {f"INGRESS_{option.upper()}": value for option, value in ansible.connection.items()}
    variables = {**connection, "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true", **environment}
    return ansible.command(name, "-i", inventory, *arguments, environment=variables)


@pytest.mark.long(cores=0)
def test_a_key_that_is_encrypted(ansible: Ansible) -> None:
    ansible.service.seed(tunnels=[{"id": "tn_gate", "metadata": "gate"}])
    (ansible.folder / "password").write_text(VAULT_PASSWORD, encoding="utf-8")
    (ansible.folder / FILE).write_text(
        f"plugin: {PLUGIN}\napi_key: !vault |\n{indent(encrypted(API_KEY), '  ')}\n"
        "base_url: \"{{ lookup('env', 'OTHER_URL') }}\"\n"
        'timeout: "{{ seconds }}"\nvalidate_certs: "{{ seconds | int > 9 }}"\n',
        encoding="utf-8",
    )
    environment = {"INGRESS_API_KEY": "not-this-one", "INGRESS_BASE_URL": "ftp://"}
    options = ("--vault-password-file", "password", "--extra-vars", "seconds=10")
    run = command(ansible, "inventory", "--graph", *options, **environment, OTHER_URL=ansible.service.base_url)
    assert (run.code, run.output.count("|--gate\n")) == (0, 1), run.output


def test_all_errors_are_displayed_without_the_key(ansible: Ansible) -> None:
    """Newer versions of Ansible display the lines around an error."""
    wrong = {"api_key": "canary of a key", "ca_path": "{{ nothing }}", "filter": [], "timeout": 0, "filters": [{}]}
    (ansible.folder / FILE).write_text(yaml.safe_dump({"plugin": PLUGIN, **wrong}), encoding="utf-8")
    run = command(ansible, "inventory", "--list", "-vvvv", INGRESS_RETRIES="-1")
    output = " ".join(run.output.split())
    parts = ["6 option errors", "api_key: ", "ca_path: ", "filter: ", "timeout: ", "retries: -1", "filters[0]: "]
    assert (run.code != 0, [part for part in parts if part not in output], "canary" in output) == (True, [], False)


@pytest.mark.long(cores=0)
def test_a_file_of_exactly_the_name_of_a_host_next_to_the_playbook(ansible: Ansible) -> None:
    ansible.service.seed(tunnels=[{"id": "tn_gate", "metadata": "gate.secrets"}])
    (ansible.folder / FILE).write_text(f"plugin: {PLUGIN}\n", encoding="utf-8")
    files = ansible.folder / "plays" / "host_vars"
    files.mkdir(parents=True)
    (files / "gate.secrets").write_text("door_password: canary\n", encoding="utf-8")
    tasks = "[{ansible.builtin.debug: {msg: '{{ inventory_hostname }} {{ door_password | default }}'}}]"
    play = f"- hosts: all\n  gather_facts: false\n  connection: local\n  tasks: {tasks}\n"
    (files.parent / "play.yml").write_text(play, encoding="utf-8")
    run = command(ansible, "playbook", "plays/play.yml")
    assert (run.code, "tn_gate" in run.output, "canary" in run.output) == (0, True, False), run.output


HOSTILE = [
    {"id": "tn_labels", "labels": {"__ansible_vault": "a", "__ansible_unsafe": "b", "__ansible_type": "c", "d": "e"}},
    {"id": "tn_vault", "metadata": '{"name": "vault", "a": {"__ansible_vault": "x"}}'},
    {"id": "tn_infinity", "metadata": '{"name": "infinity", "a": 1e999, "b": [-1e999]}'},
    {"id": "tn_nan", "metadata": '{"name": "nan", "a": NaN}'},
    {"id": "tn_half", "metadata": "half \ud83d", "region": "\udc00"},
    {"id": "tn_bytes", "metadata": "/w==", "region": '{"a": "\\ud83d", "\\udc00": 1}'},
    {"id": "tn_nested", "metadata": "bmVzdGVk", "region": '{"a": {"__ansible_vault": "x"}}'},
    {"id": "tn_braces", "metadata": "{{ 7 * 7 }}", "labels": {"{{ 8 * 8 }}": "{% raw %}"}},
]


@pytest.mark.long(cores=0)
def test_an_export_can_be_read_again(ansible: Ansible, tmp_path: Path) -> None:
    compose = {"info": "metadata | b64decode", "more": "region | from_yaml"}
    (tmp_path / FILE).write_text(yaml.safe_dump({"plugin": PLUGIN, "compose": compose}), encoding="utf-8")
    with scripted_service(in_turn(as_json({"tunnels": HOSTILE}), as_json({"tunnels": HOSTILE}))) as service:
        for how in (("--export", "--output", "exported.json"), ("--yaml",)):
            run = command(ansible, "inventory", "--list", *how, INGRESS_BASE_URL=service.base_url)
            assert run.code == 0, run.output
    exported = (tmp_path / "exported.json").read_text(encoding="utf-8")
    assert len(json.loads(exported, parse_constant=pytest.fail)["_meta"]["hostvars"]) == len(HOSTILE)
    script = tmp_path / "exported.sh"
    script.write_text(f"#!/bin/sh\ncat '{tmp_path}/exported.json'\n", encoding="utf-8")
    script.chmod(0o755)
    # Read the values as tasks receive them, not as ansible-inventory displays them.
    play = [
        {"hosts": "all", "gather_facts": False, "tasks": [{"ansible.builtin.debug": {"var": "[metadata, labels]"}}]}
    ]
    (tmp_path / "playbook.yml").write_text(yaml.safe_dump(play), encoding="utf-8")
    run = command(ansible, "playbook", "playbook.yml", "--connection", "local", inventory=str(script))
    assert run.code == 0, run.output
    seen = {record["host"]: record["result"]["[metadata, labels]"] for record in run.records}
    assert len(seen) == len(HOSTILE)
    assert seen["tn_labels"] == ["", {"d": "e"}]
    assert seen["7_7"] == ["{{ 7 * 7 }}", {"{{ 8 * 8 }}": "{% raw %}"}]
