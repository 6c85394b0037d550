# SPDX-License-Identifier: GPL-3.0-or-later
"""Creations whose outcome is unknown: none is resent unless a second one could not be made.

The services here carry such a creation out late: when it has been looked for so many times, or after some seconds.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from late_creations import NEVER, LateCreations, Lateness
from module_task import Given, Tasks, applied
from places import HOSTPORT, KEY, SUBSCRIPTION, seed_edge, seed_subscription
from scripted_service import BREAK_OFF, Received, Response, as_json, forwarding, scripted_service

MAY_EXIST = "The request may have created the object, or may still do so. Check before you run the task again."

# Each creates one object, whose POST is the first request that writes.
BY_METADATA = {"find_by": "metadata", "metadata": "the one"}
NOT_UNIQUE: dict[str, tuple[str, Given]] = {
    "an edge by its metadata": ("https_edge", BY_METADATA),
    "a route": ("https_edge_route", {"edge_id": "edghts_place", **KEY}),
    "a member of a set": ("https_edge_routes", {"edge_id": "edghts_place", "routes": [KEY]}),
    "an object": ("object", {"collection": "ip_policies", "find_by": {"description": "the one"}}),
    "an edge of an estate": ("estate", {"https_edges": [BY_METADATA]}),
}
NEW = {"hostports": ["new.example.com:443"]}
UNIQUE: dict[str, tuple[str, Given]] = {
    "an edge by its hostports": ("https_edge", NEW),
    "an edge with hostports by its metadata": ("https_edge", {**NEW, **BY_METADATA}),
    "an event source": ("event_source", {"subscription_id": SUBSCRIPTION, "type": "domain_created.v0"}),
}
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
CASES = [
    *((name, "no answer") for name in NOT_UNIQUE),
    *(("an edge by its metadata", response) for response in NOT_ENDED if response != "no answer"),
]
ENDED = [as_json({"msg": "broken"}, 500), as_json({"error_code": "ERR_BUSY"}, 503)]


def late_once(tasks: Tasks, response: Response, looks: int) -> LateCreations:
    """The reference service, but it carries out the first POST only at a later look, after its response."""
    lateness = iter([Lateness(response, looks)])
    return LateCreations(tasks.service.base_url, lambda request: next(lateness, None))


def run(module: str, base_url: str, tasks: Tasks, **options: Any) -> Given:
    """The result of a task that does not really wait."""
    connection = {"base_url": base_url, "api_key": tasks.service.api_key, "retries": 4, "timeout": 20.0}
    return applied(module, {**connection, **options}, progress=Progress(sleep=lambda seconds: None))


def held(tasks: Tasks) -> int:
    """How many objects there are but those that were there before."""
    state = tasks.service.state()
    edges = state["https_edges"]
    sources = [source for subscription in state["event_subscriptions"] for source in subscription["sources"]]
    objects = [one for collection in state["objects"].values() for one in collection]
    return len(objects) + len(edges) - 1 + sum(len(edge["routes"]) for edge in edges) + len(sources)


def prepare(tasks: Tasks) -> None:
    seed_edge(tasks)
    seed_subscription(tasks)


@pytest.mark.parametrize(("name", "response"), CASES)
@pytest.mark.parametrize("look", [1, 3])
def test_a_task_waits_for_an_object_that_is_created_late(tasks: Tasks, name: str, response: str, look: int) -> None:
    prepare(tasks)
    module, options = NOT_UNIQUE[name]
    late = late_once(tasks, NOT_ENDED[response], look)
    with scripted_service(late) as between:
        result = run(module, between.base_url, tasks, **options)
        assert [write.split()[0] for write in between.writes()] == ["POST"]
    assert not result.get("failed"), result["msg"]
    assert (result["changed"], [one["method"] for one in result["operations"]]) == (True, ["POST"])
    assert (late.looks, held(tasks)) == (1 + look, 1)


@pytest.mark.parametrize(("name", "response"), CASES)
def test_a_creation_that_never_appears_is_not_repeated(tasks: Tasks, name: str, response: str) -> None:
    prepare(tasks)
    module, options = NOT_UNIQUE[name]
    late = late_once(tasks, NOT_ENDED[response], NEVER)
    with scripted_service(late) as between:
        result = run(module, between.base_url, tasks, **options)
        assert [write.split()[0] for write in between.writes()] == ["POST"]
    assert result["failed"]
    assert len(re.findall(rf"[.?] {re.escape(MAY_EXIST)}", result["msg"])) == 1
    assert "try again" not in result["msg"]
    assert (late.looks, result["retries"], held(tasks)) == (5, 4, 0)
    assert all(MAY_EXIST in failure["msg"] for failure in result.get("failures", ()))


@pytest.mark.parametrize("name", NOT_UNIQUE)
@pytest.mark.parametrize("response", ENDED, ids=str)
def test_a_creation_that_the_service_has_ended_is_resent(tasks: Tasks, name: str, response: Response) -> None:
    prepare(tasks)
    module, options = NOT_UNIQUE[name]
    late = late_once(tasks, response, NEVER)
    with scripted_service(late) as between:
        result = run(module, between.base_url, tasks, **options)
        assert len(between.writes()) == 2
    assert not result.get("failed"), result["msg"]
    assert (len(result["operations"]), late.looks, held(tasks)) == (1, 2, 1)


@pytest.mark.parametrize("name", UNIQUE)
@pytest.mark.parametrize("response", [BREAK_OFF, Response(504)], ids=str)
@pytest.mark.parametrize("is_carried_out", [False, True], ids=["never", "late"])
def test_a_creation_of_a_unique_object_is_resent(
    tasks: Tasks, name: str, response: Response, is_carried_out: bool
) -> None:
    """If it comes before the second one, it rejects that, and the second look finds it. It may be the task's own, so it
    counts as a change.
    """
    prepare(tasks)
    module, options = UNIQUE[name]
    late = late_once(tasks, response, NEVER)

    def script(request: Received) -> Response:
        if is_carried_out and request.method == "POST" and between.writes()[:-1]:
            late.settle()
        return late(request)

    with scripted_service(script) as between:
        result = run(module, between.base_url, tasks, **options)
        assert len(between.writes()) == 2
    assert not result.get("failed"), result["msg"]
    assert (result["changed"], len(result["operations"]), held(tasks)) == (True, 1, 1)


def test_a_source_of_a_new_subscription_is_resent(tasks: Tasks) -> None:
    forwarded = forwarding(tasks.service.base_url)
    lost = iter([BREAK_OFF])

    def loses_the_first_source(request: Received) -> Response:
        is_source = request.method == "POST" and request.path.endswith("/sources")
        return next(lost, None) or forwarded(request) if is_source else forwarded(request)

    declared = {
        "objects": [{"name": "hook", "collection": "event_subscriptions", "find_by": {"description": "hook"}}],
        "event_subscriptions": [{"subscription_id": "ref:hook", "sources": ["domain_created.v0"]}],
    }
    with scripted_service(loses_the_first_source) as between:
        result = run("estate", between.base_url, tasks, **declared)
    assert not result.get("failed"), result["msg"]
    [subscription] = tasks.service.state()["event_subscriptions"]
    assert list(subscription["sources"]) == ["domain_created.v0"]


@pytest.mark.parametrize("hostports", [[], [HOSTPORT]], ids=["without hostports", "with hostports"])
@pytest.mark.parametrize("response", [BREAK_OFF, Response(502), *ENDED], ids=str)
def test_a_creation_that_cannot_be_found_is_reported(tasks: Tasks, response: Response, hostports: list[str]) -> None:
    late = late_once(tasks, response, NEVER)
    with scripted_service(late) as between:
        result = run("https_edge", between.base_url, tasks, find_by="none", hostports=hostports)
        assert len(between.received) == 1
    assert result["failed"]
    assert len(re.findall(rf"[.?] {re.escape(MAY_EXIST)}", result["msg"])) == 1
    assert "try again" not in result["msg"]
    assert result["retries"] == 0


@pytest.mark.parametrize(("retries", "posts"), [(0, 1), (1, 2), (3, 4)])
def test_so_many_tries_have_writes_whose_outcome_stays_unknown(tasks: Tasks, retries: int, posts: int) -> None:
    """A creation that is unique, and a change."""
    seed_edge(tasks)
    to_the_service = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        return to_the_service(request) if request.method == "GET" else BREAK_OFF

    for options in ({"hostports": ["new.example.com:443"]}, {"hostports": [HOSTPORT], "description": "new"}):
        with scripted_service(script) as between:
            result = run("https_edge", between.base_url, tasks, retries=retries, **options)
            assert len(between.writes()) == posts
            assert len(between.received) == posts + 1 + retries
        assert (result["failed"], result["retries"], result["error"]["retries"]) == (True, retries, retries)
