# SPDX-License-Identifier: GPL-3.0-or-later
"""An SSH connection through a tunnel, whose address comes only from the inventory."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inventory_run import TunnelInventory
from playbook_run import Ansible, Run
from ssh_device import USER, Device, ssh_device

pytestmark = [
    pytest.mark.every_core,
    pytest.mark.long(cores=1),
    pytest.mark.skipif(shutil.which("ssh") is None, reason="requires ssh, the client of OpenSSH"),
]


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    with ssh_device(tmp_path) as running:
        yield running


@pytest.fixture
def inventory(ansible: Ansible, device: Device) -> TunnelInventory:
    """Return an inventory with the tunnel of a device, the tunnel of a website, and the user of the devices."""
    address = f"tcp://127.0.0.1:{device.port}"
    ansible.service.seed(
        tunnels=[
            {"id": "tn_device", "public_url": address, "proto": "tcp", "metadata": '{"name": "north-gate"}'},
            {"id": "tn_site", "public_url": "https://site.example.app", "proto": "https"},
        ]
    )
    inventory = TunnelInventory(ansible)
    inventory.configure(filters=[{"exclude": "ansible_host is not defined"}], compose={"ansible_user": f"'{USER}'"})
    return inventory


def ping(inventory: TunnelInventory, device: Device, known_host_key: str) -> Run:
    """Run ansible.builtin.ping on all hosts, with a known_hosts file that contains this key for the host."""
    known_hosts = inventory.ansible.folder / "known_hosts"
    known_hosts.write_text(f"north-gate {known_host_key}\n", encoding="utf-8")
    variables = inventory.ansible.folder / "group_vars" / "all.yml"
    variables.parent.mkdir()
    variables.write_text("ansible_ssh_common_args: -o HostKeyAlias={{ inventory_hostname }}\n", encoding="utf-8")
    options = {"UserKnownHostsFile": known_hosts, "IdentitiesOnly": "yes", "PreferredAuthentications": "publickey"}
    return inventory.command(
        "",
        *("all", "-m", "ansible.builtin.ping", "--private-key", str(device.key_file)),
        *("--extra-vars", f"ansible_python_interpreter={sys.executable}"),
        environment={
            # Do not keep connections open for the next task: their processes would outlive the test.
            "ANSIBLE_SSH_ARGS": " ".join(["-F /dev/null", *(f"-o {name}={value}" for name, value in options.items())]),
            "ANSIBLE_HOST_KEY_CHECKING": "true",
        },
    )


def test_ansible_connects_through_a_tunnel(inventory: TunnelInventory, device: Device) -> None:
    run = ping(inventory, device, device.host_key)
    assert run.code == 0, run.output
    assert "north-gate | SUCCESS" in run.output
    assert '"ping": "pong"' in run.output
    assert any(sys.executable in command for command in device.commands)


def test_ansible_does_not_connect_to_an_unknown_device(inventory: TunnelInventory, device: Device) -> None:
    run = ping(inventory, device, device.key_file.with_name("authorized_keys").read_text(encoding="utf-8").strip())
    assert run.code != 0
    assert "north-gate | UNREACHABLE" in run.output
    assert device.commands == []
