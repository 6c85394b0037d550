# SPDX-License-Identifier: GPL-3.0-or-later
"""What only one object can have moves in one run: hostports between edges, matches between routes, a login."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from convergence import ANY_NUMBER, converges
from module_task import Tasks, writes
from places import EDGE, is_active, lets_everybody_through, seed_edge
from rich_world import AUTH_MODULES, FIRST
from scripted_service import Response, rejecting

BACKEND = {"backend_id": "bkd_one"}


def port(*names: str) -> list[str]:
    return [f"{name}.example.com:443" for name in names]


def reasons(result: dict[str, Any]) -> list[str]:
    return [operation["reason"] for operation in result["operations"]]


def seed_edges(tasks: Tasks, **edges: Iterable[str]) -> None:
    tasks.service.seed(
        https_edges=[{"id": f"edghts_{name}", "hostports": port(*hosts)} for name, hosts in edges.items()]
    )


def served(tasks: Tasks) -> dict[str, list[str]]:
    """The first labels of what each edge serves, by its ID without the prefix, or by its description."""
    return {
        str(edge.get("description") or edge["id"].removeprefix("edghts_")): sorted(
            hostport.split(".")[0] for hostport in edge["hostports"]
        )
        for edge in tasks.service.state()["https_edges"]
    }


# What the edges serve, what is declared (with IDs or without), and how many writes that takes.
HOSTPORTS: dict[str, tuple[dict[str, str], list[dict[str, Any]], int]] = {
    "from one edge to another": ({"a": "ax", "b": "b"}, [{"id": "a", "serves": "a"}, {"id": "b", "serves": "bx"}], 2),
    "without ids": ({"a": "ax", "b": "b"}, [{"serves": "a"}, {"serves": "bx"}], 2),
    "one with its ID": ({"a": "ax", "b": "b"}, [{"id": "a", "serves": "a"}, {"serves": "bx"}], 2),
    "the other with its ID": ({"a": "ax", "b": "b"}, [{"serves": "a"}, {"id": "b", "serves": "bx"}], 2),
    "to a new edge": ({"a": "ax"}, [{"id": "a", "serves": "a"}, {"serves": "x", "description": "new"}], 2),
    "along a chain": ({"a": "ax", "b": "by", "c": "c"}, [{"serves": "a"}, {"serves": "bx"}, {"serves": "cy"}], 3),
    "swapped": ({"a": "a", "b": "b"}, [{"id": "a", "serves": "b"}, {"id": "b", "serves": "a"}], 3),
    "swapped in part": ({"a": "ax", "b": "by"}, [{"id": "a", "serves": "ay"}, {"id": "b", "serves": "bx"}], 3),
    "around a circle": (
        {"a": "a", "b": "b", "c": "c"},
        [{"id": "a", "serves": "b"}, {"id": "b", "serves": "c"}, {"id": "c", "serves": "a"}],
        4,
    ),
}


def declared_edges(members: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            **{name: value for name, value in member.items() if name == "description"},
            **({"id": f"edghts_{member['id']}"} if "id" in member else {}),
            "hostports": port(*member["serves"]),
        }
        for member in members
    ]


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize(("live", "members", "expected"), HOSTPORTS.values(), ids=HOSTPORTS)
def test_hostports_move_in_one_run(
    tasks: Tasks, live: dict[str, str], members: list[dict[str, Any]], expected: int, concurrency: int
) -> None:
    for order in permutations(members):
        tasks.service.reset()
        seed_edges(tasks, **live)
        options = {"https_edges": declared_edges(order), "concurrency": concurrency}
        assert len(writes(converges(tasks, "estate", **options))) == expected
        assert sorted(served(tasks).values()) == sorted(sorted(member["serves"]) for member in members)
        for member in members:
            name = member.get("id") or member.get("description")
            assert name is None or served(tasks)[name] == sorted(member["serves"])


def test_a_step_in_between_says_what_it_is_for(tasks: Tasks) -> None:
    seed_edges(tasks, a="a", b="b")
    options = {"https_edges": declared_edges([{"id": "a", "serves": "b"}, {"id": "b", "serves": "a"}])}
    assert reasons(tasks.done("estate", check=True, **options)) == [
        "gives up a.example.com:443 for https_edge b.example.com:443 (edghts_b)",
        "differs: hostports",
        "differs: hostports",
    ]


def test_an_edge_that_is_purged_gives_up_what_another_one_takes(tasks: Tasks) -> None:
    seed_edges(tasks, a="a", old="x")
    options = {"https_edges": declared_edges([{"id": "a", "serves": "ax"}]), "purge": ["edges"]}
    real = tasks.done("estate", **options)
    assert [write.split()[0] for write in writes(real)] == ["PATCH", "PATCH", "DELETE"]
    assert served(tasks) == {"a": ["a", "x"]}


@pytest.mark.parametrize("purge", [[], ["edges"]])
def test_an_early_change_is_reverted_if_the_other_change_fails(tasks: Tasks, purge: list[str]) -> None:
    seed_edges(tasks, a="a", b="b")
    both = [{"id": "a", "serves": "b"}, {"id": "b", "serves": "a"}]
    declared = declared_edges([{"id": "b", "serves": "ab"}] if purge else both)
    options = {"https_edges": declared, "concurrency": 1, "purge": purge}
    result = tasks.failed("estate", instead=rejecting("PATCH", "edghts_b", Response(402)), **options)
    assert served(tasks) == {"a": ["a"], "b": ["b"]}
    assert "takes a.example.com:443 back" in str(result["operations"])
    tasks.done("estate", **options)
    assert served(tasks) == ({"b": ["a", "b"]} if purge else {"a": ["b"], "b": ["a"]})


def test_what_nothing_serves_now_is_named(tasks: Tasks) -> None:
    seed_edges(tasks, a="ax", b="b")
    edges = declared_edges([{"serves": "a", "description": "a"}, {"serves": "bx"}])
    result = tasks.failed("estate", instead=rejecting("PATCH", "edghts_b"), https_edges=edges)
    assert "Possibly no object has x.example.com:443 now" in result["msg"]
    tasks.done("estate", https_edges=edges)
    assert served(tasks) == {"a": ["a"], "b": ["b", "x"]}


BELONGS = "hostports: {0}.example.com:443 belongs to https_edge b.example.com:443 (edghts_b), and can"
KEPT: dict[str, tuple[list[dict[str, Any]], str]] = {
    # What is declared where edge a serves a and edge b serves b, and which name edge a does not get.
    "by one that is not declared": ([{"id": "a", "serves": "ab"}], "b"),
    "by one that is declared without hostports": ([{"id": "a", "serves": "ab"}, {"id": "b"}], "b"),
    "by none yet, but two are to have it": ([{"id": "b", "serves": "bx"}, {"id": "a", "serves": "ax"}], "x"),
}


def without_empty_lists(members: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    declared = declared_edges({"serves": "", **member} for member in members)
    return [{name: value for name, value in edge.items() if value} for edge in declared]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("members", "name"), KEPT.values(), ids=KEPT)
def test_what_another_edge_has_is_not_taken(
    tasks: Tasks, members: list[dict[str, Any]], name: str, check: bool
) -> None:
    seed_edges(tasks, a="a", b="b", c="cd")
    declared = without_empty_lists([*members, {"id": "c", "serves": "c"}])
    result = tasks.failed("estate", check, https_edges=declared, purge=["hostports"])
    [failure] = result["failures"]
    assert failure["object"] == "https_edge a.example.com:443 (edghts_a)"
    assert BELONGS.format(name) in failure["msg"]
    assert "PATCH /edges/https/edghts_a" not in writes(result)
    # What has nothing to do with it is as declared.
    assert "/edges/https/edghts_c" in [operation["path"] for operation in result["operations"]]


AMBIGUOUS: dict[str, tuple[dict[str, str], list[dict[str, Any]], str]] = {
    "an edge that is split": ({"a": "ax"}, [{"serves": "a"}, {"serves": "x"}], "2 declared edges match the same edge"),
    "two that could be either": (
        {"a": "ax", "b": "by"},
        [{"serves": "ay"}, {"serves": "bx"}],
        "2 edges match the declared hostports: edghts_b, edghts_a",
    ),
    "one that is declared for two": (
        {"a": "ax"},
        [{"id": "a", "serves": "ax"}, {"serves": "x"}],
        "Two declared edges refer to the same edge, edghts_a",
    ),
    "one that does not move": (
        {"a": "ax"},
        [{"id": "a"}, {"serves": "x"}],
        "Two declared edges refer to the same edge, edghts_a",
    ),
}


@pytest.mark.parametrize(("live", "members", "message"), AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_what_is_not_known_is_not_assumed(
    tasks: Tasks, live: dict[str, str], members: list[dict[str, Any]], message: str
) -> None:
    seed_edges(tasks, **live)
    result = tasks.failed("estate", https_edges=without_empty_lists(members), purge=["edges"])
    assert message in result["msg"]
    assert not writes(result)
    assert any(not edge["id"] for edge in result["https_edges"])


@st.composite
def distributions(draw: st.DrawFn) -> list[str]:
    """Which of six hostports each of four edges serves, each at least one of its own."""
    owners = draw(st.permutations([*"abcd", *draw(st.lists(st.sampled_from("abcd"), min_size=2, max_size=2))]))
    return ["".join(name for name, owner in zip("uvwxyz", owners, strict=True) if owner == edge) for edge in "abcd"]


@settings(ANY_NUMBER, max_examples=so_many(15, 150))
@given(before=distributions(), after=distributions())
def test_any_distribution_of_hostports_becomes_any_other(tasks: Tasks, before: list[str], after: list[str]) -> None:
    tasks.service.reset()
    seed_edges(tasks, **dict(zip("abcd", before, strict=True)))
    members = [{"id": edge, "serves": serves} for edge, serves in zip("abcd", after, strict=True)]
    result = tasks.done("estate", https_edges=declared_edges(members))
    assert served(tasks) == {member["id"]: sorted(member["serves"]) for member in members}
    # No request was sent to see what comes of it.
    assert {one["status"] for one in result["sent"]} == {200}


def a_route(name: str, match: str, match_type: str = "path_prefix", **options: Any) -> dict[str, Any]:
    return {"id": f"edghtsrt_{name}", "match_type": match_type, "match": match, **options}


def held_routes(tasks: Tasks) -> dict[str, dict[str, Any]]:
    [edge] = tasks.service.state()["https_edges"]
    return {route["id"].removeprefix("edghtsrt_"): route for route in edge["routes"]}


MATCHES: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]], int]] = {
    "swapped": ([a_route("a", "/a"), a_route("b", "/b")], [a_route("a", "/b"), a_route("b", "/a")], 3),
    "moved along": ([a_route("a", "/a"), a_route("b", "/b")], [a_route("a", "/b"), a_route("b", "/c")], 2),
    "around a circle": (
        [a_route("a", "/a"), a_route("b", "/b"), a_route("c", "example.com/c")],
        [a_route("a", "/b"), a_route("b", "example.com/c"), a_route("c", "/a")],
        4,
    ),
    "taken by a new one": ([a_route("a", "/a")], [a_route("a", "/b"), {"match_type": "path_prefix", "match": "/a"}], 2),
    "taken from one that is purged": ([a_route("a", "/a"), a_route("b", "/b")], [a_route("a", "/b")], 3),
}


@pytest.mark.parametrize("match_unique", ["with_type", "alone"])
@pytest.mark.parametrize(("live", "declared", "expected"), MATCHES.values(), ids=MATCHES)
def test_matches_move_in_one_run(
    tasks: Tasks, live: list[dict[str, Any]], declared: list[dict[str, Any]], expected: int, match_unique: str
) -> None:
    fields = {"description": "d", "metadata": "m", "oidc": FIRST["oidc"]}
    for order in permutations(declared):
        tasks.service.reset()
        tasks.service.switches(match_unique=match_unique, patch_forgets_text=True)
        seed_edge(tasks, routes=[{**route, **fields} for route in live])
        real = converges(tasks, "https_edge_routes", edge_id=EDGE, routes=list(order), purge=True)
        # The first change shows that the service clears the texts.
        assert len(writes(real)) == expected + 1
        held = held_routes(tasks)
        assert sorted(route["match"] for route in held.values()) == sorted(route["match"] for route in declared)
        for route in declared:
            if "id" in route:
                there = held[route["id"].removeprefix("edghtsrt_")]
                texts = (there["match"], there["description"], there["metadata"], is_active(there, "oidc"))
                assert texts == (route["match"], "d", "m", True)


def test_the_step_in_between_keeps_what_protects_the_route(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[a_route("a", "/a", oidc=FIRST["oidc"]), a_route("b", "h.example.com/b")])
    routes = [a_route("a", "h.example.com/b"), a_route("b", "/a")]
    result = tasks.done("https_edge_routes", edge_id=EDGE, routes=routes)
    assert reasons(result)[0].startswith("gives up h.example.com/b for https_edge_route path_prefix /a of ")
    [first, *_rest] = result["sent"][1:]
    # The one without protection makes room.
    assert first["path"].endswith("edghtsrt_b")
    assert first["body"]["match"] == "h.example.com/b/.moving-edghtsrt_b"
    assert "oidc" not in first["body"]


LOGINS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "declared absent": ({"absent_modules": ["oidc"]}, {}),
    "purged": ({"purge_modules": True, "backend": BACKEND}, {"backend": BACKEND}),
    "with another change": ({"absent_modules": ["oidc"], "description": "public"}, {"description": "with login"}),
}


@pytest.mark.parametrize("one_login_per_edge", [True, False, "enabled"])
@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize(("leaving", "entering"), LOGINS.values(), ids=LOGINS)
def test_one_route_is_always_protected_while_a_login_moves(
    tasks: Tasks, leaving: dict[str, Any], entering: dict[str, Any], turned: bool, is_new: bool, one_login_per_edge: Any
) -> None:
    tasks.service.switches(one_login_per_edge=one_login_per_edge, patch_forgets_text=True)
    old = a_route("a", "/a", backend=BACKEND, oidc=FIRST["oidc"])
    seed_edge(tasks, routes=[old] if is_new else [old, a_route("b", "/b", backend=BACKEND)])
    taker = {"match_type": "path_prefix", "match": "/b", "oauth": FIRST["oauth"], "backend": BACKEND, **entering}
    routes = [{"match_type": "path_prefix", "match": "/a", **leaving}, taker]
    options = {"edge_id": EDGE, "routes": routes[::-1] if turned else routes}
    dry = tasks.done("https_edge_routes", check=True, **options)
    seen: list[dict[str, dict[str, Any]]] = []
    real = tasks.done("https_edge_routes", instead=lambda _request: seen.append(held_routes(tasks)), **options)
    assert reasons(dry) == reasons(real)
    assert [f"{one['method']} {one['path']}" for one in real["operations"]] == writes(real)
    for routes_then in [*seen, held_routes(tasks)]:
        assert not all(lets_everybody_through(route, AUTH_MODULES) for route in routes_then.values())
    [public] = [route for route in held_routes(tasks).values() if lets_everybody_through(route, AUTH_MODULES)]
    assert public["match"] == "/a"
    assert len(held_routes(tasks)) == 2
    assert not tasks.done("https_edge_routes", **options)["changed"]


GIVER = a_route("a", "/a", backend=BACKEND, oidc=FIRST["oidc"])
TAKER = a_route("b", "/b", backend=BACKEND)


@pytest.mark.parametrize("one_login_per_edge", [True, False, "enabled"])
def test_a_login_moves_with_the_match(tasks: Tasks, one_login_per_edge: Any) -> None:
    """One waits for the login to arrive, the other for the match to be free."""
    tasks.service.switches(one_login_per_edge=one_login_per_edge)
    seed_edge(tasks, routes=[GIVER, TAKER])
    leaving = {**a_route("a", "/c"), "absent_modules": ["oidc"], "backend": BACKEND}
    entering = {**a_route("b", "/a"), "oauth": FIRST["oauth"]}
    converges(tasks, "https_edge_routes", edge_id=EDGE, routes=[leaving, entering])
    held = held_routes(tasks)
    assert (held["a"]["match"], held["b"]["match"]) == ("/c", "/a")
    assert ("oidc" in held["a"], "oauth" in held["b"], is_active(held["a"], "backend")) == (False, True, True)


@pytest.mark.parametrize("one_login_per_edge", [True, False])
def test_a_login_moves_one_way_and_matches_the_other(tasks: Tasks, one_login_per_edge: bool) -> None:
    """The one that hands the login over waits for its heir, which waits for its match, which that one gives up."""
    tasks.service.switches(one_login_per_edge=one_login_per_edge)
    seed_edge(tasks, routes=[GIVER, TAKER, a_route("c", "/c", backend=BACKEND)])
    leaving = a_route("a", "/d", backend=BACKEND, absent_modules=["oidc"])
    entering = a_route("b", "/c", backend=BACKEND, oidc=FIRST["oidc"])
    routes = [leaving, entering, a_route("c", "/a", backend=BACKEND)]
    converges(tasks, "https_edge_routes", edge_id=EDGE, routes=routes)


@pytest.mark.parametrize("hands_over", [True, False])
@pytest.mark.parametrize("match_unique", ["alone", "with_type"])
def test_a_route_that_gave_its_match_up_does_not_take_it_back(
    tasks: Tasks, match_unique: str, hands_over: bool
) -> None:
    """It is closed while its login is exchanged, or handed over; what closes it carries a match along."""
    tasks.service.switches(match_unique=match_unique, one_auth_module=True, one_login_per_edge=hands_over)
    heavy = {name: FIRST[name] for name in ("ip_restriction", "webhook_verification")}  # it is less easily moved
    seed_edge(
        tasks, routes=[{**TAKER, **a_route("a", "/a"), "oauth": FIRST["oauth"]}, TAKER | ({} if hands_over else heavy)]
    )
    login = {"oidc": FIRST["oidc"]}
    one = a_route("a", "/b", backend=BACKEND, absent_modules=["oauth"], **({} if hands_over else login))
    two = a_route("b", "/a", backend=BACKEND, **(login if hands_over else {}))
    converges(tasks, "https_edge_routes", edge_id=EDGE, routes=[one, two])


def test_a_route_whose_login_moves_is_not_reopened_if_it_loses_its_backend(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[GIVER, TAKER])
    leaving = {**a_route("a", "/a"), "absent_modules": ["oidc", "backend"], "description": "closed"}
    options = {"edge_id": EDGE, "routes": [leaving, {**a_route("b", "/b"), "oidc": FIRST["oidc"]}]}
    result = tasks.done("https_edge_routes", **options)
    assert writes(result)[:2] == [
        f"DELETE /edges/https/{EDGE}/routes/edghtsrt_a/{name}" for name in ("backend", "oidc")
    ]
    assert not any("backend" in (request["body"] or {}) for request in result["sent"])
    assert not tasks.done("https_edge_routes", **options)["changed"]


OFF = {"oidc": {**FIRST["oidc"], "enabled": False}}
MOVED_BY_ENABLED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    # What the taker has, what is declared for the giver, and what for the taker.
    "disabled here, enabled there": (OFF, OFF, {"oidc": FIRST["oidc"]}),
    "to one with a disabled login of another kind": (
        OFF,
        {"absent_modules": ["oidc"]},
        {"saml": FIRST["saml"], "absent_modules": ["oidc"]},
    ),
    "from one that gets a disabled login of another kind": (
        {},
        {"saml": {**FIRST["saml"], "enabled": False}, "absent_modules": ["oidc"]},
        {"oidc": FIRST["oidc"]},
    ),
}


@pytest.mark.parametrize("matches", [("/a", "/b"), ("/b", "/a")], ids=["kept", "swapped"])
@pytest.mark.parametrize(("seeded", "leaving", "entering"), MOVED_BY_ENABLED.values(), ids=MOVED_BY_ENABLED)
def test_a_login_moves_by_being_enabled(
    tasks: Tasks, seeded: dict[str, Any], leaving: dict[str, Any], entering: dict[str, Any], matches: tuple[str, str]
) -> None:
    tasks.service.switches(one_login_per_edge="enabled")
    seed_edge(tasks, routes=[GIVER, {**TAKER, **seeded}])
    routes = [{**a_route("a", matches[0]), **leaving}, {**a_route("b", matches[1]), **entering}]
    converges(tasks, "https_edge_routes", edge_id=EDGE, routes=routes[::-1])
    protected = [any(is_active(route, name) for name in AUTH_MODULES) for route in held_routes(tasks).values()]
    assert protected == [False, True]


def test_a_login_that_cannot_arrive_leaves_the_other_route_as_declared(tasks: Tasks) -> None:
    tasks.service.switches(one_login_per_edge=True)
    seed_edge(tasks, routes=[GIVER, TAKER])
    unsigned = {"webhook_verification": {"provider": "like_sns"}}
    routes = [
        {**a_route("a", "/a"), "absent_modules": ["oidc"]},
        {**a_route("b", "/b"), "oidc": FIRST["oidc"], **unsigned},
    ]
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=routes)
    assert [failure["object"].split(" (")[1] for failure in result["failures"]] == ["edghtsrt_b)"]
    held = held_routes(tasks)
    assert (is_active(held["a"], "backend"), "oidc" in held["a"], "oidc" in held["b"]) == (True, False, False)
    del routes[1]["webhook_verification"]
    tasks.done("https_edge_routes", edge_id=EDGE, routes=routes)
    assert is_active(held_routes(tasks)["a"], "backend")
    assert is_active(held_routes(tasks)["b"], "oidc")
