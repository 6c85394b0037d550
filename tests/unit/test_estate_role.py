# SPDX-License-Identifier: GPL-3.0-or-later
"""The role `estate` has the options of the module `estate` in variables: all of them, and as they are there."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import argument_spec
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION
from collection_tree import CHECKOUT

pytestmark = pytest.mark.every_core

OPTIONS = argument_spec(DEFINITION)
PREFIX = "estate_"


def of_role(file: str) -> Any:
    return yaml.safe_load((CHECKOUT / "roles" / "estate" / file).read_text(encoding="utf-8"))


VARIABLES = of_role("meta/argument_specs.yml")["argument_specs"]["main"]["options"]
DEFAULTS = of_role("defaults/main.yml")


def test_every_option_has_a_variable() -> None:
    assert set(VARIABLES) == {PREFIX + option for option in OPTIONS}


def test_the_task_gives_every_option_its_variable() -> None:
    _check, task = of_role("tasks/main.yml")
    assert task["edgeops.ingress.estate"] == {
        option: f"{{{{ {PREFIX}{option}{'' if PREFIX + option in DEFAULTS else ' | default(omit)'} }}}}"
        for option in OPTIONS
    }


@pytest.mark.parametrize("option", OPTIONS)
def test_a_variable_is_as_its_option(option: str) -> None:
    variable, spec = VARIABLES[PREFIX + option], OPTIONS[option]
    for key in ("type", "elements", "choices", "no_log"):
        assert variable.get(key) == spec.get(key)
    # What the environment may say has no default in the role.
    default = None if "fallback" in spec else spec.get("default")
    assert variable.get("default") == DEFAULTS.get(PREFIX + option) == default
