# SPDX-License-Identifier: GPL-3.0-or-later
"""For any live configuration, declaration, and service: check mode predicts the run, the run reaches the declared
state, and the next run changes nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from any_object import WITH_OTHER_SPELLING, WORLD, any_named_objects
from convergence import ANY_NUMBER, converges
from declarations import IP_RESTRICTION, SWITCHES, TLS_TERMINATION, edge, may_admit_everyone, route
from module_task import Tasks

TLS_EDGE = "edgtls_test"
HABITS = SWITCHES.map(lambda switches: {name: switches[name] for name in switches.keys() - WITH_OTHER_SPELLING})
SUBSCRIPTION = "esb_test"


def allowed(options: dict[str, Any]) -> dict[str, Any]:
    """The options, with the one that lets everyone in if their lists do that."""
    return {**options, **({"allow_empty": True} if may_admit_everyone(options) else {})}


@ANY_NUMBER
@given(switches=SWITCHES, first=route(), second=route())
def test_a_route_converges_in_one_run(
    tasks: Tasks, switches: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    tasks.service.reset()
    tasks.service.switches(**switches)
    edge_id = tasks.done("https_edge", hostports=["a.example.com:443"])["https_edge"]["id"]
    place = {"edge_id": edge_id, "match_type": "path_prefix", "match": "/"}
    for options in (first, second):
        converges(tasks, "https_edge_route", **place, **allowed(options))


@ANY_NUMBER
@given(switches=SWITCHES, first=edge(), second=edge())
def test_an_edge_converges_in_one_run(
    tasks: Tasks, switches: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    tasks.service.reset()
    tasks.service.switches(**switches)
    tasks.done("https_edge", hostports=["another.example.com:443"])
    for options in (first, second, {"hostports": [*first["hostports"], *second["hostports"]], "state": "absent"}):
        converges(tasks, "https_edge", **allowed(options))


@ANY_NUMBER
@given(
    switches=SWITCHES,
    module=st.sampled_from(
        [("tls_edge_ip_restriction", IP_RESTRICTION), ("tls_edge_tls_termination", TLS_TERMINATION)]
    ),
    data=st.data(),
)
def test_tls_edge_module(tasks: Tasks, switches: dict[str, Any], module: Any, data: st.DataObject) -> None:
    tasks.service.reset()
    tasks.service.seed(tls_edges=[{"id": TLS_EDGE}])
    tasks.service.switches(**switches)
    name, strategy = module
    for options in (data.draw(strategy), data.draw(strategy), {"state": "absent"}):
        converges(tasks, name, edge_id=TLS_EDGE, **allowed(options))


@ANY_NUMBER
@given(switches=HABITS, lists=any_named_objects(is_alone=True))
def test_an_object_converges_in_one_run(
    tasks: Tasks, switches: dict[str, Any], lists: list[list[dict[str, Any]]]
) -> None:
    tasks.service.reset()
    tasks.service.seed(objects=WORLD)
    before = tasks.service.state()
    tasks.service.switches(**switches)
    for declared in (*lists[0], *lists[1], {**lists[1][0], "body": {}, "state": "absent"}):
        converges(tasks, "object", **{name: value for name, value in declared.items() if name != "name"})
    assert tasks.service.state() == before


@pytest.mark.parametrize(
    "switches", [{}, {"sources_uri": "null"}, {"extra_keys": True}, {"unset_module": "no_content"}]
)
def test_an_event_source_converges_in_one_run(tasks: Tasks, switches: dict[str, Any]) -> None:
    tasks.service.seed(event_subscriptions=[{"id": SUBSCRIPTION, "sources": ["ip_policy_created.v0"]}])
    tasks.service.switches(**switches)
    for state in ("present", "absent"):
        for event_type in ("ip_policy_created.v0", "tcp_connection_closed.v0"):
            converges(tasks, "event_source", subscription_id=SUBSCRIPTION, type=event_type, state=state)
