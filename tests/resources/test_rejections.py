# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service rejects reaches the user as the service said it, with what was done before."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, accepted_writes, methods, writes
from places import (
    EDGE,
    HOSTPORT,
    KEY,
    ROUTE_PATH,
    SOURCE,
    held_route,
    seed_edge,
    seed_route,
    seed_subscription,
    seed_tls_edge,
)

EDGE_TASKS: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"id": EDGE, "description": "new"}),
    ("https_edge", {"id": EDGE, "state": "absent"}),
    ("https_edge", {"hostports": ["new.example.com:443"]}),
    ("https_edge_route", {"edge_id": EDGE, **KEY, "description": "new"}),
    ("https_edge_route", {"edge_id": EDGE, **KEY, "state": "absent"}),
    ("https_edge_route", {"edge_id": EDGE, **KEY, "absent_modules": ["compression"]}),
    ("tls_edge_ip_restriction", {"edge_id": "edgtls_place", "ip_policy_ids": ["ipp_a"]}),
]


@pytest.mark.parametrize(("module", "options"), EDGE_TASKS)
@pytest.mark.parametrize(("account", "code"), [("read_only", "ERR_EDGES_READ_ONLY"), ("edges_off", "ERR_EDGES_OFF")])
def test_an_account_that_may_not_change_edges(
    tasks: Tasks, module: str, options: dict[str, Any], account: str, code: str
) -> None:
    seed_route(tasks, compression={})
    seed_tls_edge(tasks)
    before = tasks.service.state()
    tasks.service.switches(account=account)
    result = tasks.failed(module, **options)
    error = result["error"]
    assert (error["status"], error["error_code"], error["retries"]) == (403, code, 0)
    assert error["msg"] in result["msg"]
    assert code in result["msg"]
    assert error["operation_id"].startswith("op_")
    assert not result["changed"]
    assert tasks.service.state() == before


def test_an_account_that_may_only_read_still_has_unchanged_tasks(tasks: Tasks) -> None:
    place = seed_route(tasks, compression={})
    tasks.service.switches(account="read_only")
    assert not tasks.done("https_edge_route", **place, compression={"enabled": True})["changed"]
    assert not tasks.done("https_edge", hostports=[HOSTPORT])["changed"]


def test_a_hostport_of_an_edge_that_is_not_read(tasks: Tasks) -> None:
    seed_edge(tasks)
    result = tasks.failed("https_edge", find_by="none", hostports=[HOSTPORT])
    assert result["error"]["error_code"] == "ERR_HOSTPORT_TAKEN"
    assert HOSTPORT in result["msg"]


def test_a_match_that_may_be_there_once_only(tasks: Tasks) -> None:
    seed_route(tasks)
    tasks.service.switches(match_unique="alone")
    result = tasks.failed("https_edge_route", edge_id=EDGE, match_type="exact_path", match=KEY["match"])
    assert result["error"]["error_code"] == "ERR_MATCH_TAKEN"


def test_a_second_authentication_module_is_rejected_if_the_service_allows_one(tasks: Tasks) -> None:
    place = seed_route(tasks, oauth={"provider": {"github": {}}})
    tasks.service.switches(one_auth_module=True)
    result = tasks.failed("https_edge_route", **place, saml={"idp_metadata": "<x/>"})
    assert result["error"]["error_code"] == "ERR_ONE_SIGN_IN"
    assert not accepted_writes(result)


