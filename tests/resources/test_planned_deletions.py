# SPDX-License-Identifier: GPL-3.0-or-later
"""Deletions before they are made: what is deleted with it is shown and counted, and a cap stops a plan as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Given, Tasks, writes
from places import EDGE, FILLED_EDGE, HOSTPORT, KEY, ROUTE, SUBSCRIPTION, seed_edge, seed_subscription

ADMIN = {"match_type": "path_prefix", "match": "/admin"}
SOURCES = ["domain_created.v0", "domain_deleted.v0", "domain_updated.v0"]
GONE = {"state": "absent", "hostports": [HOSTPORT]}
SECRET, MASK = "canary-of-the-webhook", "********"


def guarded(secret: str, **more: Any) -> Given:
    """A route with secrets, as it is seeded, or with more in it as it is shown."""
    actions = [{"type": "custom", "config": {"password": secret}}]
    policy = {**more, "inbound": [{"name": "", "expressions": [], "actions": actions}]}
    return {**KEY, "webhook_verification": {**more, "provider": "github", "secret": secret}, "policy": policy}


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    """Tasks on a service with an edge of two routes, and a subscription of three sources."""
    seed_edge(tasks, routes=[{"id": ROUTE, **guarded(SECRET)}, ADMIN])
    seed_subscription(tasks, *SOURCES)
    return tasks


PURGE_OF_EDGES = {"https_edges": [], "purge": ["edges"], "allow_empty": True}

DELETED_EDGES: list[tuple[str, Given, str]] = [
    ("https_edge", GONE, "state is absent; its 2 routes are deleted with it"),
    ("https_edge", {"state": "absent", "id": EDGE}, "state is absent; its 2 routes are deleted with it"),
    ("estate", PURGE_OF_EDGES, "not declared; purged; its 2 routes are deleted with it"),
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("module", "options", "reason"), DELETED_EDGES)
def test_the_routes_of_a_deleted_edge_are_shown(
    there: Tasks, module: str, options: Given, reason: str, check: bool
) -> None:
    result = there.done(module, check, **options)
    assert result["operations"] == [{"method": "DELETE", "path": f"/edges/https/{EDGE}", "reason": reason}]
    [diff] = result["diff"] if isinstance(result["diff"], list) else [result["diff"]]
    routes = [guarded(MASK, enabled=True), ADMIN]
    assert diff["before"] == {**FILLED_EDGE, "hostports": [HOSTPORT], "routes": routes}
    assert diff["after"] is None


def test_an_edge_that_is_only_changed_is_shown_without_its_routes(there: Tasks) -> None:
    result = there.done("https_edge", True, id=EDGE, description="new")
    assert "routes" not in result["diff"]["before"]


def test_few_routes_are_counted_as_people_do(tasks: Tasks) -> None:
    for routes, text in (([], "state is absent"), ([KEY], "state is absent; its 1 route is deleted with it")):
        seed_edge(tasks, routes=routes)
        assert tasks.done("https_edge", True, **GONE)["operations"][0]["reason"] == text
        tasks.service.reset()


# The options, and the objects that are deleted.
CAPPED: dict[str, tuple[Given, list[str]]] = {
    "event_sources": (
        {"subscription_id": SUBSCRIPTION, "types": SOURCES[:1], "purge": True},
        [f"event_source {name} of {SUBSCRIPTION}" for name in SOURCES[1:]],
    ),
    "https_edge_routes": (
        {"edge_id": EDGE, "routes": [], "purge": True, "allow_empty": True},
        [f"https_edge_route path_prefix /{name} of {HOSTPORT} ({{}})" for name in ("", "admin")],
    ),
    "estate": (PURGE_OF_EDGES, [f"https_edge {HOSTPORT} ({EDGE})"]),
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", CAPPED)
def test_a_plan_with_too_many_deletions_is_stopped(there: Tasks, module: str, check: bool) -> None:
    options, objects = CAPPED[module]
    before = there.service.state()
    ids = [route["id"] for route in before["https_edges"][0]["routes"]]
    objects = [subject.format(one) for subject, one in zip(objects, [*ids, ""], strict=False)]
    most = len(objects) - 1
    result = there.failed(module, check, **options, max_deletions=most)
    assert [deletion["object"] for deletion in result["planned_deletions"]] == objects
    first, *lines = result["msg"].splitlines()
    number = f"{len(objects)} deletions" if most else "1 deletion"
    assert first.startswith(f"The plan contains {number}, but `max_deletions` is {most}. Nothing was changed.")
    assert lines == [f"- {one['object']}: {one['reason']}" for one in result["planned_deletions"]]
    assert (result["changed"], result["operations"], writes(result)) == (False, [], [])
    assert there.service.state() == before
    # A diff in a real run would look as if all that had been done.
    assert ("diff" in result) == check
    if check:
        assert [diff["before_header"] for diff in result["diff"]] == [f"- delete {one}" for one in objects]
        assert SECRET not in str(result)
    else:
        done = there.done(module, **options, max_deletions=len(objects))
        assert sum(write.startswith("DELETE") for write in writes(done)) == len(objects)


def test_modules_of_routes_count_as_well(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{**KEY, "compression": {"enabled": True}, "websocket_tcp_converter": {"enabled": True}}])
    options = {"edge_id": EDGE, "routes": [{**KEY, "purge_modules": True}]}
    result = tasks.failed("https_edge_routes", **options, max_deletions=1)
    assert "2 deletions, but `max_deletions` is 1" in result["msg"]
    assert writes(result) == []


def test_a_long_list_of_deletions_is_cut(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"match_type": "exact_path", "match": f"/{number}"} for number in range(25)])
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=[KEY], purge=True)
    _first, *lines = result["msg"].splitlines()
    assert len(lines) == 21
    assert lines[-1] == "- and 5 more"
    assert len(result["planned_deletions"]) == 25


@pytest.mark.parametrize("module", ["event_sources", "https_edge_routes"])
def test_negative_max_deletions_is_an_error(there: Tasks, module: str) -> None:
    errors = there.failed(module, **CAPPED[module][0], max_deletions=-1)["option_errors"]
    assert errors == ["max_deletions: -1 is out of range; expected 0 or more"]
