# SPDX-License-Identifier: GPL-3.0-or-later
"""Logins that move from route to route, alone or with the match, or that are exchanged for one another: at no moment
does a route let anybody pass without any of them.
"""

from __future__ import annotations

from functools import partial
from itertools import permutations
from typing import Any

import pytest

from cases import cases
from convergence import converges, finds_nothing_to_do, is_foretold
from module_task import Given, Tasks, writes
from places import EDGE, ROUTE_PATH, held_route, is_active, seed_edge, seed_route
from rich_world import AUTH_MODULES, FIRST
from scripted_service import Received, dropping

WORDS: Given = {
    ">": {"backend": {"backend_id": "bkd_one"}},
    "heavy": {name: FIRST[name] for name in ("ip_restriction", "webhook_verification")},
    "unsigned": {"webhook_verification": {"provider": "like_sns"}},
    "new": {"description": "new"},
    "purge": {"purge_modules": True},
}


def a_route(text: str) -> Given:
    """`a /x > oidc -saml no-oauth` is the route with the ID edghtsrt_a, `+ /x` has none. It has a backend and a login,
    another login is disabled, and one is to be absent.
    """
    name, match, *words = text.split()
    route: Given = {"id": f"edghtsrt_{name}"} if name != "+" else {}
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


def held_routes(tasks: Tasks) -> dict[str, Given]:
    [edge] = tasks.service.state()["https_edges"]
    return {route["id"].removeprefix("edghtsrt_"): route for route in edge["routes"]}


def test_the_step_in_between_keeps_what_protects_the_route(tasks: Tasks) -> None:
    seed_edge(tasks, routes=routes("a /a oidc, b h.example.com/b"))
    result = tasks.done("https_edge_routes", edge_id=EDGE, routes=routes("a h.example.com/b, b /a"))
    reason = result["operations"][0]["reason"]
    assert reason.startswith("gives up h.example.com/b for https_edge_route path_prefix /a of ")
    [first, *_rest] = result["sent"][1:]
    # The one without protection makes room.
    assert first["path"].endswith("edghtsrt_b")
    assert first["body"]["match"] == "h.example.com/b/.moving-edghtsrt_b"
    assert "oidc" not in first["body"]


EDGES = [{"one_login_per_edge": value} for value in (True, False, "enabled")]
UNIQUE = [{"match_unique": value, "one_auth_module": True} for value in ("alone", "with_type")]
# On which services, the live routes, what is declared, and the match of the route that is protected then.
LOGINS = cases(
    """
    declared absent | *EDGES | a /a > oidc, b /b > | + /a no-oidc, + /b oauth > | /b
    purged, for a new route | *EDGES | a /a > oidc | + /a purge >, + /b oauth > | /b
    with another change | *EDGES | a /a > oidc, b /b > | + /a no-oidc new, + /b oauth > new | /b
    with the match | *EDGES | a /a > oidc, b /b > | a /c > no-oidc, b /a oauth | /a
    one way, and matches the other
        | *EDGES | a /a > oidc, b /b >, c /c > | a /d > no-oidc, b /c > oidc, c /a > | /c
    handed over by a route that gives up its match | *UNIQUE | a /a > oauth, b /b > | a /b > no-oauth, b /a > oidc | /a
    exchanged by a route that gives up its match
        | *UNIQUE | a /a > oauth, b /b > heavy | a /b > no-oauth oidc, b /a > | /b
    disabled here, enabled there, with the match | *ENABLED | a /a > oidc, b /b > -oidc | a /b -oidc, b /a oidc | /a
    to one with a disabled login of another kind
        | *ENABLED | a /a > oidc, b /b > -oidc | a /a no-oidc, b /b saml no-oidc | /b
    from one that gets a disabled login of another kind
        | *ENABLED | a /a > oidc, b /b > | a /a -saml no-oidc, b /b oidc | /b
    """,
    EDGES=EDGES,
    UNIQUE=[{**one, "one_login_per_edge": hands_over} for one in UNIQUE for hands_over in (True, False)],
    ENABLED=EDGES[-1:],
)


def _note(tasks: Tasks, seen: list[dict[str, Given]], _request: Received) -> None:
    seen.append(held_routes(tasks))


def is_public(route: Given) -> bool:
    return is_active(route, "backend") and not any(is_active(route, login) for login in AUTH_MODULES)


