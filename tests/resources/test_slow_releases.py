# SPDX-License-Identifier: GPL-3.0-or-later
"""A hostport that an edge has just given up, and that another one does not get immediately. Nothing really waits."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from module_task import Tasks, work_of, writes
from scripted_service import Received, Response, as_json, forwarding, scripted_service

SHOP, TILL, NEW = (f"{name}.example.com:443" for name in ("shop", "till", "new"))
MOVES: dict[str, list[dict[str, Any]]] = {
    "to another edge": [{"id": "edghts_a", "hostports": []}, {"id": "edghts_b", "hostports": [SHOP, TILL]}],
    "to a new edge": [{"id": "edghts_a", "hostports": []}, {"description": "new", "hostports": [SHOP, NEW]}],
    "swapped": [{"id": "edghts_a", "hostports": [TILL]}, {"id": "edghts_b", "hostports": [SHOP]}],
}


class Watch(Progress):
    """Counts the seconds that a task waits."""

    def __init__(self) -> None:
        self.waited: list[float] = []
        super().__init__(clock=lambda: sum(self.waited), sleep=self.waited.append)


def run(tasks: Tasks, watch: Watch, **options: Any) -> dict[str, Any]:
    """Run an estate without waiting."""
    work = work_of("estate")
    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 1}
    arguments = checked(work, {**connection, **options})
    return entry.result_of(work, arguments.options, arguments.option_errors, False, True, watch)


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


@pytest.mark.parametrize("error", [{"msg": "Unknown certificate authority."}, {"error_code": "ERR_OTHER"}], ids=str)
@pytest.mark.parametrize("status", [400, 403])
def test_other_rejections_are_final(tasks: Tasks, error: dict[str, str], status: int) -> None:
    seed(tasks)
    forward = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        is_taking = request.method == "PATCH" and b"till" in request.body
        return as_json(error, status) if is_taking else forward(request)

    watch = Watch()
    with scripted_service(script) as between:
        result = run(tasks, watch, https_edges=MOVES["to another edge"], base_url=between.base_url)
    assert result["failed"]
    assert not watch.waited


def test_only_hostports_are_waited_for(tasks: Tasks) -> None:
    """A match that another route gives up is free immediately."""
    routes = [{"id": f"edghtsrt_{name}", "match_type": "path_prefix", "match": f"/{name}"} for name in "ab"]
    tasks.service.seed(https_edges=[{"id": "edghts_a", "hostports": [SHOP], "routes": routes}])
    declared = [{**route, "match": match} for route, match in zip(routes, ("/new", "/a"), strict=True)]
    forward = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        is_taking = request.method == "PATCH" and request.path.endswith("_b")
        return as_json({"msg": "/a belongs to another route."}, 409) if is_taking else forward(request)

    watch = Watch()
    with scripted_service(script) as between:
        edges = [{"id": "edghts_a", "routes": declared}]
        result = run(tasks, watch, https_edges=edges, base_url=between.base_url)
        assert len(between.writes()) == 2
    assert "belongs to another route" in result["msg"]
    assert not watch.waited


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