@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize("name", ["compression", "policy"])
def test_a_module_that_the_service_cannot_remove(tasks: Tasks, status: int, name: str) -> None:
    place = seed_route(tasks, **{name: {}})
    tasks.service.switches(operations="documented", missing_operation=status)
    result = tasks.failed("https_edge_route", **place, absent_modules=[name], description="new")
    assert f"{name}: {{enabled: false}}" in result["msg"]
    # What comes before was done, and is said.
    assert accepted_writes(result) == [f"PATCH {ROUTE_PATH}"]
    assert result["changed"]
    assert [one["method"] for one in result["operations"]] == ["PATCH"]
    assert f"PATCH {ROUTE_PATH}" in result["msg"]
    assert tasks.done("https_edge_route", **place, **{name: {"enabled": False}})["changed"]
    assert held_route(tasks)[name]["enabled"] is False


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_route_that_the_service_cannot_delete(tasks: Tasks, status: int) -> None:
    place = seed_route(tasks)
    tasks.service.switches(operations="documented", missing_operation=status)
    result = tasks.failed("https_edge_route", **place, state="absent")
    assert "This service cannot" in result["msg"]
    assert not result["changed"]
    assert len(writes(result)) <= 2
    assert held_route(tasks)


def test_a_policy_that_has_another_name_in_paths(tasks: Tasks) -> None:
    place = seed_route(tasks, policy={"inbound": {"name": "r"}})
    tasks.service.switches(policy_name="traffic_policy")
    result = tasks.done("https_edge_route", **place, absent_modules=["policy"])
    assert accepted_writes(result) == [f"DELETE {ROUTE_PATH}/traffic_policy"]
    assert "policy" not in held_route(tasks)


def test_a_module_that_is_gone_already(tasks: Tasks) -> None:
    """Nothing is sent for it, and nothing is changed."""
    place = seed_route(tasks)
    tasks.service.switches(delete_unset_module=404)
    assert methods(tasks.done("https_edge_route", **place, absent_modules=["compression"])) == ["GET"]


@pytest.mark.parametrize("retry_after", ["seconds", "date"])
def test_a_rate_limit_that_asks_for_more_time_than_the_task_has(tasks: Tasks, retry_after: str) -> None:
    seed_edge(tasks)
    tasks.service.switches(rate_limit=1, retry_after=retry_after)
    result = tasks.failed("https_edge", id=EDGE, description="new", retries=5, retry_max_wait=1)
    assert methods(result) == ["GET", "PATCH"]
    assert (result["error"]["status"], result["error"]["error_code"]) == (429, "ERR_RATE_LIMIT")
    assert not result["changed"]


def test_a_rate_limit_without_a_time_is_retried_within_the_limit(tasks: Tasks) -> None:
    seed_edge(tasks)
    tasks.service.switches(rate_limit=1, retry_after="none")
    result = tasks.failed("https_edge", id=EDGE, description="new", retries=1, retry_max_wait=3)
    assert methods(result)[:3] == ["GET", "PATCH", "PATCH"]
    assert result["retries"] == result["error"]["retries"] >= 2
    assert 0 < result["seconds_waited"] <= 3
    assert "retry_max_wait" in result["msg"]


def test_a_rate_limit_is_final_with_retries_0(tasks: Tasks) -> None:
    seed_edge(tasks)
    tasks.service.switches(rate_limit=1, retry_after="none")
    result = tasks.failed("https_edge", id=EDGE, description="new", retries=0)
    assert methods(result) == ["GET", "PATCH"]
    assert "increase `retry_max_wait`, or `retries` if it is 0." in result["msg"]


def test_an_event_that_the_service_does_not_know(tasks: Tasks) -> None:
    subscription = seed_subscription(tasks)
    result = tasks.failed("event_source", subscription_id=subscription, type="new_thing.v0", allow_unknown_type=True)
    assert result["error"]["error_code"] == "ERR_EVENT_TYPE"


def test_no_service_at_all(tasks: Tasks) -> None:
    result = tasks.failed("event_source", subscription_id="esb_a", type=SOURCE, base_url="http://127.0.0.1:9")
    assert "refused" in result["msg"]
    assert result["error"]["method"] == "GET"
    assert result["sent"] == []
    assert not result["changed"]


def test_a_failure_has_the_same_keys_as_a_success(tasks: Tasks) -> None:
    for result in (tasks.failed("tunnel_info", api_key="wrong"), tasks.failed("https_edge"), tasks.done("tunnel_info")):
        assert isinstance(result["changed"], bool)
    failure = tasks.failed("https_edge", id=EDGE)
    assert failure["operations"] == []
