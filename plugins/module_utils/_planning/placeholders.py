# SPDX-License-Identifier: GPL-3.0-or-later
"""IDs of objects that check mode would create, so that later tasks can plan what belongs to these objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_SUFFIX = "would-be-created"

UNKNOWN_PREFIX = "unknown_"
"""The prefix of placeholders for objects whose kind the collection does not know."""


def placeholder(prefix: str) -> str:
    """Return the ID of an object in check mode before it exists; `prefix` is that of its kind (section 2)."""
    return prefix + _SUFFIX


def is_placeholder(identifier: Any) -> bool:
    return isinstance(identifier, str) and identifier.endswith("_" + _SUFFIX)


def placeholder_errors(identifier: Any, path: str, check_mode: bool) -> Iterator[str]:
    if is_placeholder(identifier) and not check_mode:
        yield f"{path}: {identifier} is a check-mode placeholder; outside check mode, set a real ID"
