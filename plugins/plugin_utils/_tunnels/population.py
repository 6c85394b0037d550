# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts and groups that are added to Ansible's inventory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible

from .composed_variables import with_composed_variables
from .group_tree import GroupTree
from .host_names import names_of
from .host_rules import HostRules, Membership, Variables

CONTESTED = "also the name of a group of keyed_groups, which is not created"


def add_hosts(
    inventory: Any, wanted: Mapping[str, str], account: Mapping[str, Variables], rules: HostRules
) -> list[str]:
    """Add a host for each tunnel, with its variables and groups, and return warnings.

    `wanted` are the names that the hosts should have, and `account` the variables of the tunnels, both by the IDs of
    the tunnels. A host whose name is not available is named after the tunnel ID.
    """
    own = {identifier: rules.prefixed(identifier) for identifier in wanted}
    hosts, warnings = with_composed_variables(wanted, account, rules)
    groups = GroupTree(inventory, rules, own.values(), wanted.values())
    taken = _taken_names(inventory, rules)
    found: dict[str, tuple[str, list[Membership]]] = {}
    while True:
        contested = dict.fromkeys(groups.contested, CONTESTED)
        names, name_warnings = names_of(wanted, own, {**taken, **contested}, rules.starts_of_groups)
        for identifier, name in names.items():
            # The groups of a host can depend on its name, and the available names on the groups.
            if found.get(identifier, ("",))[0] != name:
                found[identifier] = name, groups.memberships(name, identifier, hosts[identifier])
        if groups.contested == contested.keys():
            break
    for identifier, name in names.items():
        _add_host(inventory, name, hosts[identifier])
    for identifier, name in names.items():
        groups.add(name, found[identifier][1])
    return [*warnings, *name_warnings, *groups.warnings()]


def _add_host(inventory: Any, name: str, variables: Variables) -> None:
    inventory.add_host(name)
    # If a group has this name, inventory.set_variable() would set the variables of the group.
    host = inventory.hosts[name]
    for variable, value in variables.items():
        host.set_variable(variable, value)


def _taken_names(inventory: Any, rules: HostRules) -> dict[str, str]:
    """Return the names that no host of this inventory can have, and what they are the name of."""
    return {
        **dict.fromkeys(inventory.hosts, "the name of a host of another inventory source"),
        **dict.fromkeys([*inventory.groups, *rules.fixed_groups], "the name of a group"),
        **dict.fromkeys(C.LOCALHOST, "the name of the control node"),
    }
