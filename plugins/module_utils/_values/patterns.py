# SPDX-License-Identifier: GPL-3.0-or-later
"""Patterns of names. Pure."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase


def covers(pattern: str, name: str) -> bool:
    """Return whether a name matches a pattern, in which `*` stands for any number of characters."""
    return fnmatchcase(name, re.sub(r"([?[])", r"[\1]", pattern))
