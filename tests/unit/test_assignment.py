# SPDX-License-Identifier: GPL-3.0-or-later
"""Which live object a declared one is: by itself, or because the others are taken."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._planning.assignment import Match, matched

pytestmark = pytest.mark.every_python

# The live objects that each declared one may be, those that are certain, and what comes of it.
CASES: dict[str, tuple[list[list[int]], list[int], list[Match]]] = {
    "nothing declared": ([], [], []),
    "a new one": ([[]], [], [Match()]),
    "one for each": ([[1], [0]], [], [Match(live=1), Match(live=0)]),
    "what another one needs is left to it": ([[0], [0, 1]], [], [Match(live=0), Match(live=1, lost=((0, 0),))]),
    "what another one needs is left to it if it is declared later": (
        [[0, 1], [0]],
        [],
        [Match(live=1, lost=((0, 1),)), Match(live=0)],
    ),
    "along a chain": (
        [[2, 1], [1, 0], [0]],
        [],
        [Match(live=2, lost=((1, 1),)), Match(live=1, lost=((0, 2),)), Match(live=0)],
    ),
    "what is certain comes first": ([[0], [0]], [1], [Match(lost=((0, 1),)), Match(live=0)]),
    "certain, and not there": ([[], [0]], [0], [Match(), Match(live=0)]),
    "one for two": ([[0], [0]], [], [Match(rivals=(0, 1), several=(0,))] * 2),
    "certain twice": ([[0], [0]], [0, 1], [Match(rivals=(0, 1), several=(0,))] * 2),
    "two for one": ([[0, 1]], [], [Match(several=(0, 1))]),
    "two for two": ([[0, 1], [0, 1]], [], [Match(several=(0, 1))] * 2),
    "what two claim is left to none": (
        [[0], [0], [0, 1], [1]],
        [],
        [*[Match(rivals=(0, 1), several=(0,))] * 2, Match(rivals=(0, 1, 2), several=(0,)), Match(live=1)],
    ),
}


@pytest.mark.parametrize(("candidates", "certain", "expected"), CASES.values(), ids=CASES)
def test_candidates_are_assigned_with_the_expected_matches(
    candidates: list[list[int]], certain: list[int], expected: list[Match]
) -> None:
    assert matched(candidates, certain) == expected


@given(
    st.lists(st.lists(st.integers(0, 4), unique=True, max_size=3), max_size=5).flatmap(
        lambda candidates: st.tuples(st.just(candidates), st.permutations(range(len(candidates))))
    )
)
def test_the_order_of_declaration_does_not_matter_and_nothing_is_matched_twice(drawn: Any) -> None:
    candidates, order = drawn
    found = matched(candidates)
    lives = [match.live for match in found if match.live is not None]
    assert len(lives) == len(set(lives))
    shuffled = matched([candidates[number] for number in order])
    assert [found[number].live for number in order] == [match.live for match in shuffled]
    for match, those in zip(found, candidates, strict=True):
        assert match.live is None or match.live in those
        assert set(match.several) <= set(those)
        # Nothing is new that may be a live object which no other declared one is.
        assert match != Match() or not those
