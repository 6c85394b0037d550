# SPDX-License-Identifier: GPL-3.0-or-later
"""The values of headers that are named like secrets are secrets: compared, sent, and never shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from module_process import visible, visible_of_process
from module_task import Tasks, writes
from places import KEY, held_route, in_each_module, seed_edge, seed_route
from scripted_service import Instead, Received, Response, forwarding

OLD, NEW = "canary of before", "Bearer canary_of_now"
MASK, CHANGED = "********", "******** (a new value)"
NAMES = [
    *("Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Proxy-Authorization", "x-upstream-token", "X-Password"),
    *("X-Auth-Key", "X-Functions-Key", "Ocp-Apim-Subscription-Key", "X-Shared-Key"),
]
MODULES = ["request_headers", "response_headers"]


def headers(value: str, module: str = "request_headers") -> dict[str, Any]:
    return {module: {"add": {**dict.fromkeys(NAMES, value), "X-Env": "shown"}}}


def held(tasks: Tasks, name: str = "request_headers") -> Any:
    return held_route(tasks)[name]["add"]


@pytest.mark.parametrize("module", ["https_edge_route", "https_edge_routes", "estate"])
@pytest.mark.parametrize("name", MODULES)
def test_a_secret_header_is_in_nothing_that_leaves_a_task(tasks: Tasks, module: str, name: str) -> None:
    seed_route(tasks, **headers(OLD, name))
    options = in_each_module(headers(NEW, name))[module]
    for check in (True, False):
        result = tasks.done(module, check, **options)
        assert result["changed"]
        text = visible(result)
        assert ("canary" in text, "shown" in text, text.count(CHANGED) >= len(NAMES)) == (False, True, True)
    assert held(tasks, name)["Authorization"] == NEW
    assert "canary" not in visible_of_process(tasks, module, **options)
    last = {"state": "absent"} if module == "https_edge_route" else {}
    for reading, more in (("https_edge_info", {}), ("estate_info", {}), (module, {**options, **last})):
        assert "canary" not in visible(tasks.done(reading, **more))


def test_a_short_secret_header_is_not_in_the_arguments(tasks: Tasks) -> None:
    """It is too short to be masked wherever it turns up, as a word of seven letters would be."""
    options = {"edge_id": seed_edge(tasks), **KEY, "request_headers": {"add": {"Authorization": "s3cr3t!"}}}
    assert "s3cr3t!" not in visible_of_process(tasks, "https_edge_route", **options)


@pytest.mark.parametrize("name", MODULES)
def test_a_secret_header_is_compared_by_its_value(tasks: Tasks, name: str) -> None:
    place = seed_route(tasks, **headers(OLD, name))
    assert not tasks.done("https_edge_route", **place, **headers(OLD, name))["changed"]
    other = {name: {"add": {**headers(OLD, name)[name]["add"], "Cookie": "x=1"}}}
    result = tasks.done("https_edge_route", **place, **other)
    assert result["operations"][0]["reason"] == f"differs: {name}.add.cookie"
    before, after = (result["diff"][when][name]["add"] for when in ("before", "after"))
    assert {key: value for key, value in after.items() if before[key] != value} == {"cookie": CHANGED}
    assert held(tasks, name)["Cookie"] == "x=1"


def test_two_secret_headers_that_change_places_are_seen(tasks: Tasks) -> None:
    place = seed_route(tasks, request_headers={"add": {"authorization": OLD, "cookie": NEW}})
    swapped = {"request_headers": {"add": {"authorization": NEW, "cookie": OLD}}}
    diff = tasks.done("https_edge_route", True, **place, **swapped, description="new")["diff"]
    assert diff["after"]["request_headers"]["add"] == {"authorization": CHANGED, "cookie": CHANGED}


def test_the_mask_stands_for_the_current_value(tasks: Tasks) -> None:
    place = seed_route(tasks, request_headers={"add": {"authorization": OLD, "x-env": "blue"}})
    masked = {"Authorization": MASK, "X-Env": "blue"}
    assert not tasks.done("https_edge_route", **place, request_headers={"add": masked})["changed"]
    result = tasks.done("https_edge_route", **place, request_headers={"add": {**masked, "X-Env": "green"}})
    assert held(tasks) == {"Authorization": OLD, "X-Env": "green"}
    assert result["diff"]["after"]["request_headers"]["add"] == {"authorization": MASK, "x-env": "green"}
    tasks.done("https_edge_route", **place, request_headers={"enabled": False})
    assert held(tasks)["authorization"] == OLD
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


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("others", [{}, {"X-Env": "shown"}, {"Cookie": "x=1"}], ids=["none", "plain", "secret"])
def test_a_new_secret_header_is_sent(tasks: Tasks, name: str, others: dict[str, str]) -> None:
    """A service that lacks it in its response has no such header, as far as anybody knows."""
    place = seed_route(tasks, **{name: {"add": others}})
    declared = {**others, "Authorization": NEW}
    for check in (True, False):
        assert tasks.done("https_edge_route", check, **place, **{name: {"add": declared}})["changed"]
    assert held(tasks, name) == declared


PAGE = {"collection": "backends/http_response", "find_by": {"description": "One"}}


def page(**added: str) -> dict[str, Any]:
    return {**PAGE, "body": {"headers": added}}


@pytest.mark.parametrize("name", NAMES)
def test_a_secret_header_of_an_object_is_masked_and_compared(tasks: Tasks, name: str) -> None:
    one, other = (page(**{name: value, "X-Env": "shown"}) for value in (OLD, NEW))
    created = tasks.done("object", **one)
    assert created["object"]["headers"] == {name: MASK, "X-Env": "shown"}
    assert not tasks.done("object", **one)["changed"]
    planned = tasks.done("estate", True, objects=[{"name": "one", **other}])
    assert planned["plan"][0]["changes"] == [f"headers.{name}"]
    assert planned["plan"][0]["after"]["headers"] == {name: CHANGED, "X-Env": "shown"}
    found = tasks.done("object_info", collection=PAGE["collection"])
    for result in (created, planned, tasks.done("object", **other), found):
        assert "canary" not in visible(result)
    assert "canary" not in visible_of_process(tasks, "object", **other)
    assert held_page(tasks)[name] == NEW


def held_page(tasks: Tasks) -> Any:
    [one] = tasks.service.state()["objects"]["backends/http_response"]
    return one["headers"]


@pytest.mark.parametrize("secrets", ["echoed", "left_out"])
def test_a_new_secret_header_of_an_object_is_sent(tasks: Tasks, secrets: str) -> None:
    tasks.service.switches(secrets=secrets)
    for declared in (page(**{"X-Env": "a"}), page(**{"X-Env": "a", "Authorization": "Bearer words"})):
        assert [tasks.done("object", **declared)["changed"] for _run in range(2)] == [True, False]


@pytest.mark.parametrize("names", ["lower", "canonical"])
@pytest.mark.parametrize("module", ["object", "estate"])
def test_names_of_headers_of_an_object_compare_without_letter_case(tasks: Tasks, names: str, module: str) -> None:
    tasks.service.switches(header_names=names)

    def run(check: bool = False, **added: str) -> dict[str, Any]:
        one = page(**added)
        return tasks.done(module, check, **(one if module == "object" else {"objects": [{"name": "one", **one}]}))

    declared = {"X-API-KEY": OLD, "X-ENV": "blue"}
    run(**declared)
    for change in ({}, {"X-API-KEY": NEW}, {"X-ENV": "green"}, {"X-ENV": "green", "x-more": "1"}):
        declared.update(change)
        for check in (True, False):
            result = run(check, **declared)
            assert (result["changed"], "secrets_not_compared" in result) == (bool(change), False)
        assert not run(**declared)["changed"]
        assert held_page(tasks) == declared
    assert "headers.x-api-key" in tasks.failed("object", **page(**{"X-ENV": "red"}))["msg"].lower()


def returning(tasks: Tasks, name: str, value: Any) -> Instead:
    """The service, which returns this in place of the value of each header of the name."""
    to_the_service = forwarding(tasks.service.base_url)

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {key: value if key == name else one for key, one in pairs}

    def instead(request: Received) -> Response:
        response = to_the_service(request)
        body = response.body and json.dumps(json.loads(response.body, object_pairs_hook=members)).encode()
        return Response(response.status, body, response.headers)

    return instead


HIDDEN = [None, "", "********", "•••"]


@pytest.mark.parametrize("hidden", HIDDEN, ids=["null", "empty", "stars", "bullets"])
@pytest.mark.parametrize("name", MODULES)
def test_a_hidden_header_counts_as_equal_and_goes_along(tasks: Tasks, hidden: Any, name: str) -> None:
    place = seed_route(tasks, **{name: {"add": {"Authorization": "old", "X-Env": "blue"}}})
    instead = returning(tasks, "Authorization", hidden)

    def run(added: dict[str, str], check: bool = False, **more: Any) -> dict[str, Any]:
        return tasks.done("https_edge_route", check, instead, **place, **{name: {"add": added}}, **more)

    declared = {"Authorization": "new", "X-Env": "blue"}
    for check in (True, False):
        result = run(declared, check)
        assert (result["changed"], result["secrets_not_compared"]) == (False, 1)
        assert result["https_edge_route"][name]["add"] == {"authorization": "********", "x-env": "blue"}
    assert run(declared, update_secrets="always")["changed"]
    assert held(tasks, name) == declared
    for other in ({"Authorization": "newer", "X-Env": "green"}, {"X-Env": "green"}):
        assert run(other)["changed"]
        assert held(tasks, name) == other
    tasks.service.reset()
    seed_route(tasks, **{name: {"add": {"Authorization": "old", "X-Env": "blue"}}})
    for more in ({"enabled": False}, {"add": {"Authorization": "********", "X-Env": "green"}}):
        for check in (True, False):
            failed = tasks.failed("https_edge_route", check, instead, **place, **{name: more})
            assert f"{name}.add.authorization: required for this change" in failed["msg"].lower()
            assert writes(failed) == []


@pytest.mark.parametrize("name", MODULES)
def test_any_other_header_that_is_null_is_missing(tasks: Tasks, name: str) -> None:
    """It has no value that could be hidden, so it is sent."""
    place = seed_route(tasks, **{name: {"add": {"X-Env": "blue"}}})
    for check in (True, False):
        options = {**place, name: {"add": {"X-Env": "green"}}}
        result = tasks.done("https_edge_route", check, returning(tasks, "X-Env", None), **options)
        assert result["diff"]["before"][name]["add"] == {}
    assert held(tasks, name) == {"X-Env": "green"}
