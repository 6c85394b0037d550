# SPDX-License-Identifier: GPL-3.0-or-later
"""A hostport that an edge has just given up, and that another one does not get immediately. Nothing really waits."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from module_task import Given, Tasks, applied, writes
from places import KEY
from scripted_service import Received, Response, as_json, standing_before
from served_names import estate, seed, served

NOT_LOOKED_UP = {"find_by": "none"}
# What is declared while one serves a, and two b; more of the last edge; and what the edges serve then.
MOVES: dict[str, tuple[str, Given, Given]] = {
    "to another edge": ("one:- two:ab", {}, {"one": "", "two": "ab"}),
    "to a new edge": ("one:- ?new:an", {}, {"one": "", "two": "b", "new": "an"}),
    "to a new edge that is not looked up": ("one:- ?new:an", NOT_LOOKED_UP, {"one": "", "two": "b", "new": "an"}),
    "swapped": ("one:b two:a", {}, {"one": "b", "two": "a"}),
}


class Watch(Progress):
    """Counts the seconds that a task waits."""

    def __init__(self) -> None:
        self.waited: list[float] = []
        super().__init__(clock=lambda: sum(self.waited), sleep=self.waited.append)


def run(tasks: Tasks, watch: Watch, **options: Any) -> Given:
    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 1}
    return applied("estate", {**connection, **options}, progress=watch)


@pytest.mark.parametrize(("times", "concurrency"), product([1, 4], repeat=2))
@pytest.mark.parametrize(("words", "more", "after"), MOVES.values(), ids=MOVES)
def test_a_hostport_that_is_not_released_yet_is_retried(
    tasks: Tasks, words: str, more: Given, after: Given, times: int, concurrency: int
) -> None:
    seed(tasks, "one:a two:b").service.switches(slow_releases=times)
    watch, declared = Watch(), estate(words)
    declared["https_edges"][-1].update(more)
    result = run(tasks, watch, **declared, concurrency=concurrency, retries=times)
    assert not result.get("failed"), result["msg"]
    assert (served(tasks), bool(watch.waited)) == (after, True)
    assert more or not tasks.done("estate", **declared)["changed"]


@pytest.mark.parametrize("limits", [{"retries": 0}, {"retries": 2}, {"retries": 100, "retry_max_wait": 2}], ids=str)
def test_the_retries_and_the_time_are_limited(tasks: Tasks, limits: dict[str, int]) -> None:
    seed(tasks, "one:a two:b").service.switches(slow_releases=1000)
    watch = Watch()
    result = run(tasks, watch, **estate("one:- two:ab"), **limits)
    assert "belongs to another edge" in result["msg"]
    assert "takes a.example.com:443 back" in str(result["operations"])
    assert len(watch.waited) <= limits["retries"]
    assert sum(watch.waited) <= limits.get("retry_max_wait", 3)


ROUTES = [{"id": f"edghtsrt_{name}", **KEY, "match": f"/{name}"} for name in ("a", "two")]
NEW_MATCHES = [{**route, "match": match} for route, match in zip(ROUTES, ("/new", "/a"), strict=True)]
# What is declared, what is in the body of the PATCH that is rejected, and the rejection.
FINAL: dict[str, tuple[Given, bytes, Response]] = {
    **{
        f"{status} {error}": (estate("one:- two:ab"), b"b.example", as_json(error, status))
        for status in (400, 403)
        for error in ({"msg": "Unknown certificate authority."}, {"error_code": "ERR_OTHER"})
    },
    # A match that another route gives up is free immediately.
    "a match": (
        {"https_edges": [{"id": "edghts_one", "routes": NEW_MATCHES}]},
        b"",
        as_json({"msg": "/a belongs to another"}, 409),
    ),
}


@pytest.mark.parametrize(("declared", "text", "rejection"), FINAL.values(), ids=FINAL)
def test_other_rejections_are_final(tasks: Tasks, declared: Given, text: bytes, rejection: Response) -> None:
    seed(tasks, "two:b").service.seed(https_edges=[{**estate("one:a")["https_edges"][0], "routes": ROUTES}])

    def rejecting(request: Received) -> Response | None:
        is_it = request.method == "PATCH" and request.path.endswith("_two") and text in request.body
        return rejection if is_it else None

    watch = Watch()
    with standing_before(tasks.service.base_url, rejecting) as between:
        result = run(tasks, watch, **declared, base_url=between.base_url)
    assert (result["failed"], watch.waited) == (True, [])


def test_what_the_task_has_not_freed_is_final(tasks: Tasks) -> None:
    """Somebody else may have it for good."""
    seed(tasks, "one:a two:b").service.switches(slow_releases=1)
    tasks.done("https_edge", id="edghts_one", hostports=[], purge_hostports=True, allow_empty=True)
    watch = Watch()
    result = run(tasks, watch, **estate("two:ab"))
    assert ("belongs to another edge" in result["msg"], watch.waited) == (True, [])
    assert not writes(tasks.done("estate", **estate("one:-")))
