# SPDX-License-Identifier: GPL-3.0-or-later
"""Creations whose outcome is unknown, and that the service carries out late: when it has been looked for so many times,
or long after it was given up. None is resent unless a second one could not be made, and no object exists twice. What
nobody has looked for may have taken effect, whichever write it was.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

import pytest

from amount import seeds
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from figures import Figures
from module_task import Given, Tasks, accepted_writes, applied, apply
from places import EDGE, KEY, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_subscription
from scripted_service import BREAK_OFF, Received, Response, as_json, forwarding, losing, rejecting, scripted_service

NEVER = 10**6


@dataclass
class Lateness:
    """A creation gets this response, and is carried out after so many reads of something (None: never)."""

    response: Response
    looks: int | None


class LateCreations:
    """A service before that at `base_url`, which responds to some creations before it carries them out.

    `late` is asked of each POST, once for each body and path.
    """

    def __init__(self, base_url: str, late: Callable[[Received], Lateness | None]) -> None:
        self._to_the_service = forwarding(base_url)
        self._late = late
        self._lock = Lock()
        self._seen: set[tuple[str, bytes]] = set()
        self._waiting: list[tuple[Received, int]] = []
        self.looks = 0

    def __call__(self, request: Received) -> Response:
        if request.method == "GET":
            with self._lock:
                self.looks += 1
                self._carry_out(self.looks)
        elif request.method == "POST" and (lateness := self._lateness(request)) is not None:
            return lateness.response
        return self._to_the_service(request)

    def settle(self) -> None:
        """Carry out all that is left."""
        with self._lock:
            self._carry_out(2 * NEVER)

    def _lateness(self, request: Received) -> Lateness | None:
        with self._lock:
            one = (request.path, request.body)
            if one in self._seen:
                return None
            self._seen.add(one)
            lateness = self._late(request)
            if lateness is not None and lateness.looks is not None:
                self._waiting.append((request, self.looks + lateness.looks))
            return lateness

    def _carry_out(self, looks: int) -> None:
        due = [request for request, moment in self._waiting if moment <= looks]
        self._waiting = [(request, moment) for request, moment in self._waiting if moment > looks]
        for request in due:
            self._to_the_service(request)


MAY_HAVE_EFFECT = "The request may have taken effect, or may still do so. If you run the task again, it finds out."
MAY_EXIST = "The request may have created the object, or may still do so. Check before you run the task again."

# Each creates one object, whose POST is the first request that writes.
BY_METADATA = {"find_by": "metadata", "metadata": "the one"}
NEW = {"hostports": ["new.example.com:443"]}
NOT_UNIQUE: dict[str, tuple[str, Given]] = {
    "an edge by its metadata": ("https_edge", BY_METADATA),
    "a route": ("https_edge_route", {"edge_id": "edghts_place", **KEY}),
    "a member of a set": ("https_edge_routes", {"edge_id": "edghts_place", "routes": [KEY]}),
    "an object": ("object", {"collection": "ip_policies", "find_by": {"description": "the one"}}),
    "an edge of an estate": ("estate", {"https_edges": [BY_METADATA]}),
}
UNIQUE: dict[str, tuple[str, Given]] = {
    "an edge by its hostports": ("https_edge", NEW),
    "an edge with hostports by its metadata": ("https_edge", {**NEW, **BY_METADATA}),
    "an event source": ("event_source", {"subscription_id": SUBSCRIPTION, "type": "domain_created.v0"}),
}
NOT_LOOKED_UP: dict[str, tuple[str, Given]] = {
    "an edge that is not looked up": ("https_edge", {"find_by": "none"}),
    "an edge with hostports that is not looked up": ("https_edge", {"find_by": "none", **NEW}),
}
CREATIONS = {**NOT_UNIQUE, **UNIQUE, **NOT_LOOKED_UP}
NOT_ENDED = {
    "no answer": BREAK_OFF,
    "408": Response(408),
    "500 of a proxy": Response(500, b"<html>", {"Content-Type": "text/html"}),
    "502": as_json({"msg": "bad gateway"}, 502),
    "503 of a proxy": Response(503, b"upstream connect error or disconnect/reset before headers"),
    "504": as_json({"error_code": "ERR_TIMEOUT", "msg": "timed out"}, 504),
    "a page": Response(200, b"<html>"),
    "nothing": Response(201),
    "204": Response(204),
    "null": as_json(None, 201),
    "no id": as_json({}, 201),
}
ENDED = {"500": as_json({"msg": "broken"}, 500), "503": as_json({"error_code": "ERR_BUSY"}, 503)}
RESPONSES = {**NOT_ENDED, **ENDED}
UNKNOWN = [
    *((name, "no answer") for name in NOT_UNIQUE),
    *(("an edge by its metadata", response) for response in NOT_ENDED if response != "no answer"),
]
AT_SECOND = -1
"""The service carries the creation out when the second one comes."""

# What is created, the response, the look at which the service carries it out, and how often it is sent and looked for.
# The service rejects a second creation of a unique object, and the next look finds the one that may be the task's own.
CASES = [
    *((*one, look, 1, 1 + look) for one in UNKNOWN for look in (1, 3)),
    *((*one, NEVER, 1, 5) for one in UNKNOWN),
    *((name, response, NEVER, 2, 2) for name in NOT_UNIQUE for response in ENDED),
    *((name, response, NEVER, 2, 2) for name in UNIQUE for response in ("no answer", "504")),
    *((name, response, AT_SECOND, 2, 3) for name in UNIQUE for response in ("no answer", "504")),
    *((name, response, NEVER, 1, 0) for name in NOT_LOOKED_UP for response in ("no answer", "502", *ENDED)),
]


def run(module: str, base_url: str, tasks: Tasks, **options: Any) -> Given:
    """The result of a task that does not really wait."""
    connection = {"base_url": base_url, "api_key": tasks.service.api_key, "retries": 4, "timeout": 20.0}
    return applied(module, {**connection, **options}, progress=Progress(sleep=lambda seconds: None))


def names(tasks: Tasks) -> Counter[str]:
    """How often each object exists, by what distinguishes it from the others."""
    state = tasks.service.state()
    found = Counter(json.dumps(one) for collection in state["objects"].values() for one in collection)
    for edge in state["https_edges"]:
        name = json.dumps([edge.get("metadata"), edge.get("hostports", [])])
        found.update([name, *(f"{name} {route['match']}" for route in edge["routes"])])
    for subscription in state["event_subscriptions"]:
        found.update(subscription["sources"])
    return found


@pytest.mark.parametrize(("name", "response", "look", "posts", "looks"), CASES)
def test_a_creation_is_sent_again_only_if_it_cannot_be_carried_out_twice(
    tasks: Tasks, name: str, response: str, look: int, posts: int, looks: int
) -> None:
    """Until then, the task looks for the object, which counts as its own once it is there."""
    seed_edge(tasks)
    seed_subscription(tasks)
    before = names(tasks).total()
    module, options = CREATIONS[name]
    lateness = iter([Lateness(RESPONSES[response], NEVER if look == AT_SECOND else look)])
    late = LateCreations(tasks.service.base_url, lambda _request: next(lateness, None))

    def script(request: Received) -> Response:
        if look == AT_SECOND and request.method == "POST" and between.writes()[:-1]:
            late.settle()
        return late(request)

    with scripted_service(script) as between:
        result = run(module, between.base_url, tasks, **options)
        assert [write.split()[0] for write in between.writes()] == ["POST"] * posts
    is_lost = look == NEVER and posts == 1
    assert (late.looks, names(tasks).total() - before) == (looks, 0 if is_lost else 1)
    if not is_lost:
        assert not result.get("failed"), result["msg"]
        assert (result["changed"], [one["method"] for one in result["operations"]]) == (True, ["POST"])
        return
    assert (result["failed"], result["retries"]) == (True, max(looks - 1, 0))
    assert len(re.findall(rf"[.?] {re.escape(MAY_EXIST)}", result["msg"])) == 1
    assert "try again" not in result["msg"]
    assert all(MAY_EXIST in failure["msg"] for failure in result.get("failures", ()))


EDGE_AS_IT_WAS: Given = {"description": "old", "hostports": ["old.example.com:443"]}
WRITES: dict[str, tuple[str, Given]] = {
    "POST": ("https_edge", {"hostports": ["new.example.com:443"]}),
    "PATCH": ("https_edge", {"id": EDGE, "description": "new"}),
    "DELETE": ("https_edge", {"id": EDGE, "state": "absent"}),
    "PUT": ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, "ip_policy_ids": ["ipp_one"]}),
}


@pytest.mark.parametrize("response", [BREAK_OFF, as_json({}, 500)], ids=["no response", "500"])
@pytest.mark.parametrize("method", WRITES)
def test_what_nobody_has_looked_for_may_have_taken_effect(tasks: Tasks, method: str, response: Response) -> None:
    """Looking comes after the wait before a retry, of which there is none here."""
    tasks.service.seed(https_edges=[{"id": EDGE, **EDGE_AS_IT_WAS}], tls_edges=[{"id": TLS_EDGE}])
    module, options = WRITES[method]
    result = tasks.failed(module, instead=losing(tasks.service.base_url, method, response), **options, retries=0)
    assert result["msg"].endswith(f" {MAY_HAVE_EFFECT}")
    assert len(accepted_writes(result)) == 1
    assert not tasks.done(module, **options)["changed"]


@pytest.mark.parametrize("method", ["DELETE", "PUT"])
def test_what_somebody_has_looked_for_has_not(tasks: Tasks, method: str) -> None:
    tasks.service.seed(https_edges=[{"id": EDGE, **EDGE_AS_IT_WAS}], tls_edges=[{"id": TLS_EDGE}])
    module, options = WRITES[method]
    result = tasks.failed(module, instead=rejecting(method, "", as_json({}, 500)), **options, retries=1)
    assert (MAY_HAVE_EFFECT in result["msg"], accepted_writes(result)) == (False, [])


@pytest.mark.parametrize("retry", [Response(403), Response(400), Response(405)], ids=lambda one: str(one.status))
@pytest.mark.parametrize("method", ["DELETE", "PUT"])
def test_what_was_lost_before_is_not_forgotten(tasks: Tasks, method: str, retry: Response) -> None:
    tasks.service.seed(https_edges=[{"id": EDGE, **EDGE_AS_IT_WAS}], tls_edges=[{"id": TLS_EDGE}])
    module, options = WRITES[method]
    lost, tries = losing(tasks.service.base_url, method), iter([True])
    rejected = rejecting(method, "", retry)

    def instead(request: Received) -> Response | None:
        is_first = request.method == method and next(tries, False)
        return (lost if is_first else rejected)(request)

    result = tasks.run(module, instead=instead, **options, retries=1)
    assert (MAY_HAVE_EFFECT in result["msg"]) if result.get("failed") else result["changed"]


def test_a_rejected_deletion_is_not_unknown_if_reading_fails(tasks: Tasks) -> None:
    """Reading has no effect, and a deletion that the service does not support has none."""
    tasks.service.seed(https_edges=[{"id": EDGE, **EDGE_AS_IT_WAS}])
    looks = iter([None])

    def instead(request: Received) -> Response | None:
        if request.method == "DELETE":
            return Response(405)
        return next(looks, as_json({}, 500))

    result = tasks.failed("https_edge", instead=instead, id=EDGE, state="absent", retries=0)
    assert "GET /edges/https" in result["msg"]
    assert MAY_HAVE_EFFECT not in result["msg"]


LATE_RESPONSES = (
    BREAK_OFF,
    Response(502),
    Response(504),
    Response(503, b"<html>"),
    Response(201),
    as_json({"msg": "late"}, 504),
)
REJECTED = as_json({"error_code": "ERR_BUSY", "msg": "busy"}, 503)
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
            return Lateness(REJECTED, None)
        return Lateness(chance.choice(LATE_RESPONSES), chance.choice([1, 2, 3, 5, NEVER]))

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
