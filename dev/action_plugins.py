# SPDX-License-Identifier: GPL-3.0-or-later
"""The action plugins: one for each module, of the same name, because Ansible finds it by this."""

from __future__ import annotations

import ast
from pathlib import Path

from collection_tree import CHECKOUT, MODULES

_TEXT = '''\
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the module of the same name in-process. Generated: run `make format` after adding a module."""

from __future__ import annotations

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
{definition}
from ansible_collections.edgeops.ingress.plugins.plugin_utils._in_process import action_of

ActionModule = action_of(DEFINITION)
main = ActionModule.main
'''


def action_plugins() -> dict[Path, str]:
    """Return the files of the action plugins, each with the text that it should have."""
    return {
        CHECKOUT / "plugins" / "action" / f"{module}.py": _TEXT.format(definition=_import_of_definition(module))
        for module in MODULES
    }


def _import_of_definition(module: str) -> str:
    """Return the statement with which a module imports its definition."""
    text = (CHECKOUT / "plugins" / "modules" / f"{module}.py").read_text(encoding="utf-8")
    [statement] = [
        statement
        for statement in ast.parse(text).body
        if isinstance(statement, ast.ImportFrom)
        and any("DEFINITION" in (alias.name, alias.asname) for alias in statement.names)
    ]
    return ast.get_source_segment(text, statement) or ""
