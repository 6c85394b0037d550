# SPDX-License-Identifier: GPL-3.0-or-later
"""The values of headers that are named like secrets are secrets: compared, sent, and never shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.filter.plan_markdown import plan_markdown
from module_process import printed_and_logged
from module_task import Tasks, writes
from places import EDGE, KEY, held_route, seed_edge, seed_route

OLD, NEW = "canary of before", "Bearer canary_of_now"
MASK, CHANGED = "********", "******** (a new value)"
NAMES = [
    *("Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Proxy-Authorization", "x-upstream-token", "X-Password"),
    *("X-Auth-Key", "X-Functions-Key", "Ocp-Apim-Subscription-Key", "X-Shared-Key"),
]
MODULES = ["request_headers", "response_headers"]


def headers(value: str, module: str = "request_headers", **more: str) -> dict[str, Any]:
    return {module: {"add": {**dict.fromkeys(NAMES, value), "X-Env": "shown", **more}}}


def tasks_with(route: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of every module that declares a route."""
    return {
        "https_edge_route": {"edge_id": EDGE, **KEY, **route},
        "https_edge_routes": {"edge_id": EDGE, "routes": [{**KEY, **route}]},
        "estate": {"https_edges": [{"id": EDGE, "routes": [{**KEY, **route}]}]},
    }


def shown(result: dict[str, Any]) -> str:
    """What leaves a task, as the user sees it, and the plan as a page."""
    visible = {name: value for name, value in result.items() if name != "sent"}
    return json.dumps(visible) + (plan_markdown(visible) if "plan" in visible else "")


@pytest.mark.parametrize("module", ["https_edge_route", "https_edge_routes", "estate"])
@pytest.mark.parametrize("name", MODULES)
def test_a_secret_header_is_in_nothing_that_leaves_a_task(tasks: Tasks, module: str, name: str) -> None:
    seed_route(tasks, **headers(OLD, name))
    options = tasks_with(headers(NEW, name))[module]
    for check in (True, False):
        result = tasks.done(module, check, **options)
        assert result["changed"]
        assert "canary" not in shown(result)
        assert shown(result).count(CHANGED) >= len(NAMES)
        assert "shown" in shown(result)
    assert held_route(tasks)[name]["add"]["Authorization"] == NEW
    given = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, **options}
    printed, logged = printed_and_logged(module, **given)
    assert "module_args" in printed["invocation"]
    assert "canary" not in json.dumps(printed) + logged
    for state in ({"state": "absent"} if module == "https_edge_route" else {},):
        assert "canary" not in shown(tasks.done(module, **{**options, **state}))
    for reading, more in (("https_edge_info", {}), ("estate_info", {})):
        assert "canary" not in json.dumps({**tasks.done(reading, **more), "sent": ""})


def test_a_short_secret_header_is_not_in_the_arguments(tasks: Tasks) -> None:
    """It is too short to be masked wherever it turns up, as a word of seven letters would be."""
    seed_edge(tasks)
    given = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key}
    options = {"edge_id": EDGE, **KEY, "request_headers": {"add": {"Authorization": "s3cr3t!"}}}
    printed, logged = printed_and_logged("https_edge_route", **given, **options)
    assert "s3cr3t!" not in json.dumps(printed) + logged


@pytest.mark.parametrize("name", MODULES)
def test_a_secret_header_is_compared_by_its_value(tasks: Tasks, name: str) -> None:
    place = seed_route(tasks, **headers(OLD, name))
    assert not tasks.done("https_edge_route", **place, **headers(OLD, name))["changed"]
    result = tasks.done(
        "https_edge_route", **place, **{name: {"add": {**headers(OLD, name)[name]["add"], "Cookie": "x=1"}}}
    )
    assert result["operations"][0]["reason"] == f"differs: {name}.add.cookie"
    before, after = (result["diff"][when][name]["add"] for when in ("before", "after"))
    assert {key: value for key, value in after.items() if before[key] != value} == {"cookie": CHANGED}
    assert held_route(tasks)[name]["add"]["Cookie"] == "x=1"


def test_two_secret_headers_that_change_places_are_seen(tasks: Tasks) -> None:
    place = seed_route(tasks, request_headers={"add": {"authorization": OLD, "cookie": NEW}})
    options = {**place, "request_headers": {"add": {"authorization": NEW, "cookie": OLD}}}
    diff = tasks.done("https_edge_route", True, **options, description="new")["diff"]
    assert diff["after"]["request_headers"]["add"] == {"authorization": CHANGED, "cookie": CHANGED}


