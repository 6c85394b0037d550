# SPDX-License-Identifier: GPL-3.0-or-later
"""What noxfile.py says. It cannot be imported here: nox is not among what these tests have."""

from __future__ import annotations

import ast

from collection_tree import CHECKOUT


def _assigned(name: str) -> ast.expr:
    """What is assigned to a name."""
    tree = ast.parse((CHECKOUT / "noxfile.py").read_text(encoding="utf-8"))
    assignments = [node for node in tree.body if isinstance(node, ast.Assign)]
    [value] = [node.value for node in assignments if [ast.unparse(target) for target in node.targets] == [name]]
    return value


SESSIONS_OF_MAKE_TEST = set(ast.literal_eval(_assigned("nox.options.sessions")))
