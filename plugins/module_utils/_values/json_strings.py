# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings that are often JSON, such as metadata: services trim them, or write their JSON in another way. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

_MOST_LEVELS = 100
_CONTAINERS = (dict, list)


def meaning(text: str) -> str:
    """Return a form that all strings with the same meaning have in common.

    JSON objects and arrays are the same regardless of blanks, escapes, and the order of members. Any other string is
    the same without the blanks and line breaks at its ends.
    """
    bare = text.strip()
    if not bare.startswith(("{", "[")):
        return bare
    try:
        found = json.loads(bare, object_pairs_hook=unique_members, parse_float=_number, parse_constant=_number)
        return json.dumps(found, sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError):
        return bare


def parsed(content: bytes | str) -> Any:
    """Return the JSON value in the content. Raises ValueError if it is invalid or has too many levels.

    Ansible and this collection process values recursively, so a few hundred levels exceed the stack. How many levels
    `json` accepts depends on the version of Python.
    """
    try:
        value = json.loads(content)
    except RecursionError:
        raise ValueError("too many levels") from None
    # Most members of a large response contain nothing, and this is the quickest way to find the others.
    level = [value] if isinstance(value, _CONTAINERS) else []
    for _number in range(_MOST_LEVELS + 1):
        if not level:
            return value
        level = [
            member
            for each in level
            for member in (each.values() if isinstance(each, dict) else each)
            if isinstance(member, _CONTAINERS)
        ]
    raise ValueError("too many levels")


def container(text: str) -> Any:
    """Return the object or the list that a string contains as JSON, None for any other string."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return parsed(text)
    except ValueError:
        return None


def compact(value: Any) -> str:
    """Return a value as JSON that is short and always the same."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def rewritten(text: str, change: Callable[[Any], Any]) -> str:
    """Return a string with JSON whose value is changed. Any other string stays as it is."""
    value = container(text)
    changed = None if value is None else change(value)
    return text if changed == value else compact(changed)


def unique_members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Which of two members with the same name counts is not the same everywhere."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name occurs twice")
    return members


def _number(text: str) -> float:
    """Return a number; JSON does not distinguish 1.0 from 1."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("out of range")
    return int(value) if value.is_integer() else value
