# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML that every parser reads as the original values, and in which no string is a template."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._ansible_values import could_be_template, plain
from ._visible_text import quoted

# Versions of YAML differ, so fewer strings are unquoted than YAML allows: they start with a letter or a slash, which
# excludes numbers and dates, and contain no character that has a meaning in any version.
_PLAIN = re.compile(r"[A-Za-z/](?:[A-Za-z0-9_./@+-]|:(?=[^\s:])|[ ](?=[A-Za-z0-9_./]))*", re.ASCII)
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity"})
_LISTS = (list, tuple, set, frozenset)
_LONGEST_KEY = 1000
"""YAML requires longer keys to be on a line of their own."""

Text = Callable[[str], str]
Ciphertext = Callable[[Any], str | None]


def yaml_text(value: Any, ciphertext_of: Ciphertext = lambda value: None) -> str:
    """Return the value as YAML. Values for which `ciphertext_of` returns a ciphertext stay encrypted.

    Raises ValueError for half of a surrogate pair, which YAML cannot represent.
    """
    return "".join(f"{line}\n" for line in yaml_lines(value, _marked, ciphertext_of))


def yaml_string(text: str) -> str:
    """Return a string as YAML, in quotes if a version of YAML would read another value without them."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else quoted(text)


def yaml_lines(
    value: Any, text_of: Text = yaml_string, ciphertext_of: Ciphertext = lambda value: None
) -> Iterator[str]:
    """Yield the lines of a value, with a line for each key of a dictionary and each member of a list."""

    def lines_of(inner: Any) -> list[str]:
        return list(yaml_lines(inner, text_of, ciphertext_of))

    if isinstance(value, Mapping) and value:
        for key, member in value.items():
            [name] = plain({key: None})  # a string, as in JSON
            yield from _entry(text_of(name), member, lines_of(member))
    elif isinstance(value, _LISTS) and value:
        for first, *others in map(lines_of, value):
            yield f"- {first}"
            yield from (f"  {line}" for line in others)
    elif (ciphertext := ciphertext_of(value)) is not None:
        yield from ("!vault |", *(f"  {line}" for line in ciphertext.split()))
    else:
        yield _scalar(plain(value), text_of)


def _entry(key: str, member: Any, lines: list[str]) -> Iterator[str]:
    """Yield the lines of a key with its value: on the same line, or indented below it."""
    if len(key) > _LONGEST_KEY:
        yield f"? {key}"
        key = ""
    if isinstance(member, (Mapping, *_LISTS)) and member:
        yield f"{key}:"
        yield from (f"  {line}" for line in lines)
    else:
        yield f"{key}: {lines[0]}"
        yield from lines[1:]


def _scalar(value: Any, text_of: Text) -> str:
    if isinstance(value, str):
        return text_of(value)
    return _float(value) if isinstance(value, float) else json.dumps(value)


def _float(value: float) -> str:
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else f"{'-' if value < 0 else ''}.inf"
    mantissa, exponent, power = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}{exponent}{power}"


def _marked(text: str) -> str:
    """Return a string as YAML, with a tag if it could be a template."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"the character U+{ord(text[error.start]):04X}, which is half of a surrogate pair"
        raise ValueError(f"YAML cannot represent {half}") from None
    return f"!unsafe {quoted(text)}" if could_be_template(text) else yaml_string(text)
