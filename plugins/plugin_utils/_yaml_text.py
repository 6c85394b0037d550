# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML that every parser reads as the original values, and in which no string is a template."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ._plain import plain
from ._plan_markdown.text import BLANK
from ._trust import could_be_template
from ._yaml_lines import is_plain, yaml_lines

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_LONGEST_KEY = 1000
"""YAML requires longer keys to be on a line of their own."""


def yaml_text(value: Any, ciphertext_of: Callable[[Any], str | None] = lambda value: None) -> str:
    """Return the value as YAML. Values for which `ciphertext_of` returns a ciphertext stay encrypted.

    Raises ValueError for half of a surrogate pair, which YAML cannot represent.
    """

    def lines_of(leaf: Any) -> list[str]:
        ciphertext = ciphertext_of(leaf)
        if ciphertext is None:
            return [_scalar(plain(leaf))]
        return ["!vault |", *(f"  {line}" for line in ciphertext.split())]

    return "".join(f"{line}\n" for line in yaml_lines(value, lines_of, _key_lines))


def _key_lines(key: Any) -> list[str]:
    [name] = plain({key: None})  # a string, as in JSON
    text = _text(name)
    return [f"? {text}", ""] if len(text) > _LONGEST_KEY else [text]


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
    if is_plain(text):
        return text
    quoted = '"' + "".join(map(_quoted, text)) + '"'
    return f"!unsafe {quoted}" if could_be_template(text) else quoted


def _quoted(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable() and char not in BLANK:
        return char
    number = ord(char)
    if 0xD800 <= number < 0xE000:  # noqa: PLR2004 - the halves of surrogate pairs
        raise ValueError(f"YAML cannot represent the character U+{number:04X}, which is half of a surrogate pair")
    for letter, digits in (("x", 2), ("u", 4)):
        if number < 16**digits:
            return f"\\{letter}{number:0{digits}X}"
    return f"\\U{number:08X}"
