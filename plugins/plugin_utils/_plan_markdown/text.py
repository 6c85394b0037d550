# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of others as Markdown that shows it as it is: no markup, no links, and nothing hidden.

All of it is shown as code, because links, mentions, and references are not recognized there. That a backslash is shown
as two also keeps it from escaping the one that a table requires before `|`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...module_utils._errors import counted
from .._visible_text import visible

_RUNS = re.compile("`+")
_WORD = r"(?![0-9a-fA-F]{7})[^\W_]{1,40}"
_PLAIN_WORDS = re.compile(rf"{_WORD}(?:(?: |, |: ){_WORD})*")
"""Nothing in them is markup, a link, a mention, a reference to an issue, or the digest of a commit."""

_NOT_INERT = re.compile(r"[^\w /,()-]|_", re.ASCII)


def code(text: str, longest: int | None = None) -> str:
    """Return the text as a code span. Only its first `longest` characters are shown, with the number of the others."""
    if longest is not None and len(text) > longest:
        return code(text[:longest]) + remainder(text, longest)
    shown = visible(text)
    fence = "`" * (_longest_run(shown) + 1)
    padding = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def code_in_table(text: str, longest: int) -> str:
    """Return the text as a code span in a cell of a table, where `|` must be escaped even in code."""
    return code(text, longest).replace("|", "\\|")


def table_row(*cells: Any) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"


def table_head(*titles: str) -> str:
    return f"{table_row(*titles)}{'|---' * len(titles)}|\n"


def code_in_html(text: str, longest: int) -> str:
    """Return the text as an HTML element, for places in which Markdown is not recognized.

    Punctuation is written as character references, so that nothing becomes a link or markup in renderers that display
    the tags of HTML instead of interpreting them.
    """
    return f"<code>{_NOT_INERT.sub(_reference, visible(text[:longest]))}</code>{remainder(text, longest)}"


def _reference(char: re.Match[str]) -> str:
    return f"&#{ord(char[0])};" if char[0].isascii() else char[0]


def remainder(text: str, longest: int) -> str:
    """Return how many characters there are after the first ones, empty if there are none."""
    remaining = len(text) - longest
    return f"… ({counted(remaining, 'more characters')})" if remaining > 0 else ""


def heading(text: str, longest: int) -> str:
    """Return the text of a heading: as it is if it consists of plain words, else as code."""
    is_plain = len(text) <= longest and _PLAIN_WORDS.fullmatch(text) and visible(text) == text
    return text if is_plain else code(text, longest)


def code_block(lines: Iterable[str], language: str) -> str:
    """Return lines of visible text as a code block."""
    body = "\n".join(lines)
    fence = "`" * max(3, _longest_run(body) + 1)
    return f"{fence}{language}\n{body}\n{fence}\n"


def _longest_run(shown: str) -> int:
    return max(map(len, _RUNS.findall(shown)), default=0)
