# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups that the options `groups` and `keyed_groups` add to an inventory, next to the groups of other sources."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible.plugins.inventory import to_safe_group_name
from ansible.utils.path import basedir

from .host_names import alike, listed
from .host_rules import HostRules, Membership, Variables


class GroupTree:
    """The groups of an inventory before the hosts of this source are added.

    No group can have one of `own_names`, which are reserved for hosts of this source. A name that a tunnel wants
    (`wanted`) is available to groups only if the options reserve it for groups, or if another source has a group of
    that name. If a tunnel wants any other name and a group would get it as well, neither gets it (`contested`): anyone
    who controls one tunnel could choose the name, and a play for that name would run there.
    """

    def __init__(self, inventory: Any, rules: HostRules, own_names: Collection[str], wanted: Collection[str]) -> None:
        self._inventory, self._rules = inventory, rules
        starts = tuple(alike(start) for start in rules.starts_of_groups)
        for_groups = {alike(name) for name in (*rules.fixed_groups, *inventory.groups)}
        keys = {alike(name) for name in wanted}
        self._wanted = {key for key in keys if key not in for_groups and not key.startswith(starts)}
        self.contested: set[str] = set()
        self._populated = {name for name, group in inventory.groups.items() if group.get_hosts()}
        taken = [(name, "is the ID of a tunnel") for name in own_names]
        taken += [(name, "is the name of a host of another source") for name in inventory.hosts]
        taken += [(name, "is the name of the control node") for name in C.LOCALHOST]
        self._taken = {alike(to_safe_group_name(name)): reason for name, reason in reversed(taken)}
        self._rejected: dict[str, set[str]] = {}
        source = inventory.current_source
        self._shared = {"inventory_file": source or None, "inventory_dir": basedir(source) if source else None}

    def memberships(self, host: str, identifier: str, variables: Variables) -> list[Membership]:
        """Return the groups of a host with this name. In a strict inventory, raises the first failure."""
        rules, found = self._rules, list[Membership]()
        own = {"inventory_hostname": host, "inventory_hostname_short": host.split(".", maxsplit=1)[0]}
        known = {**variables, **self._shared, **own, "group_names": []}

        def groups_of(expression: str, evaluate: Callable[..., list[Membership]], entry: Any) -> list[Membership]:
            try:
                return evaluate(entry, known, host)
            except Exception as error:
                if rules.strict:
                    raise rules.failure(expression, identifier, error) from None
                return []

        for group in rules.groups:
            found += groups_of(f"groups.{group}", rules.of_condition, group)
        for number, keyed in enumerate(rules.keyed_groups):
            known["group_names"] = self._names_with(found)
            for name, parent in groups_of(f"keyed_groups[{number}]", rules.of_key, keyed):
                above = parent and self._usable(parent, identifier)
                if usable := self._usable(name, identifier):
                    found.append((usable, above))
        return list(dict.fromkeys(found))

    def _usable(self, name: str, identifier: str) -> str:
        """Return the safe name of a group, or an empty string if the values of a tunnel must not create such a group.

        A play for a host, or for the control node, would also run on the members of a group of the same name.
        """
        safe = str(to_safe_group_name(name))
        key = alike(safe)
        reason = self._taken.get(key)
        if not reason and key in self._wanted:
            reason = "is the name of a tunnel"
            self.contested.add(safe)
        if reason:
            rejected = f"the group {safe} is not created, because this {reason}"
            self._rejected.setdefault(rejected, set()).add(identifier)
        return "" if reason or safe in ("all", "ungrouped") else safe

    def _names_with(self, memberships: Iterable[Membership]) -> list[str]:
        """Return the names of groups and of all their ancestors, as in the variable `group_names` of a host."""
        names = {name for pair in memberships for name in pair if name}
        existing = [self._inventory.groups[name] for name in names if name in self._inventory.groups]
        names.update(ancestor.name for group in existing for ancestor in group.get_ancestors())
        return sorted(names - {"all"})

    def add(self, host: str, memberships: Iterable[Membership]) -> None:
        for name, parent in memberships:
            self._inventory.add_host(host, self._inventory.add_group(name))
            if parent:
                self._add_child(name, self._inventory.add_group(parent))

    def _add_child(self, name: str, parent: str) -> None:
        group, above = self._inventory.groups[name], self._inventory.groups[parent]
        if group in above.child_groups:
            return
        try:
            if name in self._populated:
                raise ValueError("it has hosts of other sources")
            above.add_child_group(group)
        except Exception as error:
            self._rejected[f"the group {name} is not added to the group {parent}: {error}"] = set()

    def warnings(self) -> Iterator[str]:
        """Return what was not done, and for which tunnels."""
        for rejected, identifiers in sorted(self._rejected.items()):
            yield f"{rejected} (tunnels: {listed(list(identifiers))})" if identifiers else rejected
