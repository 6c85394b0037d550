# SPDX-License-Identifier: GPL-3.0-or-later
"""Identifiers of what a dry run would create, so that the tasks after it can plan its children."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_SUFFIX = "would-be-created"

UNKNOWN_PREFIX = "unknown_"
"""Stands in a placeholder for the prefix of a kind that the collection does not know."""


def placeholder(prefix: str) -> str:
    """The identifier that an object has in check mode before it exists; `prefix` is that of its kind (section 2)."""
    return prefix + _SUFFIX


def is_placeholder(identifier: Any) -> bool:
    return isinstance(identifier, str) and identifier.endswith("_" + _SUFFIX)


def placeholder_errors(identifier: Any, path: str, check_mode: bool) -> Iterator[str]:
    if is_placeholder(identifier) and not check_mode:
        yield f"{path}: {identifier} stands for what a dry run would create and means nothing outside check mode"
