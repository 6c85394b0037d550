# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of options whose types may be wrong, for checks that report only what is inside of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def list_of(value: Any) -> list[Any]:
    """Return the members of an option that is a list, none of one that is not."""
    return value if isinstance(value, list) else []


def dictionary_of(value: Any) -> dict[str, Any]:
    """Return an option that is a dictionary; for anything else, an empty one."""
    return value if isinstance(value, dict) else {}


def members_of(value: Any) -> list[Mapping[str, Any]]:
    """Return the dictionaries in an option that is a list of them."""
    return [one for one in list_of(value) if isinstance(one, Mapping)]
