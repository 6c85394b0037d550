# SPDX-License-Identifier: GPL-3.0-or-later
"""A declaration with what it leaves undeclared, put where the result says that it could be declared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

_STEP = re.compile(r"([a-z_]+)(?:\[(\d+)\])?")


def merged(options: Mapping[str, Any], undeclared: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The options of an estate, which also declare these objects."""
    whole = deepcopy(dict(options))
    for one in undeclared:
        *parents, last = one["option"].split(".")
        inner: Any = whole
        for step in parents:
            name, number = _parsed(step)
            inner = inner[name][number]
        name, number = _parsed(last)
        assert number is None
        if one["kind"] in ("https_edge", "https_edge_route", "event_source"):
            inner[name] = [*(inner.get(name) or ()), one["declaration"]]
        else:
            assert name not in inner
            inner[name] = one["declaration"]
    return whole


def _parsed(step: str) -> tuple[str, Any]:
    found = _STEP.fullmatch(step)
    assert found, step
    return found[1], None if found[2] is None else int(found[2])
