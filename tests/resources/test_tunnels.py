# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading online tunnels: one or all, filtered, in whatever form the service has them."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, methods
from scripted_service import as_json, in_turn

AGENT = {
    "id": "tn_agent",
    "public_url": "tcp://1.tcp.example.net:12345",
    "proto": "tcp",
    "region": "us",
    "metadata": '{"app":"shop"}',
    "endpoint": {"id": "ep_a"},
    "forwards_to": "localhost:22",
}
BACKEND = {"id": "tn_backend", "labels": {"app": "shop", "env": "live"}, "backends": [{"id": "bkd_a"}], "region": "eu"}
BARE = {"id": "tn_bare", "proto": "https", "region": "us"}
FIELDS = {
    *("id", "public_url", "started_at", "metadata", "proto", "region", "tunnel_session", "endpoint", "labels"),
    *("backends", "forwards_to"),
}


@pytest.fixture(autouse=True)
def _three_tunnels(tasks: Tasks) -> None:
    tasks.service.seed(tunnels=[AGENT, BACKEND, BARE])


def ids(tasks: Tasks, **options: Any) -> list[str]:
    """The IDs of the tunnels that a task returns."""
    return sorted(tunnel["id"] for tunnel in tasks.done("tunnel_info", **options)["tunnels"])


ALL = ["tn_agent", "tn_backend", "tn_bare"]
FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ALL),
    ({"id": "tn_bare"}, ["tn_bare"]),
    ({"id": "tn_unknown"}, []),
    ({"id": "tn_bare", "region": "eu"}, []),
    ({"proto": "tcp"}, ["tn_agent"]),
    ({"proto": "http"}, []),
    ({"region": "us"}, ["tn_agent", "tn_bare"]),
    ({"region": "us", "proto": "https"}, ["tn_bare"]),
    ({"metadata": '{"app":"shop"}'}, ["tn_agent"]),
    ({"metadata": "shop"}, []),
    ({"labels": {"app": "shop"}}, ["tn_backend"]),
    ({"labels": {"app": "shop", "env": "test"}}, []),
    ({"labels": {"env": "live", "app": "shop"}}, ["tn_backend"]),
    ({"labels": {}}, ALL),
    ({"labels": {"app": 7}}, []),
    ({"labels": {"other": None}}, []),
    ({"metadata": ""}, ["tn_backend", "tn_bare"]),
]


@pytest.mark.parametrize(
    "switches", [{}, {"page_size": 1}, {"page_size": 1, "next_page": "relative"}, {"extra_keys": True}]
)
@pytest.mark.parametrize(("options", "found"), FILTERS)
def test_filters_select_tunnels_in_check_mode_as_well(
    tasks: Tasks, options: dict[str, Any], found: list[str], switches: dict[str, Any]
) -> None:
    tasks.service.switches(**switches)
    assert ids(tasks, **options) == found
    assert ids(tasks, check=True, **options) == found


@pytest.mark.parametrize("switches", [{}, {"references": "single"}, {"extra_keys": True}], ids=str)
def test_every_tunnel_has_every_field(tasks: Tasks, switches: dict[str, Any]) -> None:
    tasks.service.switches(**switches)
    tunnels = {tunnel["id"]: tunnel for tunnel in tasks.done("tunnel_info")["tunnels"]}
    assert all(set(tunnel) == FIELDS for tunnel in tunnels.values())
    assert tunnels["tn_agent"]["endpoint"]["id"] == "ep_a"
    assert tunnels["tn_agent"]["backends"] == []
    assert tunnels["tn_agent"]["labels"] == {}
    assert tunnels["tn_backend"]["public_url"] == ""
    assert tunnels["tn_backend"]["endpoint"] is None
    assert [ref["id"] for ref in tunnels["tn_backend"]["backends"]] == ["bkd_a"]
    assert tunnels["tn_bare"]["tunnel_session"]["id"].startswith("ts_")


def test_reading_changes_nothing(tasks: Tasks) -> None:
    result = tasks.done("tunnel_info")
    assert result["changed"] is False
    assert set(methods(result)) == {"GET"}
    assert "diff" not in result


def test_an_empty_account(tasks: Tasks) -> None:
    tasks.service.reset()
    for empty in ("empty", "null"):
        tasks.service.switches(empty_pages=empty)
        assert ids(tasks) == []


WRONG: list[Any] = [
    *([], "tunnels", 5, {"tunnels": {"a": 1}}, {"tunnels": [None]}, {"tunnels": ["tn_a"]}),
    {"tunnels": [{"labels": []}]},
]


@pytest.mark.parametrize("response", WRONG, ids=str)
def test_a_response_of_another_type_is_a_failure(tasks: Tasks, response: Any) -> None:
    result = tasks.failed("tunnel_info", instead=in_turn(as_json(response)))
    assert ("tunnels" in result["msg"], result["changed"]) == (True, False)


def test_a_single_tunnel_of_another_shape_is_a_failure(tasks: Tasks) -> None:
    assert tasks.failed("tunnel_info", instead=in_turn(as_json(["tn_a"])), id="tn_a")["msg"]


def test_a_label_is_text_and_may_be_given_as_a_number(tasks: Tasks) -> None:
    tasks.service.seed(tunnels=[{"id": "tn_numbered", "labels": {"shop": "7"}}])
    assert ids(tasks, labels={"shop": 7}) == ["tn_numbered"]


def test_the_protocols_are_those_of_the_description(tasks: Tasks) -> None:
    for proto in ("http", "https", "tcp", "tls"):
        tasks.done("tunnel_info", proto=proto)
    assert "proto" in tasks.failed("tunnel_info", proto="udp")["msg"]


def test_the_error_contains_the_number_of_the_invalid_tunnel(tasks: Tasks) -> None:
    listed = as_json({"tunnels": [{"id": "tn_a"}, {"id": "tn_b", "labels": "x"}]})
    result = tasks.failed("tunnel_info", instead=in_turn(listed))
    assert "tunnels[1].labels" in result["msg"]
    assert (result["error"]["method"], result["error"]["path"]) == ("GET", "/tunnels")


def test_an_option_error_of_the_id_is_named_before_any_request(tasks: Tasks) -> None:
    result = tasks.failed("tunnel_info", id="edghts_a")
    assert [option_error.split(": ")[0] for option_error in result["option_errors"]] == ["id"]
    assert result["sent"] == []
    assert "operations" not in result
