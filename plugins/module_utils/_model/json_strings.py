# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings that are often JSON, such as metadata: services trim them, or write their JSON in another way. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any


def meaning(text: str) -> str:
    """Return a form that all strings with the same meaning have in common.

    JSON objects and arrays are the same regardless of blanks, escapes, and the order of members. Any other string is
    the same without the blanks and line breaks at its ends.
    """
    bare = text.strip()
    if not bare.startswith(("{", "[")):
        return bare
    try:
        found = json.loads(bare, object_pairs_hook=unique_members, parse_float=_number, parse_constant=_no_number)
        return json.dumps(found, sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError):
        return bare


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


def _no_number(text: str) -> float:
    raise ValueError(text)
