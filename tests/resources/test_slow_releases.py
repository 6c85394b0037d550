# SPDX-License-Identifier: GPL-3.0-or-later
"""A hostport that an edge has just given up, and that another one does not get immediately. Nothing really waits."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from module_task import Given, Tasks, applied, writes
from scripted_service import Received, Response, as_json, standing_before

SHOP, TILL, NEW = (f"{name}.example.com:443" for name in ("shop", "till", "new"))
MOVES: dict[str, list[Given]] = {
    "to another edge": [{"id": "edghts_a", "hostports": []}, {"id": "edghts_b", "hostports": [SHOP, TILL]}],
    "to a new edge": [{"id": "edghts_a", "hostports": []}, {"description": "new", "hostports": [SHOP, NEW]}],
    "swapped": [{"id": "edghts_a", "hostports": [TILL]}, {"id": "edghts_b", "hostports": [SHOP]}],
}


class Watch(Progress):
    """Counts the seconds that a task waits."""

    def __init__(self) -> None:
        self.waited: list[float] = []
        super().__init__(clock=lambda: sum(self.waited), sleep=self.waited.append)


def run(tasks: Tasks, watch: Watch, **options: Any) -> Given:
    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 1}
    return applied("estate", {**connection, **options}, progress=watch)


def seed(tasks: Tasks) -> None:
    edges = [{"id": "edghts_a", "hostports": [SHOP]}, {"id": "edghts_b", "hostports": [TILL]}]
    tasks.service.seed(https_edges=edges)


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("times", [1, 4])
@pytest.mark.parametrize("move", MOVES)
def test_a_hostport_that_is_not_released_yet_is_retried(tasks: Tasks, move: str, times: int, concurrency: int) -> None:
    seed(tasks)
    tasks.service.switches(slow_releases=times)
    watch = Watch()
    result = run(tasks, watch, https_edges=MOVES[move], concurrency=concurrency, retries=times)
    assert not result.get("failed"), result["msg"]
    held = {edge["id"]: set(edge["hostports"]) for edge in tasks.service.state()["https_edges"]}
    assert all(set(edge["hostports"]) in held.values() for edge in MOVES[move])
    assert watch.waited
    assert not tasks.done("estate", https_edges=MOVES[move])["changed"]


@pytest.mark.parametrize("limits", [{"retries": 0}, {"retries": 2}, {"retries": 100, "retry_max_wait": 2}], ids=str)
def test_the_retries_and_the_time_are_limited(tasks: Tasks, limits: dict[str, int]) -> None:
    seed(tasks)
    tasks.service.switches(slow_releases=1000)
    watch = Watch()
    result = run(tasks, watch, https_edges=MOVES["to another edge"], **limits)
    assert "belongs to another edge" in result["msg"]
    assert f"takes {SHOP} back" in str(result["operations"])
    assert len(watch.waited) <= limits["retries"]
    assert sum(watch.waited) <= limits.get("retry_max_wait", 3)


ROUTES = [{"id": f"edghtsrt_{name}", "match_type": "path_prefix", "match": f"/{name}"} for name in "ab"]
NEW_MATCHES = [{**route, "match": match} for route, match in zip(ROUTES, ("/new", "/a"), strict=True)]
# What is declared, the end of the path and what is in the body of the request that is rejected, and the rejection.
FINAL: dict[str, tuple[list[Given], str, bytes, Response]] = {
    **{
        f"{status} {error}": (MOVES["to another edge"], "_b", b"till", as_json(error, status))
        for status in (400, 403)
        for error in ({"msg": "Unknown certificate authority."}, {"error_code": "ERR_OTHER"})
    },
    # A match that another route gives up is free immediately.
    "a match": ([{"id": "edghts_a", "routes": NEW_MATCHES}], "_b", b"", as_json({"msg": "/a belongs to another"}, 409)),
}


@pytest.mark.parametrize(("edges", "end", "text", "rejection"), FINAL.values(), ids=FINAL)
def test_other_rejections_are_final(
    tasks: Tasks, edges: list[Given], end: str, text: bytes, rejection: Response
) -> None:
    tasks.service.seed(https_edges=[{"id": "edghts_a", "hostports": [SHOP], "routes": ROUTES}])
    tasks.service.seed(https_edges=[{"id": "edghts_b", "hostports": [TILL]}])

    def rejecting(request: Received) -> Response | None:
        is_it = request.method == "PATCH" and request.path.endswith(end) and text in request.body
        return rejection if is_it else None

    watch = Watch()
    with standing_before(tasks.service.base_url, rejecting) as between:
        result = run(tasks, watch, https_edges=edges, base_url=between.base_url)
    assert (result["failed"], watch.waited) == (True, [])


def test_what_the_task_has_not_freed_is_final(tasks: Tasks) -> None:
    """Somebody else may have it for good."""
    tasks.service.seed(https_edges=[{"id": "edghts_a", "hostports": [SHOP]}, {"id": "edghts_b"}])
    tasks.service.switches(slow_releases=1)
    tasks.done("https_edge", id="edghts_a", hostports=[], purge_hostports=True, allow_empty=True)
    watch = Watch()
    result = run(tasks, watch, https_edges=[{"id": "edghts_b", "hostports": [SHOP]}])
    assert "belongs to another edge" in result["msg"]
    assert not watch.waited
    assert not writes(tasks.done("estate", https_edges=[{"id": "edghts_a", "hostports": []}]))
