# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report offers to copy into a declaration, as YAML. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._yaml_text import yaml_text

_LISTS = ("https_edges", "tls_edges", "event_subscriptions", "routes", "sources")


def yaml(value: Any) -> str:
    """Return a declaration to copy; nothing if it is empty or cannot be written."""
    try:
        return yaml_text(value) if value else ""
    except ValueError:
        return ""


def declaration_of(undeclared: Mapping[str, Any]) -> str:
    """Return the declaration of an undeclared object, as a member if its option is a list; nothing if there is none.

    `estate` returns declarations only with `undeclared: declarations`.
    """
    declaration, option = undeclared.get("declaration"), str(undeclared.get("option"))
    return yaml([declaration] if declaration and option.rpartition(".")[2] in _LISTS else declaration)
