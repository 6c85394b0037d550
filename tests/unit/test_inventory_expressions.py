# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of an inventory that are expressions: what only Ansible can judge is left to it."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import pytest
from ansible.parsing.dataloader import DataLoader

from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.syntax import syntax_errors
from vaulted import encrypted

pytestmark = pytest.mark.every_core

LEFT_TO_ANSIBLE: list[dict[str, Any]] = [
    {"hostname": "{% other_statement %}"},
    {"hostname": "#jinja2: variable_start_string: '[%'\n{{ region"},
    *({"compose": {"a": text}} for text in ("{{ region", "region }} {% if %}", "(" * 5000)),
    {"compose": {"a": "region | no_such_filter(1) is no_such_test"}},
    {"hostname": 5, "compose": ["a"], "groups": "a", "filters": {"include": "a ="}, "keyed_groups": "a ="},
]


def test_what_only_ansible_can_judge_is_no_option_error() -> None:
    loaded = DataLoader().load("a: !vault |\n" + indent(encrypted("region ="), "  "))
    vaulted = {"hostname": loaded["a"], "compose": loaded, "filters": [{"include": loaded["a"]}]}
    assert [option for option in (*LEFT_TO_ANSIBLE, vaulted) if list(syntax_errors(option))] == []
