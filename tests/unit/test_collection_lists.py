# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists that Ansible wants beside the modules, held against the modules that are there."""

from __future__ import annotations

import ast
from typing import Any

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.doc_fragments import connection
from ansible_collections.edgeops.ingress.plugins.module_utils.connection import connection_options, environment_variable
from collection_tree import CHECKOUT

COLLECTION = "edgeops.ingress"
ACTION_PLUGIN = f"{COLLECTION}.api"
MODULES = sorted(path.stem for path in (CHECKOUT / "plugins" / "modules").glob("*.py") if path.stem != "__init__")
RUNTIME = yaml.safe_load((CHECKOUT / "meta" / "runtime.yml").read_text(encoding="utf-8"))


def test_every_module_is_in_the_action_group() -> None:
    assert sorted(RUNTIME["action_groups"]["all"]) == MODULES


def test_every_module_is_done_by_the_action_plugin() -> None:
    assert RUNTIME["plugin_routing"] == {"modules": {module: {"action_plugin": ACTION_PLUGIN} for module in MODULES}}


def test_the_action_plugin_is_there_with_a_module_of_its_name() -> None:
    name = ACTION_PLUGIN.removeprefix(f"{COLLECTION}.")
    assert (CHECKOUT / "plugins" / "action" / f"{name}.py").is_file()
    assert name in MODULES


@pytest.mark.parametrize("module", MODULES)
def test_every_module_is_documented(module: str) -> None:
    texts = texts_of(module)
    documentation = yaml.safe_load(texts["DOCUMENTATION"])
    assert documentation["module"] == module
    assert {"edgeops.ingress.connection", "edgeops.ingress.attributes"} <= {
        *documentation["extends_documentation_fragment"]
    }
    assert any(f"{COLLECTION}.{module}" in task for task in yaml.safe_load(texts["EXAMPLES"]))
    assert yaml.safe_load(texts["RETURN"])


def test_the_connection_of_plugins_is_documented_with_its_environment_variables() -> None:
    """What modules get from their argument specs, other plugins get from the documentation."""
    fragment = connection.ModuleDocFragment
    assert yaml.safe_load(fragment.DOCUMENTATION)["options"].keys() == connection_options().keys()
    assert yaml.safe_load(fragment.PLUGIN)["options"] == {
        name: {"env": [{"name": environment_variable(name)}]} for name in connection_options()
    }


def texts_of(module: str) -> dict[str, Any]:
    """The texts that a module assigns to names of its own."""
    tree = ast.parse((CHECKOUT / "plugins" / "modules" / f"{module}.py").read_text(encoding="utf-8"))
    assigned = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
    return {target.id: node.value.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}  # type: ignore[attr-defined]
