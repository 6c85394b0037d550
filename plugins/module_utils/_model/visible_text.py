# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of others on one line, in which nothing is hidden. Pure.

A terminal obeys the control characters of a name: these could erase a line about a deletion, or add another line.
"""

from __future__ import annotations

import unicodedata

_BIG = 0x10000


def visible(text: str) -> str:
    r"""Return the text with an escape sequence such as `\\u001b` for each character that cannot be printed."""
    return text if text.isprintable() else "".join(char if char.isprintable() else escape(char) for char in text)


def escape(char: str) -> str:
    """Return the escape sequence of a character."""
    return f"\\u{ord(char):04x}" if ord(char) < _BIG else f"\\U{ord(char):08x}"


def is_invisible(char: str) -> bool:
    """Return whether a character is a blank, a control character, or another invisible one."""
    return char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Cs")


def visible_part(text: str) -> str:
    """Return the characters of a string that can be seen."""
    return "".join(char for char in text if not is_invisible(char))
