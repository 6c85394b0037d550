# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups that are made of values of hosts, as the option `keyed_groups` of Ansible's inventories describes it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .errors import json_kind

_EMPTY = (None, "")


class NoGroup(Exception):
    """A value that no group can be made of."""


def group_names(keyed: Mapping[str, Any], key: Any, leading_separator: bool) -> Iterator[str]:
    """The names of the groups of one host, not yet made safe, of what the key of one of `keyed_groups` comes to.

    Raises NoGroup for a value that can't be one; a strict inventory takes that for an error.
    """
    default = keyed.get("default_value")
    separator = str(keyed.get("separator", "_"))
    prefix = str(keyed.get("prefix", ""))
    if key in _EMPTY and default is not None:
        key = str(default)
    if key in _EMPTY:
        raise NoGroup("the value is empty")
    start = f"{prefix}{separator}" if prefix or leading_separator else ""
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
