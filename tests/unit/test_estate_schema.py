# SPDX-License-Identifier: GPL-3.0-or-later
"""The schema for editors accepts every declaration in the documentation, and marks what `estate` would reject."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest
import yaml
from ansible.parsing.yaml.loader import AnsibleLoader

from collection_tree import CHECKOUT
from estate_schema import DECLARED, FILE
from page import blocks

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
    pages = [
        CHECKOUT / "README.md",
        *sorted(CHECKOUT.glob("docs/**/*.md")),
        *sorted(CHECKOUT.glob("roles/*/README.md")),
    ]
    for page in pages:
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
    assert (
        errors({"https_edges": [{"hostports": ["{{ host }}:443"], "routes": [route]}], "tls_edges": "{{ tls }}"}) == []
    )
