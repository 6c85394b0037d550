# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets: when they count as changed, when they are needed, and that they are shown nowhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from module_process import printed_and_logged
from module_task import Tasks, methods, writes
from places import EDGE, KEY, ROUTE_PATH, held_route, seed_edge, seed_route
from scripted_service import as_json, in_turn, scripted_service

HIDDEN = ["redacted", "emptied", "left_out"]
CANARIES = ("canary_one", "canary_two", "canary_three")


def with_secret(name: str, secret: str | None, **fields: Any) -> dict[str, Any]:
    """A module that holds a secret, with this one; None leaves it out."""
    own = {} if secret is None else {"client_secret": secret}
    return {
        "webhook_verification": {"provider": "slack", **({} if secret is None else {"secret": secret}), **fields},
        "oidc": {"issuer": "https://id.example.com", "client_id": "c", **own, **fields},
        "oauth": {"provider": {"github": {"client_id": "c", **own}}, **fields},
    }[name]


def holds(tasks: Tasks, name: str, module: dict[str, Any]) -> bool:
    """Whether the service holds this of the module, and in addition only what it chose itself."""
    held = held_route(tasks)[name]
    return {**held, **module} == held


MODULES = {
    "webhook_verification": "webhook_verification.secret",
    "oidc": "oidc.client_secret",
    "oauth": "oauth.provider.github.client_secret",
}


@pytest.mark.parametrize("name", MODULES)
class TestWhetherASecretChanges:
    def test_a_secret_that_is_returned_is_compared(self, tasks: Tasks, name: str) -> None:
        place = seed_route(tasks, **{name: with_secret(name, "old")})
        assert not tasks.done("https_edge_route", **place, **{name: with_secret(name, "old")})["changed"]
        result = tasks.done("https_edge_route", **place, **{name: with_secret(name, "new")})
        assert MODULES[name] in result["operations"][0]["reason"]
        assert holds(tasks, name, with_secret(name, "new", enabled=True))

    @pytest.mark.parametrize("weak", ["x", "xxxx", "...", "secret", "[hidden]", "abc***def", "**"])
    def test_a_weak_one_that_is_shown_is_replaced(self, tasks: Tasks, name: str, weak: str) -> None:
        place = seed_route(tasks, **{name: with_secret(name, weak)})
        assert not tasks.done("https_edge_route", **place, **{name: with_secret(name, weak)})["changed"]
        assert writes(tasks.done("https_edge_route", **place, **{name: with_secret(name, "new")}))
        assert holds(tasks, name, with_secret(name, "new", enabled=True))

    @pytest.mark.parametrize("secrets", HIDDEN)
    def test_a_secret_that_is_not_returned_is_not_a_change(self, tasks: Tasks, name: str, secrets: str) -> None:
        place = seed_route(tasks, **{name: with_secret(name, "old")})
        tasks.service.switches(secrets=secrets)
        for secret in ("new", "********"):
            assert not tasks.done("https_edge_route", **place, **{name: with_secret(name, secret)})["changed"]

    @pytest.mark.parametrize("secrets", HIDDEN)
    def test_update_secrets_sends_it_in_every_run(self, tasks: Tasks, name: str, secrets: str) -> None:
        place = seed_route(tasks, **{name: with_secret(name, "old")})
        tasks.service.switches(secrets=secrets)
        declared = {**place, name: with_secret(name, "new"), "update_secrets": "always"}
        for _again in range(2):
            result = tasks.done("https_edge_route", **declared)
            assert writes(result) == [f"PATCH {ROUTE_PATH}"]
            assert holds(tasks, name, with_secret(name, "new", enabled=True))
        assert not tasks.done("https_edge_route", **place, update_secrets="always")["changed"]

    def test_update_secrets_compares_what_is_shown(self, tasks: Tasks, name: str) -> None:
        place = seed_route(tasks, **{name: with_secret(name, "old")})
        declared = {name: with_secret(name, "old"), "update_secrets": "always"}
        assert not tasks.done("https_edge_route", **place, **declared)["changed"]

    def test_the_mask_is_rejected_if_the_service_holds_no_secret(self, tasks: Tasks, name: str) -> None:
        place = seed_route(tasks)
        result = tasks.failed("https_edge_route", **place, **{name: with_secret(name, "********")})
        assert MODULES[name] in result["msg"]
        assert not writes(result)


