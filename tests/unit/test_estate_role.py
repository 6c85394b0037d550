# SPDX-License-Identifier: GPL-3.0-or-later
"""The role `estate` has the options of the module `estate` in variables: all of them, and as they are there."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import argument_spec
from ansible_collections.edgeops.ingress.plugins.module_utils._objects.estate_options import DECLARABLE
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION
from collection_tree import CHECKOUT

pytestmark = pytest.mark.every_core

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
