# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages and results stay short, even if an error in a template is in each of a thousand objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_report_task import run

from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_error import InvalidOptions, OptionError
from ansible_collections.edgeops.ingress.plugins.plugin_utils._result_size import PRINTED, without_longest_lists


def invalid(number: int, length: int = 30) -> InvalidOptions:
    return InvalidOptions(OptionError(f"https_edges[{one}]", "x" * length) for one in range(number))


@pytest.mark.parametrize("number", [2, 50, 1000])
def test_a_message_is_short_and_counts_what_it_does_not_show(number: int) -> None:
    error = invalid(number)
    head, *lines = error.full_message().split("\n- ")
    assert head == f"{number} option errors; nothing was changed."
    shown = [line for line in lines if line.startswith("https_edges[")]
    assert shown == error.option_errors[: len(shown)]
    rest = f"and {number - len(shown)} more, which are displayed once these are fixed"
    assert lines[len(shown) :] == [rest] * (len(shown) < number)
    assert len(shown) == number if number <= 50 else len(shown) > 50
    assert len(error.full_message()) < 6000
    # At least one error is shown.
    lines = invalid(2, length=9000).full_message().split("\n- ")
    assert [len(line) > 9000 for line in lines] == [False, True, False]


def test_a_result_that_lists_them_all_is_short_as_well(tmp_path: Path) -> None:
    accounts = [{"hostports": [f"h{number}.example.com:443"], "routes": []} for number in range(1000)]
    result = run(tmp_path, accounts=accounts)
    assert result["failed"]
    assert len(str(result)) < 10_100
    assert result["omitted"]["option_errors"] >= 1000


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
