# SPDX-License-Identifier: GPL-3.0-or-later
"""The members of a list in one page of a response. Pure."""

from __future__ import annotations

from typing import Any


def members_of(page: Any, key: str, next_key: str) -> Any:
    """Return the list that a page contains. Services omit empty lists, but not all other signs of a list."""
    if not isinstance(page, dict):
        return None
    if key in page:
        return [] if page[key] is None else page[key]
    is_another = "id" in page or any(isinstance(member, list) for member in page.values())
    return None if is_another or not {"uri", next_key} & page.keys() else []


def only_list(page: Any, path: str) -> str:
    """Return the key of the list in a page. If there are several, it is the one that is named after the path.

    An object with an ID is not a page: lists in it are not the members of a collection.
    """
    if not isinstance(page, dict) or "id" in page:
        return ""
    lists = [name for name, member in page.items() if isinstance(member, list)]
    named = [name for name in lists if name in path.split("/")]
    return next((names[0] for names in (lists, named) if len(names) == 1), "")
