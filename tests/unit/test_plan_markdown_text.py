# SPDX-License-Identifier: GPL-3.0-or-later
"""What text of others looks like in Markdown: as it is, if nothing in it could be misread."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.state_diff import diff_lines
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.text import (
    code,
    code_block,
    code_in_html,
    code_in_table,
)

pytestmark = pytest.mark.every_core


CODE = {
    "https_edge shop.example.com:443 (edghts_1)": "`https_edge shop.example.com:443 (edghts_1)`",
    "a\\b": "`a\\\\b`",
    "a\nb\tc\rd": "`a\\nb\\tc\\rd`",
    "a\u202eb": "`a\\u202eb`",
    "\U000e0041": "`\\U000e0041`",
    "\ud800": "`\\ud800`",
    "B\u00fccher \U0001f600 \u4e2d": "`B\u00fccher \U0001f600 \u4e2d`",
    "": '`""`',
    " a": '`" a"`',
    "a ": '`"a "`',
    '"a"': '`"\\"a\\""`',
    'say "a"': '`say "a"`',
    "a`b": "``a`b``",
    "`a": "`` `a ``",
    "a``": "``` a`` ```",
    "`````": f"`````` {'`' * 5} ``````",
    "``````": "`" + "\\u0060" * 6 + "`",
    "e\u0301\u0302\u0303": "`e\u0301\u0302\u0303`",
    "e\u0301\u0302\u0303\u0304": "`e\u0301\u0302\u0303\\u0304`",
    "\u0301": "`\\u0301`",
    "\n\u0301": "`\\n\\u0301`",
    "\u1fef": "`\\u1fef`",
    "\u3164": "`\\u3164`",
    "abcdefghijk": "`abcdefghij`… (1 more character)",
    "a\\|b": "`a\\\\|b`",
}


def test_text_as_code() -> None:
    most = {text: 10 if text.startswith("abc") else 100 for text in CODE}
    assert {text: code(text, most[text]) for text in CODE} == CODE
    in_table = {text: markdown.replace("|", "\\|") for text, markdown in CODE.items()}
    assert {text: code_in_table(text, most[text]) for text in CODE} == in_table


def test_text_in_html() -> None:
    assert code_in_html("www.a <b> \u00e9|", 8) == "<code>www&#46;a &#60;b</code>… (4 more characters)"


def test_fence_is_longer_than_backticks_inside() -> None:
    assert code_block(["```", "````"], "diff") == "`````diff\n```\n````\n`````\n"


DIFFERENCES: list[tuple[object, object, list[str]]] = [
    ({"a": ["x", "x"]}, {"a": ["x"]}, ["  a:", "-   - x"]),
    ({"a": ["x"]}, {"a": ["x", "x"]}, ["  a:", "+   - x"]),
    ({"a": ["x", "v", "z"]}, {"a": ["x", "b", "z"]}, ["  a:", "-   - v", "+   - b"]),
    ({"a": [{"b": 1, "c": [2]}]}, {"a": []}, ["- a:", "-   - b: 1", "-     c:", "-       - 2", "+ a: []"]),
    (
        {"a": {"b": {"c": None, "d": True}}},
        {"a": {"b": {"c": 1.5, "d": True}}},
        ["  a:", "    b:", "-     c: null", "+     c: 1.5"],
    ),
    ({"a": "yes", "b": "1"}, {"b": 1}, ['- a: "yes"', '- b: "1"', "+ b: 1"]),
    ({"a": "********"}, {"a": "******** (a new value)"}, ['- a: "********"', '+ a: "******** (a new value)"']),
    (None, {}, []),
    (None, None, []),
    ({"a": 1}, {"a": 1}, []),
    ("a", "b", ["- a", "+ b"]),
]


def test_differences_are_shown_as_lines() -> None:
    assert [(before, after, list(diff_lines(before, after))) for before, after, _lines in DIFFERENCES] == DIFFERENCES
