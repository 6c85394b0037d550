# SPDX-License-Identifier: GPL-3.0-or-later
"""What a policy's actions hold under the name of a secret is masked, though the actions are not known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked
from module_process import visible, visible_of_process
from module_task import Tasks, work_of
from places import held_route, in_each_module, seed_route
from scripted_service import as_json, rejecting

NAMES = [
    *("client_secret", "password", "authToken", "api-key", "Authorization", "private_key", "credentials", "pwd"),
    *("secretKey", "secret_key", "signing_key", "signingKey", "bearer", "bearerJWT", "jwt", "hmac", "hmacKey"),
]


def policy(value: Any, **more: Any) -> dict[str, Any]:
    config = dict.fromkeys(NAMES, value) | {
        "inside": [{"token": {"value": value}}],
        "text": json.dumps({"token": value}),
        "header": "x-some-header",
        "jwt-settings": {"issuer": "an-issuer-of-words"},
        **more,
    }
    return {"policy": {"inbound": {"actions": {"type": "of-the-service", "config": config}}}}


@pytest.mark.parametrize("module", ["https_edge_route", "https_edge_routes", "estate"])
def test_what_is_declared_is_in_no_result(tasks: Tasks, module: str) -> None:
    seed_route(tasks, **policy("canary of before", other="as it was"))
    options = in_each_module(policy("Bearer canary_of_now"))[module]
    work, result = work_of(module), tasks.done(module, **options)
    arguments = checked(work, {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, **options})
    text = visible(masked({**result, "sent": []}, work, arguments))
    words = ("canary", "x-some-header", "an-issuer-of-words")
    assert (result["changed"], *(word in text for word in words)) == (True, False, True, True)
    assert "canary_of_now" in json.dumps(held_route(tasks))
    assert "canary" not in visible_of_process(tasks, module, **options)


def test_what_the_service_quotes_of_it_is_masked(tasks: Tasks) -> None:
    said = as_json({"msg": "canary_of_now is not a token, nor is Bearer canary_of_now"}, 400)
    options = {**seed_route(tasks), **policy("Bearer canary_of_now")}
    msg = tasks.failed("https_edge_route", instead=rejecting("PATCH", response=said), **options)["msg"]
    assert ("canary" in msg, "is not a token" in msg) == (False, True)


def test_a_diff_shows_that_only_a_secret_changes(tasks: Tasks) -> None:
    place = seed_route(tasks, **policy("canary of before"))
    diff = tasks.done("https_edge_route", check=True, **place, **policy("canary of now"))["diff"]
    assert diff["before"] != diff["after"]
    assert "canary" not in str(diff)


def test_an_exported_policy_with_a_secret_changes_nothing(tasks: Tasks) -> None:
    seed_route(tasks, **policy("kept in the service"))
    exported = tasks.done("estate_info")["estate"]
    assert "kept in the service" in str(exported)
    assert not tasks.done("estate", **exported)["changed"]
