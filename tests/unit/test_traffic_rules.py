# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of a policy: one or a list of them, in an order that means something."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import UnexpectedType
from ansible_collections.edgeops.ingress.plugins.module_utils._model.traffic_rules import Rules

pytestmark = pytest.mark.every_python

ACTION = {"type": "deny", "config": {"status": 403}}
RULE = {"name": "r", "expressions": ["a", "b"], "actions": [ACTION]}
RULES = Rules()

SAME: list[tuple[Any, Any]] = [
    (RULE, [RULE]),
    ({**RULE, "actions": ACTION}, RULE),
    ({**RULE, "id": 7, "actions": [{**ACTION, "id": 8}]}, RULE),
    ({"name": "r", "expressions": None, "actions": None}, {"name": "r"}),
    ({"name": "r", "expressions": [], "actions": []}, {"name": "r"}),
    ({"actions": {"type": "a", "config": None}}, {"actions": [{"type": "a", "config": {}}]}),
    ({"actions": {"type": "a", "config": {"x": None, "y": [], "z": ""}}}, {"actions": {"type": "a"}}),
    ({"actions": {"config": {"b": 1, "a": 2}}}, {"actions": {"config": {"a": 2, "b": 1}}}),
    (None, []),
    ({}, []),
    ([{}], []),
    ([{}, RULE], [RULE]),
    ({"actions": {"config": {"x": 1.0}}}, {"actions": {"config": {"x": 1}}}),
]

OTHER: list[tuple[Any, Any]] = [
    ([RULE, {"name": "s"}], [{"name": "s"}, RULE]),
    ({**RULE, "expressions": ["b", "a"]}, RULE),
    ({**RULE, "actions": [ACTION, {"type": "log"}]}, {**RULE, "actions": [{"type": "log"}, ACTION]}),
    ({**RULE, "name": "R"}, RULE),
    ([RULE, RULE], [RULE]),
    ({"actions": {"config": {"x": 0}}}, {"actions": {"config": {}}}),
    ({"actions": {"config": {"x": False}}}, {"actions": {"config": {}}}),
    ({"actions": {"config": {"x": False}}}, {"actions": {"config": {"x": 0}}}),
    ({"actions": {"config": {"x": True}}}, {"actions": {"config": {"x": 1}}}),
    ({"actions": {"config": {"x": "1"}}}, {"actions": {"config": {"x": 1}}}),
    ({"actions": {"config": {"x": ["a", "b"]}}}, {"actions": {"config": {"x": ["b", "a"]}}}),
    ([RULE], []),
]


@pytest.mark.parametrize(("wire", "given"), SAME)
def test_equal_rules_are_the_same(wire: Any, given: Any) -> None:
    assert RULES.same(RULES.read(wire, ""), RULES.normal(given))
    assert RULES.same(RULES.read(given, ""), RULES.normal(wire))


@pytest.mark.parametrize(("wire", "given"), OTHER)
def test_different_rules_are_not_the_same(wire: Any, given: Any) -> None:
    assert not RULES.same(RULES.read(wire, ""), RULES.normal(given))


@pytest.mark.parametrize("given", [RULE, [RULE], {**RULE, "actions": ACTION}, []])
def test_what_the_user_wrote_is_sent(given: Any) -> None:
    assert RULES.body(given, [], "") == given


A_RULE = "expected a rule (a dictionary with name, expressions, and actions)"
OPTION_ERRORS: list[tuple[Any, str]] = [
    ("deny", f"p: {A_RULE}, got a string"),
    (5, f"p: {A_RULE}, got a number"),
    ([RULE, "deny"], "p[1]: expected a rule"),
    ({"nam": "x"}, "p.nam: unknown option; did you mean `name`?"),
    ([{"expressions": "x"}], "p[0].expressions: expected a list of strings, got a string"),
    ({"expressions": ["x", 5]}, "p.expressions[1]: expected a string, got a number"),
    ({"name": 5}, "p.name: expected a string, got a number"),
    ({"actions": {"type": 5}}, "p.actions.type: expected a string, got a number"),
    ({"actions": [ACTION, {"config": []}]}, "p.actions[1].config: expected a dictionary, got a list"),
    ({"actions": {"typ": "x"}}, "p.actions.typ: unknown option; did you mean `type`?"),
    ({"actions": ["deny"]}, "p.actions[0]: expected an action (a dictionary with type and config), got a string"),
    ({}, "p: the rule is empty"),
    ([RULE, {"name": None, "actions": None}], "p[1]: the rule is empty"),
    ({"actions": [{}]}, "p: the rule is empty"),
    ({"name": "r", "actions": [{"type": ""}]}, "p.actions[0]: the action is empty"),
    ({"actions": "deny"}, "p.actions: expected an action or a list of actions, got a string"),
]


@pytest.mark.parametrize(("given", "start"), OPTION_ERRORS)
def test_an_option_error_is_named_once_with_its_path(given: Any, start: str) -> None:
    option_errors = list(map(str, RULES.option_errors(given, "p")))
    assert len(option_errors) == 1, option_errors
    assert option_errors[0].startswith(start)


@pytest.mark.parametrize("given", [RULE, [RULE, RULE], [], {"name": "r", "actions": None}, {"expressions": ["x"]}])
def test_valid_rules_have_no_errors(given: Any) -> None:
    assert list(RULES.option_errors(given, "p")) == []


@pytest.mark.parametrize("wire", ["deny", ["deny"], {"actions": "deny"}, {"actions": [5]}, {"expressions": "x"}])
def test_a_response_of_another_type(wire: Any) -> None:
    with pytest.raises(UnexpectedType, match=r"policy\.inbound"):
        RULES.read(wire, "policy.inbound")
