# SPDX-License-Identifier: GPL-3.0-or-later
"""How much the result of a task contains about what the task does not change. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

OPTIONS: dict[str, Any] = {
    "undeclared": {"type": "str", "choices": ["counts", "names", "declarations", "none"], "default": "counts"},
    "unchanged": {"type": "str", "choices": ["names", "states"], "default": "names"},
}


@dataclass(frozen=True)
class Detail:
    """The values of these options."""

    undeclared: str
    unchanged: str

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Detail:
        return cls(*(options[name] for name in OPTIONS))


ALL = Detail(undeclared="declarations", unchanged="states")
