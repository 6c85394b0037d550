# SPDX-License-Identifier: GPL-3.0-or-later
"""Any list of named objects, on any kind of service, and with any fault: nothing is duplicated, and nothing is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from amount import first_alone, so_many, some_of
from any_object import WITH_OTHER_SPELLING, WORLD, any_named_objects
from convergence import ANY_NUMBER, converges
from declarations import SWITCHES
from estate_from_nothing import ESTATE, OBJECTS
from fault_kinds import KINDS
from fault_proxy import FaultProxy, fault_proxy
from module_task import WRITES, Tasks
from one_run import apply, left_to_do

HABITS = SWITCHES.map(lambda switches: {name: switches[name] for name in switches.keys() - WITH_OTHER_SPELLING})


@settings(ANY_NUMBER, max_examples=so_many(20, 60))
@given(switches=HABITS, lists=any_named_objects())
def test_any_named_objects(tasks: Tasks, switches: dict[str, Any], lists: list[list[dict[str, Any]]]) -> None:
    tasks.service.reset()
    tasks.service.seed(objects=WORLD)
    tasks.service.switches(**switches)
    for objects in lists:
        converges(tasks, "estate", objects=objects, purge=["hostports"], allow_empty=True, max_deletions=99)
    converges(tasks, "estate", objects=[{**one, "state": "absent"} for one in lists[-1]], max_deletions=99)
    assert {name: len(found) for name, found in tasks.service.state()["objects"].items()} == {
        name: len(found) for name, found in WORLD.items()
    }


@pytest.fixture(scope="module")
def proxy(service: Any) -> Iterator[FaultProxy]:
    with fault_proxy(service.base_url) as running:
        yield running


@pytest.mark.parametrize("kind", first_alone(["reset after", *(kind for kind in KINDS if kind != "reset after")]))
def test_a_fault_at_any_request_duplicates_nothing(tasks: Tasks, proxy: FaultProxy, kind: str) -> None:
    proxy.begin()
    assert not apply(ESTATE, proxy.base_url).get("failed")
    written = [one.number for one in proxy.requests if one.method in WRITES]
    read = [one.number for one in proxy.requests if one.method not in WRITES]
    for position in [*some_of(written, 8, kind), *some_of(read, 4, kind)]:
        tasks.service.reset()
        proxy.begin({position: KINDS[kind]})
        apply(ESTATE, proxy.base_url, timeout=2.0)
        assert left_to_do(ESTATE, tasks.service.base_url) == [], position
        state = tasks.service.state()
        there = Counter({collection: len(found) for collection, found in state["objects"].items()})
        there.update({"edges/tls": len(state["tls_edges"]), "event_subscriptions": len(state["event_subscriptions"])})
        assert there == Counter(one["collection"] for one in OBJECTS), position
        assert [len(edge["routes"]) for edge in state["https_edges"]] == [2], position
