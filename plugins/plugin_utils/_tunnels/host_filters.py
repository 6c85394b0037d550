# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters of an inventory: which hosts are in it. Pure; whether an expression holds for a host is told from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...module_utils._errors import json_kind

_KINDS = ("include", "exclude")


def filter_errors(filters: Any, path: str = "filters") -> Iterator[str]:
    """What is wrong with a list of filters."""
    for number, one in enumerate(filters if isinstance(filters, list) else ()):
        if not isinstance(one, Mapping):
            yield f"{path}[{number}]: this is {json_kind(one)}, where a dictionary with include or exclude belongs"
            continue
        given = [kind for kind in _KINDS if one.get(kind) is not None]
        if unknown := sorted(str(name) for name in one.keys() - set(_KINDS)):
            yield f"{path}[{number}]: a filter has either include or exclude, and no {', '.join(unknown)}"
        elif len(given) != 1:
            yield f"{path}[{number}]: a filter has either include or exclude; this has {' and '.join(given) or 'none'}"
        elif not isinstance(one[given[0]], (str, bool)) or one[given[0]] == "":
            yield f"{path}[{number}].{given[0]}: this is no expression; it looks like: proto == 'tcp'"


def is_included(filters: Sequence[Mapping[str, Any]], holds: Callable[[Any, str], bool]) -> bool:
    """Whether a host is in the inventory: the first filter that holds decides, and without one, it is.

    `holds` gets an expression and its path.
    """
    for number, one in enumerate(filters):
        for kind in _KINDS:
            if one.get(kind) is not None and holds(one[kind], f"filters[{number}].{kind}"):
                return kind == "include"
    return True
