# SPDX-License-Identifier: GPL-3.0-or-later
"""Two control nodes apply the same estate in parallel: nothing exists twice, and their next runs change nothing."""

from __future__ import annotations

import random
import time
from threading import Barrier, Thread
from typing import Any

import pytest

from amount import seeds
from estate_in_trouble import EstateInTrouble
from figures import Figures

LONGEST_LEAD_SECONDS = 0.05


@pytest.mark.parametrize("seed", seeds(8, 200, "two controllers"))
def test_no_object_exists_twice(trouble: EstateInTrouble, figures: Figures, seed: str) -> None:
    chance = random.Random(seed)
    trouble.start_over()
    results: list[dict[str, Any]] = []
    start = Barrier(2)

    def control_node(lead: float) -> None:
        start.wait(10)
        time.sleep(lead)
        results.append(trouble.apply(trouble.service.base_url, timeout=30.0, concurrency=chance.choice([1, 4])))

    control_nodes = [Thread(target=control_node, args=(chance.random() * LONGEST_LEAD_SECONDS,)) for _each in range(2)]
    for each in control_nodes:
        each.start()
    for each in control_nodes:
        each.join(60)
    found = [complaint for result in results for complaint in trouble.complaints(result)]
    figures.tried("two control nodes at the same time", complaints=found)
    assert len(results) == 2
    assert [result.get("msg") for result in results if result.get("failed")] == []
    assert found == []
