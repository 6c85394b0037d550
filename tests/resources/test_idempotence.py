# SPDX-License-Identifier: GPL-3.0-or-later
"""For any live configuration, declaration, and service: check mode predicts the run, the run reaches the declared
state, and the next run changes nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from any_object import WITH_OTHER_SPELLING, WORLD, any_named_objects
from convergence import ANY_NUMBER, converges
from declarations import IP_RESTRICTION, SWITCHES, TLS_TERMINATION, edge, may_admit_everyone, route
from module_task import Given, Tasks
from places import EDGE, KEY, ROUTE, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_route, seed_subscription, seed_tls_edge
from rich_world import AUTH_MODULES, FIRST

HABITS = SWITCHES.map(lambda switches: {name: switches[name] for name in switches.keys() - WITH_OTHER_SPELLING})
TOGETHER = {name: options for name, options in FIRST.items() if name not in AUTH_MODULES[1:]}
# What addresses the object of a module, and what else may be declared of it.
ALONE: dict[str, tuple[Given, st.SearchStrategy[Given]]] = {
    "https_edge": ({}, edge()),
    "https_edge_route": ({"edge_id": EDGE, **KEY}, route()),
    "tls_edge_ip_restriction": ({"edge_id": TLS_EDGE}, IP_RESTRICTION),
    "tls_edge_tls_termination": ({"edge_id": TLS_EDGE}, TLS_TERMINATION),
}


@pytest.mark.parametrize("module", ALONE)
@ANY_NUMBER
@given(switches=SWITCHES, data=st.data())
def test_an_object_of_its_own_module(tasks: Tasks, module: str, switches: Given, data: st.DataObject) -> None:
    tasks.service.reset()
    tasks.service.switches(**switches)
    seed_edge(tasks)
    seed_tls_edge(tasks)
    place, strategy = ALONE[module]
    for _number in range(2):
        options = data.draw(strategy)
        empty = {"allow_empty": True} if may_admit_everyone(options) else {}
        converges(tasks, module, **place, **options, **empty)
    found = {"hostports": options["hostports"]} if module == "https_edge" else place
    converges(tasks, module, **found, state="absent")


@ANY_NUMBER
@given(switches=HABITS, lists=any_named_objects(is_alone=True))
def test_an_object_of_any_collection(tasks: Tasks, switches: Given, lists: list[list[Given]]) -> None:
    tasks.service.reset()
    tasks.service.seed(objects=WORLD)
    before = tasks.service.state()
    tasks.service.switches(**switches)
    for declared in (*lists[0], *lists[1], {**lists[1][0], "body": {}, "state": "absent"}):
        converges(tasks, "object", **{name: value for name, value in declared.items() if name != "name"})
    assert tasks.service.state() == before


@settings(ANY_NUMBER, max_examples=so_many(20, 60))
@given(switches=HABITS, lists=any_named_objects())
def test_named_objects(tasks: Tasks, switches: Given, lists: list[list[Given]]) -> None:
    """Nothing is duplicated, and nothing is lost."""
    tasks.service.reset()
    tasks.service.seed(objects=WORLD)
    tasks.service.switches(**switches)
    for objects in lists:
        converges(tasks, "estate", objects=objects, purge=["hostports"], allow_empty=True, max_deletions=99)
    converges(tasks, "estate", objects=[{**one, "state": "absent"} for one in lists[-1]], max_deletions=99)
    assert {name: len(found) for name, found in tasks.service.state()["objects"].items()} == {
        name: len(found) for name, found in WORLD.items()
    }


@settings(ANY_NUMBER, max_examples=so_many(20, 50))
@given(switches=SWITCHES, sets=st.lists(st.lists(route(), max_size=3), min_size=2, max_size=2), purge=st.booleans())
def test_a_set_of_routes(tasks: Tasks, switches: Given, sets: list[Any], purge: bool) -> None:
    tasks.service.reset()
    tasks.service.switches(**switches)
    seed_edge(tasks)
    for routes in sets:
        declared = [{**one, **KEY, "match": match} for one, match in zip(routes, ("/a", "/b", "/c"), strict=False)]
        options = {"purge": purge, "allow_empty": True, "max_deletions": 100}
        converges(tasks, "https_edge_routes", edge_id=EDGE, routes=declared, **options)


@pytest.mark.parametrize(
    "switches", [{}, {"sources_uri": "null"}, {"extra_keys": True}, {"unset_module": "no_content"}]
)
def test_an_event_source(tasks: Tasks, switches: Given) -> None:
    seed_subscription(tasks, "ip_policy_created.v0")
    tasks.service.switches(**switches)
    for state in ("present", "absent"):
        for event_type in ("ip_policy_created.v0", "tcp_connection_closed.v0"):
            converges(tasks, "event_source", subscription_id=SUBSCRIPTION, type=event_type, state=state)


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


def test_the_routes_of_an_edge_that_would_be_created(tasks: Tasks) -> None:
    edge_id = tasks.done("https_edge", check=True, hostports=["new.example.com:443"])["https_edge"]["id"]
    for match in ("/", "/other"):
        options = {"edge_id": edge_id, **KEY, "match": match, **TOGETHER}
        result = tasks.done("https_edge_route", check=True, **options)
        assert (result["changed"], result["sent"]) == (True, [])
        assert [one["method"] for one in result["operations"]] == ["POST"]
        route = result["https_edge_route"]
        assert (route["id"][:9], route["edge_id"], route["backend"]["backend_id"]) == ("edghtsrt_", edge_id, "bkd_one")
        assert result["diff"]["before_header"] == f"+ create https_edge_route path_prefix {match} of {edge_id}"
    nothing = tasks.done("https_edge_route", check=True, edge_id=edge_id, **KEY, state="absent")
    assert (nothing["changed"], nothing["sent"]) == (False, [])


def test_predicted_state_equals_the_real_one(tasks: Tasks) -> None:
    """For what is declared; what the service chooses only shows once it has."""
    place = seed_route(tasks, oidc={"issuer": "https://id.example.com", "client_id": "c", "client_secret": "s"})
    options = {**place, "id": ROUTE, **TOGETHER, "purge_modules": True, "description": "new"}
    dry, real = (tasks.done("https_edge_route", check=check, **options)["https_edge_route"] for check in (True, False))
    assert dry == real
