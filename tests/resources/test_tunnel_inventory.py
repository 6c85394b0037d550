# SPDX-License-Identifier: GPL-3.0-or-later
"""The tunnels that become hosts: read from the service or known from a cache, each of them once, with an id."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, result_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.definition import tunnel_inventory
from module_task import Tasks
from scripted_service import as_json, in_turn, scripted_service

ONE = {"id": "tn_one", "region": "eu"}
OTHER = {"id": "tn_other", "region": "us"}


def result(tasks: Tasks, known: list[dict[str, Any]] | None = None, **options: Any) -> dict[str, Any]:
    """What the inventory gets, with `sent` in it: the paths of the requests that the service got."""
    work = tunnel_inventory(known)
    connection: dict[str, Any] = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 0}
    arguments = checked(work, {**connection, **options})
    before = len(tasks.service.journal())
    found = result_of(work, arguments.options, arguments.option_errors)
    return {**found, "sent": [request["path"] for request in tasks.service.journal()[before:]]}


def test_the_tunnels_are_those_that_are_online(tasks: Tasks) -> None:
    tasks.service.seed(tunnels=[ONE, OTHER])
    found = result(tasks)
    assert {tunnel["id"]: tunnel["region"] for tunnel in found["tunnels"]} == {"tn_one": "eu", "tn_other": "us"}
    assert found["sent"] == ["/tunnels"]
    assert not found["changed"]


@pytest.mark.parametrize("known", [[], [ONE], [ONE, OTHER]], ids=len)
def test_the_service_is_not_asked_for_what_is_known(tasks: Tasks, known: list[dict[str, Any]]) -> None:
    tasks.service.seed(tunnels=[ONE, OTHER])
    found = result(tasks, known)
    assert found["tunnels"] == known
    assert found["sent"] == []


def test_a_tunnel_that_is_listed_twice_is_one_host(tasks: Tasks) -> None:
    later = {**ONE, "region": "ap"}
    assert result(tasks, [ONE, OTHER, later])["tunnels"] == [ONE, OTHER]


@pytest.mark.parametrize(
    "odd",
    [
        *({"id": identifier} for identifier in ("", " ", "tn one", "-tn", "../tn", "x" * 300, "tn\x1b[2J", None, 5)),
        *({"id": "tn_odd", **fields} for fields in ({"labels": []}, {"metadata": float("nan")}, {"proto": {}})),
    ],
    ids=str,
)
def test_a_tunnel_that_can_not_be_a_host_is_left_out(tasks: Tasks, odd: dict[str, Any]) -> None:
    with scripted_service(in_turn(as_json({"tunnels": [ONE, odd, OTHER]}), as_json({"tunnels": [odd]}))) as service:
        found = result(tasks, base_url=service.base_url)
        assert [tunnel["id"] for tunnel in found["tunnels"]] == ["tn_one", "tn_other"]
        [warning] = found["warnings"]
        assert "tunnels[1]" in warning
        assert warning.endswith("This tunnel is left out of the inventory.")
        alone = result(tasks, base_url=service.base_url)
        assert "tunnels[0]" in alone["msg"]
        assert (alone["error"]["method"], alone["error"]["path"]) == ("GET", "/tunnels")


def test_not_all_of_many_odd_tunnels_are_named(tasks: Tasks) -> None:
    odd = [{"id": f"tn/{number}"} for number in range(9)]
    with scripted_service(in_turn(as_json({"tunnels": [*odd, ONE]}))) as service:
        warnings = result(tasks, base_url=service.base_url)["warnings"]
    assert len(warnings) == 6
    assert warnings[-1].startswith("4 more tunnels")


def test_what_is_left_out() -> None:
    arguments = checked(tunnel_inventory(), {"base_url": "https://api.example.com", "api_key": "k"})
    assert arguments.option_errors == []
    own = {name: arguments.options[name] for name in tunnel_inventory().options}
    assert own == {**dict.fromkeys(own), "name_prefix": "", "hostvars_prefix": "", "filters": [], "keyed_groups": []}


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"hostvars_prefix": "1-"}, "hostvars_prefix: "),
        ({"filters": [{"include": "a", "exclude": "b"}]}, "filters[0]: "),
        ({"filters": ["a"]}, "filters[0]: "),
        ({"filters": "a"}, "filters[0]: "),
        ({"filters": {"include": "a"}}, "filters"),
    ],
)
def test_a_fault_is_named_before_any_request(tasks: Tasks, options: dict[str, Any], fault: str) -> None:
    found = result(tasks, **options)
    assert fault in found["msg"]
    assert (found["failed"], found["sent"]) == (True, [])
