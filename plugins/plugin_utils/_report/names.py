# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of objects that others refer to by their IDs, such as backends and IP policies. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .exposure import dictionaries

_ID = re.compile(r"\w+")
KEPT = ("id", "name", "description")
"""What a report contains of these objects. Their other fields can be secrets."""

Names = Mapping[str, str]


def names_of(objects: Any) -> dict[str, str]:
    """Return the name of each object by its ID, for those that have one: its `name`, else its `description`."""
    named = ((one.get("id"), one.get("name") or one.get("description")) for one in dictionaries(objects))
    return {each: name for each, name in named if isinstance(each, str) and isinstance(name, str) and each and name}


def with_names(sentence: Any, names: Names) -> Any:
    """Return a sentence with names instead of the IDs in it."""
    if not names or not isinstance(sentence, str):
        return sentence
    return _ID.sub(lambda found: names.get(found[0], found[0]), sentence)
