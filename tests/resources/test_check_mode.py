# SPDX-License-Identifier: GPL-3.0-or-later
"""Check mode writes nothing, and predicts the real run."""

from __future__ import annotations

from typing import Any

import pytest

from convergence import converges
from module_task import Tasks, writes
from places import EDGE, KEY, ROUTE, SOURCE, TLS_EDGE, seed_edge, seed_route, seed_subscription, seed_tls_edge
from rich_world import AUTH_MODULES, FIRST

TOGETHER = {name: options for name, options in FIRST.items() if name not in AUTH_MODULES[1:]}


def test_deletion_is_predicted(tasks: Tasks) -> None:
    place = seed_route(tasks, compression={})
    seed_tls_edge(tasks, ip_restriction={})
    absent: dict[str, dict[str, Any]] = {
        "https_edge_route": place,
        "https_edge": {"id": EDGE},
        "tls_edge_ip_restriction": {"edge_id": TLS_EDGE},
        "event_source": {"subscription_id": seed_subscription(tasks, SOURCE), "type": SOURCE},
    }
    for module, options in absent.items():
        dry = tasks.done(module, check=True, **options, state="absent")
        assert dry[module.removeprefix("tls_edge_")] is None
        assert (bool(dry["diff"]["before"]), bool(dry["diff"]["after"])) == (True, False)
        assert converges(tasks, module, **options, state="absent")["changed"]


@pytest.mark.parametrize("secrets", ["echoed", "redacted", "emptied", "left_out"])
@pytest.mark.parametrize("update_secrets", ["on_create", "always"])
def test_changes_of_secrets_are_predicted(tasks: Tasks, secrets: str, update_secrets: str) -> None:
    place = seed_route(tasks, webhook_verification={"provider": "slack", "secret": "old"})
    tasks.service.switches(secrets=secrets)
    options = {**place, "webhook_verification": {"provider": "slack", "secret": "new"}}
    dry, real = (
        tasks.done("https_edge_route", check, **options, update_secrets=update_secrets) for check in (True, False)
    )
    assert dry["changed"] == real["changed"] == (secrets == "echoed" or update_secrets == "always")
    assert (dry["operations"], dry["diff"]) == (real["operations"], real["diff"])
    assert (dry["diff"]["before"] != dry["diff"]["after"]) == dry["changed"]


def placeholders(tasks: Tasks) -> tuple[str, str]:
    """The IDs of an edge and of its route that would be created."""
    edge_id = tasks.done("https_edge", check=True, hostports=["new.example.com:443"])["https_edge"]["id"]
    route_id = tasks.done("https_edge_route", check=True, edge_id=edge_id, **KEY)["https_edge_route"]["id"]
    return edge_id, route_id


def test_check_mode_plans_a_new_edge_with_its_routes(tasks: Tasks) -> None:
    edge_id, _route_id = placeholders(tasks)
    assert edge_id.startswith("edghts_")
    for match in ("/", "/other"):
        options = {"edge_id": edge_id, "match_type": "path_prefix", "match": match, **TOGETHER}
        result = tasks.done("https_edge_route", check=True, **options)
        assert (result["changed"], result["sent"]) == (True, [])
        assert [one["method"] for one in result["operations"]] == ["POST"]
        route = result["https_edge_route"]
        assert (route["id"][:9], route["edge_id"], route["backend"]["backend_id"]) == ("edghtsrt_", edge_id, "bkd_one")
        assert result["diff"]["before_header"] == f"+ create https_edge_route path_prefix {match} of {edge_id}"
    nothing = tasks.done("https_edge_route", check=True, edge_id=edge_id, **KEY, state="absent")
    assert (nothing["changed"], nothing["sent"]) == (False, [])
    assert tasks.service.state()["https_edges"] == []


def test_later_tasks_accept_placeholder_ids_in_check_mode_alone(tasks: Tasks) -> None:
    edge_id, route_id = placeholders(tasks)
    there = {"edge_id": seed_edge(tasks), "id": route_id}
    again = {"https_edge": [{"id": edge_id}], "https_edge_route": [{"edge_id": edge_id, "id": route_id}, there]}
    for module, several in again.items():
        for options in several:
            result = tasks.done(module, check=True, **options, description="changed")
            assert (result["changed"], writes(result)) == (True, [])
    for option, options in (("edge_id", {"edge_id": edge_id}), ("id", there)):
        result = tasks.failed("https_edge_route", **options, **KEY)
        assert (f"{option}: {options[option]}" in result["msg"], "check mode" in result["msg"]) == (True, True)
        assert result["sent"] == []


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
