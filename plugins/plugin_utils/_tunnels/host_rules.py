# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that decide which hosts an inventory has, how they are named, and which groups they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible.errors import AnsibleParserError
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.inventory import Constructable, to_safe_group_name
from ansible.utils.vars import combine_vars

from ...module_utils._values.option_error import OptionError, OptionErrors
from .._ansible_values import plain, untrusted
from .host_names import alike, name_in, on_one_line

TEMPLATE_MARKS = ("{{", "{%", "{#")

Variables = Mapping[str, Any]

Membership = tuple[str, str]
"""A group of a host, with the name of its parent, or an empty string."""


class HostRules(Constructable):  # type: ignore[misc] # Ansible has no type hints
    """The options of an inventory plugin, evaluated by Ansible. Whatever fails raises what Ansible raises.

    Values of tunnels can name groups, so the names must be checked before the inventory contains such a group. For
    Ansible, this object is both the plugin and the inventory that receives the groups.
    """

    def __init__(self, plugin: Any) -> None:
        self.templar, self.get_option, self._vars = plugin.templar, plugin.get_option, plugin._vars
        self.inventory = self
        self._parents: dict[str, str] = {}
        self.strict: bool = self.get_option("strict")
        self.groups: Mapping[str, Any] = self.get_option("groups")
        self.keyed_groups: list[Mapping[str, Any]] = self.get_option("keyed_groups")
        self.extensions = tuple(str(each) for each in C.YAML_FILENAME_EXTENSIONS)
        leading_separator = self.get_option("leading_separator")
        self.starts_of_groups, self.fixed_groups = reserved_names(self.keyed_groups, self.groups, leading_separator)

    def prefixed(self, name: str) -> str:
        """Return the name of a host with the prefix of all names."""
        return name_in(f"{self.get_option('name_prefix')}{name}", self.extensions)

    def failure(self, expression: str, identifier: str, error: Exception) -> AnsibleParserError:
        """Return the error of an inventory in which an expression fails for a tunnel."""
        return AnsibleParserError(f"{expression} fails for tunnel {identifier}: {on_one_line(str(error))}")

    def value(self, expression: Any, variables: Variables) -> Any:
        """Return the value of an expression, which is never evaluated as a template."""
        return untrusted(super()._compose(expression, variables))

    def holds(self, expression: Any, variables: Variables) -> bool:
        self._make_available(variables)
        if hasattr(self.templar, "evaluate_conditional"):
            return bool(self.templar.evaluate_conditional(expression))
        return bool(boolean(self.templar.template(f"{{% if {expression} %}}True{{% else %}}False{{% endif %}}")))

    def text(self, template: Any, variables: Variables) -> Any:
        self._make_available(variables)
        return plain(self.templar.template(template))

    def _make_available(self, variables: Variables) -> None:
        extra = self._vars if self.get_option("use_extra_vars") else None
        self.templar.available_variables = combine_vars(variables, extra) if extra else variables

    def of_condition(self, group: Any, variables: Variables, host: str) -> list[Membership]:
        """Return the group of an entry of `groups` if its condition is true."""
        self._parents = {}
        condition = {group: self.groups[group]}
        self._add_host_to_composed_groups(condition, variables, host, strict=True, fetch_hostvars=False)
        return list(self._parents.items())

    def of_key(self, keyed: Mapping[str, Any], variables: Variables, host: str) -> list[Membership]:
        """Return the groups of an entry of `keyed_groups`."""
        self._parents = {}
        given = {name: value for name, value in keyed.items() if value is not None}
        if "trailing_separator" in given:  # Ansible does not convert the members of a list.
            given["trailing_separator"] = boolean(given["trailing_separator"])
        self._add_host_to_keyed_groups([given], variables, host, strict=True, fetch_hostvars=False)
        return list(self._parents.items())

    def _compose(self, template: Any, variables: Variables, disable_lookups: Any = True) -> Any:
        key = self.value(template, variables)
        # Ansible names no group after a number.
        return str(key) if isinstance(key, (int, float)) and not isinstance(key, bool) else key

    def _sanitize_group_name(self, name: Any) -> str:
        return str(to_safe_group_name(str(name)))

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


def reserved_names(
    keyed_groups: Iterable[Mapping[str, Any]], groups: Iterable[Any], leading_separator: bool
) -> tuple[dict[str, str], frozenset[str]]:
    """Return the names that these options reserve for groups, regardless of the values of tunnels.

    These are the safe strings with which names of keyed_groups start, each with the path of its entry, and whole names.
    """
    starts: dict[str, str] = {}
    fixed = [str(name) for name in groups]
    for number, keyed in enumerate(keyed_groups):
        if start := _start_of(keyed, leading_separator):
            starts.setdefault(start, f"keyed_groups[{number}]")
        elif keyed.get("default_value"):
            fixed.append(str(keyed["default_value"]))
        parent = keyed.get("parent_group")
        if isinstance(parent, str) and parent and not any(mark in parent for mark in TEMPLATE_MARKS):
            fixed.append(parent)
    return starts, frozenset(to_safe_group_name(name) for name in fixed)


def prefix_clashes(options: Mapping[str, Any]) -> OptionErrors:
    """Return the option errors about keyed_groups whose names start like the names of all hosts."""
    for number, keyed in enumerate(options["keyed_groups"]):
        start = _start_of(keyed, options["leading_separator"] is not False)
        if start and alike(options["name_prefix"]).startswith(alike(start)):
            option = "prefix" if keyed.get("prefix") else "separator"
            yield OptionError(
                f"keyed_groups[{number}].{option}",
                f"`name_prefix` also starts with {start!r}, so a group "
                f"could get the name of a host; choose another {option}",
            )


def _start_of(keyed: Mapping[str, Any], leading_separator: bool) -> str:
    """Return what the safe names of all groups of an entry of `keyed_groups` start with."""
    prefix = "" if keyed.get("prefix") is None else str(keyed["prefix"])
    separator = "_" if keyed.get("separator") is None else str(keyed["separator"])
    return str(to_safe_group_name(f"{prefix}{separator}")) if prefix or leading_separator else ""
