# SPDX-License-Identifier: GPL-3.0-or-later
"""What the result of a failed task leaves out if nothing but its line on the screen is made of it."""

from __future__ import annotations

import json
from typing import Any

from ansible_collections.edgeops.ingress.plugins.plugin_utils._result_size import PRINTED, without_longest_lists

SMALL = {"failed": True, "msg": "no", "plan_digest": "d", "operations": [{"path": "/"}]}


def members(number: int) -> list[dict[str, Any]]:
    return [{"object": "x" * 100} for _number in range(number)]


def test_a_short_result_is_whole() -> None:
    result = {**SMALL, "plan": members(10), "diff": members(10_000)}
    assert without_longest_lists(result) == result


def test_a_long_result_loses_its_longest_lists_first() -> None:
    result = {**SMALL, "undeclared": members(1000), "https_edges": members(500), "not_examined": members(2)}
    short = without_longest_lists(result)
    assert short == {
        **SMALL,
        "not_examined": result["not_examined"],
        "omitted": {"undeclared": 1000, "https_edges": 500},
    }
    assert len(json.dumps(short)) <= PRINTED
