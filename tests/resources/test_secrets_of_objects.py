# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets in objects of any collection: when they are sent, that they appear nowhere, and that none is removed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils import _arguments
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import argument_spec
from ansible_collections.edgeops.ingress.plugins.plugin_utils._task_arguments import checked, masked
from module_task import Tasks, methods, work_of, writes
from places import EDGE, KEY, seed_route
from scripted_service import Received, Response, as_json, scripted_service

SECRET, OTHER = "wJalrXUtnFEMI-K7MDENG", "je7MtGbClwBF-2Zp9Utk"
HIDDEN = ("redacted", "emptied", "left_out")


def destination(secret: str | None = SECRET, stream: str = "arn:one", **more: Any) -> dict[str, Any]:
    creds = {"aws_access_key_id": "AKIAEXAMPLE", **({} if secret is None else {"aws_secret_access_key": secret})}
    target = {"kinesis": {"auth": {"creds": creds}, "stream_arn": stream}}
    return {"collection": "event_destinations", "find_by": {"description": "Audit"}, "body": {"target": target}, **more}


def held(tasks: Tasks) -> Any:
    [one] = tasks.service.state()["objects"]["event_destinations"]
    return one["target"]["kinesis"]["auth"]["creds"].get("aws_secret_access_key")


def shown(result: dict[str, Any], options: dict[str, Any]) -> str:
    """Everything that leaves a task, as the user sees it."""
    work = work_of("object")
    visible = {name: value for name, value in result.items() if name != "sent"}
    return json.dumps(
        masked(visible, work, checked(work, {"base_url": "http://127.0.0.1:9", "api_key": "k", **options}))
    )


@pytest.mark.parametrize("secrets", ["echoed", *HIDDEN])
def test_a_secret_is_sent_once(tasks: Tasks, secrets: str) -> None:
    tasks.service.switches(secrets=secrets)
    for expected in (["GET", "POST"], ["GET"]):
        for check in (True, False):
            result = tasks.done("object", check, **destination())
            assert methods(result) == expected[: 1 if check else 2]
            assert SECRET not in shown(result, destination())
    assert held(tasks) == SECRET
    new = tasks.done("object", **destination(OTHER))
    assert (len(writes(new)), held(tasks)) == ((1, OTHER) if secrets == "echoed" else (0, SECRET))
    if new["changed"]:
        after = new["diff"]["after"]["target"]["kinesis"]["auth"]["creds"]["aws_secret_access_key"]
        assert after == "******** (a new value)"
    assert OTHER not in shown(new, destination(OTHER))
    assert SECRET not in shown(new, {})


@pytest.mark.parametrize("secrets", HIDDEN)
def test_a_new_secret_is_always_sent_if_that_is_wanted(tasks: Tasks, secrets: str) -> None:
    tasks.service.switches(secrets=secrets)
    tasks.done("object", **destination())
    result = tasks.done("object", **destination(OTHER, update_secrets="always"))
    path = "target.kinesis.auth.creds.aws_secret_access_key"
    assert [one["reason"] for one in result["operations"]] == [f"differs: {path}"]
    assert held(tasks) == OTHER


@pytest.mark.parametrize("secrets", ["echoed", "redacted"])
@pytest.mark.parametrize("check", [True, False])
def test_no_secret_is_removed_by_another_change(tasks: Tasks, secrets: str, check: bool) -> None:
    tasks.done("object", **destination())
    tasks.service.switches(secrets=secrets)
    result = tasks.failed("object", check, **destination(None, stream="arn:two"))
    assert "body.target.kinesis.auth.creds.aws_secret_access_key: required for this change" in result["msg"]
    assert (writes(result), held(tasks)) == ([], SECRET)


def test_the_mask_keeps_a_secret_that_is_known(tasks: Tasks) -> None:
    tasks.done("object", **destination())
    result = tasks.done("object", **destination("********", stream="arn:two"))
    assert (len(writes(result)), held(tasks)) == (1, SECRET)
    tasks.service.switches(secrets="redacted")
    failed = tasks.failed("object", **destination("********", stream="arn:three"))
    assert failed["msg"].count(": body.target.kinesis.auth.creds.aws_secret_access_key: required for this") == 1


WRITE_ONLY: dict[str, Any] = {
    "collection": "backends/http_response",
    "find_by": {"description": "Closed"},
    "write_only": ["headers"],
}


def test_what_is_write_only_is_masked_and_sent_on_creation(tasks: Tasks) -> None:
    headers = {"X-Password": SECRET, "X-Number": "4711471147"}
    created = tasks.done("object", **WRITE_ONLY, body={"headers": headers})
    assert created["sent"][-1]["body"]["headers"] == headers
    assert created["object"]["headers"] == "********"
    assert created["diff"]["after"]["headers"] == "********"
    text = shown(created, {**WRITE_ONLY, "body": {"headers": headers}})
    assert SECRET not in text
    assert "4711471147" not in text
    other = {"headers": {"X-Password": OTHER}}
    assert methods(tasks.done("object", **WRITE_ONLY, body=other)) == ["GET"]
    changed = tasks.done("object", **WRITE_ONLY, body={**other, "body": "new"})
    assert changed["sent"][-1]["body"] == {"body": "new"}
    always = tasks.done("object", **WRITE_ONLY, body={**other, "body": "new"}, update_secrets="always")
    assert always["sent"][-1]["body"] == other
    assert always["diff"]["after"]["headers"] == "******** (a new value)"


