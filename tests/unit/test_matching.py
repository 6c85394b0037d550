# SPDX-License-Identifier: GPL-3.0-or-later
"""Which live object a declared one is: by itself, by what certainly is its own, or because the others are taken."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Ambiguous
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.matching import (
    DeclaredObject,
    LiveObject,
    Match,
    Matching,
    matched,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Name

pytestmark = pytest.mark.every_core

RIVALS, OF_THREE = (Match(rivals=rivals, several=(0,)) for rivals in ((0, 1), (0, 1, 2)))
EITHER = Match(several=(0, 1))
# The live objects that each declared one may be, those that are certain, and what comes of it.
CASES: dict[str, tuple[list[list[int]], list[int], list[Match]]] = {
    "nothing declared": ([], [], []),
    "a new one": ([[]], [], [Match()]),
    "one for each": ([[1], [0]], [], [Match(live=1), Match(live=0)]),
    "what another one needs is left to it": ([[0], [0, 1]], [], [Match(live=0), Match(live=1)]),
    "along a chain": ([[2, 1], [1, 0], [0]], [], [Match(live=2), Match(live=1), Match(live=0)]),
    "what is certain comes first": ([[0], [0]], [1], [Match(), Match(live=0)]),
    "certain, and not there": ([[], [0]], [0], [Match(), Match(live=0)]),
    "one for two": ([[0], [0]], [], [RIVALS] * 2),
    "certain twice": ([[0], [0]], [0, 1], [RIVALS] * 2),
    "two for one": ([[0, 1]], [], [EITHER]),
    "two for two": ([[0, 1], [0, 1]], [], [EITHER] * 2),
    "what two claim is left to none": ([[0], [0], [0, 1], [1]], [], [RIVALS, RIVALS, OF_THREE, Match(live=1)]),
}


@pytest.mark.parametrize(("candidates", "certain", "expected"), CASES.values(), ids=CASES)
def test_candidates_are_assigned(candidates: list[list[int]], certain: list[int], expected: list[Match]) -> None:
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
        assert match != Match() or set(those) <= set(lives)


LIVE = [
    LiveObject("edghts_a", ["edghts_a", "a:443"], wire=0, likeness="a"),
    LiveObject("edghts_b", ["edghts_b", "b:443"], wire=1, likeness="b"),
]


def by_id(identifier: str) -> DeclaredObject:
    return DeclaredObject([identifier])


def by_hostports(*hostports: str) -> DeclaredObject:
    return DeclaredObject(hostports, ("hostports",), likeness=hostports[0][0])


def matching(*declared: DeclaredObject, names: tuple[frozenset[Name] | None, ...] = ()) -> Matching:
    return Matching(HTTPS_EDGE, LIVE, [replace(one, names=own) for one, own in zip_longest(declared, names)])


def test_what_nothing_declares_is_undeclared() -> None:
    found = matching(by_hostports("a:443"), by_hostports("c:443"))
    assert [found.live(0), found.live(1)] == [0, None]
    assert found.undeclared() == [1]
    assert found.matched_ids() == {"edghts_a"}


AMBIGUOUS = [
    ([by_hostports("a:443", "b:443")], "2 edges match the declared hostports: edghts_a, edghts_b. Set `id`"),
    ([by_hostports("a:443"), by_hostports("a:443")], "2 declared edges match the same edge, edghts_a"),
    ([by_id("edghts_a"), by_hostports("a:443")], "Two declared edges refer to the same edge, edghts_a"),
]


@pytest.mark.parametrize(("declared", "message"), AMBIGUOUS)
def test_ambiguous_declarations_are_errors(declared: list[DeclaredObject], message: str) -> None:
    with pytest.raises(Ambiguous, match=message):
        matching(*declared).live(0)


def test_name_is_free_if_the_other_object_is_declared_without_it() -> None:
    taken, other = frozenset({("hostports", "a:443")}), frozenset({("hostports", "x:443")})
    found = matching(by_id("edghts_a"), by_hostports("a:443"), names=(other, taken))
    assert [found.live(0), found.live(1)] == [0, None]
    kept = matching(by_id("edghts_a"), by_hostports("a:443"), names=(taken, taken))
    # Other objects can have the same metadata, so that is no name which one of them could give up.
    by_metadata = matching(by_id("edghts_a"), DeclaredObject(["a:443"], ("metadata",)), names=(other, taken))
    for rivals in (kept, by_metadata):
        with pytest.raises(Ambiguous):
            rivals.live(1)


def test_new_object_is_the_undeclared_one_that_is_like_it() -> None:
    found = matching(by_hostports("b:80"))
    assert found.live(0) == 1
    assert found.undeclared() == [0]
    several = matching(by_hostports("b:80"), by_hostports("b:81"))
    assert [several.live(0), several.live(1)] == [None, None]
