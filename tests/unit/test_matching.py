# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared objects against live ones: found by certain and by ambiguous keys, kept by others, or not declared."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Ambiguous
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.matching import (
    DeclaredObject,
    LiveObject,
    Matching,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.unique_names import Name

LIVE = [LiveObject("edghts_a", ["edghts_a", "a:443"]), LiveObject("edghts_b", ["edghts_b", "b:443"])]


def by_id(identifier: str) -> DeclaredObject:
    return DeclaredObject([identifier])


def by_hostports(*hostports: str) -> DeclaredObject:
    return DeclaredObject(hostports, ("hostports",), likeness=hostports[0][0])


def matching(*declared: DeclaredObject, names: tuple[frozenset[Name] | None, ...] = ()) -> Matching:
    return Matching(HTTPS_EDGE, LIVE, declared, lambda number: names[number] if names else None)


def test_what_nothing_declares_is_undeclared() -> None:
    found = matching(by_hostports("a:443"), by_hostports("c:443"))
    assert [found.live(0), found.live(1)] == [0, None]
    assert found.undeclared() == [1]
    assert found.matched_ids() == {"edghts_a"}


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ([by_hostports("a:443", "b:443")], "2 edges match the declared hostports: edghts_a, edghts_b. Set `id`"),
        ([by_hostports("a:443"), by_hostports("a:443")], "2 declared edges match the same edge, edghts_a"),
        ([by_id("edghts_a"), by_hostports("a:443")], "Two declared edges refer to the same edge, edghts_a"),
    ],
)
def test_ambiguous_declarations_are_errors(declared: list[DeclaredObject], message: str) -> None:
    with pytest.raises(Ambiguous, match=message):
        matching(*declared).live(0)


def test_name_is_free_if_the_other_object_is_declared_without_it() -> None:
    taken, other = frozenset({("hostports", "a:443")}), frozenset({("hostports", "x:443")})
    found = matching(by_id("edghts_a"), by_hostports("a:443"), names=(other, taken))
    assert [found.live(0), found.live(1)] == [0, None]
    kept = matching(by_id("edghts_a"), by_hostports("a:443"), names=(taken, taken))
    with pytest.raises(Ambiguous):
        kept.live(1)


def test_new_object_is_the_undeclared_one_that_is_like_it() -> None:
    found = matching(by_hostports("b:80"))
    found.match_by_likeness(["a", "b"])
    assert found.live(0) == 1
    assert found.undeclared() == [0]
    several = matching(by_hostports("b:80"), by_hostports("b:81"))
    several.match_by_likeness(["a", "b"])
    assert [several.live(0), several.live(1)] == [None, None]
