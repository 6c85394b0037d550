# SPDX-License-Identifier: GPL-3.0-or-later
"""Several teams on one account: a task purges edges of its scope only."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.purge_scope import PurgeScope
from cases import cases
from convergence import ANY_NUMBER
from module_task import Given, Tasks, received, writes
from scripted_service import Received, Response, as_json, forwarding

OURS, THEIRS = "ours.example.com:443", "theirs.example.org:443"
SCOPE = {"hostports": ["*.example.com:443"], "metadata": {"team": "us"}}


def declared(**options: Any) -> Given:
    return {"https_edges": [{"hostports": ["kept.example.com:443"]}], "purge": ["edges"], **options}


# The scope, the hostports and the metadata of an edge, and whether it is in the scope.
IN_SCOPE = cases(
    r"""
    a hostport | hostports: [a.example.com:443] | [a.example.com:443] | "" | true
    letter case | hostports: [A.Example.com:443] | [a.example.com:443] | "" | true
    a pattern | hostports: ["*.example.com:443"] | [a.example.com:443, b.c.example.com:443] | "" | true
    one of two outside | hostports: ["*.example.com:443"] | [a.example.com:443, a.example.org:443] | "" | false
    two patterns
        | hostports: [a.example.com:443, "b.example.com:*"] | [a.example.com:443, b.example.com:8443] | "" | true
    no regular expression | hostports: [a.example.com:443] | [aXexample.com:443] | "" | false
    another script | hostports: ["*.bücher.example:443"] | [a.xn--bcher-kva.example:443] | "" | true
    no hostports | hostports: ["*"] | [] | "" | false
    metadata | metadata: {team: us} | [] | '{"team": "us", "more": 1}' | true
    other metadata | metadata: {team: us} | [] | '{"team": "them"}' | false
    no JSON | metadata: {team: us} | [] | "team: us" | false
    a list | metadata: {team: us} | [] | '["team", "us"]' | false
    a name twice | metadata: {team: us} | [] | '{"team": "them", "team": "us"}' | false
    inside | metadata: {owner: {team: us}} | [] | '{"owner": {"team": "us", "name": "x"}}' | true
    a boolean | metadata: {stage: 1} | [] | '{"stage": true}' | false
    a string | metadata: {stage: 1} | [] | '{"stage": "1"}' | false
    a part of a list | metadata: {tags: [a]} | [] | '{"tags": ["a", "b"]}' | false
    nothing | {} | [] | "" | true
    all of a list | metadata: {tags: [a, b]} | [] | '{"tags": ["a", "b"]}' | true
    null | metadata: {x: null} | [] | "{}" | false
    too deep | metadata: {a: {b: 1}} | [] | *DEEP | false
    """,
    DEEP="[" * 100_000,
)


@pytest.mark.parametrize(("scope", "hostports", "metadata", "is_in"), IN_SCOPE.values(), ids=IN_SCOPE)
def test_what_is_in_the_scope(scope: Given, hostports: list[str], metadata: str, is_in: bool) -> None:
    assert PurgeScope(**scope).includes(hostports, metadata) is is_in


# The scope, and the beginnings of its option errors.
IMPOSSIBLE = cases("""
    empty | {} | [": is empty; set hostports, metadata, or both"]
    no hostports | hostports: [] | [".hostports: the list is empty, so no edge is in the scope"]
    no metadata | metadata: {} | [".metadata: the dictionary is empty, so every edge is in the scope"]
    an empty hostport | hostports: [""] | [".hostports[0]: is empty; "]
    no port | hostports: [shop.example.com] | [".hostports[0]: 'shop.example.com' has no port"]
    no number | hostports: ["*.example.com:https"] | [".hostports[0]: '*.example.com:https' has no port"]
    a blank | hostports: ["a b:443"] | [".hostports[0]: 'a b:443' contains a space"]
    numbers out of range | hostports: [a:0, a:65536] | [".hostports[0]: the port '0'", ".hostports[1]: the port"]
    null in metadata | metadata: {team: null} | [".metadata.team: is null; check whether the variable"]
    empty in metadata | metadata: {team: ""} | [".metadata.team: is empty; check whether the variable"]
    empty inside | metadata: {owner: {team: {}}} | [".metadata.owner.team: is empty; check whether"]
    null in a list | metadata: {a: [1, null]} | [".metadata.a[1]: is null; check whether"]
    null hostports | {hostports: null, metadata: {team: us}} | [".hostports: expected a list, got null"]
    null metadata | {hostports: [a:443], metadata: null} | [".metadata: expected a dictionary, got null"]
    null | null | [": expected a dictionary, got null"]
    another name | hostport: [a:443] | [".hostport: unknown option; did you mean `hostports`?"]
""")


@pytest.mark.parametrize(("scope", "messages"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_impossible_scope_is_an_option_error(tasks: Tasks, scope: Any, messages: list[str]) -> None:
    result = tasks.failed("estate", **declared(purge_scope=scope))
    pairs = zip(result["option_errors"], [f"purge_scope{one}" for one in messages], strict=True)
    assert ([(error, text) for error, text in pairs if not error.startswith(text)], result["sent"]) == ([], [])


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


def test_without_a_scope_an_edge_with_unreadable_metadata_is_not_kept_in_silence(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[{"id": "edghts_ours"}, {"id": "edghts_odd", "metadata": "odd"}])
    forward = forwarding(tasks.service.base_url)

    def with_a_list(request: Received) -> Response:
        real = forward(request)
        return replace(real, body=real.body.replace(b'"odd"', b"[1]"))

    result = tasks.failed("estate", instead=with_a_list, https_edges=[{"id": "edghts_ours"}], purge=["edges"])
    assert "metadata: expected a string" in result["msg"]
    assert not writes(result)


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


def _with_hostports_once(edges: list[tuple[set[str], str]]) -> list[Given]:
    taken: set[str] = set()
    made = []
    for number, (hostports, metadata) in enumerate(edges):
        edge = {"id": f"edghts_{number}", "hostports": sorted(hostports - taken), "metadata": metadata, "routes": []}
        made.append(edge)
        taken |= hostports
    return made


ANY_EDGE = st.tuples(st.sets(st.sampled_from(HOSTS), max_size=2), st.sampled_from(METADATA))
EDGES = st.lists(ANY_EDGE, max_size=4).map(_with_hostports_once)
OWN = st.lists(st.sampled_from([*HOSTS, "new.example.com:443"]), unique=True, max_size=2)


@settings(ANY_NUMBER, max_examples=so_many(25, 300))
@given(live=EDGES, own=OWN, scope=SCOPES)
def test_no_request_touches_what_is_outside(tasks: Tasks, live: list[Given], own: list[str], scope: Given) -> None:
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


def _is_ours(edge: Given, scope: Given) -> bool:
    ends = bool(edge["hostports"]) and all(one.endswith(".example.com:443") for one in edge["hostports"])
    marked = edge["metadata"] == json.dumps({"team": "us"})
    return (ends or "hostports" not in scope) and (marked or "metadata" not in scope)
