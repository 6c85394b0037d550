# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML that every parser reads as the original values, and in which no string is a template."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._plain import plain
from ._trust import could_be_template

# Versions of YAML differ, so fewer strings are unquoted than YAML allows: they start with a letter or a slash, which
# excludes numbers and dates, and contain no character that has a meaning in any version.
_PLAIN = re.compile(r"[A-Za-z/](?:[A-Za-z0-9_./@+-]|:(?=[^\s:])|[ ](?=[A-Za-z0-9_./]))*", re.ASCII)
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity"})
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_LISTS = (list, tuple, set, frozenset)
_LONGEST_KEY = 1000
"""YAML requires longer keys to be on a line of their own."""


def yaml_text(value: Any, ciphertext_of: Callable[[Any], str | None] = lambda value: None) -> str:
    """Return the value as YAML. Values for which `ciphertext_of` returns a ciphertext stay encrypted.

    Raises ValueError for half of a surrogate pair, which YAML cannot represent.
    """
    return "".join(f"{line}\n" for line in _lines(value, ciphertext_of))


def _lines(value: Any, ciphertext_of: Callable[[Any], str | None]) -> Iterator[str]:
    ciphertext = ciphertext_of(value)
    if ciphertext is not None:
        yield "!vault |"
        yield from (f"  {line}" for line in ciphertext.split())
    elif isinstance(value, Mapping) and value:
        for key, member in value.items():
            [name] = plain({key: None})  # a string, as in JSON
            yield from _entry(_text(name), member, ciphertext_of)
    elif isinstance(value, _LISTS) and value:
        for member in value:
            first, *others = _lines(member, ciphertext_of)
            yield f"- {first}"
            yield from (f"  {line}" for line in others)
    else:
        yield _scalar(plain(value))


def _entry(name: str, member: Any, ciphertext_of: Callable[[Any], str | None]) -> Iterator[str]:
    """Return the lines of a key with its value: on the same line, or indented below it."""
    if len(name) > _LONGEST_KEY:
        yield f"? {name}"
        name = ""
    first, *others = _lines(member, ciphertext_of)
    if isinstance(member, (Mapping, *_LISTS)) and member:
        yield f"{name}:"
        yield from (f"  {line}" for line in (first, *others))
    else:
        yield f"{name}: {first}"
        yield from others


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    return _text(value) if isinstance(value, str) else str(value)


def _float(value: float) -> str:
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else f"{'-' if value < 0 else ''}.inf"
    mantissa, exponent, power = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}{exponent}{power}"


def _text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    quoted = '"' + "".join(map(_quoted, text)) + '"'
    return f"!unsafe {quoted}" if could_be_template(text) else quoted


def _quoted(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    number = ord(char)
    if 0xD800 <= number < 0xE000:  # noqa: PLR2004 - the halves of surrogate pairs
        raise ValueError(f"YAML cannot represent the character U+{number:04X}, which is half of a surrogate pair")
    for letter, digits in (("x", 2), ("u", 4)):
        if number < 16**digits:
            return f"\\{letter}{number:0{digits}X}"
    return f"\\U{number:08X}"
