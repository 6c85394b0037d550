# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion of Ansible's own types to plain Python values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any


def plain(value: Any) -> Any:
    """Return the value as a module receives it through JSON, without tags, encrypted values, or lazy containers."""
    if value is None or isinstance(value, bool):
        return value
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind.__str__(value) if kind is str else kind(value)
    if isinstance(value, Mapping):
        return {_plain_key(key): plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(member) for member in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value.isoformat() if isinstance(value, date) else str(value)


def _plain_key(key: Any) -> str:
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return str(plain(key))
