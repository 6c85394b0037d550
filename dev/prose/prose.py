# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy the prose of Python and YAML files to Markdown files, line by line, so that textlint reports the original lines.

Line 12 of `plugins/x.py` is line 12 of `plugins/x.py.md` in the target folder.
"""

from __future__ import annotations

import builtins
import io
import re
import tokenize
from pathlib import Path

NOT_PROSE = re.compile(
    r"\b[A-Z]{1,3}\([^()]*\)|`+[^`]*`+|\{[^{}]*\}|https?://\S+|^\s*[\w.-]+:(?=\s|$)"
    r"|.*\b(?:SELECT|INSERT INTO|UPDATE|NOT NULL)\b.*"
)
"""Markup, code, replacement fields, URLs, keys of YAML, and lines of SQL."""

_QUOTES = re.compile(r"^[rbfu]*(\"{3}|'{3}|\"|')|(\"{3}|'{3}|\"|')$", re.IGNORECASE)
# Python 3.12 and newer split f-strings into tokens.
_TEXT_FIELDS = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)}
# In tests, a `fault` is an error of the network that is injected on purpose.
_TERM_OF_TESTS = re.compile(r"\bfaults?\b", re.IGNORECASE)
# Shorter strings are keys and names.
_FEWEST_SPACES = 2


def prose_of_python(source: str) -> list[str]:
    """Return the comments, strings, and names of Python code, each on its own line of the code.

    A name is on the line of its first occurrence, with its words apart.
    """
    lines = [""] * (len(source.splitlines()) + 1)
    seen: set[str] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME and token.string not in seen:
            seen.add(token.string)
            lines[token.start[0] - 1] += f" {_words(token.string)}."
        if token.type in _TEXT_FIELDS and token.string.count(" ") >= _FEWEST_SPACES:
            for offset, line in enumerate(_QUOTES.sub("", token.string.lstrip("#")).splitlines()):
                lines[token.start[0] - 1 + offset] += f" {line}"
    return lines


def _words(name: str) -> str:
    """Return the words of a name, such as `an edge` for `an_edge` and `AnEdge`. `id` is code, not a word."""
    if hasattr(builtins, name):
        return "`x`"
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_+", " ", name).strip()
    return re.sub(r"\bids?\b", "`x`", words)


def write_prose(name: str, folder: Path) -> None:
    """Write the prose of a file to a Markdown file below the folder."""
    source = Path(name).read_text(encoding="utf-8")
    lines = prose_of_python(source) if name.endswith(".py") else source.splitlines()
    if name.startswith("tests/"):
        lines = [_TERM_OF_TESTS.sub("`x`", line) for line in lines]
    target = folder / f"{name}.md".lstrip("/")  # never next to the source
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("".join(f"{NOT_PROSE.sub('`x`', line).strip()}\n" for line in lines), encoding="utf-8")
