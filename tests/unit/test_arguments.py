# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments come out as from Ansible's own check, and what that one would crash on is an error."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.errors import AnsibleFallbackNotFound
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._arguments import shown, validated
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import UNSET_VARIABLE
from ansible_collections.edgeops.ingress.plugins.module_utils._model.masking import secret_values
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import MASK
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_types import InSeconds
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_wording import DocumentedElsewhere

pytestmark = pytest.mark.every_core

INNER_OPTIONS = {"enabled": {"type": "bool"}, "names": {"type": "list", "elements": "str"}}
INNER = {"module": {"type": "dict", "options": INNER_OPTIONS}}
SPEC: dict[str, dict[str, Any]] = {
    "name": {"type": "str"},
    "number": {"type": "int", "default": 3},
    "kind": {"type": "str", "choices": ["one", "other"]},
    "key": {"type": "str", "no_log": True},
    "module": {
        "type": "dict",
        "options": {
            "enabled": {"type": "bool"},
            "secret": {"type": "str", "no_log": True},
            "deep": {"type": "dict", "options": {"leaf": {"type": "int"}, "set": {"type": "bool", "default": True}}},
        },
    },
    "members": {"type": "list", "elements": "dict", "options": {"id": {"type": "str", "required": True}, **INNER}},
}

leaves = st.none() | st.booleans() | st.integers(0, 5) | st.sampled_from(["one", "x", "enabled=yes", '{"id": "y"}'])
names = st.sampled_from([*SPEC, "id", "enabled", "secret", "deep", "leaf"])
trees = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=5))
modules = st.fixed_dictionaries(
    {}, optional={"enabled": leaves, "secret": leaves | trees, "deep": st.dictionaries(st.just("leaf"), leaves)}
)
members = st.lists(st.fixed_dictionaries({"id": st.text()}, optional={"module": modules}), max_size=3)
likely = st.fixed_dictionaries({}, optional={"name": leaves, "key": leaves, "module": modules, "members": members})

NO_DICTIONARY = "expected a dictionary, got"
UNKNOWN = "unknown option; the options are enabled, secret, deep"
OMITTED = "`omit` is not possible here; check whether the variable that it comes from is set"
DATES = "put dates in quotes, because Ansible turns a variable with dates into a string"
DATED = "[{'until': datetime.date(2027, 3, 31)}]"  # as older versions of Ansible pass it
ONE = {"id": "x"}
LEFT_OVER = {"id": "x", "module": {"names": ["y", "__omit_place_holder__4711"]}}  # before 2.19
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"name": "\ud800"}, "name: contains half of a surrogate pair, which cannot be encoded; remove it"),
    ({"members": [LEFT_OVER]}, f"members[0].module.names[1]: {OMITTED}"),
    ({"module": {"deep": {"leaf": "-Infinity"}}}, "module.deep.leaf: '-Infinity' is not an integer"),
    ({"number": "9" * 5000, "module": {"deep": {"leaf": 10**400}}}, f"number: '{'9' * 58}… is not an integer"),
    ({"module": '{"deep": 7}'}, f"module.deep: {NO_DICTIONARY} a number; its options are leaf, set"),
    ({"module": "{'ab'}"}, f"module: {NO_DICTIONARY} a string; its options are enabled, secret, deep"),
    ({"module": "{5: 'x'}"}, f"module.5: {UNKNOWN}"),
    ({"module": {"": 1}}, f"module.: {UNKNOWN}"),
    ({"module": {"_ansible_x": 1}}, f"module._ansible_x: {UNKNOWN}"),
    ({"members": [ONE, None]}, f"members[1]: {NO_DICTIONARY} null; its options are id, module; {UNSET_VARIABLE}"),
    ({"members": DATED}, f"members: expected a list of dictionaries, got a string; {DATES}"),
]


@pytest.mark.parametrize(("arguments", "option_error"), WRONG)
def test_a_wrong_name_or_type_is_reported_with_its_path(arguments: dict[str, Any], option_error: str) -> None:
    assert list(map(str, validated(SPEC, arguments).option_errors)) == [option_error]


@given(likely)
def test_options_are_those_of_ansible(arguments: dict[str, Any]) -> None:
    found = validated(SPEC, copy.deepcopy(arguments))
    if not found.option_errors:
        theirs = ArgumentSpecValidator(SPEC).validate(arguments)
        assert theirs.error_messages == []
        assert found.options == theirs.validated_parameters


@pytest.mark.parametrize("value", [5, 1.5, "a", "a,b", ["a", 1]])
def test_a_list_is_that_of_ansible_also_if_it_is_written_as_a_scalar(value: Any) -> None:
    arguments = {"members": [{"id": "x", "module": {"names": value}}]}
    found = validated(SPEC, copy.deepcopy(arguments))
    assert found.option_errors == []
    assert found.options == ArgumentSpecValidator(SPEC).validate(arguments).validated_parameters


