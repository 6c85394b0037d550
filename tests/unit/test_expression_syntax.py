# SPDX-License-Identifier: GPL-3.0-or-later
"""Syntax errors in the expressions and templates of an inventory."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import pytest
from ansible.parsing.dataloader import DataLoader

from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.syntax import syntax_errors
from vaulted import encrypted

pytestmark = pytest.mark.every_core


def test_what_is_encrypted_or_no_text_is_not_quoted() -> None:
    loaded = DataLoader().load("a: !vault |\n" + indent(encrypted("region ="), "  "))
    options = {"hostname": loaded["a"], "compose": loaded, "groups": loaded, "filters": [{"include": loaded["a"]}]}
    assert list(syntax_errors(options)) == []
    wrong = {"hostname": 5, "compose": ["a"], "groups": "a", "filters": {"include": "a ="}, "keyed_groups": "a ="}
    assert list(syntax_errors(wrong)) == []


WRONG = [
    {"hostname": "{{ id"},
    {"compose": {"a": "region }}"}},
    {"compose": {"a": " \n"}},
    {"keyed_groups": [{"key": "a b"}]},
]
LEFT_TO_ANSIBLE = [
    {"hostname": "{% other_statement %}"},
    {"hostname": "#jinja2: variable_start_string: '[%'\n{{ region"},
    *({"compose": {"a": text}} for text in ("{{ region", "region }} {% if %}", "(" * 5000)),
    {"compose": {"a": "region | no_such_filter(1) is no_such_test"}},
]


@pytest.mark.parametrize("option", [*WRONG, *LEFT_TO_ANSIBLE], ids=lambda value: str(value)[:40])
def test_option_errors_of_syntax(option: dict[str, Any]) -> None:
    assert len(list(syntax_errors(option))) == (option in WRONG)
