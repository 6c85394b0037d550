# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of an inventory that are expressions: their syntax, and the first filter that matches decides."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import pytest
from ansible.parsing.dataloader import DataLoader

from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_filters import filter_errors, is_included
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.syntax import syntax_errors
from vaulted import encrypted

pytestmark = pytest.mark.every_core

# What is evaluated here is `yes` or `no`.
CASES: list[tuple[list[dict[str, Any]], bool]] = [
    ([], True),
    ([{"include": "no"}], True),
    ([{"include": "yes"}], True),
    ([{"exclude": "yes"}], False),
    ([{"exclude": "no"}], True),
    ([{"include": "yes"}, {"exclude": "yes"}], True),
    ([{"exclude": "yes"}, {"include": "yes"}], False),
    ([{"include": "no"}, {"exclude": "yes"}], False),
    ([{"include": "yes", "exclude": None}, {"exclude": "yes"}], True),
]


def test_the_first_matching_filter_decides() -> None:
    found = [(filters, is_included(filters, lambda expression, path: expression == "yes")) for filters, _ in CASES]
    assert found == CASES


def test_no_filter_is_evaluated_after_the_first_match() -> None:
    evaluated = []

    def holds(expression: str, path: str) -> bool:
        evaluated.append((expression, path))
        return expression == "b"

    is_included([{"include": "a"}, {"exclude": "b"}, {"include": "c"}], holds)
    assert evaluated == [("a", "filters[0].include"), ("b", "filters[1].exclude")]


EXPRESSION = "expected an expression"
WRONG: list[tuple[Any, list[str]]] = [
    ([], []),
    ([{"include": "a"}, {"exclude": True}], []),
    ([{"include": "a"}, {}], ["filters[1]: expected either `include` or `exclude`, got neither"]),
    ([{"include": "a", "exclude": "b"}], ["filters[0]: expected either `include` or `exclude`, got both"]),
    ([{"include": 1}, {"exclude": ["a"]}], [f"filters[0].include: {EXPRESSION}", f"filters[1].exclude: {EXPRESSION}"]),
    (["include=yes", None], ["filters[0]: expected a dictionary", "filters[1]: expected a dictionary"]),
    ([{"include": "a", "comment": "b"}], ["filters[0].comment: unknown option; the options are include, exclude"]),
    ([{"include": ""}], [f"filters[0].include: {EXPRESSION} such as `proto == 'tcp'`, got an empty"]),
]


@pytest.mark.parametrize(("filters", "errors"), WRONG)
def test_invalid_filters_are_option_errors(filters: Any, errors: list[str]) -> None:
    found = list(map(str, filter_errors(filters)))
    assert len(found) == len(errors)
    assert all(one.startswith(start) for one, start in zip(found, errors, strict=True))


def test_what_is_encrypted_or_no_text_is_not_quoted() -> None:
    loaded = DataLoader().load("a: !vault |\n" + indent(encrypted("region ="), "  "))
    options = {"hostname": loaded["a"], "compose": loaded, "groups": loaded, "filters": [{"include": loaded["a"]}]}
    assert list(syntax_errors(options)) == []
    wrong = {"hostname": 5, "compose": ["a"], "groups": "a", "filters": {"include": "a ="}, "keyed_groups": "a ="}
    assert list(syntax_errors(wrong)) == []


WRONG_SYNTAX = [
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


def test_option_errors_of_syntax() -> None:
    assert [len(list(syntax_errors(option))) for option in WRONG_SYNTAX] == [1] * len(WRONG_SYNTAX)
    assert [option for option in LEFT_TO_ANSIBLE if list(syntax_errors(option))] == []
