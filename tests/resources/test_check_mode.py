# SPDX-License-Identifier: GPL-3.0-or-later
"""Check mode writes nothing, predicts the real run, and returns the same keys."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, methods, writes
from places import EDGE, KEY, ROUTE, seed_edge, seed_route, seed_subscription, seed_tls_edge
from rich_world import AUTH_MODULES, BARE_WORLD, CHANGED_WORLD, FIRST, FIRST_WORLD, SEED

TOGETHER = {name: options for name, options in FIRST.items() if name not in AUTH_MODULES[1:]}


def shape(value: Any) -> Any:
    """The keys in a value, at any depth. The members of a list have one shape."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    return [shape(member) for member in value[:1]] if isinstance(value, list) else None


def predicted(tasks: Tasks, module: str, **options: Any) -> dict[str, Any]:
    """Run a task in check mode and then for real. Return the result of check mode, which predicted the other."""
    dry, real = tasks.done(module, check=True, **options), tasks.done(module, **options)
    assert set(methods(dry)) <= {"GET"}
    assert dry["changed"] == real["changed"]
    assert dry["operations"] == real["operations"]
    assert dry["diff"] == real["diff"]
    assert [f"{one['method']} {one['path']}" for one in dry["operations"]] == writes(real)
    assert shape({**dry, "sent": 0}) == shape({**real, "sent": 0})
    return dry


def test_a_rich_estate_is_predicted(tasks: Tasks) -> None:
    tasks.service.seed(**SEED)
    for world in (FIRST_WORLD, CHANGED_WORLD, BARE_WORLD):
        for module, options in world:
            assert predicted(tasks, module, **options)["changed"]
            assert not predicted(tasks, module, **options)["changed"]


def test_deletion_is_predicted(tasks: Tasks) -> None:
    place = seed_route(tasks, compression={})
    absent: list[tuple[str, dict[str, Any]]] = [
        ("https_edge_route", place),
        ("https_edge", {"id": EDGE}),
        ("tls_edge_ip_restriction", {"edge_id": seed_tls_edge(tasks, ip_restriction={})}),
        (
            "event_source",
            {"subscription_id": seed_subscription(tasks, "domain_created.v0"), "type": "domain_created.v0"},
        ),
    ]
    for module, options in absent:
        dry = predicted(tasks, module, **options, state="absent")
        assert dry["changed"]
        assert dry[module.removeprefix("tls_edge_")] is None
        assert dry["diff"]["before"]
        assert not dry["diff"]["after"]
        assert not predicted(tasks, module, **options, state="absent")["changed"]


@pytest.mark.parametrize("secrets", ["echoed", "redacted", "emptied", "left_out"])
@pytest.mark.parametrize("update_secrets", ["on_create", "always"])
def test_changes_of_secrets_are_predicted(tasks: Tasks, secrets: str, update_secrets: str) -> None:
    place = seed_route(tasks, webhook_verification={"provider": "slack", "secret": "old"})
    tasks.service.switches(secrets=secrets)
    module = {"provider": "slack", "secret": "new"}
    dry = predicted(tasks, "https_edge_route", **place, webhook_verification=module, update_secrets=update_secrets)
    assert dry["changed"] == (secrets == "echoed" or update_secrets == "always")
    if dry["changed"]:
        assert dry["diff"]["before"] != dry["diff"]["after"]


def test_check_mode_plans_a_new_edge_with_its_routes(tasks: Tasks) -> None:
    new = {"hostports": ["new.example.com:443"], "mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
    edge = tasks.done("https_edge", check=True, **new)
    assert methods(edge) == ["GET"]
    edge_id = edge["https_edge"]["id"]
    assert edge_id.startswith("edghts_")
    for match in ("/", "/other"):
        options = {"edge_id": edge_id, "match_type": "path_prefix", "match": match, **TOGETHER}
        route = tasks.done("https_edge_route", check=True, **options)
        assert route["changed"]
        assert route["sent"] == []
        assert [one["method"] for one in route["operations"]] == ["POST"]
        assert route["https_edge_route"]["id"].startswith("edghtsrt_")
        assert route["https_edge_route"]["edge_id"] == edge_id
        assert route["diff"]["before_header"] == f"+ create https_edge_route path_prefix {match} of {edge_id}"
        assert route["https_edge_route"]["backend"]["backend_id"] == "bkd_one"
    state = tasks.service.state()
    assert state["https_edges"] == []


def test_later_tasks_in_check_mode_accept_placeholder_ids(tasks: Tasks) -> None:
    edge_id = tasks.done("https_edge", check=True, hostports=["new.example.com:443"])["https_edge"]["id"]
    route_id = tasks.done("https_edge_route", check=True, edge_id=edge_id, **KEY)["https_edge_route"]["id"]
    again: list[tuple[str, dict[str, Any]]] = [
        ("https_edge", {"id": edge_id}),
        ("https_edge_route", {"edge_id": edge_id, "id": route_id}),
        ("https_edge_route", {"edge_id": seed_edge(tasks), "id": route_id}),
    ]
    for module, options in again:
        result = tasks.done(module, check=True, **options, description="changed")
        assert result["changed"]
        assert not writes(result)


def test_nothing_is_on_an_edge_that_would_be_created(tasks: Tasks) -> None:
    edge_id = tasks.done("https_edge", check=True, hostports=["new.example.com:443"])["https_edge"]["id"]
    result = tasks.done("https_edge_route", check=True, edge_id=edge_id, **KEY, state="absent")
    assert not result["changed"]
    assert result["sent"] == []


@pytest.mark.parametrize("option", ["edge_id", "id"])
def test_a_stand_in_for_an_id_means_nothing_outside_check_mode(tasks: Tasks, option: str) -> None:
    edge_id = tasks.done("https_edge", check=True, hostports=["new.example.com:443"])["https_edge"]["id"]
    route_id = tasks.done("https_edge_route", check=True, edge_id=edge_id, **KEY)["https_edge_route"]["id"]
    ids = {"edge_id": seed_edge(tasks), option: {"edge_id": edge_id, "id": route_id}[option]}
    result = tasks.failed("https_edge_route", **ids, **KEY)
    assert result["sent"] == []
    assert f"{option}: {ids[option]}" in result["msg"]
    assert "check mode" in result["msg"]


def test_check_mode_fails_if_the_real_run_would(tasks: Tasks) -> None:
    place = seed_route(tasks, webhook_verification={"provider": "slack", "secret": "old"})
    tasks.service.switches(secrets="left_out")
    for check in (True, False):
        result = tasks.failed("https_edge_route", check=check, **place, webhook_verification={"provider": "stripe"})
        assert "webhook_verification.secret" in result["msg"]
    assert tasks.failed("https_edge", check=True, id="edghts_unknown")["msg"]
    assert tasks.failed("https_edge_route", check=True, edge_id=EDGE, id="edghtsrt_unknown")["msg"]


def test_predicted_state_equals_the_real_one(tasks: Tasks) -> None:
    """For what is declared; what the service chooses only shows once it has."""
    place = seed_route(tasks, oidc={"issuer": "https://id.example.com", "client_id": "c", "client_secret": "s"})
    options = {**place, "id": ROUTE, **TOGETHER, "purge_modules": True, "description": "new"}
    dry, real = (tasks.done("https_edge_route", check=check, **options)["https_edge_route"] for check in (True, False))
    assert dry == real
