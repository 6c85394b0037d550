# SPDX-License-Identifier: GPL-3.0-or-later
"""The description and the metadata of a route, if they are not declared: nobody's change to them may be lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests

from meddling import HEADERS
from module_task import Given, Tasks, received, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, ROUTE_PATH, held_route, seed_route
from scripted_service import BREAK_OFF, Instead, Received, Response, as_json, forwarding

TEXT_FIELDS = {"description": "kept", "metadata": "kept, tôo"}
CHANGES = {
    "a module": {"compression": {}},
    "the match": {"id": ROUTE, "match": "/new"},
    "by its ID": {"id": ROUTE, "compression": {"enabled": False}},
    "an exchange": {"absent_modules": ["oauth"], "saml": {"idp_metadata": "<new/>"}},
}


def place_of(tasks: Tasks, **fields: Any) -> Given:
    return seed_route(tasks, backend={"backend_id": "bkd_one"}, oauth={"provider": {"github": {}}}, **fields)


def text_fields(tasks: Tasks) -> Given:
    return {name: held_route(tasks).get(name, "") for name in TEXT_FIELDS}


def before_writes(act: Any) -> Instead:
    """Let `act` respond to each write, or do something before it."""
    return lambda request: act(request) if request.method != "GET" else None


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("given", [TEXT_FIELDS, {"description": "kept"}, {"metadata": "kept, tôo"}], ids=str)
def test_a_service_that_clears_them_gets_them_again(tasks: Tasks, change: str, given: dict[str, str]) -> None:
    place = place_of(tasks, **given)
    tasks.service.switches(patch_forgets_text=True)
    declared = {**place, **CHANGES[change]}
    result = tasks.done("https_edge_route", **declared)
    assert text_fields(tasks) == {**dict.fromkeys(TEXT_FIELDS, ""), **given}
    [again] = [one for one in result["operations"] if "sends" in one["reason"]]
    assert again["reason"].startswith(f"sends {' and '.join(given)} again, which the service cleared")
    patches = [request["body"] for request in result["sent"] if request["method"] == "PATCH"]
    assert all(given.keys() <= body.keys() for body in patches[1:])
    assert not tasks.done("https_edge_route", **declared)["changed"]


@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_a_task_finds_out_once_of_each_field_that_the_service_empties_it(tasks: Tasks, concurrency: int) -> None:
    texts = [{"description": "kept"}, TEXT_FIELDS, {"metadata": "kept"}, *[TEXT_FIELDS] * 17]
    keys = [{"match_type": "path_prefix", "match": f"/{number}"} for number in range(len(texts))]
    routes = [{**key, **text} for key, text in zip(keys, texts, strict=True)]
    tasks.service.seed(https_edges=[{"id": EDGE, "routes": routes}])
    tasks.service.switches(patch_forgets_text=True, response_delay_ms=5 * (concurrency > 1))
    options = {"routes": [{**key, "compression": {}} for key in keys], "concurrency": concurrency}
    result = tasks.done("https_edge_routes", edge_id=EDGE, **options)
    if concurrency == 1:
        assert (len([one for one in result["operations"] if "again" in one["reason"]]), len(writes(result))) == (2, 22)
    held = tasks.service.state()["https_edges"][0]["routes"]
    assert all(text.items() <= route.items() for text, route in zip(texts, held, strict=True))


def test_what_the_list_of_edges_leaves_out_is_read_before_it_could_be_cleared(tasks: Tasks) -> None:
    seed_route(tasks, **TEXT_FIELDS)
    tasks.service.switches(patch_forgets_text=True)
    forward = forwarding(tasks.service.base_url)

    def instead(request: Received) -> Response | None:
        listed = forward(request).body if request.path == "/edges/https" else b""
        return Response(200, listed.replace(b'"description":"kept",', b"")) if listed else None

    edge = {"hostports": [HOSTPORT], "routes": [{**KEY, "compression": {}}]}
    result = tasks.done("estate", instead=instead, https_edges=[edge])
    assert received(result)[:2] == ["GET /edges/https", f"GET /edges/https/{EDGE}"]
    assert text_fields(tasks) == TEXT_FIELDS


@pytest.mark.parametrize("name", TEXT_FIELDS)
@pytest.mark.parametrize("text", ["by somebody else", ""])
@pytest.mark.parametrize("forgets", [False, True])
def test_a_change_by_somebody_else_stays(tasks: Tasks, name: str, text: str, forgets: bool) -> None:
    """Only a service that clears what is omitted makes no difference between that and a change to an empty text."""
    place = place_of(tasks, **TEXT_FIELDS)

    def change(_request: Received) -> None:
        tasks.service.switches(patch_forgets_text=False)
        if text_fields(tasks)[name] == TEXT_FIELDS[name]:
            url = tasks.service.base_url + ROUTE_PATH
            requests.patch(url, json={name: text}, headers=HEADERS, timeout=9).raise_for_status()
        tasks.service.switches(patch_forgets_text=forgets)

    tasks.done("https_edge_route", instead=before_writes(change), **place, compression={})
    assert "compression" in held_route(tasks)
    assert text_fields(tasks) == (TEXT_FIELDS if forgets else {**TEXT_FIELDS, name: text})


SECRET = {"webhook_verification": {"provider": "p", "secret": "always sent"}, "update_secrets": "always"}


@pytest.mark.parametrize("response", ["204", "lost", "without them"])
@pytest.mark.parametrize("forgets", [False, True])
@pytest.mark.parametrize("declared", [{"compression": {}}, SECRET], ids=["compression", "secret"])
def test_descriptions_and_metadata_stay_if_the_response_does_not_show_them(
    tasks: Tasks, declared: Given, response: str, forgets: bool
) -> None:
    place = place_of(tasks, **TEXT_FIELDS, webhook_verification={"provider": "p", "secret": "old"})
    tasks.service.switches(patch_forgets_text=forgets, secrets="left_out")
    forward = forwarding(tasks.service.base_url)

    def spoil(request: Received) -> Response:
        real = forward(request)
        if response == "without them":
            return as_json({name: value for name, value in json.loads(real.body).items() if name not in TEXT_FIELDS})
        return BREAK_OFF if response == "lost" and request.number < 3 else Response(204) if response == "204" else real

    result = tasks.run("https_edge_route", instead=before_writes(spoil), **place, **declared, retries=3)
    assert text_fields(tasks) == TEXT_FIELDS
    assert declared.keys() & held_route(tasks).keys()
    patches = [request for request in result["sent"] if request["method"] == "PATCH"]
    # Nothing shows whether the service has got a secret.
    assert len(patches) == 1 + forgets + (response == "lost" and declared is SECRET)


@pytest.mark.parametrize("is_read", [True, False])
def test_an_unknown_outcome_without_retries(tasks: Tasks, is_read: bool) -> None:
    place = place_of(tasks, **TEXT_FIELDS)
    tasks.service.switches(patch_forgets_text=True)
    forward = forwarding(tasks.service.base_url)
    written: list[Received] = []

    def script(request: Received) -> Response:
        response = forward(request) if is_read or not written else BREAK_OFF
        written.extend([request] if request.method != "GET" else [])
        return BREAK_OFF if written == [request] else response

    result = tasks.failed("https_edge_route", instead=script, **place, compression={})
    assert text_fields(tasks) == (TEXT_FIELDS if is_read else dict.fromkeys(TEXT_FIELDS, ""))
    note = "did not contain `description` and `metadata`, which the service may have cleared"
    assert (note in result["msg"]) is not is_read
