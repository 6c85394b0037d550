# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways in which a service may write a string that it quotes."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus


def json_of(text: str) -> str:
    return json.dumps(text)[1:-1]


def upper_hex(text: str) -> str:
    return "".join(f"\\u{ord(char):04X}" if ord(char) in range(128, 65536) else char for char in json_of(text))


def each_as_hex(text: str) -> str:
    units = text.encode("utf-16-be")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02X}" for place in range(0, len(units), 2))


SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "json": json_of,
    "json as it is": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "json with slashes": lambda text: json_of(text).replace("/", "\\/"),
    "json, upper-case": upper_hex,
    "json, every character": each_as_hex,
    "json in json": lambda text: json_of(json_of(text)),
    "json in json in json": lambda text: json_of(json_of(json_of(text))),
    "repr": lambda text: repr(text)[1:-1],
    "repr of bytes": lambda text: repr(text.encode())[2:-1],
    "ascii": lambda text: ascii(text)[1:-1],
    "url": lambda text: quote(text, safe=""),
    "url with slashes": quote,
    "url, lower-case": lambda text: "".join(
        char.lower() if place and "%" in quote(text, safe="")[max(0, place - 2) : place] else char
        for place, char in enumerate(quote(text, safe=""))
    ),
    "form": quote_plus,
    "url in url": lambda text: quote(quote(text)),
    "form in json": lambda text: json_of(quote_plus(text)),
    "json in form": lambda text: quote_plus(json_of(text)),
    "html": html.escape,
    "html, numbers": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "html, hex": lambda text: "".join(f"&#x{ord(char):X};" for char in text),
    "html in html": lambda text: html.escape(html.escape(text)),
    "html in json": lambda text: json_of(html.escape(text)),
    "json in html": lambda text: html.escape(json_of(text)),
}
