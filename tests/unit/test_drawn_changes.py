# SPDX-License-Identifier: GPL-3.0-or-later
"""The changes that the tests draw: the same ones for the same seed, of every kind, and with objects of every kind."""

from __future__ import annotations

import copy
import random
from collections import Counter

from any_change import Change, any_change
from any_served import POLICIES, RULES, TLS, with_objects
from opened import settled
from trial import change_of

DRAWN = [any_change(f"unit {number}") for number in range(400)]
WITH_OBJECTS = [change_of(f"unit objects {number}") for number in range(300)]


def edges_of(change: Change) -> list[dict[str, object]]:
    edges: list[dict[str, object]] = change.options.get("https_edges", [change.options])
    return edges


def test_a_seed_draws_the_same_change_again_and_objects_are_added_to_a_copy() -> None:
    assert [any_change(f"unit {number}") for number in range(20)] == DRAWN[:20]
    assert [change_of(f"unit objects {number}") for number in range(20)] == WITH_OBJECTS[:20]
    before = copy.deepcopy(DRAWN[1])
    assert with_objects(DRAWN[1], random.Random("x")) != before
    assert DRAWN[1] == before == change_of("unit 1")


def test_every_kind_is_drawn() -> None:
    modules = Counter(change.module for change in DRAWN)
    assert min(modules[name] for name in ("estate", "https_edge_routes", "https_edge_route", "https_edge")) > 10
    for kind in ("edges", "routes", "modules"):
        assert sum(kind in change.options.get("purge", ()) for change in DRAWN if change.module == "estate") > 20
    assert sum(change.expects_plan for change in DRAWN) > 20
    assert sum("objects" in change.options for change in DRAWN) > 20
    assert sum("absent_modules" in edge for change in DRAWN for edge in edges_of(change)) > 10
    assert {change.options.get("concurrency") for change in DRAWN} == {None, 1, 4}
    assert {name for change in DRAWN for name in change.switches} > {"one_auth_module", "one_login_per_edge", "secrets"}


def test_every_kind_of_object_is_drawn() -> None:
    found: Counter[str] = Counter()
    for change in WITH_OBJECTS:
        found.update(change.options.keys() & {"tls_edges", "objects"})
        found.update({change.module} - {"estate"})
        found.update("live TLS edge" for _edge in change.live["tls_edges"])
        found.update(f"live {rule['action']}" for rule in change.live["objects"][RULES])
        for one in change.options.get("objects", ()):
            found[f"{one['collection']} {one.get('state', 'present')}"] += 1
            found.update(f"{one['collection']} {name}" for name in one if name in ("id", "find_by", "body"))
    wanted = [f"{one} {state}" for one in (RULES, POLICIES, TLS) for state in ("present", "absent")]
    wanted += [f"{one} {how}" for one in (RULES, TLS) for how in ("id", "find_by", "body")]
    wanted += ["live allow", "live deny", "live TLS edge", "tls_edges", "objects", "object", "tls_edge_ip_restriction"]
    assert {name: found[name] for name in wanted if found[name] < 2} == {}


def test_states_of_two_runs_are_compared_without_what_the_service_makes_up() -> None:
    def state(identifier: str, **route: object) -> object:
        routes = [{"id": identifier, "description": "new", "created_at": identifier, **route}]
        return settled({"https_edges": [{"id": "edge", "routes": routes}]}, frozenset({"edge"}))

    first = state("x", backend={"enabled": True})
    assert first == state("y", backend={"enabled": True}, metadata="")
    assert first != state("y", backend={"enabled": False})
