# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups that an inventory source puts its hosts into, next to those that other sources have made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible

from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_groups import GroupNames
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_names import alike, listed

ALWAYS_THERE = ("all", "ungrouped")


class GroupTree:
    """Groups of an inventory, as they are before the hosts of this source come in.

    `sanitized` is what makes the name of a group safe. `own_names` are those that no group may have, because they are
    for hosts of this source. The names that tunnels want (`wanted`) are for groups only where the options give them to
    groups (`for_groups`), or another source has. Any other name that both a tunnel wants and a group would get, neither
    gets (`contested`): whoever controls one tunnel can choose either, and a play for that name would run there.
    """

    def __init__(
        self,
        inventory: Any,
        sanitized: Callable[[str], str],
        own_names: Collection[str],
        wanted: Collection[str],
        for_groups: GroupNames,
    ) -> None:
        self._inventory, self._sanitized = inventory, sanitized
        starts = tuple(alike(start) for start in for_groups.starts)
        given = {alike(name) for name in (*for_groups.fixed, *inventory.groups)}
        keys = {alike(name) for name in wanted}
        self._wanted = {key for key in keys if key not in given and not key.startswith(starts)}
        self.contested: set[str] = set()
        self._populated = {name for name, group in inventory.groups.items() if group.get_hosts()}
        reserved = [(name, "is the ID of a tunnel") for name in own_names]
        reserved += [(name, "is the name of a host of another source") for name in inventory.hosts]
        reserved += [(name, "means the controller itself") for name in C.LOCALHOST]
        self._reserved = {alike(self._sanitized(name)): why for name, why in reversed(reserved)}
        self._refused: dict[str, set[str]] = {}
        self._unmoved: set[tuple[str, str]] = set()

    def usable(self, name: str, identifier: str) -> str:
        """The name of a group, made safe; empty if a tunnel's values must not make such a group.

        A pattern that names a host, or the controller, would reach the members of a group of that name as well.
        """
        safe = self._sanitized(name)
        key = alike(safe)
        why = self._reserved.get(key)
        if not why and key in self._wanted:
            why = "is the name of a tunnel"
            self.contested.add(safe)
        if why:
            self._refused.setdefault(f"the group {safe} is not made, because this {why}", set()).add(identifier)
        return "" if why or safe in ALWAYS_THERE else safe

    def names_with(self, memberships: Iterable[tuple[str, str]]) -> list[str]:
        """The names of groups and of those that they are in, as a host has them in `group_names`."""
        names = {name for pair in memberships for name in pair if name}
        there = [self._inventory.groups[name] for name in names if name in self._inventory.groups]
        names.update(ancestor.name for group in there for ancestor in group.get_ancestors())
        return sorted(names - {"all"})

    def add(self, host: str, memberships: Iterable[tuple[str, str]]) -> None:
        """Put a host into its groups, and these into their parents."""
        for name, parent in memberships:
            self._inventory.add_host(host, self._inventory.add_group(name))
            if parent and (name, parent) not in self._unmoved:
                self._put(name, self._inventory.add_group(parent))

    def _put(self, name: str, parent: str) -> None:
        group, above = self._inventory.groups[name], self._inventory.groups[parent]
        if group in above.child_groups:
            return
        try:
            if name in self._populated:
                raise ValueError("it has hosts of other sources")
            above.add_child_group(group)
        except Exception as error:
            self._unmoved.add((name, parent))
            self._refused[f"the group {name} is not put into the group {parent}: {error}"] = set()

    def warnings(self) -> Iterator[str]:
        """What was not done, and for which tunnels."""
        for what, identifiers in sorted(self._refused.items()):
            yield f"{what} (tunnels: {listed(list(identifiers))})" if identifiers else what
