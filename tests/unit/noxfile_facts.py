# SPDX-License-Identifier: GPL-3.0-or-later
"""What noxfile.py says. It can't be imported here: nox is not among what these tests have."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from collection_tree import CHECKOUT


class Core(NamedTuple):
    """An ansible-core that is checked, with its Pythons."""

    version: str
    pythons: tuple[str, ...]


def _assigned(name: str) -> ast.expr:
    """What is assigned to a name."""
    tree = ast.parse((CHECKOUT / "noxfile.py").read_text(encoding="utf-8"))
    assignments = [node for node in tree.body if isinstance(node, ast.Assign)]
    [value] = [node.value for node in assignments if [ast.unparse(target) for target in node.targets] == [name]]
    return value


def _core(call: Any) -> Core:
    return Core(*(ast.literal_eval(argument) for argument in call.args[:2]))


_CORES: Any = _assigned("CORES")
CORES = [_core(call) for call in _CORES.elts]
DEVELOPMENT = _core(_assigned("DEVELOPMENT"))
SESSIONS_OF_MAKE_TEST = set(ast.literal_eval(_assigned("nox.options.sessions")))
