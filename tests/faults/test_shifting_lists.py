# SPDX-License-Identifier: GPL-3.0-or-later
"""Estates with purges whose lists move while they are read: what a page repeats is one object, and what none of them
shows is not purged, not created a second time, and made good by the next run.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from amount import seeds
from figures import Figures
from module_task import Tasks
from one_run import apply, left_to_do
from scripted_service import scripted_service
from shifting_lists import ShiftingLists

SUBSCRIPTION = "esb_shifting"
EVENTS = ["ip_policy_created.v0", "ip_policy_updated.v0", "domain_created.v0", "domain_updated.v0", "domain_deleted.v0"]
ROUTE = {"match_type": "path_prefix", "match": "/"}


def _edge(name: str) -> dict[str, Any]:
    return {"hostports": [f"{name}.example.com:443"], "routes": [ROUTE]}


@pytest.mark.parametrize("seed", seeds(12, 400, "shifting lists"))
def test_a_list_that_shifts(tasks: Tasks, figures: Figures, seed: str) -> None:
    chance = random.Random(seed)
    names = [f"{name}{number}" for number in range(4) for name in ("kept", "gone")]
    chance.shuffle(names)
    tasks.service.seed(
        https_edges=[{"id": f"edghts_{name}", **_edge(name)} for name in names],
        event_subscriptions=[{"id": SUBSCRIPTION, "sources": chance.sample(EVENTS, 4)}],
    )
    wanted = sorted({*(name for name in names if name.startswith("kept")), "new"})
    sources = chance.sample(EVENTS, 2)
    declared = {
        "https_edges": [{**_edge(name), "description": chance.choice(["", "changed"])} for name in wanted],
        "event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": sources}],
        "purge": ["edges", "routes", "modules", "sources"],
        "max_deletions": 100,
    }
    added: list[str] = []

    def meanwhile() -> None:
        if chance.random() < 0.3:
            added.append(f"added{len(added)}")
            tasks.service.seed(https_edges=[{"id": f"edghts_{added[-1]}", **_edge(added[-1])}])

    script = ShiftingLists(tasks, chance, meanwhile)
    held = set(tasks.service.state()["event_subscriptions"][0]["sources"])
    with scripted_service(script) as between:
        result = apply(declared, between.base_url, concurrency=chance.choice([1, 4]), retries=chance.choice([0, 2]))
    complaints = [f"deleted twice: {path}" for path, number in Counter(script.deleted).items() if number > 1]
    state = tasks.service.state()
    left = {edge["id"] for edge in state["https_edges"]}
    complaints += [f"{name} was deleted" for name in wanted if name != "new" and f"edghts_{name}" not in left]
    complaints += _twice(state)
    if held & set(sources) - set(state["event_subscriptions"][0]["sources"]):
        complaints.append("a declared source was deleted")
    if result.get("failed") and not script.missed:
        complaints.append(result["msg"])
    complaints += left_to_do(declared, tasks.service.base_url)
    state = tasks.service.state()
    if sorted(edge["hostports"][0].split(".")[0] for edge in state["https_edges"]) != wanted:
        complaints.append(f"in the end, there is {state['https_edges']}")
    complaints += _twice(state)
    figures.tried("lists that change while their pages are read", script.shifts, complaints)
    assert complaints == []


def _twice(state: dict[str, Any]) -> list[str]:
    return [f"{edge['id']} has a route twice" for edge in state["https_edges"] if len(edge["routes"]) > 1]
