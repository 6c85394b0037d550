# SPDX-License-Identifier: GPL-3.0-or-later
"""What a policy's actions hold under the name of a secret is masked, though the actions are not known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.plugin_utils._task_arguments import checked, masked
from module_process import printed_and_logged
from module_task import Tasks, work_of
from places import EDGE, KEY, held_route, seed_route
from scripted_service import as_json, forwarding, scripted_service

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
    return {"inbound": {"actions": {"type": "of-the-service", "config": config}}}


def declared(module: str, **route: Any) -> dict[str, Any]:
    if module == "https_edge_route":
        return {"edge_id": EDGE, **KEY, **route}
    if module == "https_edge_routes":
        return {"edge_id": EDGE, "routes": [{**KEY, **route}]}
    return {"https_edges": [{"id": EDGE, "routes": [{**KEY, **route}]}]}


@pytest.mark.parametrize("module", ["https_edge_route", "https_edge_routes", "estate"])
def test_what_is_declared_is_in_no_result(tasks: Tasks, module: str) -> None:
    seed_route(tasks, policy=policy("canary of before", other="as it was"))
    given = {
        "base_url": tasks.service.base_url,
        "api_key": tasks.service.api_key,
        **declared(module, policy=policy("Bearer canary_of_now")),
    }
    work = work_of(module)
    arguments = checked(work, given)
    result = masked(entry.result_of(work, arguments.options, diff_mode=True), work, arguments)
    assert result["changed"]
    assert "canary" not in str(result)
    assert "x-some-header" in str(result)
    assert "an-issuer-of-words" in str(result)
    assert "canary_of_now" in json.dumps(held_route(tasks))
    printed, logged = printed_and_logged(module, **given)
    assert "canary" not in str(printed) + logged


def test_what_the_service_quotes_of_it_is_masked(tasks: Tasks) -> None:
    place = seed_route(tasks)
    to_the_service = forwarding(tasks.service.base_url)
    rejection = as_json({"msg": "canary_of_now is not a token, nor is Bearer canary_of_now"}, 400)
    with scripted_service(lambda got: rejection if got.method == "PATCH" else to_the_service(got)) as between:
        result = tasks.failed(
            "https_edge_route", base_url=between.base_url, **place, policy=policy("Bearer canary_of_now")
        )
    assert "canary" not in result["msg"]
    assert "is not a token" in result["msg"]


def test_a_diff_shows_that_only_a_secret_changes(tasks: Tasks) -> None:
    place = seed_route(tasks, policy=policy("canary of before"))
    diff = tasks.done("https_edge_route", check=True, **place, policy=policy("canary of now"))["diff"]
    assert diff["before"] != diff["after"]
    assert "canary" not in str(diff)


def test_an_exported_policy_with_a_secret_changes_nothing(tasks: Tasks) -> None:
    seed_route(tasks, policy=policy("kept in the service"))
    exported = tasks.done("estate_info")["estate"]
    assert "kept in the service" in str(exported)
    assert not tasks.done("estate", **exported)["changed"]
