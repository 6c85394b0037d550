# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of an inventory that are expressions: errors in their syntax, and what only Ansible can judge."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import pytest
from ansible.parsing.dataloader import DataLoader

from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.syntax import syntax_errors
from vaulted import encrypted

pytestmark = pytest.mark.every_core

WRONG_SYNTAX: list[dict[str, Any]] = [
    {"hostname": "{{ id"},
    {"compose": {"a": "region }}"}},
    {"compose": {"a": " \n"}},
    {"keyed_groups": [{"key": "a b"}]},
]
LEFT_TO_ANSIBLE: list[dict[str, Any]] = [
    {"hostname": "{% other_statement %}"},
    {"hostname": "#jinja2: variable_start_string: '[%'\n{{ region"},
    *({"compose": {"a": text}} for text in ("{{ region", "region }} {% if %}", "(" * 5000)),
    {"compose": {"a": "region | no_such_filter(1) is no_such_test"}},
    {"hostname": 5, "compose": ["a"], "groups": "a", "filters": {"include": "a ="}, "keyed_groups": "a ="},
]


def test_option_errors_of_syntax() -> None:
    loaded = DataLoader().load("a: !vault |\n" + indent(encrypted("region ="), "  "))
    vaulted = {"hostname": loaded["a"], "compose": loaded, "filters": [{"include": loaded["a"]}]}
    assert [len(list(syntax_errors(option))) for option in WRONG_SYNTAX] == [1] * len(WRONG_SYNTAX)
    assert [option for option in (*LEFT_TO_ANSIBLE, vaulted) if list(syntax_errors(option))] == []
