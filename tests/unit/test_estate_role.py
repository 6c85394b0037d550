# SPDX-License-Identifier: GPL-3.0-or-later
"""The role and the schema for editors say the same as the module: all options and their limits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest
import yaml
from ansible.parsing.yaml.loader import AnsibleLoader

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import argument_spec
from ansible_collections.edgeops.ingress.plugins.module_utils._objects.estate_options import DECLARABLE
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION
from collection_tree import CHECKOUT
from estate_schema import DECLARED, FILE
from page import blocks

OPTIONS = argument_spec(DEFINITION)
PREFIX = "estate_"
OF_ROLE = "estate_parts"
"""The variable that is not an option of the module."""


def of_role(file: str) -> Any:
    return yaml.safe_load((CHECKOUT / "roles" / "estate" / file).read_text(encoding="utf-8"))


VARIABLES = of_role("meta/argument_specs.yml")["argument_specs"]["main"]["options"]
DEFAULTS = of_role("defaults/main.yml")


def test_every_option_has_a_variable_and_by_default_every_list_is_used() -> None:
    assert set(VARIABLES) == {PREFIX + option for option in OPTIONS} | {OF_ROLE}
    assert DEFAULTS[OF_ROLE] == VARIABLES[OF_ROLE]["choices"] == VARIABLES[OF_ROLE]["default"] == list(DECLARABLE)


def test_the_task_gives_every_option_its_variable() -> None:
    _check, task = of_role("tasks/main.yml")
    conditions = {part: f"'{part}' in {OF_ROLE}" for part in DECLARABLE} | {"purge_scope": "'edges' in estate_purge"}
    expected = {
        option: f"{PREFIX}{option}{'' if PREFIX + option in DEFAULTS else ' | default(omit)'}"
        + (f" if {conditions[option]} else omit" if option in conditions else "")
        for option in OPTIONS
    }
    assert task["edgeops.ingress.estate"] == {option: f"{{{{ {value} }}}}" for option, value in expected.items()}


@pytest.mark.parametrize("option", OPTIONS)
def test_a_variable_is_as_its_option(option: str) -> None:
    variable, spec = VARIABLES[PREFIX + option], OPTIONS[option]
    for key in ("type", "elements", "choices", "no_log"):
        assert variable.get(key) == spec.get(key)
    # What the environment may say has no default in the role.
    default = None if "fallback" in spec else spec.get("default")
    assert variable.get("default") == DEFAULTS.get(PREFIX + option) == default


SCHEMA = jsonschema.Draft202012Validator(json.loads(FILE.read_text(encoding="utf-8")))
ESTATE = "edgeops.ingress.estate"


def declarations(value: Any) -> Iterator[Mapping[str, Any]]:
    """The declarations at any depth of a YAML document: in tasks of the module, and in variables of the role."""
    if isinstance(value, dict):
        yield from [value[ESTATE]] if isinstance(value.get(ESTATE), dict) else []
        yield from [value] if any(f"estate_{name}" in value for name in DECLARED) else []
        yield from (found for member in value.values() for found in declarations(member))
    elif isinstance(value, list):
        yield from (found for member in value for found in declarations(member))


def examples() -> Iterator[Any]:
    for page in sorted(page for where in ("*.md", "docs/**/*.md", "roles/*/*.md") for page in CHECKOUT.glob(where)):
        for number, block in enumerate(one for one in blocks(page) if one.language == "yaml"):
            for declared in declarations(yaml.load(block.text, AnsibleLoader)):
                yield pytest.param(declared, id=f"{page.relative_to(CHECKOUT)}-{number}")


def errors(declared: Mapping[str, Any]) -> list[str]:
    of_the_declaration = {name: value for name, value in declared.items() if name.removeprefix("estate_") in DECLARED}
    plain = json.loads(json.dumps(of_the_declaration, default=str))
    return ["/".join(map(str, one.absolute_path)) for one in SCHEMA.iter_errors(plain)]


@pytest.mark.parametrize("declared", list(examples()))
def test_a_declaration_in_the_documentation_is_accepted(declared: Mapping[str, Any]) -> None:
    assert errors(declared) == []


ROUTE = {"match_type": "path_prefix", "match": "/"}
WRONG: dict[str, dict[str, Any]] = {
    "a misspelled option": {"https_edges": [{"hostport": ["a.example.com:443"]}]},
    "an option of another module": {"https_edges": [{"routes": [{**ROUTE, "compression": {"secret": "x"}}]}]},
    "an option that is missing": {"tls_edges": [{"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}]},
    "a value that is not allowed": {"https_edges": [{"routes": [{**ROUTE, "match_type": "prefix"}]}]},
    "a text that is too long": {"https_edges": [{"description": "x" * 256}]},
    "a string in place of a list": {"estate_event_subscriptions": "esb_audit"},
}


@pytest.mark.parametrize("name", WRONG)
def test_what_estate_rejects_is_marked(name: str) -> None:
    assert errors(WRONG[name]) != []


def test_templates_are_accepted_in_place_of_values() -> None:
    route = {**ROUTE, "circuit_breaker": "{{ breaker }}", "compression": {"enabled": "{{ compress }}"}}
    edge = {"hostports": ["{{ host }}:443"], "routes": [route]}
    assert errors({"https_edges": [edge], "tls_edges": "{{ tls }}"}) == []
