# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout of YAML, and which strings it needs no quotes for. How single values look is left to the caller. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

# Versions of YAML differ, so fewer strings are unquoted than YAML allows: they start with a letter or a slash, which
# excludes numbers and dates, and contain no character that has a meaning in any version.
_PLAIN = re.compile(r"[A-Za-z/](?:[A-Za-z0-9_./@+-]|:(?=[^\s:])|[ ](?=[A-Za-z0-9_./]))*", re.ASCII)
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity"})
_LISTS = (list, tuple, set, frozenset)

Lines = Callable[[Any], list[str]]
"""Returns the lines of a value that contains no others, or of a key. The last line of a key is followed by a colon."""


def is_plain(text: str) -> bool:
    """Return whether every version of YAML reads the text as this string without quotes."""
    return _PLAIN.fullmatch(text) is not None and text.lower() not in _WORDS


def yaml_lines(value: Any, lines_of: Lines, key_lines: Lines) -> Iterator[str]:
    """Yield the lines of a value, with a line for each key of a dictionary and each member of a list."""
    if isinstance(value, Mapping) and value:
        for key, member in value.items():
            yield from _entry(key_lines(key), member, list(yaml_lines(member, lines_of, key_lines)))
    elif isinstance(value, _LISTS) and value:
        for member in value:
            first, *others = yaml_lines(member, lines_of, key_lines)
            yield f"- {first}"
            yield from (f"  {line}" for line in others)
    else:
        yield from lines_of(value)


def _entry(key: list[str], member: Any, lines: list[str]) -> Iterator[str]:
    """Yield the lines of a key with its value: on the same line, or indented below it."""
    *before, name = key
    yield from before
    if isinstance(member, (Mapping, *_LISTS)) and member:
        yield f"{name}:"
        yield from (f"  {line}" for line in lines)
    else:
        yield f"{name}: {lines[0]}"
        yield from lines[1:]
