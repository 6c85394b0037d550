# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups that a host belongs to by the options `groups` and `keyed_groups`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ansible.utils.path import basedir
from ansible.utils.vars import combine_vars

from .expression_failures import Variables, failure_for
from .group_tree import GroupTree, Membership
from .host_groups import group_names
from .host_rules import HostRules


class Memberships:
    """Evaluates the groups of hosts. `source` is the file of the inventory, if there is one."""

    def __init__(self, rules: HostRules, groups: GroupTree, source: str | None) -> None:
        self._rules, self._groups = rules, groups
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
        found = list(self._of_groups(identifier, variables))
        for number, keyed in enumerate(self._rules.keyed_groups):
            try:
                known = {**variables, "group_names": self._groups.names_with(found)}
                found += self._of_keyed_group(keyed, known, identifier)
            except Exception as error:
                if self._rules.strict:
                    raise failure_for(f"keyed_groups[{number}]", identifier, error) from None
        return list(dict.fromkeys(found))

    def _of_groups(self, identifier: str, variables: Variables) -> Iterator[Membership]:
        for group, condition in self._rules.groups.items():
            try:
                if self._rules.evaluation.holds(condition, variables, uses_extra=False):
                    yield self._rules.sanitize(str(group)), ""
            except Exception as error:
                if self._rules.strict:
                    raise failure_for(f"groups.{group}", identifier, error) from None

    def _of_keyed_group(self, keyed: Mapping[str, Any], variables: Variables, identifier: str) -> list[Membership]:
        key = self._rules.evaluation.value(keyed.get("key"), variables, names_missing=self._rules.strict)
        if key in ([], {}):
            return []
        names = list(group_names(keyed, key, self._rules.leading_separator))
        parent = keyed.get("parent_group") or ""
        if parent:
            parent = self._groups.usable(str(self._rules.evaluation.name(parent, variables)), identifier)
        return [(name, parent) for each in names if (name := self._groups.usable(each, identifier))]
