# SPDX-License-Identifier: GPL-3.0-or-later
"""Several teams on one account: a task purges edges of its scope only."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.purge_scope import PurgeScope
from convergence import ANY_NUMBER
from module_task import Tasks, received, writes
from scripted_service import Received, Response, as_json

OURS, THEIRS = "ours.example.com:443", "theirs.example.org:443"
SCOPE = {"hostports": ["*.example.com:443"], "metadata": {"team": "us"}}


def declared(**options: Any) -> dict[str, Any]:
    return {"https_edges": [{"hostports": ["kept.example.com:443"]}], "purge": ["edges"], **options}


IN_SCOPE: list[tuple[dict[str, Any], list[str], str, bool]] = [
    ({"hostports": ["a.example.com:443"]}, ["a.example.com:443"], "", True),
    ({"hostports": ["A.Example.com:443"]}, ["a.example.com:443"], "", True),
    ({"hostports": ["*.example.com:443"]}, ["a.example.com:443", "b.c.example.com:443"], "", True),
    ({"hostports": ["*.example.com:443"]}, ["a.example.com:443", "a.example.org:443"], "", False),
    ({"hostports": ["a.example.com:443", "b.example.com:*"]}, ["a.example.com:443", "b.example.com:8443"], "", True),
    ({"hostports": ["*.example.com:443"]}, ["example.com:443"], "", False),
    ({"hostports": ["a.example.com:443"]}, ["aXexample.com:443"], "", False),
    ({"hostports": ["*.b\u00fccher.example:443"]}, ["a.xn--bcher-kva.example:443"], "", True),
    ({"hostports": ["*"]}, [], "", False),
    ({"metadata": {"team": "us"}}, [], '{"team": "us", "more": 1}', True),
    ({"metadata": {"team": "us"}}, [], '{"team": "them"}', False),
    ({"metadata": {"team": "us"}}, [], "team: us", False),
    ({"metadata": {"team": "us"}}, [], "", False),
    ({"metadata": {"team": "us"}}, [], '["team", "us"]', False),
    ({"metadata": {"team": "us"}}, [], '{"team": "us", "team": "them"}', False),
    ({"metadata": {"team": "us"}}, [], '{"team": "them", "team": "us"}', False),
    ({"metadata": {"owner": {"team": "us"}}}, [], '{"owner": {"team": "us", "name": "x"}}', True),
    ({"metadata": {"stage": 1}}, [], '{"stage": true}', False),
    ({"metadata": {"stage": 1}}, [], '{"stage": "1"}', False),
    ({"metadata": {"tags": ["a"]}}, [], '{"tags": ["a", "b"]}', False),
    ({"metadata": {"tags": ["a", "b"]}}, [], '{"tags": ["a", "b"]}', True),
    ({"metadata": {"x": None}}, [], "{}", False),
    ({"metadata": {"a": {"b": 1}}}, [], "[" * 100_000, False),
    (SCOPE, ["a.example.com:443"], '{"team": "us"}', True),
    (SCOPE, ["a.example.com:443"], "", False),
    (SCOPE, ["a.example.org:443"], '{"team": "us"}', False),
]


@pytest.mark.parametrize(("scope", "hostports", "metadata", "is_in"), IN_SCOPE, ids=lambda value: str(value)[:40])
def test_what_is_in_the_scope(scope: dict[str, Any], hostports: list[str], metadata: str, is_in: bool) -> None:
    assert PurgeScope(**scope).includes(hostports, metadata) is is_in


def test_without_a_scope_everything_is() -> None:
    assert PurgeScope().includes([], "")


IMPOSSIBLE: list[tuple[dict[str, Any] | None, list[str]]] = [
    ({}, ["purge_scope: is empty; set hostports, metadata, or both"]),
    ({"hostports": []}, ["purge_scope.hostports: the list is empty, so no edge is in the scope"]),
    ({"metadata": {}}, ["purge_scope.metadata: the dictionary is empty, so every edge is in the scope"]),
    ({"hostports": [""]}, ["purge_scope.hostports[0]: is empty; "]),
    ({"hostports": ["shop.example.com"]}, ["purge_scope.hostports[0]: 'shop.example.com' has no port"]),
    ({"hostports": ["*.example.com:https"]}, ["purge_scope.hostports[0]: '*.example.com:https' has no port"]),
    ({"hostports": ["a b:443"]}, ["purge_scope.hostports[0]: 'a b:443' contains a space"]),
    (
        {"hostports": ["a:0", "a:65536"]},
        ["purge_scope.hostports[0]: the port '0'", "purge_scope.hostports[1]: the port"],
    ),
    ({"metadata": {"team": None}}, ["purge_scope.metadata.team: is null; check whether the variable"]),
    ({"metadata": {"team": ""}}, ["purge_scope.metadata.team: is empty; check whether the variable"]),
    ({"metadata": {"owner": {"team": {}}}}, ["purge_scope.metadata.owner.team: is empty; check whether"]),
    ({"metadata": {"a": [1, None]}}, ["purge_scope.metadata.a[1]: is null; check whether"]),
    ({"hostports": None, "metadata": {"team": "us"}}, ["purge_scope.hostports: expected a list, got null"]),
    ({"hostports": ["a:443"], "metadata": None}, ["purge_scope.metadata: expected a dictionary, got null"]),
    (None, ["purge_scope: expected a dictionary, got null"]),
    ({"hostport": ["a:443"]}, ["purge_scope.hostport: unknown option; did you mean `hostports`?"]),
]


@pytest.mark.parametrize(("scope", "messages"), IMPOSSIBLE, ids=lambda value: str(value)[:40])
def test_an_impossible_scope_is_an_option_error(tasks: Tasks, scope: Any, messages: list[str]) -> None:
    result = tasks.failed("estate", **declared(purge_scope=scope))
    assert result["sent"] == []
    found = [error[: len(text)] for error, text in zip(result["option_errors"], messages, strict=True)]
    assert found == messages, result["option_errors"]


def test_a_scope_without_a_purge_is_an_option_error(tasks: Tasks) -> None:
    result = tasks.failed("estate", **declared(purge=["modules"], purge_scope=SCOPE))
    assert result["option_errors"] == [
        "purge_scope: has no effect without `edges` in `purge`; add `edges` to `purge`, or remove purge_scope"
    ]


@pytest.mark.parametrize("check", [True, False])
def test_edges_of_others_stay(tasks: Tasks, check: bool) -> None:
    tasks.service.seed(
        https_edges=[
            {"id": "edghts_ours", "hostports": [OURS], "metadata": '{"team": "us"}'},
            {"id": "edghts_theirs", "hostports": [THEIRS], "metadata": '{"team": "us"}'},
            {"id": "edghts_unmarked", "hostports": ["unmarked.example.com:443"]},
        ]
    )
    result = tasks.done("estate", check, **declared(purge_scope=SCOPE, undeclared="declarations"))
    assert [one["path"] for one in result["operations"]] == ["/edges/https", "/edges/https/edghts_ours"]
    assert {one["declaration"]["id"]: one["why"] for one in result["undeclared"]} == {
        "edghts_theirs": "outside of purge_scope",
        "edghts_unmarked": "outside of purge_scope",
    }


def test_a_hostport_of_others_is_not_taken(tasks: Tasks) -> None:
    """With all edges purged, it would be free."""
    tasks.service.seed(https_edges=[{"id": "edghts_theirs", "hostports": [THEIRS]}])
    taking = {"https_edges": [{"find_by": "metadata", "metadata": "x", "hostports": [THEIRS]}], "purge": ["edges"]}
    result = tasks.failed("estate", **taking, purge_scope=SCOPE)
    assert not writes(result)
    assert "edghts_theirs" in result["msg"]


def test_a_purge_is_not_repeated_for_an_edge_that_has_left_the_scope(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[{"id": "edghts_ours", "hostports": [OURS], "metadata": '{"team": "us"}'}])

    def handed_over(request: Received) -> Response | None:
        if request.method != "DELETE":
            return None
        tasks.done("https_edge", id="edghts_ours", metadata={"team": "them"})
        return as_json({"msg": "no such operation"}, 404)

    result = tasks.failed("estate", instead=handed_over, **declared(purge_scope=SCOPE))
    assert received(result, "DELETE") == ["DELETE /edges/https/edghts_ours"]
    assert "has left `purge_scope` in the meantime" in result["msg"]
    assert [one["why"] for one in result["undeclared"]] == ["its deletion failed"]


HOSTS = [OURS, "more.example.com:443", THEIRS, "b.example.org:8443"]
METADATA = ["", '{"team": "us"}', '{"team": "them"}', "no json", '{"team": "us", "team": "them"}']
SCOPES = st.sampled_from([SCOPE, {"hostports": SCOPE["hostports"]}, {"metadata": SCOPE["metadata"]}])


def _with_hostports_once(edges: list[tuple[set[str], str]]) -> list[dict[str, Any]]:
    taken: set[str] = set()
    made = []
    for number, (hostports, metadata) in enumerate(edges):
        made.append(
            {"id": f"edghts_{number}", "hostports": sorted(hostports - taken), "metadata": metadata, "routes": []}
        )
        taken |= hostports
    return made


EDGES = st.lists(st.tuples(st.sets(st.sampled_from(HOSTS), max_size=2), st.sampled_from(METADATA)), max_size=4).map(
    _with_hostports_once
)
OWN = st.lists(st.sampled_from([*HOSTS, "new.example.com:443"]), unique=True, max_size=2)


@settings(ANY_NUMBER, max_examples=so_many(25, 300))
@given(live=EDGES, own=OWN, scope=SCOPES)
def test_no_request_touches_what_is_outside(
    tasks: Tasks, live: list[dict[str, Any]], own: list[str], scope: dict[str, Any]
) -> None:
    tasks.service.reset()
    tasks.service.seed(https_edges=live)
    edges = [{"hostports": [hostport], "description": "declared"} for hostport in own]
    result = tasks.run("estate", https_edges=edges, purge=["edges"], purge_scope=scope, allow_empty=True)
    # Written once more in other words than those of the code.
    foreign = [edge for edge in live if not set(edge["hostports"]) & set(own) and not _is_ours(edge, scope)]
    touched = {write.split("/")[3] for write in writes(result) if write.count("/") > 2}
    assert not touched & {edge["id"] for edge in foreign}
    held = {edge["id"] for edge in tasks.service.state()["https_edges"]}
    assert held >= {edge["id"] for edge in foreign}


def _is_ours(edge: dict[str, Any], scope: dict[str, Any]) -> bool:
    ends = bool(edge["hostports"]) and all(one.endswith(".example.com:443") for one in edge["hostports"])
    marked = edge["metadata"] == json.dumps({"team": "us"})
    return (ends or "hostports" not in scope) and (marked or "metadata" not in scope)
