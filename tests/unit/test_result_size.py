# SPDX-License-Identifier: GPL-3.0-or-later
"""What a large result leaves out, in which order, and that it says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._result_size import (
    PRINTED,
    STORED,
    of_failure,
    to_be_stored,
)

SMALL = {"failed": True, "msg": "no", "plan_digest": "d", "operations": [{"path": "/"}]}


def members(number: int, length: int = 100, **more: Any) -> list[dict[str, Any]]:
    return [{"object": "x" * length, **more} for _number in range(number)]


def length(result: dict[str, Any], *but: str) -> int:
    return len(json.dumps({name: value for name, value in result.items() if name not in but}))


@pytest.mark.parametrize("is_reviewed", [True, False])
def test_a_small_failure_is_whole(is_reviewed: bool) -> None:
    result = {**SMALL, "plan": members(10), "diff": members(10_000)}
    assert of_failure(result, is_reviewed=is_reviewed) == result


def test_a_large_failure_loses_its_longest_lists_first() -> None:
    result = {**SMALL, "undeclared": members(1000), "https_edges": members(500), "not_examined": members(2)}
    short = of_failure(result, is_reviewed=False)
    assert short == {
        **SMALL,
        "not_examined": result["not_examined"],
        "omitted": {"undeclared": 1000, "https_edges": 500},
    }
    assert length(short) <= PRINTED


@pytest.mark.parametrize("is_reviewed", [True, False])
def test_a_failure_keeps_what_is_reviewed(is_reviewed: bool) -> None:
    result = {**SMALL, "plan": members(1000), "findings": members(200), "undeclared": members(900)}
    short = of_failure(result, is_reviewed=is_reviewed)
    assert ("plan" in short, "findings" in short, "undeclared" in short) == (is_reviewed, is_reviewed, False)
    assert length(short, "plan", "findings") <= PRINTED


def test_a_result_that_is_stored_keeps_what_is_reviewed_as_long_as_possible() -> None:
    result = {"plan": members(2000, before=None, after={}), "https_edges": members(5000), "diff": members(1000)}
    assert to_be_stored(result) == {
        "plan": result["plan"],
        "diff": result["diff"],
        "omitted": {"https_edges": 5000},
    }


def test_the_arguments_are_omitted_before_anything_else() -> None:
    result = {"plan": members(2000), "https_edges": members(1000)}
    assert to_be_stored({**result, "invocation": {"module_args": {"https_edges": members(5000)}}}) == result
    small = {"invocation": {"module_args": {}}, "plan": []}
    assert to_be_stored(small) == small


@pytest.mark.parametrize(("states", "diffs"), [(700, 10), (700, 700), (10, 10_000)])
def test_a_larger_result_loses_the_states_in_its_plan_and_then_its_diff(states: int, diffs: int) -> None:
    plan = members(states, action="update", before="b" * 1000, after="a" * 1000)
    short = to_be_stored({"plan": plan, "plan_digest": "d", "diff": members(diffs)})
    assert short["plan"] == members(states, action="update")
    assert short["plan_digest"] == "d"
    assert short["omitted"] == {
        "plan[].before": states,
        "plan[].after": states,
        **({} if diffs < 10_000 else {"diff": diffs}),
    }
    assert length(short) <= STORED


def test_of_a_plan_that_is_still_too_large_the_openings_and_deletions_are_left() -> None:
    dangerous = [*members(5, action="delete", opens=[]), *members(2, action="update", opens=["saml is removed"])]
    plan = [*members(7000, action="create", opens=[], after={}), *dangerous]
    short = to_be_stored({"plan": plan, "plan_digest": "d", "diff": members(9)})
    assert (short["plan"], short["plan_digest"]) == (dangerous, "d")
    assert short["omitted"] == {"plan[].before": 7007, "plan[].after": 7007, "diff": 9, "plan[]": 7000}


def test_of_openings_and_deletions_that_are_too_many_only_the_number_is_left() -> None:
    plan = [*members(7000, action="create", opens=[]), *members(7001, action="delete", opens=[])]
    short = to_be_stored({"plan": plan, "plan_digest": "d"})
    assert "plan" not in short
    assert {"plan[]": 7000, "plan": 7001}.items() <= short["omitted"].items()
