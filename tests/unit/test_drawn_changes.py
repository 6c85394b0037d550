# SPDX-License-Identifier: GPL-3.0-or-later
"""The changes that the tests draw: the same ones for the same seed, and of every kind."""

from __future__ import annotations

from collections import Counter

from any_change import Change, any_change
from settled import settled

DRAWN = [any_change(f"unit {number}") for number in range(400)]


def edges_of(change: Change) -> list[dict[str, object]]:
    edges: list[dict[str, object]] = change.options.get("https_edges", [change.options])
    return edges


def test_a_seed_draws_the_same_change_again() -> None:
    assert [any_change(f"unit {number}") for number in range(20)] == DRAWN[:20]


def test_every_kind_is_drawn() -> None:
    modules = Counter(change.module for change in DRAWN)
    assert min(modules[name] for name in ("estate", "https_edge_routes", "https_edge_route", "https_edge")) > 10
    for kind in ("edges", "routes", "modules"):
        assert sum(kind in change.options.get("purge", ()) for change in DRAWN if change.module == "estate") > 20
    assert sum(change.expects_plan for change in DRAWN) > 20
    assert sum("objects" in change.options for change in DRAWN) > 20
    assert sum("absent_modules" in edge for change in DRAWN for edge in edges_of(change)) > 20
    assert {change.options.get("concurrency") for change in DRAWN} == {None, 1, 4}
    assert {name for change in DRAWN for name in change.switches} > {"one_auth_module", "one_login_per_edge", "secrets"}


def test_no_two_routes_of_a_live_edge_have_the_same_match() -> None:
    for change in DRAWN:
        for edge in change.live["https_edges"]:
            matches = [route["match"] for route in edge["routes"]]
            assert len(matches) == len(set(matches))


def test_states_of_two_runs_are_compared_without_what_the_service_makes_up() -> None:
    def state(identifier: str, **route: object) -> dict[str, object]:
        routes = [{"id": identifier, "description": "new", "created_at": identifier, **route}]
        return {"https_edges": [{"id": "edge", "routes": routes}]}

    known = frozenset({"edge"})
    first = settled(state("x", backend={"enabled": True}), known)
    assert first == settled(state("y", backend={"enabled": True}, metadata=""), known)
    assert first != settled(state("y", backend={"enabled": False}), known)
