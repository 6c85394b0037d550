# SPDX-License-Identifier: GPL-3.0-or-later
"""The module `api`: one request as it is written, with the client's safety."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote

import pytest

from cases import cases
from module_task import Tasks, applied, work_of
from places import EDGE, SOURCE, seed_edge, seed_subscription
from scripted_service import BREAK_OFF, Response, as_json, in_turn, scripted_service

HIDDEN = "********"


def test_only_a_read_changes_nothing(tasks: Tasks) -> None:
    seed_edge(tasks)
    for check in (True, False):
        result = tasks.done("api", check, path="/edges/https?limit=10")
        assert (result["changed"], result["status"], result["operations"]) == (False, 200, [])
        assert [edge["id"] for edge in result["json"]["https_edges"]] == [EDGE]
        [request] = result["sent"]
        assert (request["path"], request["query"], request["body"]) == ("/edges/https", "limit=10", None)
    subscription = f"/event_subscriptions/{seed_subscription(tasks)}/sources"
    calls: list[tuple[str, str, Any, int]] = [
        ("POST", subscription, {"type": SOURCE}, 201),
        ("PATCH", f"{subscription}/{SOURCE}", {}, 200),
        ("DELETE", f"{subscription}/{SOURCE}", None, 204),
    ]
    for method, path, body, status in calls:
        result = tasks.done("api", method=method, path=path, body=body)
        assert (result["changed"], result["status"], result["json"] is None) == (True, status, status == 204)
        assert [(request["method"], request["body"]) for request in result["sent"]] == [(method, body)]
        assert result["operations"] == [{"method": method, "path": path, "reason": "requested by the task"}]


NAMES = ["aws_secret_access_key", "client_secret", "secret", "token"]


def test_secrets_in_the_response_are_masked_unless_revealed(tasks: Tasks) -> None:
    secrets = {name: f"canary of {name}" for name in NAMES}
    response = {"id": "c", "inside": [secrets], **secrets, "below": {"token": {"a": "canary"}}}
    instead = in_turn(as_json({**response, "empty": {"token": None, "secret": ""}}))
    result = tasks.done("api", instead=instead, path="/x")["json"]
    assert result.pop("empty") == {"token": None, "secret": ""}
    hidden = dict.fromkeys(NAMES, HIDDEN)
    assert result == {"id": "c", "inside": [hidden], **hidden, "below": {"token": {"a": HIDDEN}}}
    for revealed in (["secret"], NAMES):
        shown = tasks.done("api", instead=instead, path="/x", reveal=revealed)["json"]
        assert shown["inside"] == [{name: secrets[name] if name in revealed else HIDDEN for name in NAMES}]
    assert "reveal" in tasks.failed("api", path="/x", reveal=["name"])["msg"]


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
def test_the_error_of_a_harmless_request_gives_advice(tasks: Tasks, method: str, status: int, advice: str) -> None:
    result = tasks.failed("api", instead=in_turn(Response(status)), method=method, path="/x")
    assert result["msg"].endswith(f"{status}. {advice}")


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


SECRETS_IN_PATHS = [
    *("https://user:canary@127.0.0.1/edges/https", "//user:canary@api.example.com", "https://user:ca/na?ry=@127.0.0.1"),
    *("edges?api_key=canary", "/edges?limit=1&token=canary x", "/edges?a=b?Client_Secret=ca'na\\ry#canary"),
    *("https://api.example.com/edges?access%5ftoken=can%61ry", "/../edges?token=canary%2fcanary&limit=1"),
    *("https://me@corp.com:canary@api.example.com", "//me@corp.com:canary@api.example.com", "https://canary@127.0.0.1"),
    *("//me:12/canary@127.0.0.1", "me:canary@h", "https:me:canary@h", "https:/me:canary@h", "/\\u:canary@h"),
    *("https%3A%2F%2Fu%3Acanary%40h", "https%253A%252F%252Fu%253Acanary%2540h", "canary@h", "//h/a\nb:canary@h"),
    *("/x#token=canary", "/x#access_token=canary&a=b", "/x? token = canary", "/x?h=Authorization: Bearer canary"),
]


NOBODY = {"base_url": "http://127.0.0.1:9", "api_key": "k"}


@pytest.mark.parametrize("path", SECRETS_IN_PATHS)
def test_secrets_in_an_invalid_path_are_masked(path: str) -> None:
    result = applied("api", {**NOBODY, "path": path})
    [option_error] = result["option_errors"]
    assert (option_error[:6], HIDDEN in option_error) == ("path: ", True)
    assert [one for one in ("canary", "can%61ry", "ry", "na") if one in option_error.partition(" is ")[0]] == []
    assert "canary" not in str(result)


# Valid paths, each with its part that is not displayed.
HIDDEN_IN_PATHS = {
    "/me:canary@h/x": "me:********@h",
    "/proxy?url=https%3A%2F%2Fu%3Acanary%40h": "********%40h",
    "/proxy/https://u:canary@h/x": "********@h/x",
    "/x?a=1;token=canary&b=1": "a=1;token=********&b=1",
    "/x;token=canary": "/x;token=********",
    "/x?token[]=canary": "token[]=********",
    "/x?token%5B%5D=canary": "token%5B%5D=********",
    "/x?auth[token]=canary": "auth[token]=********",
    "/x?u=%3Ftoken%3Dcanary%26b%3D1": "token%3D********%26b%3D1",
    "/x%3Ftoken=canary": "token=********",
    "/vault_secrets;value=canary": "value=********",
    "/x?token[a]=canary": "token[a]=********",
    "/x?next=https://me@corp.com:canary@h/": "********@h/",
    "/a//b@c": "/a//b@c",
    "/edges/https?before_id=pkg:prod@1": "/edges/https?before_id=pkg:prod@1",
    "/certs/urn:edge:prod/@latest": "/certs/urn:edge:prod/@latest",
    "/ip_policies?before_id=ipp_1&limit=10": "/ip_policies?before_id=ipp_1&limit=10",
    "/x/me@corp.com?since=2027-03-31&is=%3D": "/x/me@corp.com?since=2027-03-31&is=%3D",
}


@pytest.mark.parametrize(("path", "displayed"), HIDDEN_IN_PATHS.items())
def test_only_secrets_in_a_valid_path_are_masked(path: str, displayed: str) -> None:
    result = applied("api", {**NOBODY, "method": "POST", "path": path}, check=True)
    [operation] = result["operations"]
    assert (displayed in operation["path"], "canary" in str(result)) == (True, False)


def test_secrets_in_the_query_are_sent_and_not_displayed() -> None:
    query = "token=canary_one&page=plain"
    for response in (as_json({"link": "/x?token=canary_one"}), Response(500)):
        with scripted_service(in_turn(response)) as service:
            options = {"method": "DELETE", "path": f"/x?{query}", "base_url": service.base_url, "retries": 0}
            result = applied("api", {**NOBODY, **options})
            [request] = service.received
        assert query in str(vars(request))
        assert ("canary_one" in str(result), "page=plain" in str(result)) == (False, True)


@pytest.mark.parametrize("body", [{}, [], {"a": None}, [1, "é"]], ids=str)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_a_body_may_be_empty_or_a_list(tasks: Tasks, method: str, body: Any) -> None:
    [request] = tasks.done("api", instead=in_turn(as_json(None)), method=method, path="/x", body=body)["received"]
    assert request.body == json.dumps(body, ensure_ascii=False).encode()


@pytest.mark.parametrize("body", ["{", 5, 0, True, False, ""], ids=repr)
def test_a_body_of_another_kind_is_an_option_error(tasks: Tasks, body: Any) -> None:
    [option_error] = tasks.failed("api", method="POST", path="/x", body=body)["option_errors"]
    assert option_error.startswith("body: ")


def test_secret_fields_of_the_body_are_masked_everywhere(tasks: Tasks) -> None:
    body = {
        "secret": "canary_one",
        "list": [{"client_secret": 4711}, [{"token": "canary_two"}], {"secret": 1.5}],
        # These are not words that could be masked wherever they turn up.
        "no secrets": [{"secret": None}, {"secret": True}, {"secret": ""}, {"name": "canary_of_none"}],
    }
    assert set(work_of("api").secrets({"body": body})) == {"canary_one", "canary_two", "4711", "1.5"}
    for none in (None, [], {}, "secret"):
        assert set(work_of("api").secrets({"body": none})) == set()


# The request, and what check mode returns instead of a response.
FORETOLD = cases("""
    an edge | POST | /edges/https | description: x | {id: edghts_would-be-created, description: x}
    a query | POST | /edges/https?dry=1 | {} | id: edghts_would-be-created
    a route | POST | /edges/https/edghts_place/routes | {} | id: edghtsrt_would-be-created
    a module | POST | /edges/https/edghts_place/tls_termination | {} | id: new_would-be-created
    a secret | POST | /ip_policies | token: canary | {id: new_would-be-created, token: "********"}
    an ID of its own | POST | /ip_policies | id: ipp_own | id: ipp_own
    a list | POST | /things | [1] | [1]
    nothing | POST | /things | null | null
    a replacement | PUT | /things/1 | enabled: true | enabled: true
    a deletion | DELETE | /things/1 | null | null
""")


@pytest.mark.parametrize(("method", "path", "body", "predicted"), FORETOLD.values(), ids=FORETOLD)
def test_check_mode_returns_what_others_use(tasks: Tasks, method: str, path: str, body: Any, predicted: Any) -> None:
    result = tasks.done("api", check=True, method=method, path=path, body=body)
    shown = result["json"]
    if isinstance(shown, dict) and "would-be-created" in shown.get("id", ""):
        shown["id"] = re.sub(r"_[0-9a-f]{12}_", "_", shown["id"])
    assert (shown, result["sent"], result["changed"], result["status"]) == (predicted, [], True, None)
    assert [operation["method"] for operation in result["operations"]] == [method]
