# SPDX-License-Identifier: GPL-3.0-or-later
"""A state without what somebody else has changed, by which a task is not blamed for that."""

from __future__ import annotations

from typing import Any

import pytest

from without_them import without_them

ROUTE = {"id": "one", "match": "/", "oidc": {"issuer": "x"}}
OTHER = {"id": "two", "match": "/admin"}
OPEN = {"id": "one", "match": "/"}


def held(*routes: Any, **edge: Any) -> dict[str, Any]:
    return {"https_edges": [{"id": "edge", "routes": list(routes), **edge}]}


# Before and after what they did, the state now, and what it would be without them.
CASES: dict[str, tuple[Any, Any, Any, Any]] = {
    "nothing": (held(ROUTE), held(ROUTE), held(OPEN), held(OPEN)),
    "they removed a module": (held(ROUTE), held(OPEN), held(OPEN, OTHER), held(ROUTE, OTHER)),
    "they set one": (held(OPEN), held(ROUTE), held(ROUTE), held(OPEN)),
    "it was written over since": (
        held(ROUTE),
        held(OPEN),
        held({**OPEN, "oidc": {"issuer": "y"}}),
        held({**OPEN, "oidc": {"issuer": "y"}}),
    ),
    "they deleted a route": (held(ROUTE, OTHER), held(ROUTE), held(OPEN), held(OPEN, OTHER)),
    "it was created again since": (
        held(ROUTE, OTHER),
        held(ROUTE),
        held(ROUTE, {**OTHER, "id": "three"}),
        held(ROUTE, {**OTHER, "id": "three"}),
    ),
    "they created a route": (held(ROUTE), held(ROUTE, OTHER), held(ROUTE, OTHER), held(ROUTE)),
    "they changed hostports": (
        held(ROUTE, hostports=["a"]),
        held(ROUTE, hostports=["b"]),
        held(OPEN, hostports=["b"]),
        held(OPEN, hostports=["a"]),
    ),
}


@pytest.mark.parametrize(("before", "after", "now", "expected"), CASES.values(), ids=CASES)
def test_changes_of_other_jobs_are_subtracted_from_the_state(before: Any, after: Any, now: Any, expected: Any) -> None:
    assert without_them(now, before, after) == expected
