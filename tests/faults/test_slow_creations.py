# SPDX-License-Identifier: GPL-3.0-or-later
"""Creations that are carried out long after their responses, or after they were given up: no object exists twice."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from amount import seeds
from figures import Figures
from late_creations import NEVER, LateCreations, Lateness
from module_task import Given, Tasks
from one_run import apply
from places import SUBSCRIPTION, seed_subscription
from scripted_service import BREAK_OFF, Received, Response, as_json, scripted_service

RESPONSES = (
    BREAK_OFF,
    Response(502),
    Response(504),
    Response(503, b"<html>"),
    Response(201),
    as_json({"msg": "late"}, 504),
)
ENDED = as_json({"error_code": "ERR_BUSY", "msg": "busy"}, 503)
ROUTES = [{"match_type": "exact_path", "match": f"/{number}"} for number in range(2)]
ESTATE: Given = {
    "https_edges": [
        *({"find_by": "metadata", "metadata": f"edge {number}", "routes": ROUTES} for number in range(3)),
        {"hostports": ["slow.example.com:443"], "routes": ROUTES},
    ],
    "event_subscriptions": [
        {"subscription_id": SUBSCRIPTION, "sources": ["domain_created.v0", "ip_policy_created.v0"]}
    ],
}


def names(tasks: Tasks) -> Counter[str]:
    """How often each object exists, by what distinguishes it from the others."""
    state = tasks.service.state()
    found: Counter[str] = Counter()
    for edge in state["https_edges"]:
        name = json.dumps([edge.get("metadata"), edge.get("hostports", [])])
        found.update([name, *(f"{name} {route['match']}" for route in edge["routes"])])
    for subscription in state["event_subscriptions"]:
        found.update(subscription["sources"])
    return found


@pytest.mark.parametrize("seed", seeds(8, 300, "slow creations"))
def test_a_slow_creation_makes_no_duplicate(tasks: Tasks, figures: Figures, seed: str) -> None:
    seed_subscription(tasks)
    chance = random.Random(seed)
    often = chance.choice([0.2, 0.5, 1.0])
    given_up = []

    def late(request: Received) -> Lateness | None:
        if chance.random() > often:
            return None
        given_up.append(request)
        if chance.random() < 0.2:
            return Lateness(ENDED, None)
        return Lateness(chance.choice(RESPONSES), chance.choice([1, 2, 3, 5, NEVER]))

    script = LateCreations(tasks.service.base_url, late)
    with scripted_service(script) as between:
        result = apply(ESTATE, between.base_url, retries=chance.choice([0, 2, 5]), concurrency=chance.choice([1, 4]))
        script.settle()
    twice = {name: number for name, number in names(tasks).items() if number > 1}
    complaints = [f"there {number} times: {name}" for name, number in twice.items()]
    if not result.get("failed"):
        complaints += [f"lost: {name}" for name in _expected() - names(tasks)]
    again = apply(ESTATE, tasks.service.base_url)
    if again.get("failed"):
        complaints.append(f"the next run failed: {again['msg']}")
    if names(tasks) != _expected():
        complaints.append(f"after the next run, there is {names(tasks)}")
    figures.tried("slow creations", len(given_up), complaints)
    assert complaints == []


def _expected() -> Counter[str]:
    edges = [json.dumps([f"edge {number}", []]) for number in range(3)]
    edges.append(json.dumps([None, ["slow.example.com:443"]]))
    routes = [f"{edge} {route['match']}" for edge in edges for route in ROUTES]
    return Counter([*edges, *routes, *ESTATE["event_subscriptions"][0]["sources"]])
