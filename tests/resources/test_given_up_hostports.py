# SPDX-License-Identifier: GPL-3.0-or-later
"""A hostport that an edge serves, and that no edge of the task declares, goes only with permission."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from scripted_service import Received, Response, forwarding, scripted_service

A, B, C, WILD = "a.example.com:443", "b.example.com:443", "c.example.com:443", "*.example.com:443"
LIVE = [
    {"id": "edghts_one", "metadata": "one", "hostports": [A, B]},
    {"id": "edghts_two", "metadata": "two", "hostports": [C]},
]
ONE, TWO = ({"id": edge["id"]} for edge in LIVE)
Edges = list[dict[str, Any]]


def served(tasks: Tasks) -> dict[str, list[str]]:
    return {edge["id"]: sorted(edge["hostports"]) for edge in tasks.service.state()["https_edges"]}


@pytest.fixture
def live(tasks: Tasks) -> Tasks:
    tasks.service.seed(https_edges=LIVE)
    return tasks


# What is declared for the edges, and what the first one would give up.
SHORT: dict[str, tuple[Edges, list[str]]] = {
    "found by a hostport": ([{"hostports": [A]}], [B]),
    "found by a hostport in other letter case": ([{"hostports": [B.upper()]}], [A]),
    "found by its ID": ([{**ONE, "hostports": [A]}], [B]),
    "found by its metadata": ([{"find_by": "metadata", "metadata": "one", "hostports": [B]}], [A]),
    "with another name in its place": ([{**ONE, "hostports": ["new.example.com:443"]}], [A, B]),
    "with a wildcard that covers them": ([{**ONE, "hostports": [WILD]}], [A, B]),
    "on another port": ([{**ONE, "hostports": [A, "b.example.com:8443"]}], [B]),
    "one moves, one does not": ([{**ONE, "hostports": []}, {**TWO, "hostports": [B, C]}], [A]),
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("edges", "given_up"), SHORT.values(), ids=SHORT)
def test_without_permission_the_edge_keeps_them_and_fails(
    live: Tasks, edges: Edges, given_up: list[str], check: bool
) -> None:
    before = served(live)
    result = live.failed("estate", check, https_edges=edges, max_deletions=0)
    assert f"hostports: the change would give up {', '.join(given_up)}, because" in result["msg"]
    assert "add `hostports` to `purge`" in result["msg"]
    assert not writes(result)
    assert served(live) == before
    alone = live.failed("https_edge", check, **edges[0])
    assert "set `purge_hostports: true`" in alone["msg"]
    assert not writes(alone)


@pytest.mark.parametrize(("edges", "given_up"), SHORT.values(), ids=SHORT)
def test_each_of_them_counts_as_a_deletion_and_is_named(live: Tasks, edges: Edges, given_up: list[str]) -> None:
    purging = {"https_edges": edges, "purge": ["hostports"], "allow_empty": True}
    refused = live.failed("estate", True, **purging, max_deletions=len(given_up) - 1)
    assert [one["reason"] for one in refused["planned_deletions"]] == [f"gives up {name}" for name in given_up]
    result = live.done("estate", **purging, max_deletions=len(given_up))
    assert [one["gives_up"] for one in result["plan"] if one["gives_up"]] == [{"hostports": given_up}]
    assert not set(given_up) & {name for names in served(live).values() for name in names}
    assert not live.done("estate", **purging)["changed"]


MOVED: dict[str, Edges] = {
    "to another live edge": [{**ONE, "hostports": [A]}, {**TWO, "hostports": [B, C]}],
    "to a new edge": [{**ONE, "hostports": [A]}, {"hostports": [B]}],
    "to a new edge that is found by its metadata": [
        {**ONE, "hostports": [A]},
        {"find_by": "metadata", "metadata": "new", "hostports": [B]},
    ],
    "all of them": [{**ONE, "hostports": []}, {**TWO, "hostports": [A, B, C]}],
    "in a circle": [{**ONE, "hostports": [A, C]}, {**TWO, "hostports": [B]}],
}


@pytest.mark.parametrize("edges", MOVED.values(), ids=MOVED)
def test_what_moves_to_another_declared_edge_is_not_given_up(live: Tasks, edges: Edges) -> None:
    result = live.done("estate", https_edges=edges, max_deletions=0)
    assert not any(one["gives_up"] for one in result["plan"])
    assert {name for names in served(live).values() for name in names} == {A, B, C}


@pytest.mark.parametrize("check", [True, False])
def test_the_last_one_needs_a_permission_of_its_own(live: Tasks, check: bool) -> None:
    empty = {"id": "edghts_one", "hostports": []}
    for module, options, missing in (
        ("estate", {"https_edges": [empty], "purge": ["hostports"]}, "set `allow_empty: true`;"),
        ("estate", {"https_edges": [empty], "allow_empty": True}, "add `hostports` to `purge`;"),
        ("estate", {"https_edges": [empty]}, "add `hostports` to `purge` and set `allow_empty: true`;"),
        ("https_edge", {**empty, "purge_hostports": True}, "set `allow_empty: true`;"),
    ):
        assert missing in live.failed(module, check, **options)["msg"]
    assert served(live)["edghts_one"] == [A, B]


def test_an_edge_that_fails_takes_nothing(live: Tasks) -> None:
    """The name would be lost, although another edge declares it."""
    edges = [{**ONE, "hostports": [A]}, {"id": "edghts_gone", "hostports": [B]}]
    for check in (True, False):
        assert not writes(live.failed("estate", check, https_edges=edges))
    assert served(live)["edghts_one"] == [A, B]


def test_routes_of_the_edge_wait_for_it(live: Tasks) -> None:
    """Otherwise, the hostports that stay would be served by what is declared for others."""
    route = {"match_type": "path_prefix", "match": "/"}
    live.service.seed(
        https_edges=[{"id": "edghts_with", "hostports": [WILD, "x.org:443"], "routes": [{"id": "edghtsrt_x", **route}]}]
    )
    declared = {"id": "edghts_with", "hostports": ["x.org:443"]}
    for routes in ([{"id": "edghtsrt_x", **route, "description": "new"}], [{**route, "match": "/new"}]):
        result = live.failed("estate", https_edges=[{**declared, "routes": routes}], purge=["routes"])
        assert not writes(result)
        assert "would-be" not in result["msg"]


@pytest.mark.parametrize("purge", [[], ["hostports"]])
def test_what_another_job_adds_meanwhile_stays(live: Tasks, purge: list[str]) -> None:
    """The response to the first PATCH is lost. Before it is sent again, the edge is read and planned again."""
    forward, sent = forwarding(live.service.base_url), []

    def script(request: Received) -> Response:
        if request.method == "PATCH":
            sent.append(request)
            if len(sent) == 1:
                live.done("https_edge", id="edghts_two", hostports=[C, "added.example.com:443"])
                return Response(503)
        return forward(request)

    with scripted_service(script) as between:
        edges = [{**TWO, "hostports": [C, "new.example.com:443"]}]
        options = {"https_edges": edges, "purge": purge, "max_deletions": 0}
        result = live.failed("estate", base_url=between.base_url, retries=2, **options)
    assert "added.example.com:443" in served(live)["edghts_two"]
    assert ("max_deletions" if purge else "would give up added.example.com:443") in result["msg"]
