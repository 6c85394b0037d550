# SPDX-License-Identifier: GPL-3.0-or-later
"""Many faults in one run, several objects at a time: drawn from seeds, which a failure names."""

from __future__ import annotations

import random

import pytest

from amount import seeds
from estate_in_trouble import EstateInTrouble
from fault_kinds import KINDS, SLOW
from figures import Figures


@pytest.mark.parametrize("seed", seeds(12, 1000, "many faults"))
def test_faults_lose_nothing(trouble: EstateInTrouble, figures: Figures, seed: str) -> None:
    chance = random.Random(seed)
    kinds = [kind for kind in KINDS if kind not in SLOW or chance.random() < 0.1]
    often = chance.choice([0.05, 0.2, 0.5])
    faults = {number: KINDS[chance.choice(kinds)] for number in range(4 * trouble.requests) if chance.random() < often}
    result = trouble.run(faults, concurrency=chance.choice([1, 4]), retries=chance.choice([0, 2, 5]))
    injected = len(trouble.proxy.injected)
    found = trouble.complaints(result)
    figures.tried("many faults in one run", injected, found)
    assert found == []