# A client_id of an identity provider without its client_secret is rejected before any request.
NOT_GIVEN = [
    *((name, "********") for name in MODULES),
    ("webhook_verification", None),
    ("oidc", None),
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("name", "secret"), NOT_GIVEN)
@pytest.mark.parametrize("secrets", HIDDEN)
def test_a_module_is_not_replaced_without_its_secret(
    tasks: Tasks, name: str, secrets: str, secret: str | None, check: bool
) -> None:
    place = seed_route(tasks, **{name: with_secret(name, "canary_old")})
    tasks.service.switches(secrets=secrets)
    changed = {name: with_secret(name, secret, enabled=False)}
    result = tasks.failed("https_edge_route", check=check, **place, **changed, description="new")
    assert MODULES[name] in result["msg"]
    assert not writes(result)
    assert not result["changed"]


@pytest.mark.parametrize(("name", "secret"), NOT_GIVEN)
def test_a_returned_secret_is_sent_as_well(tasks: Tasks, name: str, secret: str | None) -> None:
    place = seed_route(tasks, **{name: with_secret(name, "old")})
    tasks.done("https_edge_route", **place, **{name: with_secret(name, secret, enabled=False)})
    assert holds(tasks, name, with_secret(name, "old", enabled=False))


def test_a_whole_oauth_module_is_sent_with_its_returned_values(tasks: Tasks) -> None:
    """`enabled: false` alone keeps the provider, for which its secret is needed."""
    place = seed_route(tasks, oauth=with_secret("oauth", "old"))
    tasks.service.switches(secrets="redacted")
    result = tasks.failed("https_edge_route", **place, oauth={"enabled": False})
    assert "oauth.provider.github.client_secret" in result["msg"]
    tasks.service.switches()
    tasks.done("https_edge_route", **place, oauth={"enabled": False})
    assert holds(tasks, "oauth", with_secret("oauth", "old", enabled=False))


def test_another_module_is_sent_without_the_secret_of_one_that_stays(tasks: Tasks) -> None:
    place = seed_route(tasks, oidc=with_secret("oidc", "old"))
    tasks.service.switches(secrets="left_out")
    result = tasks.done("https_edge_route", **place, oidc=with_secret("oidc", None), compression={"enabled": True})
    assert methods(result) == ["GET", "PATCH"]
    assert held_route(tasks)["oidc"] == with_secret("oidc", "old")


SECRETS = {
    "webhook_verification": with_secret("webhook_verification", CANARIES[0]),
    "oauth": with_secret("oauth", CANARIES[1]),
}
OTHER_SECRETS = {"webhook_verification": with_secret("webhook_verification", CANARIES[2]), "absent_modules": ["oauth"]}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("secrets", ["echoed", *HIDDEN])
def test_no_secret_is_in_a_result(tasks: Tasks, secrets: str, check: bool) -> None:
    tasks.service.switches(secrets=secrets)
    place = {"edge_id": seed_edge(tasks), **KEY}
    for declared in (
        SECRETS,
        {**OTHER_SECRETS, "update_secrets": "always"},
        {"purge_modules": True},
        {"state": "absent"},
    ):
        for dry in sorted({check, False}, reverse=True):
            result = tasks.done("https_edge_route", check=dry, **place, **declared)
            assert not shown(result)
        assert not shown(tasks.done("https_edge", id=EDGE))


def shown(result: dict[str, Any]) -> list[str]:
    """The secrets that a result shows, the key among them, in anything but the requests that it sent."""
    text = json.dumps({name: value for name, value in result.items() if name != "sent"})
    return [secret for secret in (*CANARIES, "ak_of_the_tests") if secret in text]


