# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the modules' documentation as sample tasks, so that tests need no lists of their own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import yaml

from collection_tree import CHECKOUT, MODULES

COLLECTION = "edgeops.ingress"


def constants_of(name: str, folder: str = "modules") -> dict[str, Any]:
    """The strings that a plugin assigns to names at its top level, such as DOCUMENTATION. It is not imported."""
    tree = ast.parse((CHECKOUT / "plugins" / folder / f"{name}.py").read_text(encoding="utf-8"))
    assigned = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
    return {target.id: node.value.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}  # type: ignore[attr-defined]


def examples_of(module: str) -> list[dict[str, Any]]:
    tasks = yaml.safe_load(constants_of(module)["EXAMPLES"])
    return [task[f"{COLLECTION}.{module}"] or {} for task in tasks if f"{COLLECTION}.{module}" in task]


def plain_example(module: str) -> dict[str, Any]:
    """The options of the first example that contains no template. Raises StopIteration if all of them do."""
    return next(options for options in examples_of(module) if "{{" not in str(options))


def all_examples() -> Iterator[tuple[str, dict[str, Any]]]:
    for module in MODULES:
        for options in examples_of(module):
            yield module, options
