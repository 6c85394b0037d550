# SPDX-License-Identifier: GPL-3.0-or-later
"""For any live configuration, declaration, and service: check mode predicts the run with all keys of its result, the
run reaches the declared state, and the next one changes nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import WHOLE, so_many, some_of
from any_object import WITH_OTHER_SPELLING, WORLD, any_named_objects
from convergence import ANY_NUMBER, converges
from declarations import IP_RESTRICTION, SWITCHES, TLS_TERMINATION, edge, harmless_switches, may_admit_everyone, route
from module_task import Given, Tasks
from places import EDGE, KEY, ROUTE, TLS_EDGE, seed_edge, seed_route, seed_tls_edge
from rich_world import AUTH_MODULES, BARE_WORLD, CHANGED_WORLD, FIRST, FIRST_WORLD, SEED

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
        alone = {name: value for name, value in declared.items() if name != "name"}
        converges(tasks, "object", **alone, purge_hostports=True, allow_empty=True)
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


def test_predicted_state_equals_the_real_one(tasks: Tasks) -> None:
    """For what is declared; what the service chooses only shows once it has."""
    place = seed_route(tasks, oidc={"issuer": "https://id.example.com", "client_id": "c", "client_secret": "s"})
    options = {**place, "id": ROUTE, **TOGETHER, "purge_modules": True, "description": "new"}
    dry, real = (tasks.done("https_edge_route", check=check, **options)["https_edge_route"] for check in (True, False))
    assert dry == real


NOT_A_FIELD = {"id", "edge_id", "purge_modules", "purge_hostports"}
MODULES = {*FIRST, "mutual_tls", "tls_termination"}


def shape(value: Any) -> Any:
    """The keys in a value, at any depth. The members of a list have one shape."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items() if name not in ("sent", "warnings")}
    return [shape(member) for member in value[:1]] if isinstance(value, list) else None


SOME = harmless_switches() if WHOLE else [{}, *some_of(harmless_switches()[1:], 12, "harmless switches")]
"""Any estate is tried on services with any of them, too."""


@pytest.mark.parametrize("switches", SOME, ids=str)
def test_everything_is_foretold_comes_about_and_stays(tasks: Tasks, switches: Given) -> None:
    tasks.service.seed(**SEED)
    tasks.service.switches(**switches)
    worlds = [FIRST_WORLD, CHANGED_WORLD]
    if "operations" not in switches:  # the documented operations cannot remove traffic modules
        worlds.append(BARE_WORLD)
    for world in worlds:
        for module, options in world:
            dry, real = tasks.done(module, check=True, **options), converges(tasks, module, **options)
            assert real["changed"], (module, options)
            assert shape(dry) == shape(real)
        state = tasks.service.state()
        for module, options in world if world is not BARE_WORLD else ():
            if module == "event_source":
                [subscription] = state["event_subscriptions"]
                assert (options["type"] in subscription["sources"]) == (options["state"] == "present")
            else:
                assert _has(_held(state, module, options), options), (module, options)


def _held(state: Given, module: str, options: Given) -> Given:
    """What the service holds of an object, in request form."""
    edges = state["tls_edges" if module.startswith("tls_edge_") else "https_edges"]
    [edge] = (each for each in edges if each["id"] in (options.get("id"), options.get("edge_id")))
    if module == "https_edge_route":
        [edge] = (each for each in edge["routes"] if each["match"] == options["match"])
    return dict(edge.get(module.removeprefix("tls_edge_"), edge))


def _has(held: Given, options: Given) -> bool:
    """Whether all that is declared is held. Whatever else a module holds was there before, and was sent with it."""
    metadata = {"metadata": f'{{"text":"{options["description"]}"}}'} if "description" in options else {}
    return all(
        _has(held[name], value) if name in MODULES else _normal(held[name]) == _normal(value)
        for name, value in {**options, **metadata}.items()
        if name not in NOT_A_FIELD
    )


def _normal(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else value