@pytest.mark.parametrize("turned", [1, -1])
@pytest.mark.parametrize(("services", "live", "declared", "protected"), LOGINS.values(), ids=LOGINS)
def test_one_route_is_always_protected_while_a_login_moves(
    tasks: Tasks, services: list[Given], live: str, declared: str, protected: str, turned: int
) -> None:
    """A route that waits for its match may be what another route waits for. None takes back what it gave up."""
    for switches in services:
        tasks.service.reset()
        tasks.service.switches(**switches)
        seed_edge(tasks, routes=routes(live))
        options = {"edge_id": EDGE, "routes": routes(declared)[::turned]}
        dry = tasks.done("https_edge_routes", check=True, **options)
        seen = [held_routes(tasks)]
        real = tasks.done("https_edge_routes", instead=partial(_note, tasks, seen), **options)
        is_foretold(dry, real)
        finds_nothing_to_do(tasks.done("https_edge_routes", **options))
        held = held_routes(tasks)
        matches = {name: route["match"] for name, route in held.items()}
        assert sorted(matches.values()) == sorted(one["match"] for one in routes(declared))
        assert all(matches[one["id"][-1]] == one["match"] for one in routes(declared) if "id" in one)
        # A route may have given up its match for a temporary one below it.
        open_ones = [[one["match"] for one in each.values() if is_public(one)] for each in seen]
        public = [[match.partition("/.moving")[0] for match in each] for each in open_ones]
        assert set().union(*public) <= {*public[0], *set(matches.values()).difference([protected])}
        # Without another change, one route is protected at each moment.
        assert "+" not in declared or not any(len(each) == 2 for each in public)
        has_login = [route["match"] for route in held.values() if any(is_active(route, one) for one in AUTH_MODULES)]
        assert has_login == [protected]
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


BACKEND = {"backend_id": "bkd_one"}


def exchange(old: str, new: str, *, purges: bool = False) -> dict[str, Any]:
    """Options that put one authentication module in the place of another."""
    return {new: FIRST[new], **({"purge_modules": True, "backend": BACKEND} if purges else {"absent_modules": [old]})}


PATCH, DELETE = f"PATCH {ROUTE_PATH}", f"DELETE {ROUTE_PATH}"


@pytest.mark.parametrize("one_auth_module", [True, False])
@pytest.mark.parametrize("purges", [True, False])
@pytest.mark.parametrize(("old", "new"), list(permutations(AUTH_MODULES, 2)))
def test_a_route_is_closed_in_an_exchange(
    tasks: Tasks, old: str, new: str, purges: bool, one_auth_module: bool
) -> None:
    place = seed_route(tasks, backend=BACKEND, description="d", **{old: FIRST[old]})
    tasks.service.switches(one_auth_module=one_auth_module, patch_forgets_text=True)
    real = converges(tasks, "https_edge_route", **place, **exchange(old, new, purges=purges))
    # The first change shows that the service clears the description.
    assert writes(real) == [PATCH, PATCH, f"{DELETE}/{old}", PATCH, PATCH]
    bodies = [request["body"] for request in real["sent"] if request["method"] == "PATCH"]
    assert [body.get("backend", {}).get("enabled") for body in bodies] == [False, False, None, True]
    after = held_route(tasks)
    assert (old in after, new in after, after["description"]) == (False, True, "d")
    assert after["backend"] == {"enabled": True, **BACKEND}
    assert real["https_edge_route"]["backend"]["enabled"] is True


# What the backend is before, what is declared of it, and what it must be afterwards.
BACKENDS: list[tuple[Any, dict[str, Any], Any]] = [
    (BACKEND, {"backend": {"backend_id": "bkd_two"}}, {"enabled": True, "backend_id": "bkd_two"}),
    (BACKEND, {"backend": {**BACKEND, "enabled": False}}, {"enabled": False, **BACKEND}),
    (BACKEND, {"absent_modules": ["backend", "oauth"]}, None),
    ({"enabled": True}, {}, {"enabled": True}),
    ({**BACKEND, "enabled": False}, {"backend": BACKEND}, {"enabled": True, **BACKEND}),
    (None, {"backend": BACKEND}, {"enabled": True, **BACKEND}),
]


@pytest.mark.parametrize(("held", "declared", "left"), BACKENDS)
def test_the_backend_ends_as_declared(tasks: Tasks, held: Any, declared: dict[str, Any], left: Any) -> None:
    place = seed_route(tasks, oauth=FIRST["oauth"], **({} if held is None else {"backend": held}))
    options = {**place, **exchange("oauth", "saml"), **declared}
    tasks.done("https_edge_route", **options)
    assert held_route(tasks).get("backend") == left
    assert not tasks.done("https_edge_route", **options)["changed"]


# What the route has in addition to oauth, what is declared, and the requests.
REQUESTS = cases(
    """
    other modules are removed at the end
        | ip_restriction: *ip_restriction | {oidc: *oidc, absent_modules: [oauth, ip_restriction]}
        | PATCH, DELETE/oauth, PATCH, PATCH, DELETE/ip_restriction
    a login that is added closes no route | {} | oidc: *oidc | PATCH
    a disabled login is enabled first
        | saml: {<<: *saml, enabled: false} | {saml: *saml, absent_modules: [oauth]} | PATCH, DELETE/oauth
    a route loses its backend before its login
        | {} | {oauth: {enabled: false}, absent_modules: [backend]} | DELETE/backend, PATCH
    """,
    **FIRST,
)


@pytest.mark.parametrize(("held", "declared", "requests"), REQUESTS.values(), ids=REQUESTS)
def test_a_route_is_closed_only_if_it_must_be(tasks: Tasks, held: Given, declared: Given, requests: str) -> None:
    place = seed_route(tasks, backend=BACKEND, oauth=FIRST["oauth"], **held)
    sent = writes(tasks.done("https_edge_route", **place, **declared))
    assert [one.replace(f" {ROUTE_PATH}", "") for one in sent] == requests.split(", ")
    assert not tasks.done("https_edge_route", **place, **declared)["changed"]


