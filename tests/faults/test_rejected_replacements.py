# SPDX-License-Identifier: GPL-3.0-or-later
"""Some declared objects are rejected, next to objects to be purged: nothing is purged that they may replace. When
everything is accepted, the next run makes up for it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from amount import seeds
from figures import Figures
from module_task import WRITES, Given, Tasks
from one_run import apply, left_to_do
from scripted_service import Received, Response, forwarding, scripted_service

REJECTIONS = (400, 402, 403, 409, 422)
TLS_EDGE, SUBSCRIPTION = "edgtls_one", "esb_one"
EVENTS = ["ip_policy_created.v0", "ip_policy_updated.v0", "domain_created.v0", "domain_updated.v0"]
PURGE = ["edges", "routes", "modules", "sources"]
RESTRICTION = {"ip_policy_ids": ["ipp_one"]}


def world(chance: random.Random) -> tuple[Given, Given]:
    """What is there, and what is declared; the one has parts that the other does not have."""

    def routes(prefix: str) -> list[Given]:
        return [{"match_type": "path_prefix", "match": f"/{prefix}{one}"} for one in range(3) if chance.random() < 0.7]

    edges, declared = [], []
    for name in "abcde":
        edge = {"hostports": [f"{name}.example.com:443"]}
        is_there, is_declared = chance.choice([(True, True), (True, True), (True, False), (False, True)])
        same = routes("same")
        if is_there:
            edges.append({"id": f"edghts_{name}", **edge, "routes": [*same, *routes("old")]})
        if is_declared:
            text = {"description": "changed"} if chance.random() < 0.5 else {}
            changed = [{**one, "description": "changed"} for one in same if chance.random() < 0.5]
            kept = [one for one in same if one["match"] not in {other["match"] for other in changed}]
            all_of_it = [*changed, *kept, *routes("new")]
            declared.append({**edge, **text, "routes": chance.sample(all_of_it, len(all_of_it))})
    seed = {
        "https_edges": edges,
        "tls_edges": [{"id": TLS_EDGE, "ip_restriction": RESTRICTION}],
        "event_subscriptions": [{"id": SUBSCRIPTION, "sources": EVENTS[:2]}],
    }
    options = {
        "https_edges": declared,
        "tls_edges": [{"edge_id": TLS_EDGE, "tls_termination": {"min_version": "1.3"}}],
        "event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": chance.sample(EVENTS, 2)}],
        "purge": PURGE,
        "max_deletions": 100,
        "allow_empty": True,
    }
    return seed, options


@pytest.mark.parametrize("seed", seeds(12, 400, "refused replacements"))
def test_nothing_is_purged_next_to_a_rejected_change(tasks: Tasks, figures: Figures, seed: str) -> None:
    chance = random.Random(seed)
    there, declared = world(chance)
    tasks.service.switches(sources_uri="null")
    tasks.service.seed(**there)
    before = tasks.service.state()
    often = chance.choice([0.2, 0.5, 1.0])
    to_the_service = forwarding(tasks.service.base_url)
    rejected: list[Received] = []

    def rejecting(request: Received) -> Response:
        if request.method not in WRITES or request.method == "DELETE" or chance.random() > often:
            return to_the_service(request)
        rejected.append(request)
        return Response(chance.choice(REJECTIONS))

    with scripted_service(rejecting) as between:
        concurrency = chance.choice([1, 4])
        result = apply(declared, between.base_url, concurrency=concurrency, retries=chance.choice([0, 3]))
    after = tasks.service.state()
    complaints = sorted(_purged_next_to(declared, before, after, {one.path for one in rejected}))
    if bool(result.get("failed")) != bool(rejected):
        complaints.append("a rejection is reported as a success" if rejected else result["msg"])
    complaints += left_to_do(declared, tasks.service.base_url)
    complaints += _not_as_declared(declared, tasks.service.state())
    figures.tried("rejected replacements", len(rejected), complaints)
    assert complaints == []


def _purged_next_to(declared: Mapping[str, Any], before: Any, after: Any, paths: set[str]) -> Iterator[str]:
    """If a declared object is rejected, undeclared objects of the same parent are not purged."""
    kept = {edge["id"]: edge for edge in after["https_edges"]}
    hostports = {edge["hostports"][0]: edge["routes"] for edge in declared["https_edges"]}
    is_spared = any(path.startswith("/edges/https") for path in paths)
    for edge in before["https_edges"]:
        routes = {route["id"] for route in edge["routes"]}
        wanted = hostports.get(edge["hostports"][0])
        if wanted is None:
            if is_spared and kept.get(edge["id"]) != edge:
                yield f"{edge['id']} was purged"
        elif edge["id"] not in kept:
            yield f"{edge['id']} is lost"
        else:
            is_one_of = any(path.startswith(f"/edges/https/{edge['id']}/routes") for path in paths)
            left = {route["id"] for route in kept[edge["id"]]["routes"]}
            matches = {route["match"] for route in wanted}
            lost = {route["id"] for route in edge["routes"] if route["match"] in matches} if not is_one_of else routes
            if lost - left:
                yield f"{edge['id']}: {lost - left} were purged"
    if any(path.startswith("/edges/tls") for path in paths) and "ip_restriction" not in after["tls_edges"][0]:
        yield "the module of a TLS edge was purged"
    sources = [set(state["event_subscriptions"][0]["sources"]) for state in (before, after)]
    if any(path.startswith("/event_subscriptions") for path in paths) and not sources[0] <= sources[1]:
        yield "a source was purged"


def _not_as_declared(declared: Mapping[str, Any], state: Any) -> Iterator[str]:
    wanted, held = (
        {edge["hostports"][0]: sorted(route["match"] for route in edge["routes"]) for edge in edges}
        for edges in (declared["https_edges"], state["https_edges"])
    )
    if held != wanted or len(state["https_edges"]) != len(held):
        yield f"in the end, there is {held} instead of {wanted}"
