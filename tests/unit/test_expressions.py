# SPDX-License-Identifier: GPL-3.0-or-later
"""What is evaluated without Ansible's templating comes to what Ansible makes of it, or is left to Ansible."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import pytest
from ansible import template
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.plugin_utils._plain import plain
from ansible_collections.edgeops.ingress.plugins.plugin_utils._trust import untrusted
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.expressions import (
    MISSING,
    Unsure,
    as_result,
    is_condition,
    plain_expression,
    plain_template,
)
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.syntax import syntax_errors
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.tunnel_host import CONNECTION, FIELDS
from vaulted import encrypted

pytestmark = pytest.mark.every_core

KNOWN = {*FIELDS, *CONNECTION}
TEMPLAR = Templar(DataLoader())
FAILS = object()
trusted = getattr(template, "trust_as_template", lambda text: text)


def by_ansible(expression: str, variables: dict[str, Any]) -> Any:
    TEMPLAR.available_variables = variables
    try:
        if hasattr(TEMPLAR, "evaluate_expression"):
            return plain(TEMPLAR.evaluate_expression(trusted(expression)))
        return plain(TEMPLAR.template(f"{{{{{expression}}}}}", disable_lookups=True))
    except Exception:
        return FAILS


def condition_by_ansible(expression: str, variables: dict[str, Any]) -> Any:
    TEMPLAR.available_variables = variables
    try:
        if hasattr(TEMPLAR, "evaluate_conditional"):
            return TEMPLAR.evaluate_conditional(trusted(expression))
        return boolean(TEMPLAR.template(f"{{% if {expression} %}}True{{% else %}}False{{% endif %}}"))
    except Exception:
        return FAILS


def check(expression: str, variables: dict[str, Any]) -> bool:
    """Compare both ways; returns whether it was evaluated without Ansible."""
    evaluate = plain_expression(expression, KNOWN)
    if evaluate is None:
        return False
    try:
        found = evaluate(variables)
    except Unsure:
        return False
    if is_condition(found):
        assert condition_by_ansible(expression, variables) is found, expression
    try:
        result = as_result(found)
    except Unsure:
        return False
    expected = by_ansible(expression, variables)
    if result is MISSING:
        assert expected is FAILS, expression
    else:
        assert plain(result) == expected, expression
        assert type(plain(result)) is type(expected), expression
    return True


VARIABLES = untrusted(
    {
        "id": "tn_1",
        "region": "eu",
        "proto": "",
        "metadata": {
            "name": "gate",
            "role": "device",
            "floors": [1, 2],
            "site": None,
            "items": 5,
            "on": True,
            "as": "{{ 1 }}",
        },
        "labels": {"service": "shop", "true": "True", "list": "[1]", "name": "x"},
        "tunnel_session": {"id": "ts", "uri": ""},
        "backends": [{"id": "b"}],
        "endpoint": None,
        "ansible_port": 22,
    }
)

PLAIN = [
    "region",
    "metadata.role",
    "metadata['role']",
    "labels.nothing",
    "labels.nothing.more",
    "region.nothing",
    "metadata.role == 'device'",
    "metadata.role | default('') == 'device'",
    "labels.stage | default('none')",
    "proto | default('none', true)",
    "ansible_host is not defined",
    "ansible_host is defined and ansible_port == 22",
    "metadata.nothing is undefined",
    "region in ['eu', 'us']",
    "'e' in region",
    "1 in metadata.floors",
    "'admin'",
    "region ~ '-' ~ metadata.name",
    "'a' if region == 'eu' else 'b'",
    "not (region == 'us' or proto == '')",
    "ansible_port > 21",
    "region | upper",
    "metadata.role | default('None') | lower",
]
LEFT = [
    "region | title",
    "ansible_port | upper",
    "metadata.floors | lower",
    "region | upper('x')",
    "labels.nothing | lower",
    "metadata.items",
    "metadata['items']",
    "labels.__class__",
    "no_such_name",
    "lookup('env', 'HOME')",
    "'a\\\\n'",
    "'{{ region }}'",
    "region }}{{ region",
    "region == nothing",
    "region is search('e')",
    "region[0]",
    "region,",
    "region.",
    "",
    "-ansible_port",
    "'a' if region == 'us'",
    "region | default(labels.nothing)",
    "{'a': region}",
    "region #",
    "labels.nothing | default('x', 1)",
    "proto | default('x', 'true')",
    "proto | default('x', labels.service)",
    "region | default('x', none)",
    "1e400",
    "[1, 1e400]",
    "labels.nothing | default(1e400)",
    5,
    None,
    "a" * 2000,
]


@pytest.mark.parametrize("expression", PLAIN)
def test_what_is_evaluated_without_ansible(expression: str) -> None:
    assert check(expression, VARIABLES)


@pytest.mark.parametrize("expression", LEFT, ids=str)
def test_complex_expressions_are_left_to_ansible(expression: Any) -> None:
    assert not check(expression, VARIABLES)


@pytest.mark.parametrize(
    "expression", ["labels.true", "labels.list", "metadata.as", "metadata.site", "metadata.floors"]
)
def test_what_older_versions_make_something_else_of(expression: str) -> None:
    check(expression, VARIABLES)


TEMPLATES = [
    ("{{ metadata.name }}-{{ region }}", True),
    ("{{ metadata.name }}", True),
    ("gate-{{ ansible_port }}.{{ id }}", True),
    ("gate", False),
    ("{{ region | title }}", False),
    ("{{ region | upper }}-{{ metadata.name | lower }}", True),
    ("{{ metadata.nothing }}", False),
    ("{% if region %}a{% endif %}", False),
    ("{{ '}' }}", False),
    ("{{ region", False),
    ("a\n{{ region }}", False),
    ("{{ labels }}", False),
    ("{{- region -}} x", False),
]


@pytest.mark.parametrize(("text", "is_plain"), TEMPLATES)
def test_templates_of_names(text: str, is_plain: bool) -> None:
    evaluate = plain_template(text, KNOWN)
    try:
        found = MISSING if evaluate is None else as_result(evaluate(VARIABLES))
    except Unsure:
        found = MISSING
    assert (found is not MISSING) == is_plain
    if is_plain:
        TEMPLAR.available_variables = VARIABLES
        assert plain(TEMPLAR.template(trusted(text))) == found


def test_what_is_encrypted_or_no_text_is_not_quoted() -> None:
    loaded = DataLoader().load("a: !vault |\n" + indent(encrypted("region ="), "  "))
    options = {"hostname": loaded["a"], "compose": loaded, "groups": loaded, "filters": [{"include": loaded["a"]}]}
    assert list(syntax_errors(options)) == []
    wrong = {"hostname": 5, "compose": ["a"], "groups": "a", "filters": {"include": "a ="}, "keyed_groups": "a ="}
    assert list(syntax_errors(wrong)) == []


@pytest.mark.parametrize(
    ("option", "is_wrong"),
    [
        ({"hostname": "{{ id"}, True),
        ({"hostname": "{% other_statement %}"}, False),
        ({"hostname": "#jinja2: variable_start_string: '[%'\n{{ region"}, False),
        ({"compose": {"a": "{{ region"}}, False),
        ({"compose": {"a": "region }} {% if %}"}}, False),
        ({"compose": {"a": "region }}"}}, True),
        ({"compose": {"a": " \n"}}, True),
        ({"compose": {"a": "(" * 5000}}, False),
        ({"compose": {"a": "region | no_such_filter(1) is no_such_test"}}, False),
        ({"keyed_groups": [{"key": "a b"}]}, True),
    ],
    ids=lambda value: str(value)[:40],
)
def test_option_errors_of_syntax(option: dict[str, Any], is_wrong: bool) -> None:
    assert len(list(syntax_errors(option))) == is_wrong


any_string = st.sampled_from(["", "a", "eu", "True", "[1]", "{'a': 1}", "{{ 1 }}", "None", "a b\n", "5"])
scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False, allow_infinity=False) | any_string
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "name", "items", "x y"]), inner),
    max_leaves=5,
)
paths = st.sampled_from(
    [
        *(
            "metadata",
            "metadata.a",
            "metadata.name",
            "metadata.items",
            "metadata['x y']",
            "metadata.a.a",
            "metadata[0]",
        ),
        *("metadata.0", "region", "labels.a", "ansible_port", "ansible_host", "nothing", "backends[0].id", "true"),
    ]
)
literals = st.sampled_from(["''", "'a'", "'eu'", "1", "0", "none", "true", "1.5", "'True'", "'[1]'"])
OPERATORS = st.sampled_from(["==", "!=", "in", "not in", "<", ">=", "and", "or"])
expressions = st.recursive(
    paths | literals,
    lambda inner: st.one_of(
        st.builds(
            "({} {} {})".format, inner, st.sampled_from(["==", "!=", "in", "not in", "<", ">=", "and", "or"]), inner
        ),
        st.builds("({} ~ {})".format, inner, inner),
        st.builds("({} | default({}))".format, inner, inner),
        st.builds("({} | default({}, true))".format, inner, inner),
        st.builds("({} | default({}, {}))".format, inner, inner, inner),
        st.builds("({} is {})".format, inner, st.sampled_from(["defined", "undefined", "not defined"])),
        st.builds("(not {})".format, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("({}).a".format, inner),
        st.builds("({} | {})".format, inner, st.sampled_from(["upper", "lower"])),
        st.builds("[{}, {}]".format, inner, inner),
    ),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(expressions, values, values, st.booleans())
def test_any_expression_of_any_values(expression: str, metadata: Any, label: Any, has_host: bool) -> None:
    variables = untrusted(
        {
            "metadata": metadata,
            "labels": {"a": label},
            "backends": [],
            "ansible_port": 22,
            "region": "eu",
            **({"ansible_host": "a.example.com"} if has_host else {}),
        }
    )
    check(expression, variables)
