# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that the options of an inventory reserve for groups. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...module_utils._model.option_error import OptionError, OptionErrors
from .host_names import alike

_TEMPLATE_MARKS = ("{{", "{%", "{#")

Sanitizer = Callable[[str], str]
"""A function that makes the name of a group safe, as configured in Ansible."""


@dataclass(frozen=True)
class GroupNames:
    """The names that the options of an inventory reserve for groups, regardless of the values of tunnels.

    `starts` are the safe strings with which the names of keyed_groups start, each with the path of its entry. `fixed`
    are complete names.
    """

    starts: Mapping[str, str]
    fixed: frozenset[str]

    @classmethod
    def of(
        cls,
        keyed_groups: Sequence[Mapping[str, Any]],
        groups: Mapping[str, Any],
        leading_separator: bool,
        sanitize: Sanitizer,
    ) -> GroupNames:
        """Return the names that these options reserve for groups."""
        starts: dict[str, str] = {}
        fixed = [str(name) for name in groups]
        for number, keyed in enumerate(keyed_groups):
            if start := start_of(keyed, leading_separator):
                starts.setdefault(sanitize(start), f"keyed_groups[{number}]")
            elif keyed.get("default_value"):
                fixed.append(str(keyed["default_value"]))
            parent = keyed.get("parent_group")
            if isinstance(parent, str) and parent and not any(mark in parent for mark in _TEMPLATE_MARKS):
                fixed.append(parent)
        return cls(starts, frozenset(sanitize(name) for name in fixed))


def prefix_clashes(
    name_prefix: str, keyed_groups: Sequence[Mapping[str, Any]], leading_separator: bool, sanitize: Sanitizer
) -> OptionErrors:
    """Return the option errors about keyed_groups whose names start like the names of all hosts."""
    for number, keyed in enumerate(keyed_groups):
        start = start_of(keyed, leading_separator)
        if start and alike(name_prefix).startswith(alike(sanitize(start))):
            option = "prefix" if keyed.get("prefix") else "separator"
            yield OptionError(
                f"keyed_groups[{number}].{option}",
                f"`name_prefix` also starts with {sanitize(start)!r}, so a group "
                f"could get the name of a host; choose another {option}",
            )


def start_of(keyed: Mapping[str, Any], leading_separator: bool) -> str:
    """Return what the names of all groups of an entry of `keyed_groups` start with, not yet made safe."""
    prefix = keyed.get("prefix")
    prefix = "" if prefix is None else str(prefix)
    separator = keyed.get("separator")
    separator = "_" if separator is None else str(separator)
    return f"{prefix}{separator}" if prefix or leading_separator else ""
