# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of tunnels as users run it: a configuration file, which `ansible-inventory` reads."""

from __future__ import annotations

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

    def configure(self, configuration: str | None = None, **options: Any) -> None:
        text = configuration or yaml.safe_dump({"plugin": PLUGIN, **options}, sort_keys=False)
        self.file.write_text(text, encoding="utf-8")

    def command(self, name: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Run:
        """Run `ansible-<name>`, or `ansible`, with this inventory. An inventory that cannot be read is a failure."""
        connection = {f"INGRESS_{option.upper()}": value for option, value in self.ansible.connection.items()}
        variables = {**connection, "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true", **(environment or {})}
        return self.ansible.command(name, "-i", str(self.file), *arguments, environment=variables)
