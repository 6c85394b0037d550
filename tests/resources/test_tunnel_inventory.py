# SPDX-License-Identifier: GPL-3.0-or-later
"""The tunnels that become hosts: read from the service or known from a cache, each of them once, with an id."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils.entry import checked, result_of
from ansible_collections.edgeops.ingress.plugins.module_utils.resources.tunnel_inventory import tunnel_inventory
from module_task import Tasks

ONE = {"id": "tn_one", "region": "eu"}
OTHER = {"id": "tn_other", "region": "us"}


def result(tasks: Tasks, known: list[dict[str, Any]] | None = None, **options: Any) -> dict[str, Any]:
    """What the inventory gets, with `sent` in it: the paths of the requests that the service got."""
    work = tunnel_inventory(known)
    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 0}
    arguments = checked(work, {**connection, **options})
    before = len(tasks.service.journal())
    found = result_of(work, arguments.options, arguments.faults)
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


@pytest.mark.parametrize("identifier", ["", " ", "tn one", "-tn", "../tn", "x" * 300])
def test_a_tunnel_without_a_name_for_its_host_is_a_failure(tasks: Tasks, identifier: str) -> None:
    found = result(tasks, [ONE, {"id": identifier}])
    assert found["msg"].startswith("GET /tunnels: tunnels[1] ")
    assert (found["error"]["method"], found["error"]["path"]) == ("GET", "/tunnels")
    assert "operations" not in found


def test_what_is_left_out() -> None:
    arguments = checked(tunnel_inventory(), {"base_url": "https://api.example.com", "api_key": "k"})
    assert arguments.faults == []
    own = {name: arguments.options[name] for name in tunnel_inventory().options}
    assert own == {"hostname": None, "hostvars_prefix": "", "filters": []}


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
