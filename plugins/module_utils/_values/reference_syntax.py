# SPDX-License-Identifier: GPL-3.0-or-later
"""How a reference to an object by its name is written, such as `ref:office`. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

WORD = "ref"
PREFIX = f"{WORD}:"

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9_. -]*[A-Za-z0-9])?"
_REFERENCE = re.compile(rf"\s*{WORD}\s*:\s*({_NAME})\s*")
"""Includes references with blanks, which are errors of their own: no string with blanks is an ID."""


def is_name(text: str) -> bool:
    return re.fullmatch(_NAME, text) is not None


def reference_in(text: str) -> str | None:
    """Return what a reference contains after its prefix, None if the string is not a reference."""
    found = _REFERENCE.fullmatch(text)
    return found[1] if found else None


def blank_problem(value: Any) -> str:
    """Return what to write in place of a reference with blanks, of which YAML makes a dictionary without quotes."""
    reference = value.get(WORD) if isinstance(value, Mapping) and len(value) == 1 else None
    if isinstance(value, str):
        reference = reference_in(value)
    is_meant = isinstance(reference, str) and value != f"{PREFIX}{reference}"
    return f"write {PREFIX}{reference} without blanks around the colon" if is_meant else ""
