# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups that Ansible constructs for a host, before any of them is in the inventory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible.plugins.inventory import Constructable

from .expression_failures import Variables
from .group_tree import Membership
from .host_rules import HostRules


class ConstructedGroups(Constructable):  # type: ignore[misc] # Ansible has no type hints
    """Returns the groups that Ansible would add to an inventory.

    Values of tunnels can name groups, so the names must be checked before the inventory contains such a group. For
    Ansible, this object is both the plugin and the inventory.
    """

    def __init__(self, rules: HostRules) -> None:
        self._rules, self.templar, self.inventory = rules, rules.evaluation.templar, self
        self._parents: dict[str, str] = {}

    def of_condition(self, group: Any, condition: Any, variables: Variables, host: str) -> list[Membership]:
        """Return the group of an entry of `groups` if its condition is true."""
        self._parents = {}
        self._add_host_to_composed_groups({group: condition}, variables, host, strict=True, fetch_hostvars=False)
        return list(self._parents.items())

    def of_key(self, keyed: Mapping[str, Any], variables: Variables, host: str) -> list[Membership]:
        """Return the groups of an entry of `keyed_groups`."""
        self._parents = {}
        given = {name: value for name, value in keyed.items() if value is not None}
        self._add_host_to_keyed_groups([given], variables, host, strict=True, fetch_hostvars=False)
        return list(self._parents.items())

    def _compose(self, template: Any, variables: Variables, disable_lookups: Any = True) -> Any:
        key = self._rules.evaluation.value(template, variables)
        # Ansible names no group after a number.
        return str(key) if isinstance(key, (int, float)) and not isinstance(key, bool) else key

    def _sanitize_group_name(self, name: Any) -> str:
        return self._rules.sanitize(str(name))

    def get_option(self, option: str, hostvars: Any = None) -> Any:
        return getattr(self._rules, option)

    def add_group(self, group: str) -> str:
        return group

    def add_host(self, host: str, group: str) -> None:
        self._parents[group] = ""

    def add_child(self, group: str, child: str) -> None:
        # The child is a group of the host, or the host itself.
        if child in self._parents:
            self._parents[child] = group
        else:
            self._parents[group] = ""
