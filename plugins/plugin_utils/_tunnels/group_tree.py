# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups of the hosts of an inventory source, next to the groups of other sources."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible

from .host_groups import GroupNames, Sanitizer
from .host_names import alike, listed

Membership = tuple[str, str]
"""A group of a host, with the name of its parent, or an empty string."""

BUILT_IN = ("all", "ungrouped")


class GroupTree:
    """The groups of an inventory before the hosts of this source are added.

    `sanitize` makes the name of a group safe. No group can have one of `own_names`, which are reserved for hosts of
    this source. A name that a tunnel wants (`wanted`) is available to groups only if the options reserve it for groups
    (`reserved`), or if another source has a group of that name. If a tunnel wants any other name and a group would get
    it as well, neither gets it (`contested`): anyone who controls one tunnel could choose the name, and a play for that
    name would run there.
    """

    def __init__(
        self,
        inventory: Any,
        sanitize: Sanitizer,
        own_names: Collection[str],
        wanted: Collection[str],
        reserved: GroupNames,
    ) -> None:
        self._inventory, self._sanitize = inventory, sanitize
        starts = tuple(alike(start) for start in reserved.starts)
        for_groups = {alike(name) for name in (*reserved.fixed, *inventory.groups)}
        keys = {alike(name) for name in wanted}
        self._wanted = {key for key in keys if key not in for_groups and not key.startswith(starts)}
        self.contested: set[str] = set()
        self._populated = {name for name, group in inventory.groups.items() if group.get_hosts()}
        taken = [(name, "is the ID of a tunnel") for name in own_names]
        taken += [(name, "is the name of a host of another source") for name in inventory.hosts]
        taken += [(name, "is the name of the control node") for name in C.LOCALHOST]
        self._taken = {alike(self._sanitize(name)): reason for name, reason in reversed(taken)}
        self._rejected: dict[str, set[str]] = {}
        self._without_parent: set[Membership] = set()

    def usable(self, name: str, identifier: str) -> str:
        """Return the safe name of a group, or an empty string if the values of a tunnel must not create such a group.

        A play for a host, or for the control node, would also run on the members of a group of the same name.
        """
        safe = self._sanitize(name)
        key = alike(safe)
        reason = self._taken.get(key)
        if not reason and key in self._wanted:
            reason = "is the name of a tunnel"
            self.contested.add(safe)
        if reason:
            rejected = f"the group {safe} is not created, because this {reason}"
            self._rejected.setdefault(rejected, set()).add(identifier)
        return "" if reason or safe in BUILT_IN else safe

    def names_with(self, memberships: Iterable[Membership]) -> list[str]:
        """Return the names of groups and of all their ancestors, as in the variable `group_names` of a host."""
        names = {name for pair in memberships for name in pair if name}
        existing = [self._inventory.groups[name] for name in names if name in self._inventory.groups]
        names.update(ancestor.name for group in existing for ancestor in group.get_ancestors())
        return sorted(names - {"all"})

    def add(self, host: str, memberships: Iterable[Membership]) -> None:
        """Add a host to its groups, and the groups to their parents."""
        for name, parent in memberships:
            self._inventory.add_host(host, self._inventory.add_group(name))
            if parent and (name, parent) not in self._without_parent:
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
            self._without_parent.add((name, parent))
            self._rejected[f"the group {name} is not added to the group {parent}: {error}"] = set()

    def warnings(self) -> Iterator[str]:
        """Return what was not done, and for which tunnels."""
        for rejected, identifiers in sorted(self._rejected.items()):
            yield f"{rejected} (tunnels: {listed(list(identifiers))})" if identifiers else rejected
