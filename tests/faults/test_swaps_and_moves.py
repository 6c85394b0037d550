# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostports, matches and logins that move from one object to another, with a fault at each request: nothing is lost,
nothing is there twice, and at no moment is anything open that is protected before and after.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from amount import seeds, so_many
from estate_in_trouble import blindly_repeated
from fault_kinds import KINDS, TIMEOUT
from fault_proxy import Fault, FaultProxy
from figures import Figures
from one_run import apply, left_to_do
from redistributions import Redistribution, faults_of_a_moment, ordered, redistribution, twice
from reference_service_process import ReferenceService

FOUND = tuple(f"{one} redistributions {other}" for one, other in ((23, 411), (26, 39), (26, 216), (27, 338)))
"""Drawn redistributions for which once no safe order was found, or one whose changes waited for each other."""


class Watched:
    """A redistribution that is carried out through the proxy, and looked at after each request."""

    def __init__(self, service: ReferenceService, proxy: FaultProxy, seed: str) -> None:
        self.service, self.proxy = service, proxy
        self.moving = redistribution(random.Random(seed))
        self.seen: list[Any] = []
        result = self.run({})
        assert not result.get("failed"), result["msg"]
        self.requests = len(proxy.requests)
        self.moving.after = service.state()

    def run(self, faults: dict[int, Fault], timeout: float = 20.0) -> dict[str, Any]:
        self.service.reset()
        self.service.switches(**self.moving.switches)
        self.service.seed(https_edges=self.moving.seed)
        self.moving.before = self.service.state()
        self.proxy.begin(faults)
        self.seen = []
        self.proxy.saw = lambda request: self.seen.append(self.service.state())
        return apply(self.moving.declared, self.proxy.base_url, timeout=timeout)

    def complaints(self, result: dict[str, Any]) -> list[str]:
        moving: Redistribution = self.moving
        held = self.service.state()
        found = {fault for state in [*self.seen, held] for fault in [*faults_of_a_moment(moving, state), *twice(state)]}
        found |= {f"sent twice without a look: {request}" for request in blindly_repeated(self.proxy.requests)}
        if not result.get("failed") and ordered(held) != ordered(moving.after):
            found.add("it said that it succeeded, and the state is another")
        found |= set(left_to_do(moving.declared, self.service.base_url))
        if ordered(self.service.state()) != ordered(moving.after):
            found.add("after the next run, the state is another")
        return sorted(found)


@pytest.mark.parametrize("seed", dict.fromkeys([*FOUND, *seeds(10, 500, "redistributions")]))
def test_whatever_moves_arrives(service: ReferenceService, proxy: FaultProxy, figures: Figures, seed: str) -> None:
    found = Watched(service, proxy, seed).complaints({})
    figures.tried("swaps and moves", complaints=found)
    assert found == []


@pytest.mark.parametrize("seed", seeds(3, 10, "swaps and moves"))
def test_what_moves_is_never_lost_or_open(
    service: ReferenceService, proxy: FaultProxy, figures: Figures, seed: str
) -> None:
    watched = Watched(service, proxy, seed)
    complaints = {}
    for kind in random.Random(seed).sample(sorted(KINDS), so_many(3, len(KINDS))):
        positions = random.Random(f"{seed} {kind}").sample(range(watched.requests), so_many(2, 3))
        for position in positions:
            result = watched.run({position: KINDS[kind]}, TIMEOUT)
            found = watched.complaints(result)
            figures.tried("swaps and moves, with a fault at each request", 1, found)
            if found:
                complaints[kind, position] = found
    assert complaints == {}
