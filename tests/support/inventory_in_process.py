# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of tunnels, read in this process: the hosts and groups that the plugin adds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.errors import AnsibleParserError
from ansible.inventory.data import InventoryData
from ansible.parsing.dataloader import DataLoader
from ansible.plugins.loader import inventory_loader

from reference_service_process import ReferenceService

PLUGIN = "edgeops.ingress.tunnels"


class Inventories:
    """Reads inventories of one service. `warnings` contains the warnings of all of them."""

    def __init__(self, folder: Path, service: ReferenceService, warnings: list[str]) -> None:
        self._folder = folder
        self.service = service
        self.warnings = warnings
        self.before = InventoryData()
        self.may_use_cache = True

    def read(self, **options: Any) -> InventoryData:
        """Read an inventory with these options in addition to those of the connection."""
        connection = {"base_url": self.service.base_url, "api_key": self.service.api_key, "retries": 0}
        return self.configured(yaml.safe_dump({"plugin": PLUGIN, **connection, **options}))

    def configured(self, text: str) -> InventoryData:
        path = self._folder / "tunnels.yml"
        path.write_text(text, encoding="utf-8")
        plugin = inventory_loader.get(PLUGIN)
        assert plugin.verify_file(str(path))
        plugin.parse(self.before, DataLoader(), str(path), self.may_use_cache)
        if "cache: true" in text:
            plugin.update_cache_if_changed()
        return self.before

    def hosts(self, **options: Any) -> list[str]:
        return sorted(self.read(**options).hosts)

    def failure(self, **options: Any) -> str:
        with pytest.raises(AnsibleParserError) as caught:
            self.read(**options)
        return str(caught.value)


def members(data: InventoryData, group: str) -> list[str]:
    return sorted(host.name for host in data.groups[group].get_hosts())


def check_groups(data: InventoryData, expected: str) -> None:
    """Check the members of groups, which are written as in `group=host,host`, and that a `!group` does not exist."""
    for group, _is, hosts in (one.partition("=") for one in expected.split()):
        assert group[1:] not in data.groups if group[0] == "!" else members(data, group) == hosts.split(",")
