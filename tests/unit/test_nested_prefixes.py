# SPDX-License-Identifier: GPL-3.0-or-later
"""Prefixes inside of each other: planning does not try all combinations of their states."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._access.account import account_of
from ansible_collections.edgeops.ingress.plugins.module_utils._access.probes import probes
from ansible_collections.edgeops.ingress.plugins.module_utils._graph.graph import Graph
from ansible_collections.edgeops.ingress.plugins.module_utils._graph.protection import Watched
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.changes import plan_present
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Plan, Target

pytestmark = pytest.mark.every_core

DEPTH = 30
BACKEND = {"backend": {"backend_id": "bkd_one"}}
NETWORK = {"ip_restriction": {"ip_policy_ids": ["ipp_one"]}}


def plan(kind: Any, target: Target, current: Any, given: dict[str, Any]) -> Plan:
    return plan_present(target, current, {**{f.name: None for f in kind.declarable}, **given})


def new_routes() -> list[Plan]:
    """An edge, and new routes for prefixes inside of each other, of which every second one is public."""
    live = HTTPS_EDGE.read({"id": "edghts_a", "hostports": ["a.example.com:443"]}, "")
    plans = [plan(HTTPS_EDGE, Target("a", HTTPS_EDGE, key="edge", path="/edges/https/edghts_a"), live, {})]
    for number in range(DEPTH):
        match = "".join(f"/{one}" for one in range(number + 1))
        target = Target(match, HTTPS_EDGE_ROUTE, key=number, collection="/routes", identity={"id": ""}, parent="edge")
        given = {"match_type": "path_prefix", "match": match, **BACKEND, **(NETWORK if number % 2 else {})}
        plans.append(plan(HTTPS_EDGE_ROUTE, target, None, given))
    return plans


def test_the_states_of_a_request_are_as_many_as_prefixes_around_it() -> None:
    plans = new_routes()
    found = [Watched(probe, Graph(plans)).unsafe for probe in probes(account_of(plans))]
    assert found
    assert all(states is not None and len(states) <= DEPTH for states in found)
