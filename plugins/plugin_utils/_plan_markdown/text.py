# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of others as Markdown that shows it as it is: no markup, no links, and nothing hidden.

All of it is shown as code, because links, mentions, and references are not recognized there. Characters that nobody
can see, or that change how others are displayed, are shown as escape sequences such as `\\u202e`. For this reason, a
backslash is shown as two. This also keeps a backslash from escaping the one that a table requires before `|`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from ...module_utils._errors import counted
from ...module_utils._values.escapes import escape

_SIMPLE = re.compile(r"[ -\[\]-_a-~]*")
"""ASCII without backslashes and backticks."""

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
BLANK = frozenset(
    map(
        chr,
        chain(
            # Letters, symbols, and marks that display nothing, or are usually ignored.
            (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            range(0x180B, 0x1810),
            range(0xFE00, 0xFE10),
            range(0xE0100, 0xE01F0),
            (0x1FEF,),  # becomes a backtick when a program normalizes the text
        ),
    )
)
_MOST_MARKS = 3
"""Marks on one character. Languages need up to three; more of them would cover the lines above."""

_LONG_RUNS = re.compile("`{6,}")
"""Renderers limit the length of the delimiters of code, which must be longer than any run of backticks inside."""

_RUNS = re.compile("`+")
_WORD = r"(?![0-9a-fA-F]{7})[^\W_]{1,40}"
_PLAIN_WORDS = re.compile(rf"{_WORD}(?:(?: |, |: ){_WORD})*")
"""Nothing in them is markup, a link, a mention, a reference to an issue, or the digest of a commit."""

_NOT_INERT = re.compile(r"[^\w /,()-]|_", re.ASCII)


def as_text(value: Any) -> str:
    return "" if value is None else str(value)


def visible(text: str) -> str:
    """Return the text on one line, with escape sequences for everything that would not be seen.

    Text is quoted if it is empty, or if spaces or quotes at its ends could be overlooked.
    """
    is_ambiguous = not text or text != text.strip(" ") or text[0] == text[-1] == '"'
    return quoted(text) if is_ambiguous else _escaped(text)


def quoted(text: str) -> str:
    """Return the same in quotes."""
    return '"' + _escaped(text).replace('"', '\\"') + '"'


def _escaped(text: str) -> str:
    if _SIMPLE.fullmatch(text):
        return text
    return _LONG_RUNS.sub(lambda run: "\\u0060" * len(run[0]), "".join(_characters(text)))


def _characters(text: str) -> Iterator[str]:
    marks = _MOST_MARKS  # there is no character before the first one, or it is not shown
    for char in text:
        is_mark = not char.isascii() and unicodedata.category(char) in ("Mn", "Me")
        marks = marks + 1 if is_mark else 0
        if char.isprintable() and char not in BLANK and char != "\\" and marks <= _MOST_MARKS:
            yield char
        else:
            marks = _MOST_MARKS
            yield _ESCAPES.get(char) or escape(char)


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
