# SPDX-License-Identifier: GPL-3.0-or-later
"""Tunnels that become hosts of the inventory: each of them once, with an ID."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, result_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.definition import DEFINITION
from module_task import Given, Tasks
from scripted_service import as_json, in_turn, scripted_service

ONE = {"id": "tn_one", "region": "eu"}
OTHER = {"id": "tn_other", "region": "us"}


def inventory(tasks: Tasks, **options: Any) -> Given:
    """Return the result of the inventory."""
    connection: Given = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 0}
    arguments = checked(DEFINITION, {**connection, **options})
    return result_of(DEFINITION, arguments.options, arguments.option_errors)


def test_online_tunnels_become_hosts(tasks: Tasks) -> None:
    tasks.service.seed(tunnels=[ONE, OTHER])
    found = inventory(tasks)
    assert {tunnel["id"]: tunnel["region"] for tunnel in found["tunnels"]} == {"tn_one": "eu", "tn_other": "us"}
    assert found["changed"] is False


@pytest.mark.parametrize(
    "odd",
    [
        *({"id": identifier} for identifier in ("", " ", "tn one", "-tn", "../tn", "x" * 300, "tn\x1b[2J", None, 5)),
        *({"id": "tn_odd", **fields} for fields in ({"labels": []}, {"metadata": float("nan")}, {"proto": {}})),
    ],
    ids=str,
)
def test_a_tunnel_that_cannot_be_a_host_is_not_in_the_inventory(tasks: Tasks, odd: Given) -> None:
    with scripted_service(in_turn(as_json({"tunnels": [ONE, odd, OTHER]}), as_json({"tunnels": [odd]}))) as service:
        found = inventory(tasks, base_url=service.base_url)
        assert [tunnel["id"] for tunnel in found["tunnels"]] == ["tn_one", "tn_other"]
        [warning] = found["warnings"]
        assert "tunnels[1]" in warning
        assert warning.endswith("This tunnel is not in the inventory.")
        alone = inventory(tasks, base_url=service.base_url)
        assert "tunnels[0]" in alone["msg"]
        assert (alone["error"]["method"], alone["error"]["path"]) == ("GET", "/tunnels")


def test_warnings_are_limited(tasks: Tasks) -> None:
    odd = [{"id": f"tn/{number}"} for number in range(9)]
    with scripted_service(in_turn(as_json({"tunnels": [*odd, ONE]}))) as service:
        warnings = inventory(tasks, base_url=service.base_url)["warnings"]
    assert len(warnings) == 6
    assert warnings[-1].startswith("4 more tunnels")
