# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of tunnels as users run it: a configuration file, which `ansible-inventory` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import yaml

from playbook_run import Ansible, Run

PLUGIN = "edgeops.ingress.tunnels"


class TunnelInventory:
    """Runs commands with one service, whose URL and key are in the environment."""

    def __init__(self, ansible: Ansible) -> None:
        self.ansible = ansible
        self.file = ansible.folder / "tunnels.yml"

    @property
    def environment(self) -> dict[str, str]:
        connection = self.ansible.connection
        return {"INGRESS_BASE_URL": connection["base_url"], "INGRESS_API_KEY": connection["api_key"]}

    def configure(self, configuration: str | None = None, **options: Any) -> None:
        text = configuration or yaml.safe_dump({"plugin": PLUGIN, **options}, sort_keys=False)
        self.file.write_text(text, encoding="utf-8")

    def command(self, name: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Run:
        """Run `ansible-<name>`, or `ansible`, with this inventory. An inventory that cannot be read is a failure."""
        variables = {**self.environment, "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true", **(environment or {})}
        return self.ansible.command(name, "-i", str(self.file), *arguments, environment=variables)

    def listed(self, *arguments: str, environment: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the output of `ansible-inventory --list`: groups by their names, and `_meta`."""
        target = self.ansible.folder / "inventory.json"
        run = self.command("inventory", "--list", "--output", str(target), *arguments, environment=environment)
        assert run.code == 0, run.output
        found: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
        return {**found, "output": run.output}

    def hosts(self, *arguments: str, environment: Mapping[str, str] | None = None) -> dict[str, dict[str, Any]]:
        hosts: dict[str, dict[str, Any]] = self.listed(*arguments, environment=environment)["_meta"]["hostvars"]
        return hosts
