# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether two reports differ in anything but the time at which the accounts were read. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_ANY = "0000-00-00T00:00:00Z"
"""Stands for any time. It is as long as a time of the modules, so limited formats are shortened in the same way."""

_LONGEST = 200


def with_any_times(accounts: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the accounts with a placeholder in place of the time at which each was read."""
    return {
        name: {**account, "collected_at": _ANY} if account.get("collected_at") else dict(account)
        for name, account in accounts.items()
    }


def is_at_any_times(content: bytes, with_placeholders: bytes) -> bool:
    """Return whether the content is that of a report with these placeholders, with a time in the place of each."""
    first, *others = with_placeholders.split(_ANY.encode())
    if not content.startswith(first):
        return False
    end = len(first)
    for part in others:
        start = content.find(part, end, end + _LONGEST + len(part))
        if start < 0:
            return False
        end = start + len(part)
    return end == len(content)
