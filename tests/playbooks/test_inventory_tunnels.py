# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of tunnels with Ansible's own commands: keys, errors, and exports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from inventory_run import PLUGIN, TunnelInventory
from playbook_run import Ansible
from reference_service_process import API_KEY, ReferenceService
from scripted_service import as_json, in_turn, scripted_service

pytestmark = pytest.mark.every_core

GATE = {"id": "tn_gate", "public_url": "tcp://[2001:db8::1]:22", "proto": "tcp", "metadata": '{"name": "gate"}'}


@pytest.fixture
def inventory(ansible: Ansible) -> TunnelInventory:
    return TunnelInventory(ansible)


@pytest.mark.long(cores=0)
def test_a_key_that_is_encrypted(inventory: TunnelInventory, service: ReferenceService, tmp_path: Path) -> None:
    service.seed(tunnels=[GATE])
    (tmp_path / "password").write_text("opens the vault", encoding="utf-8")
    vault = ("--vault-password-file", str(tmp_path / "password"))
    command = [sys.executable, "-m", "ansible", "vault", "encrypt_string", *vault, "--name", "api_key", API_KEY]
    encrypted = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    inventory.configure(
        f"plugin: {PLUGIN}\n{encrypted}\nbase_url: \"{{{{ lookup('env', 'OTHER_URL') }}}}\"\n"
        'timeout: "{{ seconds }}"\nvalidate_certs: "{{ seconds | int > 9 }}"\n'
    )
    environment = {"INGRESS_API_KEY": "not-this-one", "INGRESS_BASE_URL": "ftp://", "OTHER_URL": service.base_url}
    assert API_KEY not in inventory.file.read_text(encoding="utf-8")
    run = inventory.command("inventory", "--graph", *vault, "--extra-vars", "seconds=10", environment=environment)
    assert (run.code, run.output.count("|--gate\n")) == (0, 1), run.output


def test_all_errors_are_displayed_without_the_key(inventory: TunnelInventory) -> None:
    """Newer versions of Ansible display the lines around an error."""
    inventory.configure(api_key="canary of a key", ca_path="{{ nothing }}", filter=[], timeout=0, filters=[{}])
    run = inventory.command("inventory", "--list", "-vvvv", environment={"INGRESS_RETRIES": "-1"})
    output = " ".join(run.output.split())
    parts = ["6 option errors", "api_key: ", "ca_path: ", "filter: ", "timeout: ", "retries: -1", "filters[0]: "]
    assert (run.code != 0, [part for part in parts if part not in output], "canary" in output) == (True, [], False)


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


def no_constant(name: str) -> None:
    pytest.fail(f"{name} is not valid JSON")


@pytest.mark.long(cores=0)
def test_an_export_can_be_read_again(inventory: TunnelInventory, tmp_path: Path) -> None:
    inventory.configure(compose={"info": "metadata | b64decode", "more": "region | from_yaml"})
    with scripted_service(in_turn(as_json({"tunnels": HOSTILE}), as_json({"tunnels": HOSTILE}))) as service:
        environment = {"INGRESS_BASE_URL": service.base_url}
        arguments = ("--export", "--output", str(tmp_path / "exported.json"))
        run = inventory.command("inventory", "--list", *arguments, environment=environment)
        assert run.code == 0, run.output
        run = inventory.command("inventory", "--list", "--yaml", environment=environment)
    exported = (tmp_path / "exported.json").read_text(encoding="utf-8")
    assert len(json.loads(exported, parse_constant=no_constant)["_meta"]["hostvars"]) == len(HOSTILE)
    script = tmp_path / "exported.sh"
    script.write_text(f"#!/bin/sh\ncat '{tmp_path}/exported.json'\n", encoding="utf-8")
    script.chmod(0o755)
    inventory.file = script
    # Read the values as tasks receive them, not as ansible-inventory displays them.
    play = [
        {"hosts": "all", "gather_facts": False, "tasks": [{"ansible.builtin.debug": {"var": "[metadata, labels]"}}]}
    ]
    (tmp_path / "playbook.yml").write_text(yaml.safe_dump(play), encoding="utf-8")
    run = inventory.command("playbook", str(tmp_path / "playbook.yml"), "--connection", "local")
    assert run.code == 0, run.output
    seen = {record["host"]: record["result"]["[metadata, labels]"] for record in run.records}
    assert len(seen) == len(HOSTILE)
    assert seen["tn_labels"] == ["", {"d": "e"}]
    assert seen["7_7"] == ["{{ 7 * 7 }}", {"{{ 8 * 8 }}": "{% raw %}"}]
