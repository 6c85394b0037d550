# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation of a module's options, with that of its fragments, read without Ansible."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from typing import Any

import yaml

from collection_tree import CHECKOUT

FRAGMENTS = "ansible_collections.edgeops.ingress.plugins.doc_fragments"


def module_file(module: str) -> Path:
    return CHECKOUT / "plugins" / "modules" / f"{module}.py"


def documented_options(module: str) -> dict[str, Any]:
    """Return the options of a module by name, each as in DOCUMENTATION."""
    documentation = yaml.safe_load(_text(module, "DOCUMENTATION"))
    options: dict[str, Any] = {}
    for name in documentation["extends_documentation_fragment"]:
        _namespace, _collection, file, *attribute = name.split(".")
        fragment = importlib.import_module(f"{FRAGMENTS}.{file}").ModuleDocFragment
        text = getattr(fragment, attribute[0].upper() if attribute else "DOCUMENTATION")
        options |= yaml.safe_load(text).get("options", {})
    return {**options, **documentation.get("options", {})}


def _text(module: str, variable: str) -> str:
    """Return the string that the module assigns to a variable."""
    tree = ast.parse(module_file(module).read_text(encoding="utf-8"))
    [value] = [
        node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        if [target.id for target in node.targets if isinstance(target, ast.Name)] == [variable]
    ]
    return str(value)
