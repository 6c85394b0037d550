# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets of traffic modules: when they are sent, when they are needed, and how many a service hides."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.filter.plan_markdown import plan_markdown
from module_process import visible
from module_task import Given, Tasks, writes
from places import EDGE, KEY, ROUTE_PATH, held_route, in_each_module, seed_route

ECHOED, HIDDEN = "echoed", ["redacted", "emptied", "left_out"]
MASK = "********"
MODULES = {
    "webhook_verification": "webhook_verification.secret",
    "oidc": "oidc.client_secret",
    "oauth": "oauth.provider.github.client_secret",
}


def with_secret(name: str, secret: str | None, **fields: Any) -> Given:
    """A module that holds a secret, with this one; None leaves it out."""
    own = {} if secret is None else {"client_secret": secret}
    return {
        "webhook_verification": {"provider": "slack", **({} if secret is None else {"secret": secret}), **fields},
        "oidc": {"issuer": "https://id.example.com", "client_id": "c", **own, **fields},
        "oauth": {"provider": {"github": {"client_id": "c", **own}}, **fields},
    }[name]


def holds(tasks: Tasks, name: str, module: Given) -> bool:
    """Whether the service holds this of the module, and in addition only what it chose itself."""
    held = held_route(tasks)[name]
    return {**held, **module} == held


@pytest.mark.parametrize("secrets", HIDDEN)
@pytest.mark.parametrize("name", MODULES)
def test_a_secret_that_is_not_returned_is_sent_only_if_asked_for(tasks: Tasks, name: str, secrets: str) -> None:
    place = seed_route(tasks, **{name: with_secret(name, "old")})
    tasks.service.switches(secrets=secrets)
    for secret in ("new", MASK):
        assert not tasks.done("https_edge_route", **place, **{name: with_secret(name, secret)})["changed"]
    for _again in range(2):
        declared = {name: with_secret(name, "new"), "update_secrets": "always"}
        assert writes(tasks.done("https_edge_route", **place, **declared)) == [f"PATCH {ROUTE_PATH}"]
        assert holds(tasks, name, with_secret(name, "new", enabled=True))
    assert not tasks.done("https_edge_route", **place, update_secrets="always")["changed"]


# A client_id of an identity provider without its client_secret is rejected before any request.
NOT_GIVEN = [*((name, MASK) for name in MODULES), ("webhook_verification", None), ("oidc", None)]


@pytest.mark.parametrize(("name", "secret"), NOT_GIVEN)
@pytest.mark.parametrize("secrets", [ECHOED, *HIDDEN])
def test_a_module_is_replaced_only_with_its_secret(tasks: Tasks, name: str, secrets: str, secret: str | None) -> None:
    place = seed_route(tasks, **{name: with_secret(name, "canary_old")})
    tasks.service.switches(secrets=secrets)
    declared = {**place, name: with_secret(name, secret, enabled=False), "description": "new"}
    if secrets == ECHOED:
        tasks.done("https_edge_route", **declared)
        assert holds(tasks, name, with_secret(name, "canary_old", enabled=False))
        return
    for check in (True, False):
        result = tasks.failed("https_edge_route", check, **declared)
        assert (MODULES[name] in result["msg"], writes(result), result["changed"]) == (True, [], False)


@pytest.mark.parametrize("status", [401, 403])
def test_a_rejected_key_is_mentioned_but_not_shown(tasks: Tasks, status: int) -> None:
    tasks.service.switches(rejection_status=status, rejection_quotes_key=True)
    result = tasks.failed("tunnel_info", api_key="ak_canary")
    assert ("API key" in result["msg"], "canary" in visible(result)) == (True, False)


SECRETS = ("webhook_verification", "oauth")
WEBHOOK, BOTH = ({name: with_secret(name, "new") for name in names} for names in (SECRETS[:1], SECRETS))
OBJECT = {
    "collection": "event_destinations",
    "find_by": {"description": "Audit"},
    "body": {"target": {"kinesis": {"auth": {"creds": {"aws_secret_access_key": "new"}}}}},
}
ALWAYS = {"update_secrets": "always"}
ROUTES = in_each_module(BOTH)
# How many secrets are not compared if the service hides them.
NOT_COMPARED: list[tuple[str, Given, int]] = [
    ("https_edge_route", ROUTES["https_edge_route"], 2),
    ("https_edge_route", {**KEY, **WEBHOOK}, 1),
    ("https_edge_route", {**KEY, "webhook_verification": with_secret("webhook_verification", None)}, 0),
    ("https_edge_route", {**KEY, "webhook_verification": with_secret("webhook_verification", MASK)}, 0),
    ("https_edge_route", {**KEY, "description": "new", **WEBHOOK}, 1),
    ("https_edge_route", {**KEY, "webhook_verification": {**WEBHOOK["webhook_verification"], "enabled": False}}, 0),
    ("https_edge_route", {**KEY, **WEBHOOK, **ALWAYS}, 0),
    ("https_edge_route", {**KEY, **WEBHOOK, "state": "absent"}, 0),
    ("https_edge_route", {**KEY, "match": "/new", **WEBHOOK}, 0),
    ("https_edge_routes", ROUTES["https_edge_routes"], 2),
    ("object", OBJECT, 1),
    ("object", {**OBJECT, **ALWAYS}, 0),
    ("estate", {**ROUTES["estate"], "objects": [{"name": "audit", **OBJECT}]}, 3),
]


def seed_other_secrets(tasks: Tasks) -> None:
    seed_route(tasks, **{name: with_secret(name, "old") for name in SECRETS})
    target = {"kinesis": {"auth": {"creds": {"aws_secret_access_key": "old"}}}}
    tasks.service.seed(objects={"event_destinations": [{"description": "Audit", "target": target}]})


def is_told(result: Given, number: int) -> bool:
    secrets, them = ("1 secret was", "it") if number == 1 else (f"{number} secrets were", "them")
    why = f"because the service does not return {them}. To send {them}, set `update_secrets: always`."
    told = (number, f"{secrets} not compared, {why}") if number else (None, None)
    return (result.get("secrets_not_compared"), result.get("msg")) == told


@pytest.mark.parametrize("secrets", [ECHOED, *HIDDEN])
@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("module", "options", "number"), NOT_COMPARED)
def test_the_result_says_how_many_secrets_were_not_compared(
    tasks: Tasks, module: str, options: Given, number: int, secrets: str, check: bool
) -> None:
    seed_other_secrets(tasks)
    tasks.service.switches(secrets=secrets)
    place = {"edge_id": EDGE} if module == "https_edge_route" else {}
    assert is_told(tasks.run(module, check, **{**place, **options}), number if secrets != ECHOED else 0)


def test_what_is_never_returned_is_not_compared_and_a_page_says_it_as_well(tasks: Tasks) -> None:
    one = {"collection": "backends/http_response", "find_by": {"description": "x"}, "write_only": ["body"]}
    assert is_told(tasks.done("object", **one, body={"body": "old"}), 0)
    assert is_told(tasks.done("object", **one, body={"body": "new"}), 1)
    seed_other_secrets(tasks)
    tasks.service.switches(secrets="redacted")
    result = tasks.done("https_edge_routes", True, **in_each_module(WEBHOOK)["https_edge_routes"])
    assert "1 secret not compared (to send it, set `update_secrets: always`)" in plan_markdown(result)
