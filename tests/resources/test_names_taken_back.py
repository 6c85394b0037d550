# SPDX-License-Identifier: GPL-3.0-or-later
"""A hostport that an edge gives up for another one, which the service then refuses, or that it does not give up."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, accepted_writes
from scripted_service import Instead, Received, Response, as_json, rejecting

A, B, C, D, E = (f"{name}.example.com:443" for name in "abcde")
X, Y, Z = ({"id": f"edghts_{name}"} for name in "xyz")
TCP = {"name": "t", "collection": "edges/tcp", "id": "edgtcp_t"}


def of(edge: dict[str, Any], *hostports: str, **more: Any) -> dict[str, Any]:
    return {**edge, "hostports": list(hostports), **more}


def served(tasks: Tasks) -> dict[str, list[str]]:
    state = tasks.service.state()
    edges = [*state["https_edges"], *state["objects"].get("edges/tcp", [])]
    return {edge["id"][-1]: sorted(edge["hostports"]) for edge in edges}


@pytest.fixture
def live(tasks: Tasks) -> Tasks:
    tasks.service.seed(
        https_edges=[of(X, A, B), of(Y, C), of(Z, D)],
        objects={"edges/tcp": [{"id": TCP["id"], "description": "t", "hostports": [E]}]},
    )
    return tasks


ROUTE = {"match_type": "path_prefix", "match": "/", "backend": {"backend_id": "bkd_one"}}
TO_Y = [of(X, A), of(Y, B, C)]
REFUSED_TO_Y = rejecting("PATCH", "edghts_y")

# What is declared, and what the service refuses.
MOVES: dict[str, tuple[dict[str, Any], Instead]] = {
    "to an edge": ({"https_edges": TO_Y}, REFUSED_TO_Y),
    "to a new edge": (
        {"https_edges": [of(X, A), of({"description": "new"}, B)]},
        rejecting("POST", "/edges/https", Response(402)),
    ),
    "to an object": (
        {"https_edges": [of(X, A)], "objects": [{**TCP, "body": {"hostports": [B, E]}}]},
        rejecting("PATCH", "edgtcp_t"),
    ),
    "from an object": (
        {"https_edges": [of(X, A, B, E)], "objects": [{**TCP, "body": {"hostports": []}}]},
        rejecting("PATCH", "edghts_x"),
    ),
    "next to a name that is purged": (
        {"https_edges": [of(X), of(Y, B, C)], "purge": ["hostports"], "allow_empty": True},
        rejecting("PATCH", "edghts_y"),
    ),
    "while routes of other edges change": ({"https_edges": [{**Z, "routes": [ROUTE]}, *TO_Y]}, REFUSED_TO_Y),
    "from two edges": ({"https_edges": [of(X, A), of(Z), of(Y, B, C, D)]}, REFUSED_TO_Y),
}


LISTS = ("https_edges", "objects")


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize(("declared", "script"), MOVES.values(), ids=MOVES)
def test_a_name_is_taken_back_if_the_service_refuses_it_to_the_other_edge(
    live: Tasks, declared: dict[str, Any], script: Instead, concurrency: int
) -> None:
    before = served(live)
    result = live.failed("estate", instead=script, concurrency=concurrency, **declared)
    assert served(live) == before
    assert "back, because the change could not be finished" in str(result["operations"])
    assert len(result["failures"]) == sum("routes" not in edge for name in LISTS for edge in declared.get(name, ()))
    assert "Possibly no object" not in result["msg"]
    live.done("estate", **declared)
    assert not live.done("estate", **declared)["changed"]


MUTUAL_TLS = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
POLICY = {"collection": "ip_policies", "find_by": {"description": "p"}}
KEPT_APART: dict[str, tuple[dict[str, Any], Instead]] = {
    "what gives it up changes otherwise": ({"https_edges": [of(X, A, **MUTUAL_TLS), of(Y, B, C)]}, REFUSED_TO_Y),
    "its routes change": ({"https_edges": [of(X, A, routes=[ROUTE]), of(Y, B, C)]}, REFUSED_TO_Y),
    "something else changes": ({"https_edges": TO_Y, "objects": [{"name": "p", **POLICY}]}, REFUSED_TO_Y),
    "another edge has taken a part": ({"https_edges": [of(X), of(Z, A, D), of(Y, B, C)]}, REFUSED_TO_Y),
    "it is not known who has it": ({"https_edges": TO_Y}, rejecting("PATCH", "edghts_y", Response(504))),
}


@pytest.mark.parametrize(("declared", "script"), KEPT_APART.values(), ids=KEPT_APART)
def test_it_is_not_taken_back_if_that_could_open_or_take_something(
    live: Tasks, declared: dict[str, Any], script: Instead
) -> None:
    result = live.failed("estate", instead=script, **declared)
    assert B not in {name for names in served(live).values() for name in names}
    assert f"Possibly no object has {B} now" in result["msg"]
    live.done("estate", **declared)
    assert B in served(live)["y"]


@pytest.mark.parametrize("status", [200, 204])
@pytest.mark.parametrize("taker", ["an edge", "a new edge", "an object"])
def test_nothing_takes_a_name_that_was_not_given_up(live: Tasks, taker: str, status: int) -> None:
    """A service that accepts a change is not one that has made it."""
    edge = live.service.state()["https_edges"][0]

    def ignoring(request: Received) -> Response | None:
        if request.method != "PATCH" or not request.path.endswith("edghts_x"):
            return None
        return Response(204) if status == 204 else as_json(edge)

    before = served(live)
    result = live.failed("estate", instead=ignoring, retries=1, **MOVES[f"to {taker}"][0])
    assert accepted_writes(result) == []
    assert served(live) == before
    assert "Possibly no object" not in result["msg"]
    assert "the service accepted the change but returned other values for hostports" in result["msg"]
