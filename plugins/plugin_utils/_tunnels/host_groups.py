# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that the options of an inventory reserve for groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ansible.plugins.inventory import to_safe_group_name

from ...module_utils._model.option_error import OptionError, OptionErrors
from .host_names import alike

_TEMPLATE_MARKS = ("{{", "{%", "{#")


def reserved_names(
    keyed_groups: Iterable[Mapping[str, Any]], groups: Iterable[Any], leading_separator: bool
) -> tuple[dict[str, str], frozenset[str]]:
    """Return the names that these options reserve for groups, regardless of the values of tunnels.

    These are the safe strings with which the names of keyed_groups start, each with the path of its entry, and complete
    names.
    """
    starts: dict[str, str] = {}
    fixed = [str(name) for name in groups]
    for number, keyed in enumerate(keyed_groups):
        if start := _start_of(keyed, leading_separator):
            starts.setdefault(start, f"keyed_groups[{number}]")
        elif keyed.get("default_value"):
            fixed.append(str(keyed["default_value"]))
        parent = keyed.get("parent_group")
        if isinstance(parent, str) and parent and not any(mark in parent for mark in _TEMPLATE_MARKS):
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
    prefix, separator = (
        default if keyed.get(name) is None else str(keyed[name])
        for name, default in (("prefix", ""), ("separator", "_"))
    )
    return str(to_safe_group_name(f"{prefix}{separator}")) if prefix or leading_separator else ""
