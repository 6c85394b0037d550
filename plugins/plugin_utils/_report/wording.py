# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings of others as all formats of a report show them. Pure."""

from __future__ import annotations

from typing import Any

from .._plan_markdown.text import remainder
from .._visible_text import as_text, visible
from .._yaml_text import yaml_text

LONGEST = 400
"""Longer strings are cut, with the number of the remaining characters."""

_ACRONYMS = {"tls": "TLS", "idp": "identity provider", "http": "HTTP"}


def text(value: Any, longest: int = LONGEST) -> str:
    """Return what a report shows of a string of others: on one line, and with nothing invisible in it."""
    given = as_text(value)
    return visible(given[:longest]) + remainder(given, longest) if given else ""


def yaml(value: Any) -> str:
    """Return a declaration to copy; nothing if it is empty or cannot be written."""
    try:
        return yaml_text(value) if value else ""
    except ValueError:
        return ""


def titled(name: str) -> str:
    words = " ".join(_ACRONYMS.get(word, word) for word in name.split("_"))
    return words[:1].upper() + words[1:]
