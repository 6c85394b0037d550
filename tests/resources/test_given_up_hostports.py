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
    taker = {**TWO, "hostports": [B, C]}
    result = live.failed("estate", check, https_edges=[empty, taker], purge=["hostports"])
    assert "edghts_one) failed" in result["failures"][1]["msg"]
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
        assert ("Not changed" if "id" in routes[0] else "Not created") in result["msg"]
        [shown] = result["https_edges"]
        assert (shown["id"], len(shown["hostports"])) == ("edghts_with", 2)


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


M = "meanwhile.example.com:443"


def run_with_a_second_writer(live: Tasks, edge_id: str, *, takes_effect: bool, **options: Any) -> dict[str, Any]:
    """The result of an estate, while the response to the first PATCH of an edge is lost and somebody gives it M."""
    forward, sent = forwarding(live.service.base_url), []

    def script(request: Received) -> Response:
        if request.method == "PATCH" and request.path.endswith(edge_id):
            sent.append(request)
            if len(sent) == 1:
                if takes_effect:
                    forward(request)
                live.done("https_edge", id=edge_id, hostports=[*served(live)[edge_id], M])
                return Response(503)
        return forward(request)

    with scripted_service(script) as between:
        return live.run("estate", base_url=between.base_url, retries=2, **options)


# What is declared, the edge whose first PATCH is lost, and whether that PATCH took effect.
LATER: dict[str, tuple[dict[str, Any], str, bool]] = {
    "the PATCH is sent again": ({"https_edges": [{**TWO, "hostports": [C], "description": "d"}]}, "edghts_two", False),
    "it took effect": ({"https_edges": [{**TWO, "hostports": [C, WILD], "description": "d"}]}, "edghts_two", True),
    "a step in between of a swap": (
        {"https_edges": [{**ONE, "hostports": [C]}, {**TWO, "hostports": [A, B]}]},
        "edghts_one",
        False,
    ),
    "a step in between of an edge that is purged": (
        {"https_edges": [{**TWO, "hostports": [A, C]}], "purge": ["edges"]},
        "edghts_one",
        False,
    ),
}


@pytest.mark.parametrize("purge", [[], ["hostports"]])
@pytest.mark.parametrize(("options", "edge_id", "takes_effect"), LATER.values(), ids=LATER)
def test_what_the_task_has_seen_meanwhile_is_counted(
    live: Tasks, options: dict[str, Any], edge_id: str, takes_effect: bool, purge: list[str]
) -> None:
    """The plan has all deletions that are allowed."""
    most = 1 if "purge" in options else 0
    options = {**options, "purge": [*options.get("purge", ()), *purge], "max_deletions": most}
    run_with_a_second_writer(live, edge_id, takes_effect=takes_effect, **options)
    assert M in served(live)[edge_id]


def test_a_name_is_given_up_as_late_as_possible(live: Tasks) -> None:
    """The edge that takes it waits for the login of its route. If the service rejects that, the name stays."""
    live.service.seed(
        https_edges=[
            {
                "id": "edghts_three",
                "hostports": ["d.org:443"],
                "routes": [
                    {
                        "id": "edghtsrt_three",
                        "match_type": "path_prefix",
                        "match": "/",
                        "backend": {"backend_id": "bkd_x"},
                    }
                ],
            }
        ]
    )
    login = {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "client_secret": "words"}}
    route = {"id": "edghtsrt_three", "match_type": "path_prefix", "match": "/", **login}
    edges = [{**ONE, "hostports": [A]}, {"id": "edghts_three", "hostports": [B, "d.org:443"], "routes": [route]}]
    forward = forwarding(live.service.base_url)

    def script(request: Received) -> Response:
        is_login = request.method == "PATCH" and request.path.endswith("edghtsrt_three")
        return Response(403) if is_login else forward(request)

    with scripted_service(script) as between:
        live.failed("estate", base_url=between.base_url, https_edges=edges)
    assert served(live)["edghts_one"] == [A, B]
    live.done("estate", https_edges=edges)
    assert served(live)["edghts_three"] == [B, "d.org:443"]


def test_what_nothing_serves_after_a_failure_is_named(live: Tasks) -> None:
    """Also if the edge that takes it was only withheld, because another one failed that it waits for."""
    live.service.seed(https_edges=[{"id": "edghts_three", "hostports": ["d.org:443", "e.org:443"]}])
    edges = [
        {**ONE, "hostports": [A]},
        {**TWO, "hostports": [B, C, "d.org:443"]},
        {"id": "edghts_three", "hostports": ["e.org:443"]},
    ]
    forward = forwarding(live.service.base_url)

    def script(request: Received) -> Response:
        is_three = request.method == "PATCH" and request.path.endswith("edghts_three")
        return Response(403) if is_three else forward(request)

    with scripted_service(script) as between:
        result = live.failed("estate", base_url=between.base_url, https_edges=edges)
    lost = {A, B, C} - {name for names in served(live).values() for name in names}
    assert all(f"Possibly no object has {name} now" in result["msg"] for name in lost)


@pytest.mark.parametrize("find_by", ["none", "metadata"])
def test_a_new_edge_waits_for_a_slow_release(live: Tasks, find_by: str) -> None:
    live.service.switches(slow_releases=1)
    edges = [{**ONE, "hostports": [A]}, {"find_by": find_by, "metadata": "new", "hostports": [B]}]
    live.done("estate", https_edges=edges, retries=3)
    assert sorted(name for names in served(live).values() for name in names) == [A, B, C]
