# SPDX-License-Identifier: GPL-3.0-or-later
"""An update replaces dictionaries, lists, and with PUT the object: the plan and its digest show all that is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cases import cases
from module_task import Given, Tasks, writes
from scripted_service import Received, ScriptedService, as_json, scripted_service

SECRET = "canary-of-replacements"
FOUND: Given = {"collection": "things", "find_by": {"name": "one"}}
KEPT: Given = {"id": "x_1", "uri": "https://api.example.com/x_1", "created_at": "2026-01-31T12:00:00Z"}
REF = {"id": "bk_1", "uri": "https://api.example.com/bk_1"}


@contextmanager
def holding(thing: Given) -> Iterator[ScriptedService]:
    """A service with one object, of which PATCH replaces fields, and PUT everything but what the service chooses."""
    there = {**KEPT, "name": "one", **thing}

    def script(request: Received) -> Any:
        if request.method != "GET":
            stay = there if request.method == "PATCH" else KEPT
            left = {**stay, **json.loads(request.body)}
            there.clear()
            there.update(left)
            return as_json(there)
        return as_json({"things": [there], "next_page_uri": None})

    with scripted_service(script) as service:
        yield service


# What the service has | what is declared | what is shown before | and after
CASES = cases(
    """
    a dictionary | {labels: {a: 1, b: 2}} | {body: {labels: {a: 9}}} | {labels: {a: 1, b: 2}} | {labels: {a: 9}}
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
        dry, real, again = (
            tasks.done("object", check, base_url=service.base_url, **options)["object"]
            for check in (True, False, False)
        )
    left = {**KEPT, "name": "one", "size": 2, "backend_id": "bk_1"}
    assert real == again == left
    assert {name: value for name, value in dry.items() if name not in ("backend", "empty")} == left


# What the service has | what it has later | what is declared
HIDDEN = cases(
    """
    a sibling | {labels: {a: 1, b: 2}} | {labels: {a: 1, b: 3}} | {body: {labels: {a: 9}}}
    in a member | {rules: [{k: 1, note: x}]} | {rules: [{k: 1, note: y}]} | {body: {rules: [{k: 2}]}}
    what PUT drops | {size: 1, more: x} | {size: 1, more: y} | {body: {size: 2}, update_method: PUT}
    what PUT sends anyway | {size: 1, labels: {a: 1}} | {size: 1, labels: {a: 1, b: 2}}
        | {body: {size: 2, labels: {a: 1}}, update_method: PUT}
    """
)


@pytest.mark.parametrize(("live", "changed", "options"), HIDDEN.values(), ids=HIDDEN)
def test_the_digest_covers_what_is_lost(tasks: Tasks, live: Given, changed: Given, options: Given) -> None:
    estate = {"objects": [{"name": "one", **FOUND, **options}]}
    digests = []
    for there in (live, changed):
        with holding(there) as service:
            digests.append(tasks.done("estate", True, base_url=service.base_url, **estate)["plan_digest"])
    assert digests[0] != digests[1]
    with holding(changed) as service:
        rejected = tasks.failed("estate", base_url=service.base_url, **estate, expect_plan=digests[0])
        assert not writes(rejected)


def test_what_stays_takes_no_part_in_the_digest(tasks: Tasks) -> None:
    estate = {"objects": [{"name": "one", **FOUND, "body": {"size": 2, "labels": {"a": 1}}}]}
    digests = set()
    for more in ({"labels": {"a": 1}}, {"labels": {"a": 1, "b": 2}}, {"labels": {"a": 1}, "more": "x"}):
        with holding({"size": 1, **more}) as service:
            digests.add(tasks.done("estate", True, base_url=service.base_url, **estate)["plan_digest"])
    assert len(digests) == 1


def test_nothing_is_shown_if_nothing_is_replaced(tasks: Tasks) -> None:
    for method in ("PATCH", "PUT"):
        with holding({"size": 1, "labels": {"a": 1, "b": 2}, "more": "x"}) as service:
            options = {**FOUND, "body": {"size": 1, "labels": {"a": 1}}, "update_method": method}
            result = tasks.done("object", base_url=service.base_url, **options)
        assert not result["changed"]
        assert result["diff"]["before"] == result["diff"]["after"]
        assert result["object"]["more"] == "x"
