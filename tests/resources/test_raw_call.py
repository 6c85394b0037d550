# SPDX-License-Identifier: GPL-3.0-or-later
"""The module `api`: one request as it is written, with the client's safety."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, methods
from places import EDGE, KEY, SOURCE, seed_edge, seed_route, seed_subscription
from scripted_service import BREAK_OFF, Answer, as_json, in_turn, scripted_service

HIDDEN = "********"


def test_a_read_changes_nothing(tasks: Tasks) -> None:
    seed_edge(tasks)
    result = tasks.done("api", path="/edges/https?limit=10")
    assert (result["changed"], result["status"], result["operations"]) == (False, 200, [])
    assert [edge["id"] for edge in result["json"]["https_edges"]] == [EDGE]
    [request] = result["sent"]
    assert (request["path"], request["query"], request["body"]) == ("/edges/https", "limit=10", None)


def test_any_other_call_is_a_change(tasks: Tasks) -> None:
    subscription = f"/event_subscriptions/{seed_subscription(tasks)}/sources"
    calls: list[tuple[str, str, Any, int]] = [
        ("POST", subscription, {"type": SOURCE}, 201),
        ("PATCH", f"{subscription}/{SOURCE}", {}, 200),
        ("DELETE", f"{subscription}/{SOURCE}", None, 204),
    ]
    for method, path, body, status in calls:
        result = tasks.done("api", method=method, path=path, **({} if body is None else {"body": body}))
        assert (result["changed"], result["status"]) == (True, status)
        assert (result["json"] is None) == (status == 204)
        assert [(request["method"], request["body"]) for request in result["sent"]] == [(method, body)]
        assert result["operations"] == [{"method": method, "path": path, "reason": "asked for by the task"}]


def test_a_list_can_be_a_body(tasks: Tasks) -> None:
    with scripted_service(in_turn(as_json(None))) as service:
        result = tasks.done("api", method="PUT", path="/x", body=[1, "é"], base_url=f"{service.base_url}/base/")
        [request] = service.received
    assert (request.path, request.body) == ("/base/x", '[1, "é"]'.encode())
    assert result["json"] is None


def test_secrets_in_the_answer_are_masked_unless_they_are_asked_for(tasks: Tasks) -> None:
    app = {"client_id": "c", "client_secret": "canary_one"}
    seed_route(
        tasks, webhook_verification={"provider": "slack", "secret": "canary_two"}, oauth={"provider": {"github": app}}
    )
    path = f"/edges/https/{EDGE}"
    result = tasks.done("api", path=path)
    assert "canary" not in str(result["json"])
    route = result["json"]["routes"][0]
    assert route["webhook_verification"]["secret"] == HIDDEN
    assert route["oauth"]["provider"]["github"]["client_secret"] == HIDDEN
    assert route["oauth"]["provider"]["github"]["client_id"] == "c"
    shown = tasks.done("api", path=path, reveal=["secret"])["json"]["routes"][0]
    assert shown["webhook_verification"]["secret"] == "canary_two"
    assert shown["oauth"]["provider"]["github"]["client_secret"] == HIDDEN


def test_what_is_no_secret_yet_stays(tasks: Tasks) -> None:
    answer = {"token": None, "secret": "", "keys": [{"token": "canary"}], "aws_secret_access_key": {"a": "canary"}}
    with scripted_service(in_turn(as_json(answer))) as service:
        result = tasks.done("api", path="/x", base_url=service.base_url)
    assert result["json"] == {
        "token": None,
        "secret": "",
        "keys": [{"token": HIDDEN}],
        "aws_secret_access_key": HIDDEN,
    }


@pytest.mark.parametrize("answer", [Answer(500), Answer(503), BREAK_OFF, Answer(200, b"<html>")], ids=str)
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_call_whose_effect_is_not_known_is_not_repeated(tasks: Tasks, method: str, answer: Answer) -> None:
    with scripted_service(in_turn(answer, as_json({}))) as service:
        result = tasks.failed("api", method=method, path="/x", body={}, base_url=service.base_url, retries=3)
        assert len(service.received) == 1
    assert result["error"]["method"] == method
    assert result["msg"].endswith(" The request may have taken effect. Check before you run the task again.")
    assert "try again" not in result["msg"]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_a_call_that_may_be_repeated_is_told_to_be_tried_later(tasks: Tasks, method: str) -> None:
    with scripted_service(in_turn(Answer(503))) as service:
        result = tasks.failed("api", method=method, path="/x", base_url=service.base_url)
    assert result["msg"].endswith("503 (this may pass: try again later)")


def test_a_refusal_is_shown_as_it_is(tasks: Tasks) -> None:
    result = tasks.failed(
        "api", method="POST", path=f"/edges/https/{seed_edge(tasks)}/routes", body={**KEY, "nonsense": 1}
    )
    assert result["error"]["status"] == 400
    assert "nonsense" in result["msg"]
    assert not result["changed"]


def test_a_path_that_is_not_there(tasks: Tasks) -> None:
    result = tasks.failed("api", path="/nowhere")
    assert result["error"]["status"] == 404
    assert methods(result) == ["GET"]
