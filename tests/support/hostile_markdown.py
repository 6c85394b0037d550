# SPDX-License-Identifier: GPL-3.0-or-later
"""Text that could be taken for Markdown or HTML, or that could hide something from its reader."""

from __future__ import annotations

from hostile_strings import HOSTILE

_ALL = [
    *HOSTILE,
    *("[a](https://example.com)", "![a](https://example.com/a.png)", "<https://example.com>"),
    *("[a]: https://example.com"),
    *("https://example.com", "http://a", "www.example.com", "a@b.example", "mailto:a@b.example", "xmpp:a@b.example/c"),
    *("example.com", "ftp://example.com/a", "//example.com", "@octocat", "@org/team", "#123", "org/repo#123", "GH-123"),
    *("a5c3785ed8d6a35868bc169f07e40e889087fd2e", "org/repo@a5c3785ed8d6a35868bc169f07e40e889087fd2e", ":warning:"),
    *("<b>a</b>", "<img src=x onerror=alert(1)>", "</code></summary></details>", "<details>", "</td></tr></table>"),
    *("<!-- a -->", "<!--", "-->", "<?php", "<!DOCTYPE html>", "<![CDATA[a]]>", "<script>", "&lt;b&gt;"),
    *("&#x202e;", "&"),
    *("|", "a|b", "a | b |", "\\|", "\\\\|", "a\\|b|c", "|\\", "\\", "\\\\", "|---|", "| a | b |\n|---|---|"),
    *("`", "``", "```", "a`b", "`a", "a`", "` a `", "``a` b```", "````diff", "~~~", "```\n</details>\n", "`|`", "\\`"),
    *("`" * 5, "`" * 6, "`" * 7, "`" * 100, "a" + "`" * 1001 + "b"),
    *("# a", "a\n===", "a\n---", "***", "> a", "1. a", "- [ ] a", "    a", "*a*", "**a**", "_a_", "~~a~~"),
    *("a  \nb", "$a$"),
    *("\na", "a\n\nb", "\r\n\r\n", "a\u2028b", "a\u2029b", "a\x0bb", "a\x0cb", "a\x85b", "\x1c\x1d\x1e\x1f"),
    *("a\u202eb", "\u202d", "\u2066a\u2069", "\u200b", "\u200c\u200d", "\u2060", "\ufeff", "\u00ad"),
    *("\u061c", "\u180e"),
    *("\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\u034f", "a\ufe0f", "a\U000e0100", "\U000e0041", "\U0001d173"),
    *("\u0301a", "a" + "\u0301" * 40, "a\u20dd", "\u1fef", "\uff40\uff40\uff40", "\uff1cb\uff1e"),
    *("\ud800", "a\udfffb", "\udc00\ud800", "\x00", "\x7f", "\x9b", "\ue000", "\U0010ffff", "\u0378"),
    *("", " ", "   ", " a", "a ", '"', '""', '"a"', '" a "', "\u00a0", "\u3000", "\\u202e", '\\"', "null", "a" * 300),
]
HOSTILE_MARKDOWN = list(dict.fromkeys(_ALL))
