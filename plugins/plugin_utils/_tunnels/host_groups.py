# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups that are made of values of hosts, as the option `keyed_groups` of Ansible's inventories describes it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...module_utils._errors import json_kind
from .host_names import alike

_EMPTY = (None, "")
_TEMPLATE_SIGNS = ("{{", "{%", "{#")

Sanitizer = Callable[[str], str]
"""What makes the name of a group safe, as Ansible is configured to do it."""


class NoGroup(Exception):
    """A value that no group can be made of."""


@dataclass(frozen=True)
class GroupNames:
    """The names that the options of an inventory give to groups, whatever values tunnels have.

    `starts` are what the names of the groups of keyed_groups start with, made safe, each with the path of its entry,
    and `fixed` whole names.
    """

    starts: Mapping[str, str]
    fixed: frozenset[str]

    @classmethod
    def of(
        cls,
        keyed_groups: Sequence[Mapping[str, Any]],
        groups: Mapping[str, Any],
        leading_separator: bool,
        sanitized: Sanitizer,
    ) -> GroupNames:
        """The names that these options give to groups."""
        starts: dict[str, str] = {}
        fixed = [str(name) for name in groups]
        for number, keyed in enumerate(keyed_groups):
            if start := start_of(keyed, leading_separator):
                starts.setdefault(sanitized(start), f"keyed_groups[{number}]")
            elif keyed.get("default_value"):
                fixed.append(str(keyed["default_value"]))
            parent = keyed.get("parent_group")
            if isinstance(parent, str) and parent and not any(sign in parent for sign in _TEMPLATE_SIGNS):
                fixed.append(parent)
        return cls(starts, frozenset(sanitized(name) for name in fixed))


def prefix_clashes(
    name_prefix: str, keyed_groups: Sequence[Mapping[str, Any]], leading_separator: bool, sanitized: Sanitizer
) -> Iterator[str]:
    """What is wrong with keyed_groups whose names start as the names of all hosts do."""
    for number, keyed in enumerate(keyed_groups):
        start = start_of(keyed, leading_separator)
        if start and alike(name_prefix).startswith(alike(sanitized(start))):
            option = "prefix" if keyed.get("prefix") else "separator"
            yield (
                f"keyed_groups[{number}].{option}: {sanitized(start)!r} is also how name_prefix begins, so that a "
                f"group could have the name of a host; choose another {option}"
            )


def start_of(keyed: Mapping[str, Any], leading_separator: bool) -> str:
    """What the names of all groups of one of `keyed_groups` start with, not yet made safe."""
    prefix = keyed.get("prefix")
    prefix = "" if prefix is None else str(prefix)
    return f"{prefix}{_separator(keyed)}" if prefix or leading_separator else ""


def _separator(keyed: Mapping[str, Any]) -> str:
    separator = keyed.get("separator")
    return "_" if separator is None else str(separator)


def group_names(keyed: Mapping[str, Any], key: Any, leading_separator: bool) -> Iterator[str]:
    """The names of the groups of one host, not yet made safe, of what the key of one of `keyed_groups` comes to.

    Raises NoGroup for a value that can't be one; a strict inventory takes that for an error.
    """
    default = keyed.get("default_value")
    separator = _separator(keyed)
    if key in _EMPTY and default is not None:
        key = str(default)
    if key in _EMPTY and default is None:
        raise NoGroup("the value is empty")
    start = start_of(keyed, leading_separator)
    for name in _bare_names(keyed, key, default, separator):
        if f"{start}{name}":
            yield f"{start}{name}"


def _bare_names(keyed: Mapping[str, Any], key: Any, default: Any, separator: str) -> Iterator[str]:
    if isinstance(key, Mapping):
        for name, value in key.items():
            filled = default if value in _EMPTY and default is not None else value
            is_bare = value in _EMPTY and default is None and keyed.get("trailing_separator") is False
            yield str(name) if is_bare else f"{name}{separator}{filled}"
    elif isinstance(key, (list, tuple)):
        for member in key:
            yield str(default if member in _EMPTY and default is not None else member)
    elif isinstance(key, (str, int, float)) and not isinstance(key, bool):
        yield str(key)
    else:
        raise NoGroup(f"expected a string, a list or a dictionary, got {json_kind(key)}")