@given(st.dictionaries(names, trees, max_size=5) | likely)
def test_no_arguments_crash_and_suboptions_documented_elsewhere_are_like_all(arguments: dict[str, Any]) -> None:
    elsewhere = {**SPEC, "module": DocumentedElsewhere(SPEC["module"]), "members": DocumentedElsewhere(SPEC["members"])}
    found, expected = (validated(spec, copy.deepcopy(arguments)) for spec in (elsewhere, SPEC))
    assert found.option_errors == expected.option_errors
    assert found.option_errors or (found.options == expected.options and set(found.options) == set(SPEC))
    shown_there, shown_here = (shown(spec, arguments) for spec in (elsewhere, SPEC))
    assert shown_there == shown_here
    known_there, known_here = ({*secret_values(SPEC, one.options)} for one in (found, expected))
    assert known_there == known_here


def test_what_is_left_of_a_wrong_shape_is_checked_further_and_arguments_stay_as_they_are() -> None:
    arguments = {"members": [True, {"id": "x", "module": {"enabled": "yes"}}], "module": '{"enabled": "no"}'}
    before = copy.deepcopy(arguments)
    found = validated(SPEC, arguments)
    assert arguments == before
    assert found.options["members"][1]["module"]["enabled"] is True
    assert found.options["module"]["enabled"] is False
    assert [option_error.path for option_error in found.option_errors] == ["members[0]"]
    assert validated(SPEC, {"members": 5}).options["members"] == []
    [member] = validated(SPEC, {"members": [{**ONE, "module": {"names": {}}}]}).options["members"]
    assert member["module"]["names"] == [""]


def test_the_value_of_an_unknown_option_is_not_shown() -> None:
    assert shown(SPEC, {"name": "x", "typo": "canary"}) == {"name": "x", "typo": MASK}


DURATIONS = ["10", 10, "10s", " 10s ", "10.0s", "0h10s", "10000ms", "0m10s"]
NO_DURATIONS = ["10x", "s", "10 s", "1500ms", "-10s", "10s5", "1d"]


@pytest.mark.parametrize("given", [*DURATIONS, *NO_DURATIONS], ids=repr)
def test_a_duration_is_a_number_of_seconds(given: Any) -> None:
    found = validated({"wait": InSeconds({"type": "int"})}, {"wait": given})
    assert (found.options.get("wait"), len(found.option_errors)) == ((10, 0) if given in DURATIONS else (None, 1))


def fallback(variable: str) -> str:
    """What Ansible's own way of reading a variable of the environment does, for one that is not set."""
    raise AnsibleFallbackNotFound(variable)


FROM_ENVIRONMENT: dict[str, dict[str, Any]] = {
    "wait": {"type": "float", "default": 5.0, "fallback": (lambda _variable: "5s", ["THE_WAIT"])},
    "key": {"type": "str", "required": True, "no_log": True, "fallback": (fallback, ["THE_KEY"])},
}


def test_an_error_in_an_environment_variable_names_it() -> None:
    assert list(map(str, validated(FROM_ENVIRONMENT, {}).option_errors)) == [
        "wait: '5s' is not a number; write the number without a unit; it comes from the environment variable THE_WAIT",
        "key: required; set it here, in module_defaults (modules only), or in the environment variable THE_KEY",
    ]
    assert validated(FROM_ENVIRONMENT, {"wait": 1, "key": "k"}).option_errors == []
    # Null disables the variable.
    [null] = map(str, validated(FROM_ENVIRONMENT, {"wait": 1, "key": None}).option_errors)
    assert null == f"key: required, got null; {UNSET_VARIABLE}"


@pytest.mark.parametrize("secret", [["canary"], {"inner": ["canary"]}, ("canary",), "canary\0"], ids=repr)
@pytest.mark.parametrize("kind", [dict, DocumentedElsewhere])
def test_all_that_is_inside_of_a_secret_of_the_wrong_type_is_secret(secret: object, kind: type) -> None:
    found = validated({**SPEC, "module": kind(SPEC["module"])}, {"module": {"secret": secret}})
    assert len(found.option_errors) == 1
    assert {"canary", "canary\0"} & {*secret_values(SPEC, found.options)}


@pytest.mark.parametrize("value", ["canary=1 canary", "canary", 4711, ["canary"]], ids=repr)
def test_a_misplaced_value_is_not_displayed(value: object) -> None:
    message = str(validated(SPEC, {"module": {"deep": value}}).option_errors[0])
    assert not any(secret in message for secret in ("canary", "4711"))