# What takes the place of a login that is disabled.
INSTEAD: Given = {
    "saml": FIRST["saml"],
    "webhook_verification": FIRST["webhook_verification"],
    "ip_restriction": {"ip_policy_ids": ["ipp_office"]},
    "backend": {"backend_id": "bkd_public"},
    "match": "/public",
}


@pytest.mark.parametrize("name", INSTEAD)
def test_a_login_is_disabled_once_the_rest_is_seen(tasks: Tasks, name: str) -> None:
    place = seed_route(tasks, backend=BACKEND, oauth=FIRST["oauth"], ip_restriction=FIRST["ip_restriction"])
    route_id = held_route(tasks)["id"]
    options = {**place, "id": route_id, name: INSTEAD[name], "oauth": {"enabled": False}}
    tasks.failed("https_edge_route", instead=dropping(tasks.service.base_url, name), **options)
    assert is_active(held_route(tasks), "oauth") or not is_active(held_route(tasks), "backend")
    options["backend"] = options.get("backend", BACKEND)
    assert converges(tasks, "https_edge_route", **options)["changed"]
    assert is_active(held_route(tasks), "backend") > is_active(held_route(tasks), "oauth")


# What is declared of the sessions of a login, and what the service makes of it.
SESSIONS: Given = {
    "cookie_prefix": ("Mine.", "mine."),
    "maximum_duration": (60, 3600),
    "scopes": (["email"], ["email", "openid"]),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_a_route_is_reopened_whatever_the_service_makes_of_sessions(tasks: Tasks, name: str) -> None:
    place = seed_route(tasks, backend=BACKEND, oauth=FIRST["oauth"])
    declared, returned = SESSIONS[name]
    oidc = {"issuer": "https://idp.example.com", "client_id": "app", name: declared}
    odd = dropping(tasks.service.base_url, "oidc", {**oidc, name: returned})
    done = tasks.done("https_edge_route", instead=odd, **place, oidc=oidc, absent_modules=["oauth"])
    assert f"returned other values for oidc.{name}" in "".join(done["warnings"])
    assert is_active(held_route(tasks), "backend")


def is_left_closed(tasks: Tasks, result: dict[str, Any]) -> bool:
    """Whether a failure left the route closed, and says so, with what was done."""
    assert held_route(tasks)["backend"] == {**BACKEND, "enabled": False}
    assert (result["changed"], bool(result["operations"])) == (True, True)
    assert all(one["path"] in result["msg"] for one in result["operations"])
    return "closed" in result["msg"] and "backend" in result["msg"]


def test_a_rejected_replacement_leaves_the_route_closed(tasks: Tasks) -> None:
    place = seed_route(tasks, backend=BACKEND, oauth=FIRST["oauth"])
    options = exchange("oauth", "saml")
    # Its provider needs a secret, which only the service knows.
    result = tasks.failed("https_edge_route", **place, **options, webhook_verification={"provider": "like_sns"})
    assert is_left_closed(tasks, result)
    assert "secret is required" in result["msg"]
    # As the message says: with the backend declared, the next run finishes.
    assert tasks.done("https_edge_route", **place, **options, backend=BACKEND)["changed"]
    assert held_route(tasks)["backend"]["enabled"] is True
    assert not {"oauth", "webhook_verification"} & set(held_route(tasks))


@pytest.mark.parametrize("status", [404, 405, 501])
def test_route_stays_closed_if_the_old_module_cannot_be_removed(tasks: Tasks, status: int) -> None:
    place = seed_route(tasks, backend=BACKEND, oauth=FIRST["oauth"])
    tasks.service.switches(operations="documented", missing_operation=status)
    result = tasks.failed("https_edge_route", **place, **exchange("oauth", "saml"))
    assert is_left_closed(tasks, result)
    assert "oauth" in held_route(tasks)


@pytest.mark.parametrize("left", [{}, {"oauth": FIRST["oauth"]}], ids=["without a login", "with the old one"])
@pytest.mark.parametrize("declared", [{}, {"backend": BACKEND}, {"backend": {**BACKEND, "enabled": False}}])
def test_a_route_that_an_interrupted_task_left_closed_is_named(tasks: Tasks, declared: Given, left: Given) -> None:
    """The next task cannot know who has closed it, so it stays closed until the backend is declared."""
    place = seed_route(tasks, backend={**BACKEND, "enabled": False}, **left)
    options = {**place, "saml": FIRST["saml"], "absent_modules": ["oauth"], **declared}
    for check in (True, False):
        result = tasks.done("https_edge_route", check, **options)
        warned = [warning for warning in result.get("warnings", ()) if "so the route stays closed" in warning]
        assert bool(warned) == (not declared)
    assert held_route(tasks)["backend"]["enabled"] is (declared.get("backend") == BACKEND)
