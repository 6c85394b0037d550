# SPDX-License-Identifier: GPL-3.0-or-later
"""What only one route of an edge can have moves in one run: a match, a login."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from cases import cases
from convergence import converges
from module_task import Tasks, writes
from places import EDGE, is_active, lets_everybody_through, seed_edge
from rich_world import AUTH_MODULES, FIRST

Given = dict[str, Any]
WORDS: Given = {
    ">": {"backend": {"backend_id": "bkd_one"}},
    "heavy": {name: FIRST[name] for name in ("ip_restriction", "webhook_verification")},
    "unsigned": {"webhook_verification": {"provider": "like_sns"}},
    "new": {"description": "new"},
    "purge": {"purge_modules": True},
}


def a_route(text: str) -> Given:
    """`a /x > oidc -saml no-oauth` is the route with the ID edghtsrt_a, `* /x` has none. It has a backend and a login,
    another login is disabled, and one is to be absent.
    """
    name, match, *words = text.split()
    route: Given = {"id": f"edghtsrt_{name}"} if name != "*" else {}
    route |= {"match_type": "path_prefix", "match": match}
    for word in words:
        if word.startswith("no-"):
            route.setdefault("absent_modules", []).append(word.removeprefix("no-"))
        elif word.startswith("-"):
            route[word[1:]] = {**FIRST[word[1:]], "enabled": False}
        else:
            route |= WORDS.get(word) or {word: FIRST[word]}
    return route


def routes(text: str) -> list[Given]:
    return [a_route(one) for one in text.split(",")]


def reasons(result: Given) -> list[str]:
    return [operation["reason"] for operation in result["operations"]]


def held_routes(tasks: Tasks) -> dict[str, Given]:
    [edge] = tasks.service.state()["https_edges"]
    return {route["id"].removeprefix("edghtsrt_"): route for route in edge["routes"]}


# The live routes, what is declared, and how many writes that takes.
MATCHES = cases("""
    swapped                       | a /a, b /b                  | a /b, b /a                  | 3
    moved along                   | a /a, b /b                  | a /b, b /c                  | 2
    around a circle               | a /a, b /b, c example.com/c | a /b, b example.com/c, c /a | 4
    taken by a new one            | a /a                        | a /b, * /a                  | 2
    taken from one that is purged | a /a, b /b                  | a /b                        | 3
