# SPDX-License-Identifier: GPL-3.0-or-later
"""What is purged stays until what replaces it is there, and a task deletes no more than it may."""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from module_task import Given, Tasks, writes
from places import EDGE, HOSTPORT, KEY, seed_edge, seed_subscription
from rich_world import FIRST
from scripted_service import rejecting

OLD, NEW = ({**KEY, "match": f"/{name}"} for name in ("old", "new"))
NOT_PURGED = "Not purged, because "
SOURCES = ["ip_policy_created.v0", "ip_policy_updated.v0"]

# The task that replaces what is there, and what its creation is called. Another test rejects anything in estates.
REPLACEMENTS = cases(
    """
    a route of a set       | https_edge_routes | {edge_id: edghts_place, routes: [*NEW], purge: true} | routes
    an edge not looked for | estate | {https_edges: [{<<: *EDGE, find_by: none}], purge: [edges]} | edges
    a source of a set      | event_sources | {subscription_id: esb_place, types: *SOURCES, purge: true} | sources
    """,
    NEW=NEW,
    EDGE={"hostports": ["new.example.com:443"]},
    SOURCES=SOURCES[1:],
)


@pytest.mark.parametrize(("module", "options", "rejected"), REPLACEMENTS.values(), ids=REPLACEMENTS)
def test_nothing_is_purged_if_its_replacement_was_rejected(
    tasks: Tasks, module: str, options: Given, rejected: str
) -> None:
    seed_edge(tasks, routes=[OLD])
    seed_subscription(tasks, SOURCES[0])
    before = tasks.service.state()
    tasks.service.switches(rejected_creations=rejected)
    assert NOT_PURGED in tasks.failed(module, **options)["msg"]
    after = tasks.service.state()
    assert [edge for edge in after["https_edges"] if edge["id"] == EDGE] == before["https_edges"]
    assert after["event_subscriptions"] == before["event_subscriptions"]
    # When it is taken, the purge is made up for.
    tasks.service.switches()
    assert tasks.done(module, **options)["operations"][-1]["method"] == "DELETE"


def test_a_purge_that_fails_spares_no_other(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"id": f"edghtsrt_{name}", "match_type": "path_prefix", "match": name} for name in "ab"])
    options = {"edge_id": EDGE, "routes": [NEW], "purge": True}
    result = tasks.failed("https_edge_routes", instead=rejecting("DELETE", "edghtsrt_a"), **options)
    assert len(result["failures"]) == 1
    assert [one["method"] for one in result["operations"]] == ["POST", "DELETE"]


def test_a_failed_declaration_spares_undeclared_edges(tasks: Tasks) -> None:
    """An edge that could not be planned may be any of those that nothing declares."""
    seed_edge(tasks)
    for check in (True, False):
        result = tasks.failed("estate", check, https_edges=[{"id": "edghts_nowhere"}], purge=["edges"])
        assert not writes(result)
        assert not result["operations"]
        assert f"{HOSTPORT} ({EDGE}): {NOT_PURGED}" in result["msg"]


@pytest.mark.parametrize("match_unique", ["alone", "with_type"])
@pytest.mark.parametrize("check", [True, False])
def test_a_route_that_matches_in_another_way_is_the_same_route(tasks: Tasks, match_unique: str, check: bool) -> None:
    tasks.service.switches(match_unique=match_unique)
    kept = {"backend": {"backend_id": "bkd_one"}, "oidc": FIRST["oidc"]}
    seed_edge(tasks, routes=[{"id": "edghtsrt_root", "match_type": "exact_path", "match": "/", **kept}])
    routes = [{"match_type": "path_prefix", "match": "/", "description": "d"}]
    for module, options in (
        ("https_edge_routes", {"edge_id": EDGE, "routes": routes, "purge": True}),
        ("estate", {"https_edges": [{"id": EDGE, "routes": routes}], "purge": ["routes"]}),
    ):
        result = tasks.done(module, check=True, **options)
        assert [one["method"] for one in result["operations"]] == ["PATCH"]
    if not check:
        tasks.done(module, **options)
        [route] = tasks.service.state()["https_edges"][0]["routes"]
        assert (route["id"], route["match_type"]) == ("edghtsrt_root", "path_prefix")
        assert {"backend", "oidc"} <= set(route)
        assert not tasks.done(module, **options)["changed"]


# The live routes, the declared ones, whether others are purged, and the writes.
DIFFERENT = cases("""
    the other route is somebody else's | [[exact_path, /]] | [[path_prefix, /]] | false | [POST]
    both are declared | [[exact_path, /]] | [[exact_path, /], [path_prefix, /]] | true | [POST]
    two matches | [[exact_path, /a]] | [[path_prefix, /b]] | true | [POST, DELETE]
""")


@pytest.mark.parametrize(("live", "declared", "purge", "methods"), DIFFERENT.values(), ids=DIFFERENT)
def test_routes_with_different_matches_are_not_replaced(
    tasks: Tasks, live: Any, declared: Any, purge: bool, methods: list[str]
) -> None:
    live_routes, routes = ([dict(zip(KEY, one, strict=True)) for one in ones] for ones in (live, declared))
    seed_edge(tasks, routes=live_routes)
    result = tasks.done("https_edge_routes", edge_id=EDGE, routes=routes, purge=purge)
    assert [write.split()[0] for write in writes(result)] == methods
