# SPDX-License-Identifier: GPL-3.0-or-later
"""Halves of surrogate pairs, which JSON can represent, but no encoding can. Pure."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def is_encodable(text: str) -> bool:
    """Return whether the text contains no half of a surrogate pair."""
    return text.isascii() or _SURROGATE.search(text) is None


def encodable(text: str) -> str:
    """Return the text with each half of a surrogate pair replaced."""
    return text if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
