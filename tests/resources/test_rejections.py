# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service rejects reaches the user as the service said it, with what was done before."""

from __future__ import annotations

import pytest

from module_task import Given, Tasks, accepted_writes, methods, writes
from places import EDGE, KEY, ROUTE_PATH, held_route, seed_edge, seed_route, seed_tls_edge

EDGE_TASKS: list[tuple[str, Given]] = [
    ("https_edge", {"id": EDGE, "state": "absent"}),
    ("https_edge_route", {"edge_id": EDGE, **KEY, "absent_modules": ["compression"]}),
    ("tls_edge_ip_restriction", {"edge_id": "edgtls_place", "ip_policy_ids": ["ipp_a"]}),
]


@pytest.mark.parametrize(("module", "options"), EDGE_TASKS)
@pytest.mark.parametrize(("account", "code"), [("read_only", "ERR_EDGES_READ_ONLY"), ("edges_off", "ERR_EDGES_OFF")])
def test_an_account_that_may_not_change_edges(
    tasks: Tasks, module: str, options: Given, account: str, code: str
) -> None:
    seed_route(tasks, compression={})
    seed_tls_edge(tasks)
    before = tasks.service.state()
    tasks.service.switches(account=account)
    result = tasks.failed(module, **options)
    error = result["error"]
    assert (error["status"], error["error_code"], error["retries"]) == (403, code, 0)
    assert (error["msg"] in result["msg"], code in result["msg"], result["changed"]) == (True, True, False)
    assert error["operation_id"].startswith("op_")
    assert tasks.service.state() == before


@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize("name", ["compression", "policy", "the route"])
def test_what_the_service_cannot_remove(tasks: Tasks, status: int, name: str) -> None:
    is_module = name != "the route"
    place = seed_route(tasks, **({name: {}} if is_module else {}))
    tasks.service.switches(operations="documented", missing_operation=status)
    what = {"absent_modules": [name], "description": "new"} if is_module else {"state": "absent"}
    result = tasks.failed("https_edge_route", **place, **what)
    # What comes before was done, and is said.
    expected = [f"PATCH {ROUTE_PATH}"] * is_module
    assert ([f"{one['method']} {one['path']}" for one in result["operations"]], result["changed"]) == (
        expected,
        is_module,
    )
    assert accepted_writes(result) == expected
    assert len(writes(result)) <= 3
    assert all(text in result["msg"] for text in ("This service cannot", *expected))
    assert held_route(tasks)
    if is_module:
        assert f"{name}: {{enabled: false}}" in result["msg"]
        assert tasks.done("https_edge_route", **place, **{name: {"enabled": False}})["changed"]
        assert held_route(tasks)[name]["enabled"] is False


@pytest.mark.parametrize(("retry_after", "retries", "most"), [("seconds", 5, 1), ("date", 5, 1), ("none", 0, 3)])
def test_a_rate_limit_that_leaves_no_retry_is_final(tasks: Tasks, retry_after: str, retries: int, most: int) -> None:
    seed_edge(tasks)
    tasks.service.switches(rate_limit=1, retry_after=retry_after)
    result = tasks.failed("https_edge", id=EDGE, description="new", retries=retries, retry_max_wait=most)
    assert (methods(result), result["changed"]) == (["GET", "PATCH"], False)
    assert (result["error"]["status"], result["error"]["error_code"]) == (429, "ERR_RATE_LIMIT")
    assert "increase `retry_max_wait`, or `retries` if it is 0." in result["msg"]
