# SPDX-License-Identifier: GPL-3.0-or-later
"""Estates with purges whose lists move while they are read: what a page repeats is one object, and what none of them
shows is not purged, not created a second time, and made good by the next run.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from amount import seeds
from figures import Figures
from module_task import Given, Tasks
from one_run import apply, left_to_do
from scripted_service import Received, Response, as_json, forwarding, scripted_service

SUBSCRIPTION = "esb_shifting"
EVENTS = ["ip_policy_created.v0", "ip_policy_updated.v0", "domain_created.v0", "domain_updated.v0", "domain_deleted.v0"]
ROUTE = {"match_type": "path_prefix", "match": "/"}
PAGE = 2


@dataclass
class ShiftingLists:
    """The script of a service before that of the tasks, which cuts the pages of its lists by offsets.

    `meanwhile` is called before each page but the first of a list, and may change the listed objects.
    """

    tasks: Tasks
    chance: random.Random
    meanwhile: Callable[[], None]
    shifts: int = 0
    missed: int = 0
    deleted: list[str] = field(default_factory=list)
    _to_the_service: Any = None

    def __post_init__(self) -> None:
        self._to_the_service = forwarding(self.tasks.service.base_url)

    def __call__(self, request: Received) -> Response:
        path = request.path.partition("?")[0]
        for end, key, link in (("/edges/https", "https_edges", "next_page_uri"), ("/sources", "sources", "uri")):
            if request.method == "GET" and path.endswith(end):
                return self._page(request, key, link)
        if request.method == "DELETE":
            self.deleted.append(path)
        response: Response = self._to_the_service(request)
        return response

    def _page(self, request: Received, key: str, link: str) -> Response:
        path, _mark, query = request.path.partition("?")
        offset = int(query.partition("offset=")[2] or 0)
        if offset:
            self.meanwhile()
            # What was added or deleted before this page moves its members to the one before or after.
            shift = self.chance.choice([-1, -1, 0, 0, 1])
            self.shifts += bool(shift)
            self.missed += shift > 0
            offset = max(0, offset + shift)
        members = json.loads(self._to_the_service(replace(request, path=path)).body)[key]
        following = offset + PAGE
        more = f"{path}?offset={following}" if following < len(members) else None
        return as_json({key: members[offset:following], link: more})


def _edge(name: str) -> Given:
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


def _twice(state: Given) -> list[str]:
    return [f"{edge['id']} has a route twice" for edge in state["https_edges"] if len(edge["routes"]) > 1]
