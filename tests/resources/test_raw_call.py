# SPDX-License-Identifier: GPL-3.0-or-later
"""The module `api`: one request as it is written, with the client's safety."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import pytest

from module_task import Tasks, methods, work_of
from places import EDGE, KEY, SOURCE, seed_edge, seed_route, seed_subscription
from scripted_service import BREAK_OFF, Response, as_json, in_turn, scripted_service

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
        assert result["operations"] == [{"method": method, "path": path, "reason": "requested by the task"}]


def test_a_list_can_be_a_body(tasks: Tasks) -> None:
    with scripted_service(in_turn(as_json(None))) as service:
        result = tasks.done("api", method="PUT", path="/x", body=[1, "é"], base_url=f"{service.base_url}/base/")
        [request] = service.received
    assert (request.path, request.body) == ("/base/x", '[1, "é"]'.encode())
    assert result["json"] is None


def test_secrets_in_the_response_are_masked_unless_revealed(tasks: Tasks) -> None:
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


def test_empty_secret_field_is_not_masked(tasks: Tasks) -> None:
    response = {"token": None, "secret": "", "keys": [{"token": "canary"}], "aws_secret_access_key": {"a": "canary"}}
    result = tasks.done("api", path="/x", instead=in_turn(as_json(response)))
    shown = {"keys": [{"token": HIDDEN}], "aws_secret_access_key": {"a": HIDDEN}}
    assert result["json"] == {"token": None, "secret": "", **shown}


@pytest.mark.parametrize("response", [Response(500), Response(503), BREAK_OFF, Response(200, b"<html>")], ids=str)
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_call_whose_effect_is_not_known_is_not_repeated(tasks: Tasks, method: str, response: Response) -> None:
    instead = in_turn(response, as_json({}))
    result = tasks.failed("api", instead=instead, method=method, path="/x", body={}, retries=3)
    assert (len(result["received"]), result["error"]["method"]) == (1, method)
    assert result["msg"].endswith(" The request may have taken effect. Check before you run the task again.")
    assert "try again" not in result["msg"]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (503, "This may be temporary; run the task again later."),
        (511, "A network between here and the service requires you to log in to it."),
    ],
)
def test_the_error_of_a_harmless_request_advises_what_to_do(
    tasks: Tasks, method: str, status: int, advice: str
) -> None:
    result = tasks.failed("api", instead=in_turn(Response(status)), method=method, path="/x")
    assert result["msg"].endswith(f"{status}. {advice}")


def test_a_rejection_is_shown_as_it_is(tasks: Tasks) -> None:
    result = tasks.failed(
        "api", method="POST", path=f"/edges/https/{seed_edge(tasks)}/routes", body={**KEY, "nonsense": 1}
    )
    assert result["error"]["status"] == 400
    assert "nonsense" in result["msg"]
    assert not result["changed"]


def test_an_unknown_path_is_an_error(tasks: Tasks) -> None:
    result = tasks.failed("api", path="/nowhere")
    assert result["error"]["status"] == 404
    assert methods(result) == ["GET"]


def test_check_mode_reads_and_shows_what_it_would_send(tasks: Tasks) -> None:
    seed_edge(tasks)
    read = tasks.done("api", check=True, path=f"/edges/https/{EDGE}")
    assert (read["changed"], read["status"], read["json"]["id"]) == (False, 200, EDGE)
    result = tasks.done("api", check=True, method="PATCH", path=f"/edges/https/{EDGE}", body={"description": "x"})
    assert (result["changed"], result["status"], result["sent"]) == (True, None, [])
    assert result["json"] == {"description": "x"}
    assert [operation["method"] for operation in result["operations"]] == ["PATCH"]


@pytest.mark.parametrize(
    "path", ["/", "/a..b/...", "/a/.b/c.", "/%2e%2ea", "/a?b=../c", "/a!~", "/a%2fb", "/a//b", "/a?b=/.c"]
)
def test_a_path_below_the_address_of_the_service_is_sent_as_it_is(tasks: Tasks, path: str) -> None:
    with scripted_service(in_turn(as_json({}))) as service:
        tasks.done("api", path=path, base_url=f"{service.base_url}/base")
        [request] = service.received
    # A library may write a quoted character plainly, as long as it means the same.
    assert unquote(request.path) == unquote(f"/base{path}")


OTHER_PATHS = [
    *("", "/..", "/.", "/a/..", "/a/../b", "/../a", "/a/./b", "/%2e", "/%2E%2E/a", "/.%2e", "/a%2F..", "/a?..", "/é"),
    *("/\x7f", "edges/https", "//evil.example/x", "https://evil.example/x", "/a b", "/a\nHost: x", "/\\evil.example"),
    *("/a#b", "/a/../../b", "/a/%2E%2e/b", "/a%2f..%2Fb"),
]


@pytest.mark.parametrize("path", OTHER_PATHS)
def test_any_other_path_is_an_option_error(tasks: Tasks, path: str) -> None:
    result = tasks.failed("api", path=path)
    [option_error] = result["option_errors"]
    assert option_error.startswith("path: ")
    assert result["sent"] == []


@pytest.mark.parametrize("body", [{}, [], {"a": None}], ids=str)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_a_body_may_be_empty(tasks: Tasks, method: str, body: Any) -> None:
    [request] = tasks.done("api", instead=in_turn(as_json({})), method=method, path="/x", body=body)["received"]
    assert request.json() == body


@pytest.mark.parametrize("body", ["{", 5, 0, True, False, ""], ids=repr)
def test_a_body_of_another_kind_is_an_option_error(tasks: Tasks, body: Any) -> None:
    result = tasks.failed("api", method="POST", path="/x", body=body)
    [option_error] = result["option_errors"]
    assert option_error.startswith("body: ")


def test_secret_fields_of_the_body_are_masked_everywhere(tasks: Tasks) -> None:
    body = {
        "secret": "canary_one",
        "list": [{"client_secret": 4711}, [{"token": "canary_two"}], {"secret": 1.5}],
        "inside": {"aws_secret_access_key": "canary_three", "secret": {"token": "canary_four"}},
        "below": {"secret": ["canary_five", {"x": "canary_six"}]},
        # These are not words that could be masked wherever they turn up.
        "no secrets": [{"secret": None}, {"secret": True}, {"secret": ""}],
        "name": "canary_of_none",
    }
    found = set(work_of("api").secrets({"body": body}))
    canaries = {f"canary_{number}" for number in ("one", "two", "three", "four", "five", "six")}
    assert found == {*canaries, "4711", "1.5"}
    for none in (None, [], {}, "secret"):
        assert set(work_of("api").secrets({"body": none})) == set()


def test_what_may_be_revealed_is_what_is_masked(tasks: Tasks) -> None:
    result = tasks.failed("api", path="/x", reveal=["name"])
    assert "reveal" in result["msg"]
    names = ["aws_secret_access_key", "client_secret", "secret", "token"]
    response = {name: f"of {name}" for name in names}
    masked, shown = (
        tasks.done("api", instead=in_turn(as_json([response])), path="/x", **more) for more in ({}, {"reveal": names})
    )
    assert masked["json"] == [dict.fromkeys(names, HIDDEN)]
    assert shown["json"] == [response]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_a_response_may_be_empty_with_any_status(tasks: Tasks, method: str) -> None:
    result = tasks.done("api", instead=in_turn(Response(200)), method=method, path="/x")
    assert [request.method for request in result["received"]] == [method]
    assert (result["status"], result["json"], result["changed"]) == (200, None, method != "GET")


FORETOLD: list[tuple[str, str, Any, Any]] = [
    # What check mode returns instead of a response.
    ("POST", "/edges/https", {"description": "x"}, {"id": "edghts_would-be-created", "description": "x"}),
    ("POST", "/edges/https?dry=1", {}, {"id": "edghts_would-be-created"}),
    ("POST", f"/edges/https/{EDGE}/routes", {}, {"id": "edghtsrt_would-be-created"}),
    ("POST", f"/edges/https/{EDGE}/tls_termination", {}, {"id": "new_would-be-created"}),
    ("POST", "/ip_policies", {"token": "canary"}, {"id": "new_would-be-created", "token": HIDDEN}),
    ("POST", "/ip_policies", {"id": "ipp_own"}, {"id": "ipp_own"}),
    ("POST", "/things", [1], [1]),
    ("POST", "/things", None, None),
    ("PUT", "/things/1", {"enabled": True}, {"enabled": True}),
    ("DELETE", "/things/1", None, None),
]


@pytest.mark.parametrize(("method", "path", "body", "predicted"), FORETOLD, ids=str)
def test_check_mode_hands_on_what_following_tasks_can_use(
    tasks: Tasks, method: str, path: str, body: Any, predicted: Any
) -> None:
    result = tasks.done("api", check=True, method=method, path=path, body=body)
    shown = result["json"]
    if isinstance(shown, dict) and "would-be-created" in shown.get("id", ""):
        shown["id"] = re.sub(r"_[0-9a-f]{12}_", "_", shown["id"])
    assert (shown, result["sent"]) == (predicted, [])


def test_tasks_can_use_the_placeholder_id_of_a_request(tasks: Tasks) -> None:
    policy = tasks.done("api", check=True, method="POST", path="/ip_policies", body={})["json"]["id"]
    route = {"match_type": "path_prefix", "match": "/", "ip_restriction": {"ip_policy_ids": [policy]}}
    edge = tasks.done("api", check=True, method="POST", path="/edges/https", body={})["json"]["id"]
    made = tasks.done("https_edge_route", check=True, edge_id=edge, **route)
    assert made["https_edge_route"]["ip_restriction"]["ip_policy_ids"] == [policy]
    assert "is a check-mode placeholder" in tasks.failed("https_edge_route", edge_id=edge, **route)["msg"]