@pytest.mark.parametrize("path", ["password", "pasword"])
@pytest.mark.parametrize("secret", [SECRET, 4711.25, 47114711])
def test_a_misspelled_path_reveals_nothing(path: str, secret: Any) -> None:
    work = work_of("object")
    options = {"collection": "a", "find_by": {"name": "x"}, "body": {"password": secret}, "write_only": [path]}
    arguments = checked(work, {"base_url": "http://127.0.0.1:9", "api_key": "k", **options})
    assert str(secret) not in json.dumps(
        masked(_arguments.shown(argument_spec(work), arguments.options), work, arguments)
    )


WRONG_LISTS: list[dict[str, Any]] = [
    {"write_onyl": ["password"]},
    {"write-only": ["password"], "create_only": []},
    {"write_only": {"password": True}},
    {"write_only": True},
]


@pytest.mark.parametrize("wrong", WRONG_LISTS, ids=repr)
@pytest.mark.parametrize("module", ["object", "estate", "exposure_info"])
def test_a_list_of_paths_that_is_wrong_reveals_nothing(module: str, wrong: dict[str, Any]) -> None:
    work = work_of(module)
    one = {"collection": "a", "find_by": {"name": "x"}, "body": {"password": SECRET}, **wrong}
    declared = {"objects": [{"name": "one", **one}]}
    options = {"object": one, "estate": declared, "exposure_info": {"estate": declared}}[module]
    arguments = checked(work, {"base_url": "http://127.0.0.1:9", "api_key": "k", **options})
    assert len(arguments.option_errors) == 1
    invocation = _arguments.shown(argument_spec(work), arguments.options)
    assert SECRET not in json.dumps(masked(invocation, work, arguments))


def test_write_only_fields_do_not_distinguish_objects(tasks: Tasks) -> None:
    seeds = [{"description": "Closed", "body": one} for one in (SECRET, OTHER)]
    tasks.service.seed(objects={"backends/http_response": seeds})
    result = tasks.failed("object", **{**WRITE_ONLY, "write_only": ["body"]}, body={"body": "new one"})
    assert "2 objects in backends/http_response match" in result["msg"]
    assert SECRET not in result["msg"]


def test_put_sends_everything(tasks: Tasks) -> None:
    """The reference service has no PUT, so a scripted one has."""
    there = {"id": "x_1", "name": "one", "size": 1, "also": "kept"}

    def script(request: Received) -> Any:
        if request.method == "GET":
            return as_json({"things": [there], "next_page_uri": None})
        there.clear()
        there.update({"id": "x_1", **json.loads(request.body)})
        return as_json(there)

    options = {"collection": "things", "find_by": {"name": "one"}, "update_method": "PUT"}
    with scripted_service(script) as service:
        connection = {"base_url": service.base_url}
        result = tasks.done("object", **connection, **options, body={"size": 2, "token": SECRET})
        assert [operation["method"] for operation in result["operations"]] == ["PUT"]
        assert json.loads(service.received[-1].body) == {"name": "one", "size": 2, "token": SECRET}
        assert not tasks.done("object", **connection, **options, body={"size": 2})["changed"]
        failed = tasks.failed("object", **connection, **options, body={"size": 3})
        assert "body.token: required for this change" in failed["msg"]


@pytest.mark.parametrize("page", [False, True])
def test_a_live_secret_that_is_resent_is_masked_if_the_service_quotes_it(tasks: Tasks, page: bool) -> None:
    def script(request: Received) -> Response:
        if request.method == "GET":
            return as_json({"things": [{"id": "x_1", "description": "Audit", "size": 0, "secret": SECRET}]})
        quoted = json.dumps({"msg": f"rejected: {request.body.decode()}"})
        return (
            Response(400, f"rejected: {quoted}".encode(), {"Content-Type": "text/plain"})
            if page
            else Response(400, quoted.encode(), {"Content-Type": "application/json"})
        )

    task = {"collection": "things", "find_by": {"description": "Audit"}, "body": {"size": 1}, "always_send": ["secret"]}
    with scripted_service(script) as service:
        result = tasks.failed("object", base_url=service.base_url, **task)
        assert SECRET in service.received[-1].body.decode()
    assert "rejected" in result["msg"]
    assert SECRET not in json.dumps(result)


@pytest.mark.parametrize("quoted", ["json", "escaped", "urlencoded"])
def test_the_live_secret_of_a_traffic_module_is_masked_as_well(tasks: Tasks, quoted: str) -> None:
    oidc = {"issuer": "https://a.example.com", "client_id": "shop"}
    seed_route(tasks, oidc={**oidc, "client_secret": SECRET})
    tasks.service.switches(error_quotes_request=quoted, unknown_references="refused")
    other = {"oidc": {**oidc, "issuer": "https://b.example.com"}, "backend": {"backend_id": "bkdst_unknown"}}
    result = tasks.failed("https_edge_route", edge_id=EDGE, **KEY, **other)
    assert result["sent"][-1]["body"]["oidc"]["client_secret"] == SECRET
    assert "The request was" in result["msg"]
    assert SECRET not in json.dumps({name: value for name, value in result.items() if name != "sent"})
