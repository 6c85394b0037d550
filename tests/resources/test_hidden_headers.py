# SPDX-License-Identifier: GPL-3.0-or-later
"""Services that hide the values of headers which are named like secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from module_task import Tasks, writes
from places import held_route, seed_route
from scripted_service import Received, Response, Script, forwarding, scripted_service

MODULES = ["request_headers", "response_headers"]


def hiding(tasks: Tasks, hidden: Any) -> Script:
    """The reference service, which returns this in place of the value of each header `Authorization`."""
    to_the_service = forwarding(tasks.service.base_url)

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {name: hidden if name == "Authorization" else value for name, value in pairs}

    def script(request: Received) -> Response:
        response = to_the_service(request)
        body = response.body and json.dumps(json.loads(response.body, object_pairs_hook=members)).encode()
        return Response(response.status, body, response.headers)

    return script


@pytest.fixture(params=[None, "", "********", "•••"], ids=["null", "empty", "stars", "bullets"])
def address(request: pytest.FixtureRequest, tasks: Tasks) -> Iterator[str]:
    with scripted_service(hiding(tasks, request.param)) as between:
        yield between.base_url


@pytest.mark.parametrize("name", MODULES)
def test_a_hidden_header_counts_as_equal_and_goes_along(tasks: Tasks, address: str, name: str) -> None:
    place = seed_route(tasks, **{name: {"add": {"Authorization": "old", "X-Env": "blue"}}})

    def run(check: bool = False, **options: Any) -> dict[str, Any]:
        return tasks.done("https_edge_route", check, base_url=address, **place, **options)

    declared = {"Authorization": "new", "X-Env": "blue"}
    for check in (True, False):
        result = run(check, **{name: {"add": declared}})
        assert (result["changed"], result["secrets_not_compared"]) == (False, 1)
        assert result["https_edge_route"][name]["add"] == {"authorization": "********", "x-env": "blue"}
    assert run(**{name: {"add": declared}}, update_secrets="always")["changed"]
    assert held_route(tasks)[name]["add"] == declared
    declared = {"Authorization": "newer", "X-Env": "green"}
    assert run(**{name: {"add": declared}})["changed"]
    assert held_route(tasks)[name]["add"] == declared
    assert run(**{name: {"add": {"X-Env": "green"}}})["changed"]
    assert held_route(tasks)[name]["add"] == {"X-Env": "green"}


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("more", [{"enabled": False}, {"add": {"Authorization": "********", "X-Env": "green"}}])
def test_a_hidden_header_is_never_wiped(tasks: Tasks, address: str, name: str, more: dict[str, Any]) -> None:
    place = seed_route(tasks, **{name: {"add": {"Authorization": "old", "X-Env": "blue"}}})
    for check in (True, False):
        failed = tasks.failed("https_edge_route", check, base_url=address, **place, **{name: more})
        assert f"{name}.add.authorization: required for this change" in failed["msg"].lower()
        assert writes(failed) == []


@pytest.mark.parametrize("name", MODULES)
def test_any_other_header_that_is_null_is_missing(tasks: Tasks, name: str) -> None:
    """It has no value that could be hidden, so it is sent."""
    place = seed_route(tasks, **{name: {"add": {"X-Env": "blue"}}})
    to_the_service = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        response = to_the_service(request)
        return Response(response.status, response.body.replace(b'"blue"', b"null"), response.headers)

    with scripted_service(script) as between:
        run = {"base_url": between.base_url, **place}
        result = tasks.done("https_edge_route", True, **run, **{name: {"add": {"X-Env": "green"}}})
        assert result["diff"]["before"][name]["add"] == {}
        assert tasks.done("https_edge_route", **run, **{name: {"add": {"X-Env": "green"}}})["changed"]
    assert held_route(tasks)[name]["add"] == {"X-Env": "green"}


@pytest.mark.parametrize("secrets", ["echoed", "left_out"])
def test_a_new_secret_header_of_an_object_is_sent(tasks: Tasks, secrets: str) -> None:
    tasks.service.switches(secrets=secrets)
    page = {"collection": "backends/http_response", "find_by": {"description": "page"}}
    for headers in ({"X-Env": "a"}, {"X-Env": "a", "Authorization": "Bearer words"}):
        declared = {**page, "body": {"headers": headers}}
        assert tasks.done("object", **declared)["changed"]
        assert not tasks.done("object", **declared)["changed"]
