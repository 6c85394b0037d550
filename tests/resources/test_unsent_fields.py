# SPDX-License-Identifier: GPL-3.0-or-later
"""What an update of an object does not contain stays: sent along, restored, or an error that names it. It replaces
dictionaries, lists, and with PUT the object: the plan and its digest show all that is lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cases import cases
from convergence import converges
from module_task import WRITES, Given, Tasks, methods, received
from scripted_service import BREAK_OFF, Received, Response, ScriptedService, as_json, in_turn, scripted_service

BACKENDS = {"backends/failover": ["bkdhr_1", "bkdhr_2"], "backends/weighted": {"bkdhr_1": 7, "bkdhr_2": 0}}
ONE = {"find_by": {"description": "The one"}}


@pytest.mark.parametrize("empties", ["backends", "nothing", "everything"])
@pytest.mark.parametrize("collection", BACKENDS)
def test_known_backends_keep_their_members(tasks: Tasks, collection: str, empties: str) -> None:
    tasks.service.seed(objects={collection: [{"description": "The one", "backends": BACKENDS[collection]}]})
    tasks.service.switches(patch_empties=empties, unknown_references="accepted")
    task = {"collection": collection, **ONE}
    changed = tasks.done("object", **task, body={"metadata": "two"})
    assert changed["sent"][1]["body"] == {"backends": BACKENDS[collection], "metadata": "two"}
    [held] = tasks.service.state()["objects"][collection]
    assert (held["backends"], held["metadata"], held["description"]) == (BACKENDS[collection], "two", "The one")
    assert ("warnings" in changed, methods(tasks.done("object", **task))) == (False, ["GET"])


@pytest.mark.parametrize("secrets", ["echoed", "redacted"])
def test_a_secret_that_cannot_be_restored_is_an_error(tasks: Tasks, secrets: str) -> None:
    creds = {"aws_access_key_id": "AKIA", "aws_secret_access_key": "hidden"}
    target = {"kinesis": {"auth": {"creds": creds}, "stream_arn": "arn:one"}}
    tasks.service.seed(objects={"event_destinations": [{"description": "The one", "target": target}]})
    tasks.service.switches(patch_empties="everything", secrets=secrets)
    result = tasks.failed("object", collection="event_destinations", **ONE, body={"metadata": "two"})
    assert "the update has emptied target.kinesis.auth.creds.aws_secret_access_key, which" in result["msg"]
    assert "hidden" not in result["msg"]
    [held] = tasks.service.state()["objects"]["event_destinations"]
    assert held["target"]["kinesis"]["stream_arn"] == "arn:one"


@pytest.mark.parametrize(
    ("change", "kept"), [({"metadata": "two"}, {"enforced": True}), ({"enforced": False}, {})], ids=str
)
def test_fields_that_are_always_sent_if_they_have_a_value(tasks: Tasks, change: Given, kept: Given) -> None:
    held = {"description": "The one", "type": "api", "ip_policy_ids": ["ipp_one"]}
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one"}], "ip_restrictions": [held]})
    always = ["ip_policy_ids", "description", "enforced", "metadata", "none"]
    changed = converges(tasks, "object", collection="ip_restrictions", **ONE, always_send=always, body=change)
    sent = {"ip_policy_ids": ["ipp_one"], "description": "The one", **kept, **change}
    assert changed["sent"][-1]["body"] == sent


@pytest.mark.parametrize("now", [{"one": ["ipp_one", "ipp_two"], "two": ["ipp_one"]}, {}], ids=str)
def test_what_is_always_sent_is_what_it_is_until_the_change_comes(tasks: Tasks, now: dict[str, list[str]]) -> None:
    """The first of two edges gives up its hostport for the second one, with its current restriction if it has one."""
    then = {"one": ["ipp_two"], "two": ["ipp_three"]}
    served = {name: {"hostports": [f"{name}.example.com:443"]} for name in then}
    edges = [(name, {"ip_restriction": {"ip_policy_ids": now[name]}} if now else {}) for name in then]
    tasks.service.seed(tls_edges=[{"id": f"edgtls_{name}", **served[name], **live} for name, live in edges])
    edge = {"collection": "edges/tls", "always_send": ["ip_restriction"]}
    objects = [
        {**edge, "name": name, "id": f"edgtls_{name}"}
        | {"body": {**served[other], "ip_restriction": {"ip_policy_ids": then[name]}}}
        for name, other in (("one", "two"), ("two", "one"))
    ]
    converges(tasks, "estate", objects=objects, purge=["hostports"])


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("secret", ["********", "****1234", None])
def test_a_secret_that_is_always_sent_must_be_known(tasks: Tasks, secret: str | None, check: bool) -> None:
    held = {"id": "x_1", "description": "The one", "size": 0, "secret": secret}
    task = {"instead": in_turn(as_json({"things": [held]})), "collection": "things", **ONE, "always_send": ["secret"]}
    result = tasks.failed("object", check, **task, body={"size": 1})
    assert ("body.secret: required for this change" in result["msg"], received(result, *WRITES)) == (True, [])
    assert not tasks.done("object", check, **task, body={"size": 0})["changed"]
    new = in_turn(as_json({"things": []}), as_json({**held, "size": 1}))
    created = tasks.done("object", check, **{**task, "instead": new}, body={"size": 1})
    assert [one.json() for one in created["received"][1:]] == [{"description": "The one", "size": 1}] * (not check)


POLICY = {"id": "ipp_1", "description": "The one", "labels": {"a": "1"}}
LOST = as_json({**POLICY, "metadata": "two", "labels": {}})
KEPT = as_json({**POLICY, "metadata": "two"})
PARTIAL = as_json({"id": "ipp_1", "metadata": "two"})
READS = ["GET", "PATCH", "GET"]


@pytest.mark.parametrize(
    ("responses", "sent", "error"),
    [
        ([PARTIAL, KEPT], READS, ""),
        ([Response(204), KEPT], READS, ""),
        ([Response(204), LOST, KEPT], [*READS, "PATCH"], ""),
        ([BREAK_OFF, LOST, LOST, KEPT], [*READS, "GET", "PATCH"], ""),
        ([LOST, LOST, LOST, LOST], [*READS, "PATCH", "GET"], "sending this again did not restore it. Restore"),
        ([LOST, LOST, as_json({"msg": "No!"}, 400)], [*READS, "PATCH"], "the service returned 400: No! The update has"),
    ],
)
def test_the_object_decides_what_is_lost(tasks: Tasks, responses: list[Response], sent: list[str], error: str) -> None:
    """Responses to updates may be empty or incomplete."""
    options = {"instead": in_turn(as_json(POLICY), *responses), "collection": "ip_policies", "id": "ipp_1"}
    result = tasks.run("object", **options, body={"metadata": "two"}, retries=1)
    assert [request.method for request in result["received"]] == sent
    assert bool(result.get("failed")) == bool(error)
    if error:
        restore = 'Restore the previous values: {"labels": {"a": "1"}}.'
        told = ("he update has emptied labels, which it did not contain, and ", error, restore)
        assert [text for text in told if text not in result["msg"]] == []
    assert "warnings" not in result
    repairs = [request.json() for request in result["received"] if request.method == "PATCH"][1:]
    assert repairs == [{"metadata": "two", "labels": {"a": "1"}}] * len(repairs)


SECRET = "canary-of-replacements"
FOUND: Given = {"collection": "things", "find_by": {"name": "one"}}
KEPT: Given = {"id": "x_1", "uri": "https://api.example.com/x_1", "created_at": "2026-01-31T12:00:00Z"}
REF = {"id": "bk_1", "uri": "https://api.example.com/bk_1"}


@contextmanager
def holding(thing: Given) -> Iterator[ScriptedService]:
    """A service with one object, of which PATCH replaces fields, and PUT everything but what the service chooses."""
    there = {**KEPT, "name": "one", **thing}

    def script(request: Received) -> Any:
        if request.method == "PUT":
            there.clear()
            there.update(KEPT)
        there.update(request.json() or {})
        return as_json(there if request.body else {"things": [there]})

    with scripted_service(script) as service:
        yield service


# What the service has | what is declared | what is shown before | and after
CASES = cases(
    """
    a dictionary inside | {target: {stream: {arn: x, region: eu}, batch: 5}} | {body: {target: {stream: {arn: y}}}}
        | {target: {stream: {arn: x, region: eu}, batch: 5}} | {target: {stream: {arn: y}}}
    members of a list
        | {rules: [{key: a, note: n}, {key: b}, {other: true}]} | {body: {rules: [{key: a}, {key: c}]}}
        | {rules: [{key: a, note: n}, {key: b}, {key: null, other: true}]} | {rules: [{key: a}, {key: c}]}
    members of a set
        | {rules: [{key: b, note: n}, {key: a}]} | {body: {rules: [{key: a}, {key: c}]}, unordered: [rules]}
        | {rules: [{key: a}, {key: b, note: n}]} | {rules: [{key: a}, {key: c}]}
    a member twice
        | {rules: [{key: a, note: n}, {key: a, note: m}]} | {body: {rules: [{key: a}, {key: c}]}, unordered: [rules]}
        | {rules: [{key: a, note: n}, {key: a, note: m}]} | {rules: [{key: a}, {key: c}]}
    a secret inside
        | {auth: {user: a, token: "*****", realm: x}} | {body: {auth: {user: b, token: *SECRET }}}
        | {auth: {user: a, token: "********", realm: x}} | {auth: {user: b, token: "********"}}
    a reference
        | {backend: {backend: *REF , enabled: true}} | {body: {backend: {backend_id: bk_2}}}
        | {backend: {backend_id: bk_1, enabled: true}} | {backend: {backend_id: bk_2}}
    nothing else is sent
        | {labels: {a: 1, b: 2}, size: 1, more: x} | {body: {labels: {a: 1}, size: 2}}
        | {labels: {a: 1}, size: 1} | {labels: {a: 1}, size: 2}
    PUT
        | {labels: {a: 1, b: 2}, size: 1, more: x, list: [{c: 3}], backend: *REF , empty: ""}
        | {body: {labels: {a: 1}, size: 2, backend_id: bk_1}, update_method: PUT}
        | {labels: {a: 1, b: 2}, size: 1, more: x, list: [{c: 3}], backend_id: bk_1}
        | {labels: {a: 1}, size: 2, backend_id: bk_1}
    nothing
        | {size: 1, labels: {a: 1, b: 2}, more: x} | {body: {size: 1, labels: {a: 1}}, update_method: PUT}
        | {size: 1, labels: {a: 1}, more: x} | {size: 1, labels: {a: 1}, more: x}
    """,
    SECRET=SECRET,
    REF=REF,
)


@pytest.mark.parametrize(("live", "declared", "before", "after"), CASES.values(), ids=CASES)
def test_before_and_after_are_whole(tasks: Tasks, live: Given, declared: Given, before: Given, after: Given) -> None:
    options = {**FOUND, **declared}
    with holding(live) as service:
        for check in (True, False):
            result = tasks.done("object", check, base_url=service.base_url, **options)
            assert result["diff"]["before"] == {"name": "one", **before}
            assert result["diff"]["after"] == {"name": "one", **after}
            assert SECRET not in json.dumps(result["object"])


def test_check_mode_predicts_what_a_put_leaves(tasks: Tasks) -> None:
    live = {"size": 1, "more": "x", "labels": {"a": 1}, "backend": REF, "empty": ""}
    options = {**FOUND, "body": {"size": 2, "backend_id": "bk_1"}, "update_method": "PUT"}
    with holding(live) as service:
        options["base_url"] = service.base_url
        dry, real, again = (tasks.done("object", check, **options)["object"] for check in (True, False, False))
    left = {**KEPT, "name": "one", "size": 2, "backend_id": "bk_1"}
    assert real == again == left
    assert {name: value for name, value in dry.items() if name not in ("backend", "empty")} == left


# What the service has | what it has later | what is declared | whether the rest is lost
HIDDEN = cases(
    """
    a sibling | {labels: {a: 1, b: 2}} | {labels: {a: 1, b: 3}} | {body: {labels: {a: 9}}} | true
    in a member | {rules: [{k: 1, note: x}]} | {rules: [{k: 1, note: y}]} | {body: {rules: [{k: 2}]}} | true
    what PUT drops | {size: 1, more: x} | {size: 1, more: y} | {body: {size: 2}, update_method: PUT} | true
    what PUT sends anyway | {size: 1, labels: {a: 1}} | {size: 1, labels: {a: 1, b: 2}}
        | {body: {size: 2, labels: {a: 1}}, update_method: PUT} | true
    what stays | {size: 1, labels: {a: 1}} | {size: 1, labels: {a: 1, b: 2}, more: x}
        | {body: {size: 2, labels: {a: 1}}} | false
    """
)


@pytest.mark.parametrize(("live", "changed", "options", "is_lost"), HIDDEN.values(), ids=HIDDEN)
def test_digests_cover_what_is_lost(tasks: Tasks, live: Given, changed: Given, options: Given, is_lost: bool) -> None:
    estate = {"objects": [{"name": "one", **FOUND, **options}]}
    digests = []
    for there in (live, changed):
        with holding(there) as service:
            digests.append(tasks.done("estate", True, base_url=service.base_url, **estate)["plan_digest"])
    assert (digests[0] != digests[1]) == is_lost
