# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that hides secrets: the result says how many were not compared, and how to send them."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.filter.plan_markdown import plan_markdown
from module_task import Tasks
from places import EDGE, KEY, seed_route

HIDDEN = ["redacted", "emptied", "left_out"]
WEBHOOK = {"webhook_verification": {"provider": "slack", "secret": "new"}}
OAUTH = {"oauth": {"provider": {"github": {"client_id": "c", "client_secret": "new", "teams": ["a/b"]}}}}
OBJECT = {
    "collection": "event_destinations",
    "find_by": {"description": "Audit"},
    "body": {"target": {"kinesis": {"auth": {"creds": {"aws_secret_access_key": "new"}}}}},
}


def seeded(tasks: Tasks) -> None:
    """Put in a route and an object with other secrets."""
    old = {"webhook_verification": {"provider": "slack", "secret": "old"}}
    github = {**OAUTH["oauth"]["provider"]["github"], "client_secret": "old"}
    seed_route(tasks, **old, oauth={"provider": {"github": github}})
    target = {"kinesis": {"auth": {"creds": {"aws_secret_access_key": "old"}}}}
    tasks.service.seed(objects={"event_destinations": [{"description": "Audit", "target": target}]})


def told(result: dict[str, Any]) -> tuple[Any, Any]:
    return result.get("secrets_not_compared"), result.get("msg")


def said(number: int) -> tuple[Any, Any]:
    secrets, them = ("1 secret was", "it") if number == 1 else (f"{number} secrets were", "them")
    why = f"because the service does not return {them}. To send {them}, set `update_secrets: always`."
    return (number, f"{secrets} not compared, {why}") if number else (None, None)


@pytest.mark.parametrize("secrets", ["echoed", *HIDDEN])
@pytest.mark.parametrize("check", [True, False])
def test_the_result_says_how_many_secrets_were_not_compared(tasks: Tasks, secrets: str, check: bool) -> None:
    place = {"edge_id": EDGE, **KEY}
    number = int(secrets != "echoed")
    cases: list[tuple[str, dict[str, Any], int]] = [
        ("https_edge_route", {**place, **WEBHOOK, **OAUTH}, 2),
        ("https_edge_route", {**place, **WEBHOOK}, 1),
        ("https_edge_route", {**place, "webhook_verification": {"provider": "slack"}}, 0),
        ("https_edge_route", {**place, "webhook_verification": {"provider": "slack", "secret": "********"}}, 0),
        ("https_edge_route", {**place, "description": "new", **WEBHOOK}, 1),
        (
            "https_edge_route",
            {**place, "webhook_verification": {**WEBHOOK["webhook_verification"], "enabled": False}},
            0,
        ),
        ("https_edge_route", {**place, **WEBHOOK, "update_secrets": "always"}, 0),
        ("https_edge_route", {**place, **WEBHOOK, "state": "absent"}, 0),
        ("https_edge_route", {"edge_id": EDGE, **KEY, "match": "/new", **WEBHOOK}, 0),
        ("https_edge_routes", {"edge_id": EDGE, "routes": [{**KEY, **WEBHOOK, **OAUTH}]}, 2),
        ("object", OBJECT, 1),
        ("object", {**OBJECT, "update_secrets": "always"}, 0),
        (
            "estate",
            {
                "https_edges": [{"id": EDGE, "routes": [{**KEY, **WEBHOOK, **OAUTH}]}],
                "objects": [{"name": "audit", **OBJECT}],
            },
            3,
        ),
    ]
    for module, options, expected in cases:
        tasks.service.reset()
        seeded(tasks)
        tasks.service.switches(secrets=secrets)
        assert told(tasks.run(module, check, **options)) == said(number * expected), (module, options)


def test_what_is_never_returned_is_counted_as_well(tasks: Tasks) -> None:
    one = {"collection": "backends/http_response", "find_by": {"description": "x"}, "write_only": ["body"]}
    assert told(tasks.done("object", **one, body={"body": "old"})) == said(0)
    assert told(tasks.done("object", **one, body={"body": "new"})) == said(1)


def test_a_preview_says_it_as_well(tasks: Tasks) -> None:
    seeded(tasks)
    tasks.service.switches(secrets="redacted")
    result = tasks.done("https_edge_routes", True, edge_id=EDGE, routes=[{**KEY, **WEBHOOK}])
    assert "1 secret not compared (to send it, set `update_secrets: always`)" in plan_markdown(result)
