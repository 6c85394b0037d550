# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters of an inventory: the first that holds decides."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_filters import filter_errors, is_included

CASES: list[tuple[list[dict[str, Any]], bool]] = [
    ([], True),
    ([{"include": "no"}], True),
    ([{"include": "yes"}], True),
    ([{"exclude": "yes"}], False),
    ([{"exclude": "no"}], True),
    ([{"include": "yes"}, {"exclude": "yes"}], True),
    ([{"exclude": "yes"}, {"include": "yes"}], False),
    ([{"include": "no"}, {"exclude": "yes"}], False),
    ([{"include": "yes", "exclude": None}, {"exclude": "yes"}], True),
]


@pytest.mark.parametrize(("filters", "included"), CASES)
def test_the_first_that_holds_decides(filters: list[dict[str, Any]], included: bool) -> None:
    assert is_included(filters, lambda expression, path: expression == "yes") == included


def test_what_is_decided_is_not_looked_at_further() -> None:
    asked = []

    def holds(expression: str, path: str) -> bool:
        asked.append((expression, path))
        return expression == "b"

    is_included([{"include": "a"}, {"exclude": "b"}, {"include": "c"}], holds)
    assert asked == [("a", "filters[0].include"), ("b", "filters[1].exclude")]


FAULTS: list[tuple[Any, list[str]]] = [
    ([], []),
    ([{"include": "a"}, {"exclude": True}], []),
    ([{"include": "a"}, {}], ["filters[1]: a filter has either include or exclude; this has none"]),
    ([{"include": "a", "exclude": "b"}], ["filters[0]: a filter has either include or exclude; this has include and"]),
    ([{"include": 1}, {"exclude": ["a"]}], ["filters[0].include: this is no expr", "filters[1].exclude: this is no"]),
    (["include=yes", None], ["filters[0]: this is a string, where a dict", "filters[1]: this is null, where a dict"]),
    ([{"include": "a", "comment": "b"}], ["filters[0]: a filter has either include or exclude, and no comment"]),
    ([{"include": ""}], ["filters[0].include: this is no expression"]),
]


@pytest.mark.parametrize(("filters", "faults"), FAULTS)
def test_filters_that_are_wrong(filters: Any, faults: list[str]) -> None:
    found = list(filter_errors(filters))
    assert len(found) == len(faults)
    assert all(one.startswith(start) for one, start in zip(found, faults, strict=True))
