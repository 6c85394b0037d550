# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups that a host belongs to by the options `groups` and `keyed_groups`."""

from __future__ import annotations

from collections.abc import Iterator

from ansible.utils.path import basedir
from ansible.utils.vars import combine_vars

from .constructed_groups import ConstructedGroups
from .expression_failures import Variables, failure_for
from .group_tree import GroupTree, Membership
from .host_rules import HostRules


class Memberships:
    """Finds the groups of hosts. `source` is the file of the inventory, if there is one."""

    def __init__(self, rules: HostRules, groups: GroupTree, source: str | None) -> None:
        self._rules, self._groups = rules, groups
        self._constructed = ConstructedGroups(rules)
        self._shared = {"inventory_file": source or None, "inventory_dir": basedir(source) if source else None}

    def of(self, name: str, identifier: str, variables: Variables, composed: Variables) -> list[Membership]:
        """Return the groups of a host with this name.

        Raises AnsibleParserError for an expression that fails, if the inventory is strict.
        """
        if not self._rules.groups and not self._rules.keyed_groups:
            return []
        variables = {
            **(combine_vars(variables, composed) if composed else variables),
            **self._shared,
            "inventory_hostname": name,
            "inventory_hostname_short": name.split(".", maxsplit=1)[0],
            "group_names": [],
        }
        found = list(self._of_groups(name, identifier, variables))
        for number in range(len(self._rules.keyed_groups)):
            known = {**variables, "group_names": self._groups.names_with(found)}
            found += self._of_key(number, name, identifier, known)
        return list(dict.fromkeys(found))

    def _of_groups(self, name: str, identifier: str, variables: Variables) -> Iterator[Membership]:
        for group, condition in self._rules.groups.items():
            try:
                yield from self._constructed.of_condition(group, condition, variables, name)
            except Exception as error:
                if self._rules.strict:
                    raise failure_for(f"groups.{group}", identifier, error) from None

    def _of_key(self, number: int, name: str, identifier: str, variables: Variables) -> Iterator[Membership]:
        try:
            found = self._constructed.of_key(self._rules.keyed_groups[number], variables, name)
        except Exception as error:
            if self._rules.strict:
                raise failure_for(f"keyed_groups[{number}]", identifier, error) from None
            return
        for group, parent in found:
            above = parent and self._groups.usable(parent, identifier)
            if usable := self._groups.usable(group, identifier):
                yield usable, above
