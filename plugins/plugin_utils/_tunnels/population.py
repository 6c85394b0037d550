# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts and groups that are added to Ansible's inventory, with the variables of the option `compose`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible import context
from ansible.utils.collection_loader import AnsibleCollectionConfig
from ansible.utils.path import basedir
from ansible.utils.vars import combine_vars

from .._ansible_values import plain, untrusted
from .group_tree import GroupTree
from .host_names import alike, listed, names_of
from .host_rules import HostRules, Membership, Variables
from .tunnel_host import NO_JSON_NUMBER, TOO_DEEP, obstacle_in, writable

CONTESTED = "also the name of a group of keyed_groups, which is not created"


def add_hosts(
    inventory: Any,
    wanted: Mapping[str, str],
    account: Mapping[str, Variables],
    rules: HostRules,
    folders: Sequence[Path],
) -> list[str]:
    """Add a host for each tunnel, with its variables and groups, and return warnings.

    `wanted` are the names that the hosts should have, and `account` the variables of all tunnels of the account, both
    by the IDs of the tunnels. A host whose name is not available is named after the tunnel ID.
    """
    own = {identifier: rules.prefixed(identifier) for identifier in account}
    ids = set(map(alike, own.values()))
    chosen = [name for name in wanted.values() if alike(name) not in ids]
    hosts, warnings = _with_composed_variables(wanted, account, rules)
    groups = GroupTree(inventory, rules, own.values(), wanted.values())
    taken = {
        **dict.fromkeys(_names_of_files(chosen, folders), "the name of a file in host_vars"),
        **dict.fromkeys(inventory.hosts, "the name of a host of another inventory source"),
        **dict.fromkeys([*inventory.groups, *rules.fixed_groups], "the name of a group"),
        **dict.fromkeys(C.LOCALHOST, "the name of the control node"),
    }
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
        inventory.add_host(name)
        for variable, value in hosts[identifier].items():
            # If a group has this name, inventory.set_variable() would set the variables of the group.
            inventory.hosts[name].set_variable(variable, value)
    for identifier, name in names.items():
        groups.add(name, found[identifier][1])
    return [*name_warnings, *warnings, *groups.warnings()]


def variable_folders(source: str, loader: Any) -> list[Path]:
    """Return where Ansible looks for the variables of hosts: next to inventory sources, and next to playbooks."""
    folders = [*map(basedir, (source, *(context.CLIARGS.get("inventory") or ()))), loader.get_basedir()]
    # Each of these is the folder `collections` next to a playbook.
    playbooks = [Path(each).parent for each in AnsibleCollectionConfig.playbook_paths]
    return [Path(folder) / "host_vars" for folder in dict.fromkeys([*folders, *playbooks])]


def _names_of_files(names: Iterable[str], folders: Iterable[Path]) -> list[str]:
    """Return the names that contain a dot, and that a file in one of the folders has.

    Ansible loads a file of exactly the name of a host, whatever its extension, and a copy of a variables file can have
    any extension. A file without an extension usually belongs to the host.
    """
    # Path.is_file() raises errors, such as that of a file system with shorter names.
    return [name for name in names if "." in name and any(os.path.isfile(each / name) for each in folders)]  # noqa: PTH113


class _Unlistable(Exception):
    """The reason why an inventory cannot contain a value."""


def _with_composed_variables(
    identifiers: Iterable[str], account: Mapping[str, Variables], rules: HostRules
) -> tuple[dict[str, Variables], list[str]]:
    """Return all variables of each tunnel's host, and warnings. In a strict inventory, raises the first failure."""
    hosts = {identifier: account[identifier] for identifier in identifiers}
    omitted: dict[tuple[str, str], list[str]] = {}
    for variable, expression in rules.get_option("compose").items():
        for identifier, known in hosts.items():
            try:
                value = _listable(rules.value(expression, account[identifier]))
                hosts[identifier] = combine_vars(known, {variable: value})
            except Exception as error:
                if rules.strict:
                    raise rules.failure(f"compose.{variable}", identifier, error) from None
                if isinstance(error, _Unlistable):
                    omitted.setdefault((variable, str(error)), []).append(identifier)
    return hosts, [
        f"compose.{variable} is not set, because {reason} (tunnels: {listed(affected)})"
        for (variable, reason), affected in omitted.items()
    ]


def _listable(value: Any) -> Any:
    """Return the value without halves of surrogate pairs. Raises _Unlistable if an inventory cannot contain it."""
    try:
        bare = plain(value)
        obstacle = obstacle_in(bare)
    except RecursionError:
        obstacle = TOO_DEEP
    except ValueError:  # a key that is a number with too many digits
        obstacle = NO_JSON_NUMBER
    if obstacle:
        raise _Unlistable(f"the value {obstacle}")
    written = writable(bare)
    return value if written == bare else untrusted(written)
