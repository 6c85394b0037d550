# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings that a parser could take for something else, or that could hide something from their reader; and the ways in
which a service may write a string that it quotes.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

HOSTILE = [
    *("{{ 7 * 7 }}", "{% if true %}yes{% endif %}", "{# nothing #}", "{", "}", "{{", "}}", "{ {", "a{{", "%}", "#}"),
    "#jinja2:variable_start_string:'[[', variable_end_string:']]'\n[[ 7 * 7 ]]",
    *("!unsafe", "!unsafe text", "!vault |", "!vault", "!!binary aGk=", "!!python/object:x {}", "&anchor", "*alias"),
    *("yes", "no", "on", "Off", "y", "N", "true", "False", "null", "~", "", "=", "<<", ".inf", "-.INF", ".nan", "NaN"),
    *("012", "0o12", "0x1F", "1e3", "1E3", "1.5", "1_000", "+1", "-", "-1", "1:30", "190:20:30", "0b1", "."),
    *("2026-01-01", "2026-01-01T00:00:00Z", "2026-1-1 0:0:0"),
    *("---", "...", "--- a", "# comment", "a # comment", "a: b", "a:", ": a", "- a", "? a", "a:b", "[a]", "{a: b}"),
    *(" a", "a ", "\ta", "a\t", "\n", "\na", "a\n", "a\n\n", "a\r\nb", "a\rb", "two\nlines", "  ", "a  b"),
    *("\x00", "a\x00b", "\x07\x1b[31m", "\x7f", "\x85", "a\u2028b", "a\u2029b", "\ufeffa", "\u202eabc", "\u00a0"),
    *("'", '"', "it's", 'say "hi"', "\\", "\\n", "\\{{", "`a`", "@a", "%TAG", "|", ">", "|-\n a", ",", "a, b"),
    *("\u00e9", "\u20ac", "\U0001f600", "B\u00fccher", "\uff5b\uff5b 7 \uff5d\uff5d", "e\u0301"),
    *("__ansible_unsafe", "__ansible_vault", "$ANSIBLE_VAULT;1.1;AES256", "x" * 300, "omit", "{{ omit }}"),
]

# They could be taken for Markdown or HTML.
HOSTILE_MARKDOWN = [
    *HOSTILE,
    *("[a](https://example.com)", "![a](https://example.com/a.png)", "<https://example.com>"),
    *("https://example.com", "http://a", "www.example.com", "a@b.example", "mailto:a@b.example", "xmpp:a@b.example/c"),
    *("example.com", "ftp://example.com/a", "//example.com", "@octocat", "@org/team", "#123", "org/repo#123", "GH-123"),
    *("a5c3785ed8d6a35868bc169f07e40e889087fd2e", "org/repo@a5c3785ed8d6a35868bc169f07e40e889087fd2e", ":warning:"),
    *("<b>a</b>", "<img src=x onerror=alert(1)>", "</code></summary></details>", "<details>", "</td></tr></table>"),
    *("<!-- a -->", "<!--", "-->", "<?php", "<!DOCTYPE html>", "<![CDATA[a]]>", "<script>", "&lt;b&gt;", "&#x202e;"),
    *("a|b", "a | b |", "\\|", "\\\\|", "a\\|b|c", "|\\", "\\\\", "|---|", "| a | b |\n|---|---|"),
    *("`", "``", "```", "a`b", "`a", "a`", "` a `", "``a` b```", "````diff", "~~~", "```\n</details>\n", "`|`", "\\`"),
    *("`" * 5, "`" * 6, "`" * 7, "`" * 100, "a" + "`" * 1001 + "b", "[a]: https://example.com", "\\u202e", "a" * 300),
    *("$a$", "# a", "a\n===", "a\n---", "***", "> a", "1. a", "- [ ] a", "    a", "*a*", "**a**", "_a_", "~~a~~"),
    *("a  \nb", "a\n\nb", "\r\n\r\n", "a\x0bb", "a\x0cb", "a\x85b", "\x1c\x1d\x1e\x1f", " ", "   ", "\u3000"),
    *("a\u202eb", "\u202d", "\u2066a\u2069", "\u200b", "\u200c\u200d", "\u2060", "\ufeff", "\u00ad", "\u061c"),
    *("\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\u034f", "a\ufe0f", "a\U000e0100", "\U000e0041", "\U0001d173"),
    *("\u180e", "\u0301a", "a" + "\u0301" * 40, "a\u20dd", "\u1fef", "\uff40\uff40\uff40", "\uff1cb\uff1e"),
    *("\ud800", "a\udfffb", "\udc00\ud800", "\x9b", "\ue000", "\U0010ffff", "\u0378", '""', '"a"', '" a "', '\\"'),
]


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