""")


@pytest.mark.parametrize("match_unique", ["with_type", "alone"])
@pytest.mark.parametrize(("live", "declared", "expected"), MATCHES.values(), ids=MATCHES)
def test_matches_move_in_one_run(tasks: Tasks, live: str, declared: str, expected: int, match_unique: str) -> None:
    kept = {"description": "d", "metadata": "m"}
    for order in permutations(routes(declared)):
        tasks.service.reset()
        tasks.service.switches(match_unique=match_unique, patch_forgets_text=True)
        seed_edge(tasks, routes=[{**route, **kept, "oidc": FIRST["oidc"]} for route in routes(live)])
        real = converges(tasks, "https_edge_routes", edge_id=EDGE, routes=list(order), purge=True)
        # The first change shows that the service clears the texts.
        assert len(writes(real)) == expected + 1
        held = {route["match"]: route for route in held_routes(tasks).values()}
        assert held.keys() == {route["match"] for route in order}
        for there in (held[route["match"]] for route in order if "id" in route):
            assert there.items() >= kept.items()
            assert is_active(there, "oidc")


def test_the_step_in_between_keeps_what_protects_the_route(tasks: Tasks) -> None:
    seed_edge(tasks, routes=routes("a /a oidc, b h.example.com/b"))
    result = tasks.done("https_edge_routes", edge_id=EDGE, routes=routes("a h.example.com/b, b /a"))
    assert reasons(result)[0].startswith("gives up h.example.com/b for https_edge_route path_prefix /a of ")
    [first, *_rest] = result["sent"][1:]
    # The one without protection makes room.
    assert first["path"].endswith("edghtsrt_b")
    assert first["body"]["match"] == "h.example.com/b/.moving-edghtsrt_b"
    assert "oidc" not in first["body"]


LOGINS = {
    "declared absent": "* /a no-oidc, * /b oauth >",
    "purged": "* /a purge >, * /b oauth >",
    "with another change": "* /a no-oidc new, * /b oauth > new",
}


@pytest.mark.parametrize("one_login_per_edge", [True, False, "enabled"])
@pytest.mark.parametrize("live", ["a /a > oidc", "a /a > oidc, b /b >"])
@pytest.mark.parametrize("turned", [1, -1])
@pytest.mark.parametrize("declared", LOGINS.values(), ids=LOGINS)
def test_one_route_is_always_protected_while_a_login_moves(
    tasks: Tasks, declared: str, live: str, turned: int, one_login_per_edge: Any
) -> None:
    tasks.service.switches(one_login_per_edge=one_login_per_edge, patch_forgets_text=True)
    seed_edge(tasks, routes=routes(live))
    options = {"edge_id": EDGE, "routes": routes(declared)[::turned]}
    dry = tasks.done("https_edge_routes", check=True, **options)
    seen: list[dict[str, Given]] = []
    real = tasks.done("https_edge_routes", instead=lambda _request: seen.append(held_routes(tasks)), **options)
    assert reasons(dry) == reasons(real)
    assert [f"{one['method']} {one['path']}" for one in real["operations"]] == writes(real)
    held = held_routes(tasks)
    for routes_then in [*seen, held]:
        assert not all(lets_everybody_through(route, AUTH_MODULES) for route in routes_then.values())
    [public] = [route for route in held.values() if lets_everybody_through(route, AUTH_MODULES)]
    assert (public["match"], len(held)) == ("/a", 2)
    assert not tasks.done("https_edge_routes", **options)["changed"]


EDGES = [{"one_login_per_edge": value} for value in (True, False, "enabled")]
UNIQUE = [{"match_unique": value, "one_auth_module": True} for value in ("alone", "with_type")]
# On which services, the live routes, what is declared, and which route is protected then.
LOGINS_AND_MATCHES = cases(
    """
    with the match
        | *EDGES   | a /a > oidc, b /b >         | a /c > no-oidc, b /a oauth             | b
    one way, and matches the other
        | *EDGES   | a /a > oidc, b /b >, c /c > | a /d > no-oidc, b /c > oidc, c /a >    | b
    handed over by a route that gives up its match
        | *UNIQUE  | a /a > oauth, b /b >        | a /b > no-oauth, b /a > oidc           | b
    exchanged by a route that gives up its match
        | *UNIQUE  | a /a > oauth, b /b > heavy  | a /b > no-oauth oidc, b /a >           | a
    disabled here, enabled there
        | *ENABLED | a /a > oidc, b /b > -oidc   | a /a -oidc, b /b oidc                  | b
    disabled here, enabled there, with the match
        | *ENABLED | a /a > oidc, b /b > -oidc   | a /b -oidc, b /a oidc                  | b
    to one with a disabled login of another kind
        | *ENABLED | a /a > oidc, b /b > -oidc   | a /a no-oidc, b /b saml no-oidc        | b
    to one with a disabled login of another kind, with the match
        | *ENABLED | a /a > oidc, b /b > -oidc   | a /b no-oidc, b /a saml no-oidc        | b
    from one that gets a disabled login of another kind
        | *ENABLED | a /a > oidc, b /b >         | a /a -saml no-oidc, b /b oidc          | b
    from one that gets a disabled login of another kind, with the match
        | *ENABLED | a /a > oidc, b /b >         | a /b -saml no-oidc, b /a oidc          | b
    """,
    EDGES=EDGES,
    UNIQUE=[{**one, "one_login_per_edge": hands_over} for one in UNIQUE for hands_over in (True, False)],
    ENABLED=EDGES[-1:],
)


@pytest.mark.parametrize("turned", [1, -1])
@pytest.mark.parametrize(
    ("services", "live", "declared", "protected"), LOGINS_AND_MATCHES.values(), ids=LOGINS_AND_MATCHES
)
def test_logins_and_matches_move_together(
    tasks: Tasks, services: list[Given], live: str, declared: str, protected: str, turned: int
) -> None:
    """A route that waits for its match may be what another route waits for. None takes back what it gave up."""
    for switches in services:
        tasks.service.reset()
        tasks.service.switches(**switches)
        seed_edge(tasks, routes=routes(live))
        converges(tasks, "https_edge_routes", edge_id=EDGE, routes=routes(declared)[::turned])
        held = held_routes(tasks)
        assert [held[one["id"][-1]]["match"] for one in routes(declared)] == [one["match"] for one in routes(declared)]
        assert [name for name in held if any(is_active(held[name], login) for login in AUTH_MODULES)] == [protected]
        assert all(is_active(route, "backend") for route in held.values())


def test_a_route_whose_login_moves_is_not_reopened_if_it_loses_its_backend(tasks: Tasks) -> None:
    seed_edge(tasks, routes=routes("a /a > oidc, b /b >"))
    options = {"edge_id": EDGE, "routes": routes("a /a no-oidc no-backend new, b /b oidc")}
    result = tasks.done("https_edge_routes", **options)
    assert writes(result)[:2] == [
        f"DELETE /edges/https/{EDGE}/routes/edghtsrt_a/{name}" for name in ("backend", "oidc")
    ]
    assert not any("backend" in (request["body"] or {}) for request in result["sent"])
    assert not tasks.done("https_edge_routes", **options)["changed"]


def test_a_login_that_cannot_arrive_leaves_the_other_route_as_declared(tasks: Tasks) -> None:
    tasks.service.switches(one_login_per_edge=True)
    seed_edge(tasks, routes=routes("a /a > oidc, b /b >"))
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=routes("a /a no-oidc, b /b oidc unsigned"))
    assert [failure["object"].split(" (")[1] for failure in result["failures"]] == ["edghtsrt_b)"]
    held = held_routes(tasks)
    assert (is_active(held["a"], "backend"), "oidc" in held["a"], "oidc" in held["b"]) == (True, False, False)
    tasks.done("https_edge_routes", edge_id=EDGE, routes=routes("a /a no-oidc, b /b oidc"))
    assert is_active(held_routes(tasks)["a"], "backend")
    assert is_active(held_routes(tasks)["b"], "oidc")
