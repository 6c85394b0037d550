# SPDX-License-Identifier: GPL-3.0-or-later
"""Estates with purges, next to declared objects that are rejected, or from lists that move while they are read: nothing
is purged that a rejected object may replace, what a page repeats is one object, and what no page shows is not purged
and not created a second time. When all is well again, the next run makes up for it.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from amount import seeds
from figures import Figures
from module_task import WRITES, Given, Tasks, apply, left_to_do
from scripted_service import Received, Response, Script, as_json, forwarding, scripted_service

REJECTIONS = (400, 402, 403, 409, 422)
PAGE = 2
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


class Purging:
    """One run on a drawn account, with a script before the service, and what is wrong afterwards."""

    def __init__(self, tasks: Tasks, chance: random.Random) -> None:
        self.tasks, self.chance = tasks, chance
        there, self.declared = world(chance)
        tasks.service.switches(sources_uri="null")
        tasks.service.seed(**there)
        self.before = tasks.service.state()

    def run(self, script: Script) -> Given:
        options = {"concurrency": self.chance.choice([1, 4]), "retries": self.chance.choice([0, 3])}
        with scripted_service(script) as between:
            return apply(self.declared, between.base_url, **options)

    def complaints_of_the_next_run(self) -> list[str]:
        found = left_to_do(self.declared, self.tasks.service.base_url)
        return [*found, *_not_as_declared(self.declared, self.tasks.service.state())]


@pytest.mark.parametrize("seed", seeds(12, 400, "refused replacements"))
def test_nothing_is_purged_next_to_a_rejected_change(tasks: Tasks, figures: Figures, seed: str) -> None:
    chance = random.Random(seed)
    this = Purging(tasks, chance)
    often = chance.choice([0.2, 0.5, 1.0])
    to_the_service = forwarding(tasks.service.base_url)
    rejected: list[Received] = []

    def rejecting(request: Received) -> Response:
        if request.method not in WRITES or request.method == "DELETE" or chance.random() > often:
            return to_the_service(request)
        rejected.append(request)
        return Response(chance.choice(REJECTIONS))

    result = this.run(rejecting)
    after = tasks.service.state()
    complaints = sorted(_purged(this.declared, this.before, after, [one.path for one in rejected]))
    if bool(result.get("failed")) != bool(rejected):
        complaints.append("a rejection is reported as a success" if rejected else result["msg"])
    complaints += this.complaints_of_the_next_run()
    figures.tried("rejected replacements", len(rejected), complaints)
    assert complaints == []


def _purged(declared: Mapping[str, Any], before: Any, after: Any, paths: Sequence[str] = ()) -> Iterator[str]:
    """Declared objects are not deleted, and exist once. If the service rejects something at one of the paths,
    undeclared objects of the same parent are not purged.
    """
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
            if len({route["match"] for route in kept[edge["id"]]["routes"]}) < len(left):
                yield f"{edge['id']} has a route twice"
    if any(path.startswith("/edges/tls") for path in paths) and "ip_restriction" not in after["tls_edges"][0]:
        yield "the module of a TLS edge was purged"
    held, left = (set(state["event_subscriptions"][0]["sources"]) for state in (before, after))
    if not any(path.startswith("/event_subscriptions") for path in paths):
        held &= set(declared["event_subscriptions"][0]["sources"])
    if held - left:
        yield "a source was purged"


def _not_as_declared(declared: Mapping[str, Any], state: Any) -> Iterator[str]:
    wanted, held = (
        {edge["hostports"][0]: sorted(route["match"] for route in edge["routes"]) for edge in edges}
        for edges in (declared["https_edges"], state["https_edges"])
    )
    if held != wanted or len(state["https_edges"]) != len(held):
        yield f"in the end, there is {held} instead of {wanted}"


@dataclass
class ShiftingLists:
    """The script before a service, which cuts the pages of its lists by offsets.

    `meanwhile` is called before each page but the first of a list, and may change the listed objects.
    """

    to_the_service: Script
    chance: random.Random
    meanwhile: Callable[[], None]
    shifts: int = 0
    missed: int = 0
    deleted: list[str] = field(default_factory=list)

    def __call__(self, request: Received) -> Response:
        path = request.path.partition("?")[0]
        for end, key, link in (("/edges/https", "https_edges", "next_page_uri"), ("/sources", "sources", "uri")):
            if request.method == "GET" and path.endswith(end):
                return self._page(request, key, link)
        if request.method == "DELETE":
            self.deleted.append(path)
        return self.to_the_service(request)

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
        members = json.loads(self.to_the_service(replace(request, path=path)).body)[key]
        following = offset + PAGE
        more = f"{path}?offset={following}" if following < len(members) else None
        return as_json({key: members[offset:following], link: more})


@pytest.mark.parametrize("seed", seeds(12, 400, "shifting lists"))
def test_a_list_that_shifts(tasks: Tasks, figures: Figures, seed: str) -> None:
    chance = random.Random(seed)
    this = Purging(tasks, chance)
    added: list[str] = []

    def meanwhile() -> None:
        if chance.random() < 0.3:
            added.append(f"added{len(added)}")
            edge = {"id": f"edghts_{added[-1]}", "hostports": [f"{added[-1]}.example.com:443"], "routes": []}
            tasks.service.seed(https_edges=[edge])

    script = ShiftingLists(forwarding(tasks.service.base_url), chance, meanwhile)
    result = this.run(script)
    after = tasks.service.state()
    complaints = [f"deleted twice: {path}" for path, number in Counter(script.deleted).items() if number > 1]
    complaints += _purged(this.declared, this.before, after)
    if result.get("failed") and not script.missed:
        complaints.append(result["msg"])
    complaints += this.complaints_of_the_next_run()
    figures.tried("lists that change while their pages are read", script.shifts, complaints)
    assert complaints == []
