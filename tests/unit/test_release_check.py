# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands against a release."""

from __future__ import annotations

from typing import Any

import pytest

from release_check import option_errors_of

GALAXY = {"version": "1.1.0"}
CHANGELOG: dict[str, Any] = {
    "releases": {"1.0.0": {}, "1.1.0": {"changes": {"release_summary": "What is new."}}},
}


def test_a_release_that_is_ready() -> None:
    assert option_errors_of("1.1.0", GALAXY, CHANGELOG, []) == []


@pytest.mark.parametrize(
    ("version", "galaxy", "changelog", "fragments", "named"),
    [
        ("1.1.0", {"version": "1.0.0"}, CHANGELOG, [], ["galaxy.yml says that this is 1.0.0, not 1.1.0."]),
        ("1.1.0", GALAXY, {"releases": {"1.0.0": {}}}, [], ["The changelog does not know 1.1.0, only 1.0.0."]),
        ("1.1.0", GALAXY, {}, [], ["The changelog does not know 1.1.0, only no version at all."]),
        ("1.1.0", GALAXY, {"releases": {"1.1.0": {}}}, [], ["The changelog has no summary of 1.1.0."]),
        (
            "1.1.0",
            GALAXY,
            CHANGELOG,
            ["a.yml", "b.yml"],
            ["These fragments are not in the changelog yet: a.yml, b.yml."],
        ),
        (
            "v1.1.0",
            GALAXY,
            CHANGELOG,
            [],
            [
                "galaxy.yml says that this is 1.1.0, not v1.1.0.",
                "The changelog does not know v1.1.0, only 1.0.0, 1.1.0.",
            ],
        ),
    ],
)
def test_missing_parts_of_a_release_are_listed(
    version: str, galaxy: dict[str, Any], changelog: dict[str, Any], fragments: list[str], named: list[str]
) -> None:
    assert option_errors_of(version, galaxy, changelog, fragments) == named
