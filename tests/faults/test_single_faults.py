# SPDX-License-Identifier: GPL-3.0-or-later
"""Each kind of fault at each request of an estate's run: it is made good, or reported and made good by the next run."""

from __future__ import annotations

import pytest

from amount import some_of
from estate_in_trouble import EstateInTrouble
from fault_kinds import KINDS
from figures import Figures

POSITIONS_OF_A_SAMPLE = 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_loses_nothing(trouble: EstateInTrouble, figures: Figures, kind: str) -> None:
    complaints = {}
    for position in some_of(range(trouble.requests), POSITIONS_OF_A_SAMPLE, kind):
        result = trouble.run({position: KINDS[kind]})
        assert trouble.proxy.injected == [position]
        found = trouble.complaints(result)
        figures.tried("one fault, of each kind at each request", 1, found)
        if found:
            complaints[position] = found
    assert complaints == {}


def test_the_estate_has_something_of_everything_to_do(trouble: EstateInTrouble) -> None:
    trouble.run({})
    assert {request.method for request in trouble.proxy.requests} == {"GET", "POST", "PUT", "PATCH", "DELETE"}


def test_routes_follow_a_read_of_an_edge_of_unknown_outcome(trouble: EstateInTrouble) -> None:
    trouble.run({})
    [create] = [one.number for one in trouble.proxy.requests if (one.method, one.path) == ("POST", "/edges/https")]
    trouble.run({create: KINDS["reset after"]})
    found, edge, route = trouble.proxy.requests[create + 1 : create + 4]
    assert (found.method, found.path) == ("GET", "/edges/https")
    assert edge.method == "GET"
    assert (route.method, route.path) == ("POST", f"{edge.path}/routes")
