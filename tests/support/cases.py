# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of cases in text: `name | cell | cell` in each line; a line that begins with `|` goes on with its case."""

from __future__ import annotations

import json
from typing import Any

import yaml


def cases(text: str, **known: Any) -> dict[str, tuple[Any, ...]]:
    """The cells of each case, by its name. A cell is YAML, in which `*name` stands for what is known by the name."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("|"):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    rows = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    found = {name: tuple(_value(cell, known) for cell in cells) for name, *cells in rows}
    assert len(found) == len(rows), "two cases have the same name"
    return found


def _value(cell: str, known: dict[str, Any]) -> Any:
    anchors = "".join(f"- &{name} {json.dumps(value)}\n" for name, value in known.items())
    return yaml.safe_load(f"{anchors}- {cell}")[-1]
