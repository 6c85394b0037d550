# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts and groups that are added to Ansible's inventory, with the variables of the option `compose`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible.utils.vars import combine_vars

from ...module_utils._values.escapes import encodable, is_encodable
from .._ansible_values import plain, untrusted
from .group_tree import GroupTree
from .host_names import alike, listed, names_of
from .host_rules import HostRules, Membership, Variables
from .tunnel_host import NO_JSON_NUMBER, TOO_DEEP, obstacle_in, writable
from .variable_files import names_of_files

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
    by the IDs of the tunnels. A host whose name is not available is named after the tunnel ID. `folders` are those with
    the variables of hosts.
    """
    own = {identifier: rules.prefixed(identifier) for identifier in account}
    ids = set(map(alike, own.values()))
    chosen = [name for name in wanted.values() if alike(name) not in ids]
    hosts, warnings = _with_composed_variables(wanted, account, rules)
    groups = GroupTree(inventory, rules, own.values(), wanted.values())
    taken = {
        **dict.fromkeys(names_of_files(chosen, folders), "the name of a file in host_vars"),
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


class _Unlistable(Exception):
    """The reason why an inventory cannot contain a value."""


def _with_composed_variables(
    identifiers: Iterable[str], account: Mapping[str, Variables], rules: HostRules
) -> tuple[dict[str, Variables], list[str]]:
    """Return all variables of each tunnel's host, by the IDs of the tunnels, and warnings.

    Raises AnsibleParserError for an expression that fails, if the inventory is strict.
    """
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
    if isinstance(value, str):
        return value if is_encodable(value) else untrusted(encodable(value))
    try:
        bare = plain(value)
        obstacle = obstacle_in(bare)
    except RecursionError:
        obstacle = TOO_DEEP
    except ValueError:  # a key that is a number with too many digits
        obstacle = NO_JSON_NUMBER
    if obstacle:
        raise _Unlistable(f"the value {obstacle}")
    return value if writable(bare) == bare else untrusted(writable(bare))