def test_the_mask_stands_for_the_current_value(tasks: Tasks) -> None:
    place = seed_route(tasks, request_headers={"add": {"authorization": OLD, "x-env": "blue"}})
    masked = {"Authorization": MASK, "X-Env": "blue"}
    assert not tasks.done("https_edge_route", **place, request_headers={"add": masked})["changed"]
    result = tasks.done("https_edge_route", **place, request_headers={"add": {**masked, "X-Env": "green"}})
    assert held_route(tasks)["request_headers"]["add"] == {"Authorization": OLD, "X-Env": "green"}
    assert result["diff"]["after"]["request_headers"]["add"] == {"authorization": MASK, "x-env": "green"}
    tasks.done("https_edge_route", **place, request_headers={"enabled": False})
    assert held_route(tasks)["request_headers"]["add"]["authorization"] == OLD
    for check in (True, False):
        failed = tasks.failed("https_edge_route", check, **place, request_headers={"add": {"Cookie": MASK}})
        assert "request_headers.add.Cookie: required for this change" in failed["msg"]
        assert writes(failed) == []


def test_what_is_exported_changes_nothing(tasks: Tasks) -> None:
    seed_route(tasks, **headers(OLD), backend={"backend_id": "bkdhr_one"})
    exported = tasks.done("estate_info")["estate"]
    assert exported["https_edges"][0]["routes"][0]["request_headers"]["add"]["cookie"] == MASK
    assert not tasks.done("estate", **exported)["changed"]
    judged = tasks.done("exposure_info", estate=exported)
    assert not [one for one in judged["findings"] if one["rule"] == "credential_in_header"]
    assert [one["why"] for one in judged["not_judged"] if "authorization" in json.dumps(one)]


BODY = {"collection": "backends/http_response", "find_by": {"description": "One"}}


@pytest.mark.parametrize("name", NAMES)
def test_a_secret_header_of_an_object_is_masked_and_compared(tasks: Tasks, name: str) -> None:
    one = {**BODY, "body": {"headers": {name: OLD, "X-Env": "shown"}}}
    created = tasks.done("object", **one)
    assert created["object"]["headers"] == {name: MASK, "X-Env": "shown"}
    assert not tasks.done("object", **one)["changed"]
    other = {**BODY, "body": {"headers": {name: NEW, "X-Env": "shown"}}}
    estate = tasks.done("estate", True, objects=[{"name": "one", **other}])
    assert estate["plan"][0]["changes"] == [f"headers.{name}"]
    assert estate["plan"][0]["after"]["headers"] == {name: CHANGED, "X-Env": "shown"}
    changed = tasks.done("object", **other)
    info = tasks.done("object_info", collection=BODY["collection"])
    for result in (created, estate, changed, info):
        assert "canary" not in shown(result)
    given = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, **other}
    printed, logged = printed_and_logged("object", **given)
    assert "canary" not in json.dumps(printed) + logged
    [held] = tasks.service.state()["objects"]["backends/http_response"]
    assert held["headers"][name] == NEW


@pytest.mark.parametrize("names", ["lower", "canonical"])
@pytest.mark.parametrize("module", ["object", "estate"])
def test_names_of_headers_of_an_object_compare_without_letter_case(tasks: Tasks, names: str, module: str) -> None:
    tasks.service.switches(header_names=names)

    def run(check: bool = False, **headers: str) -> dict[str, Any]:
        one = {**BODY, "body": {"headers": headers}}
        return tasks.done(module, check, **(one if module == "object" else {"objects": [{"name": "one", **one}]}))

    declared = {"X-API-KEY": OLD, "X-ENV": "blue"}
    run(**declared)
    for change in ({}, {"X-API-KEY": NEW}, {"X-ENV": "green"}, {"X-ENV": "green", "x-more": "1"}):
        declared.update(change)
        for check in (True, False):
            result = run(check, **declared)
            assert result["changed"] == bool(change)
            assert "secrets_not_compared" not in result
        assert not run(**declared)["changed"]
        [held] = tasks.service.state()["objects"]["backends/http_response"]
        assert held["headers"] == declared
    fewer = {"collection": BODY["collection"], "find_by": BODY["find_by"], "body": {"headers": {"X-ENV": "red"}}}
    assert "headers.x-api-key" in tasks.failed("object", **fewer)["msg"].lower()


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("others", [{}, {"X-Env": "shown"}, {"Cookie": "x=1"}], ids=["none", "plain", "secret"])
def test_a_new_secret_header_is_sent(tasks: Tasks, name: str, others: dict[str, str]) -> None:
    """A service that lacks it in its response has no such header, as far as anybody knows."""
    place = seed_route(tasks, **{name: {"add": others}})
    declared = {**others, "Authorization": NEW}
    for check in (True, False):
        assert tasks.done("https_edge_route", check, **place, **{name: {"add": declared}})["changed"]
    assert held_route(tasks)[name]["add"] == declared
