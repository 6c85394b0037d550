# SPDX-License-Identifier: GPL-3.0-or-later
"""How strings are written: escapes, which are undone, and escapes for what cannot be displayed. Pure.

Also halves of surrogate pairs, which an escape of JSON can represent, but no encoding can. A terminal obeys the control
characters of a name: these could erase a line about a deletion, or add another line.
"""

from __future__ import annotations

import html
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping

_SURROGATE = re.compile("[\ud800-\udfff]")

_LAYERS = 8
"""How often escapes are decoded: a string can be quoted inside of a string, and that one again."""

_HEX = "[0-9a-fA-F]"
_ESCAPED = re.compile(
    rf"(?P<units>(?:[\\%]u[dD][89abAB]{_HEX}{{2}})?[\\%]u{_HEX}{{4}})"
    rf"|(?P<hex>\\x{_HEX}{{2}}|%{_HEX}{{2}}|\\u\{{{_HEX}{{1,6}}\}}|\\U{_HEX}{{8}}|&#[xX]{_HEX}{{1,6}};)"
    r"|(?P<decimal>&#[0-9]{1,7};)|(?P<octal>\\[0-3][0-7]{2})|(?P<entity>&[A-Za-z][A-Za-z0-9]{1,31};)|(?P<letter>\\[^%&])"
)
_SIGNS = "\\%&#{};uUxX"
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "0": "\0", "e": "\x1b"}
_MEANINGS: Mapping[str, Callable[[str], str]] = {
    "units": lambda found: bytes.fromhex(re.sub(r".u", "", found)).decode("utf-16-be", "surrogatepass"),
    "hex": lambda found: chr(min(int(found.strip(_SIGNS), 16), sys.maxunicode)),
    "decimal": lambda found: chr(min(int(found.strip(_SIGNS)), sys.maxunicode)),
    "octal": lambda found: chr(int(found[1:], 8)),
    "entity": html.unescape,
    "letter": lambda found: _LETTERS.get(found[1], found[1]),
}


def unescaped(text: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the text with its escapes decoded, then with those that this reveals decoded as well, and so on.

    Each comes with the start and the end of its characters in the original. These are the escapes of JSON and
    programming languages, of URLs, and of HTML. A byte is decoded as one character.
    """
    places = [(place, place + 1) for place in range(len(text))]
    for _layer in range(_LAYERS):
        plain: list[str] = []
        kept: list[tuple[int, int]] = []
        end = 0
        for match in _ESCAPED.finditer(text):
            first, last = match.span()
            meaning = _MEANINGS[str(match.lastgroup)](match[0])
            plain += [text[end:first], meaning]
            kept += [*places[end:first], *[(places[first][0], places[last - 1][1])] * len(meaning)]
            end = last
        if not plain:
            return
        text, places = "".join([*plain, text[end:]]), kept + places[end:]
        yield text, places


def encodable(text: str) -> str:
    """Return the text with each half of a surrogate pair replaced."""
    return text if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def visible(text: str) -> str:
    r"""Return the text with an escape sequence such as `\\u001b` for each character that cannot be printed."""
    return text if text.isprintable() else "".join(char if char.isprintable() else escape(char) for char in text)


def escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}"


def is_invisible(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Cs")


def visible_part(text: str) -> str:
    return "".join(char for char in text if not is_invisible(char))
