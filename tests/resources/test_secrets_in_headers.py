# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers that are named like secrets: on services that hide them, and next to other headers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from module_process import visible_of_process
from module_task import Given, Tasks, writes
from places import KEY, held_route, seed_edge, seed_route
from scripted_service import Instead, Received, Response, forwarding

OLD, NEW = "canary of before", "Bearer canary_of_now"
MASK, CHANGED = "********", "******** (a new value)"
IN_BOTH = pytest.mark.parametrize("name", ["request_headers", "response_headers"])
PAGE = {"collection": "backends/http_response", "find_by": {"description": "One"}}


def held(tasks: Tasks, name: str = "request_headers") -> Any:
    return held_route(tasks)[name]["add"]


def page(**added: str) -> Given:
    return {**PAGE, "body": {"headers": added}}


def held_page(tasks: Tasks) -> Any:
    [one] = tasks.service.state()["objects"][PAGE["collection"]]
    return one["headers"]


def test_a_short_secret_header_is_not_in_the_arguments(tasks: Tasks) -> None:
    """It is too short to be masked wherever it turns up, as a word of seven letters would be."""
    options = {"edge_id": seed_edge(tasks), **KEY, "request_headers": {"add": {"Authorization": "s3cr3t!"}}}
    assert "s3cr3t!" not in visible_of_process(tasks, "https_edge_route", **options)


@IN_BOTH
def test_only_the_secret_headers_that_change_are_said_to_change(tasks: Tasks, name: str) -> None:
    place = seed_route(tasks, **{name: {"add": {"Authorization": OLD, "Cookie": NEW, "X-Env": "shown"}}})
    for declared, changed in (((OLD, "x=1"), ["cookie"]), ((NEW, OLD), ["authorization", "cookie"])):
        added = dict(zip(("Authorization", "Cookie", "X-Env"), (*declared, "shown"), strict=True))
        result = tasks.done("https_edge_route", True, **place, **{name: {"add": added}})
        assert result["operations"][0]["reason"] == f"differs: {', '.join(f'{name}.add.{one}' for one in changed)}"
        before, after = (result["diff"][when][name]["add"] for when in ("before", "after"))
        assert before == {"authorization": MASK, "cookie": MASK, "x-env": "shown"}
        assert after == {**before, **dict.fromkeys(changed, CHANGED)}


def test_headers_that_are_not_declared_keep_their_secrets_and_are_judged(tasks: Tasks) -> None:
    place = seed_route(tasks, request_headers={"add": {"authorization": OLD}}, backend={"backend_id": "bkdhr_one"})
    exported = tasks.done("estate_info")["estate"]
    judged = tasks.done("exposure_info", estate=exported)
    assert not [one for one in judged["findings"] if one["rule"] == "credential_in_header"]
    assert [one["why"] for one in judged["not_judged"] if "authorization" in json.dumps(one)]
    tasks.done("https_edge_route", **place, request_headers={"enabled": False})
    assert held(tasks)["authorization"] == OLD


@IN_BOTH
@pytest.mark.parametrize("others", [{}, {"X-Env": "shown"}, {"Cookie": "x=1"}], ids=["none", "plain", "secret"])
def test_a_new_secret_header_is_sent(tasks: Tasks, name: str, others: dict[str, str]) -> None:
    """A service that lacks it in its response has no such header, as far as anybody knows."""
    place = seed_route(tasks, **{name: {"add": others}})
    declared = {**others, "Authorization": NEW}
    for check in (True, False):
        assert tasks.done("https_edge_route", check, **place, **{name: {"add": declared}})["changed"]
    assert held(tasks, name) == declared


@pytest.mark.parametrize("secrets", ["echoed", "left_out"])
def test_a_new_secret_header_of_an_object_is_sent(tasks: Tasks, secrets: str) -> None:
    tasks.service.switches(secrets=secrets)
    for declared in (page(**{"X-Env": "a"}), page(**{"X-Env": "a", "Authorization": "Bearer words"})):
        assert [tasks.done("object", **declared)["changed"] for _run in range(2)] == [True, False]


@pytest.mark.parametrize("names", ["lower", "canonical"])
@pytest.mark.parametrize("module", ["object", "estate"])
def test_names_of_headers_of_an_object_compare_without_letter_case(tasks: Tasks, names: str, module: str) -> None:
    tasks.service.switches(header_names=names)

    def run(check: bool = False, **added: str) -> Given:
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

    def members(pairs: list[tuple[str, Any]]) -> Given:
        return {key: value if key == name else one for key, one in pairs}

    def instead(request: Received) -> Response:
        response = to_the_service(request)
        body = response.body and json.dumps(json.loads(response.body, object_pairs_hook=members)).encode()
        return Response(response.status, body, response.headers)

    return instead


HIDDEN = {"null": None, "empty": "", "stars": MASK, "bullets": "•••"}


@IN_BOTH
@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
def test_a_hidden_header_counts_as_equal_and_goes_along(tasks: Tasks, hidden: Any, name: str) -> None:
    before = {name: {"add": {"Authorization": "old", "X-Env": "blue"}}}
    place, instead = seed_route(tasks, **before), returning(tasks, "Authorization", hidden)

    def run(added: dict[str, str], check: bool = False, **more: Any) -> Given:
        return tasks.done("https_edge_route", check, instead, **place, **{name: {"add": added}}, **more)

    declared = {"Authorization": "new", "X-Env": "blue"}
    for check in (True, False):
        result = run(declared, check)
        assert (result["changed"], result["secrets_not_compared"]) == (False, 1)
        assert result["https_edge_route"][name]["add"] == {"authorization": MASK, "x-env": "blue"}
    assert run(declared, update_secrets="always")["changed"]
    for other in (declared, {"Authorization": "newer", "X-Env": "green"}, {"X-Env": "green"}):
        assert run(other)["changed"] is (other is not declared)
        assert held(tasks, name) == other
    tasks.service.reset()
    seed_route(tasks, **before)
    for more in ({"enabled": False}, {"add": {"Authorization": MASK, "X-Env": "green"}}):
        for check in (True, False):
            failed = tasks.failed("https_edge_route", check, instead, **place, **{name: more})
            assert f"{name}.add.authorization: required for this change" in failed["msg"].lower()
            assert writes(failed) == []


@IN_BOTH
def test_any_other_header_that_is_null_is_missing(tasks: Tasks, name: str) -> None:
    """It has no value that could be hidden, so it is sent."""
    place = seed_route(tasks, **{name: {"add": {"X-Env": "blue"}}})
    for check in (True, False):
        options = {**place, name: {"add": {"X-Env": "green"}}}
        result = tasks.done("https_edge_route", check, returning(tasks, "X-Env", None), **options)
        assert result["diff"]["before"][name]["add"] == {}
    assert held(tasks, name) == {"X-Env": "green"}