def test_a_diff_shows_that_a_secret_changes(tasks: Tasks) -> None:
    place = seed_route(tasks, **SECRETS)
    declared = {"webhook_verification": with_secret("webhook_verification", CANARIES[2])}
    diff = tasks.done("https_edge_route", check=True, **place, **declared)["diff"]
    assert diff["before"]["webhook_verification"]["secret"] != diff["after"]["webhook_verification"]["secret"]
    assert diff["before"]["oauth"] == diff["after"]["oauth"]


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("quotes", [True, False])
def test_a_rejection_that_quotes_the_key_does_not_show_it(tasks: Tasks, status: int, quotes: bool) -> None:
    tasks.service.switches(rejection_status=status, rejection_quotes_key=quotes)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("https_edge", {"hostports": ["a.example.com:443"]}),
        ("event_source", {"subscription_id": "esb_a", "type": "domain_created.v0"}),
        ("tunnel_info", {}),
        ("api", {"path": "/tunnels"}),
    ]
    for module, options in wrong:
        result = tasks.failed(module, **options, api_key="ak_canary_three")
        assert result["error"]["status"] == status
        assert result["error"]["error_code"] == "ERR_API_KEY"
        assert "API key" in result["msg"]
        assert not shown(result)


def test_the_key_is_masked_in_everything_a_rejection_says(tasks: Tasks) -> None:
    said = {
        "status_code": 403,
        "error_code": "ERR canary_one",
        "msg": ["canary_one"],
        "details": {"operation_id": "canary_one"},
    }
    with scripted_service(in_turn(as_json(said, 403))) as service:
        result = tasks.failed("tunnel_info", base_url=service.base_url, api_key="canary_one")
    assert not shown(result)


WRONG: list[dict[str, Any]] = [
    {"webhook_verification": {"provider": "", "secret": CANARIES[0]}, "match": ""},
    {"oidc": {"client_secret": CANARIES[1], "unknown": 1}},
    {"oauth": {"provider": {"github": {"client_secret": CANARIES[2]}}}},
    {"webhook_verification": {"secret": {"a": CANARIES[0]}}, "match_type": "wrong"},
]


@pytest.mark.parametrize("options", WRONG)
def test_no_secret_is_in_a_message_about_the_options(tasks: Tasks, options: dict[str, Any]) -> None:
    assert not shown(tasks.failed("https_edge_route", **{"edge_id": EDGE, **KEY, **options}))


def connection(tasks: Tasks) -> dict[str, Any]:
    return {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 0}


@pytest.mark.parametrize("secrets", ["echoed", "redacted"])
def test_no_secret_is_in_what_a_module_prints_or_logs(tasks: Tasks, secrets: str) -> None:
    tasks.service.switches(secrets=secrets)
    place = {"edge_id": seed_edge(tasks), **KEY}
    result, logged = printed_and_logged("https_edge_route", **connection(tasks), **place, **SECRETS)
    assert result["changed"]
    assert "module_args" in result["invocation"]
    assert not shown(result)
    assert not shown({"logged": logged})


@pytest.mark.parametrize("provider", ["github", "google"])
def test_no_secret_of_the_wrong_type_is_in_another_error(tasks: Tasks, provider: str) -> None:
    oauth = {"provider": {provider: {"client_secret": [CANARIES[0]]}}}
    result, logged = printed_and_logged(
        "https_edge_route", **connection(tasks), edge_id=EDGE, match="/", match_type=CANARIES[0], oauth=oauth
    )
    assert "match_type: '********' is not allowed" in result["msg"]
    parts = {name: result[name] for name in ("msg", "option_errors", "invocation")}
    assert not shown({**parts, "logged": logged})


def test_no_secret_is_in_what_a_failing_module_prints_or_logs(tasks: Tasks) -> None:
    """A service may quote any value that it rejects."""
    said = {"status_code": 400, "msg": f"secret {CANARIES[0]} of Bearer ak_of_the_tests is too short"}
    with scripted_service(in_turn(as_json({"id": EDGE, "routes": []}), as_json(said, 400))) as service:
        result, logged = printed_and_logged(
            "https_edge_route", **{**connection(tasks), "base_url": service.base_url}, edge_id=EDGE, **KEY, **SECRETS
        )
    assert result["failed"]
    assert "too short" in result["msg"]
    assert not shown(result)
    assert not shown({"logged": logged})


@pytest.mark.parametrize("method", ["POST", "GUESS"])
def test_no_secret_of_a_raw_call_is_printed_or_logged(tasks: Tasks, method: str) -> None:
    seed_edge(tasks)
    body = {**KEY, **SECRETS, "unknown": [{"token": CANARIES[2]}]}
    result, logged = printed_and_logged(
        "api", **connection(tasks), method=method, path=f"/edges/https/{EDGE}/routes", body=body
    )
    assert result["failed"]
    assert not shown(result)
    assert not shown({"logged": logged})
