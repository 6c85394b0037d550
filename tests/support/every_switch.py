# SPDX-License-Identifier: GPL-3.0-or-later
"""Every switch of the reference service with each of its values, read from its source so that none is forgotten."""

from __future__ import annotations

import ast
from typing import Any

from reference_service_process import SOURCES

REJECT = (
    "account",
    "rate_limit",
    "rejected_creations",
    "one_login_per_edge",
    "unknown_references",
    "empty_pages",
    "changed_identity",
    "cleared_text",
    "unreserved_hostports",
)
"""Switches that make the service reject what is right elsewhere, or unusable: the worlds have a login on each route."""

NUMBERS = {
    "page_size": [100, 1],
    "rate_limit": [0, 1],
    "response_delay_ms": [0, 1],
    "slow_creations_ms": [0, 1],
    "slow_releases": [0, 1],
    "creation_rejection": [400, 403],
}
"""Values to try of the switches that take any number of a range; the first is the default."""


def every_switch() -> dict[str, list[Any]]:
    """The values that each switch can have, of which the first is the default."""
    tree = ast.parse((SOURCES / "reference_service" / "switches.py").read_text(encoding="utf-8"))
    switches = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Switches")
    fields = [node for node in switches.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
    return {ast.unparse(field.target): _values(field) for field in fields}


def harmless_switches() -> list[dict[str, Any]]:
    """None, and each alone with each value but its default, of those under which a right declaration comes about."""
    table = every_switch().items()
    return [{}, *({name: value} for name, values in table if name not in REJECT for value in values[1:])]


def _values(field: ast.AnnAssign) -> list[Any]:
    annotation, name = ast.unparse(field.annotation), ast.unparse(field.target)
    if annotation.startswith("Literal["):
        values = ast.literal_eval(annotation.removeprefix("Literal"))
        return list(values)
    if annotation == "bool":
        return [False, True]
    return NUMBERS[name]
