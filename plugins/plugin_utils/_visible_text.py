# SPDX-License-Identifier: GPL-3.0-or-later
"""Text on one line in which everything can be seen. Pure.

Characters that nobody can see, or that change how others are displayed, are shown as escape sequences such as
`\\u202e`. For this reason, a backslash is shown as two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from ..module_utils._values.escapes import escape

_SIMPLE = re.compile(r"[ -\[\]-_a-~]*")
"""ASCII without backslashes and backticks."""

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1fef\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters, symbols, and marks that display nothing, or are usually ignored. U+1FEF is normalized to a backtick."""

_MOST_MARKS = 3
"""Marks on one character. Languages need up to three; more of them would cover the lines above."""

_LONG_RUNS = re.compile("`{6,}")
"""Renderers limit the length of the delimiters of code, which must be longer than any run of backticks inside."""


def as_text(value: Any) -> str:
    return "" if value is None else str(value)


def visible(text: str) -> str:
    """Return the text on one line, with escape sequences for everything that would not be seen.

    Text is quoted if it is empty, or if spaces or quotes at its ends could be overlooked.
    """
    is_ambiguous = not text or text != text.strip(" ") or text[0] == text[-1] == '"'
    return quoted(text) if is_ambiguous else _escaped(text)


def quoted(text: str) -> str:
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
        if char.isprintable() and not _BLANK.match(char) and char != "\\" and marks <= _MOST_MARKS:
            yield char
        else:
            marks = _MOST_MARKS
            yield _ESCAPES.get(char) or escape(char)
