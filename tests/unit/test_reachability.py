# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulator of the traffic, by which the tests with failures judge who gets through, and what is open meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from estates_to_judge import edges
from opened import Ends
from reachability import Probe, Reachability, probes, shown
from without_them import without_them

SHOP = "shop.example.com:443"
CASES = """
other.example.com:443/: / -> closed
shop.example.com:8443/: / -> closed
shop.example.com:443/: /admin -> closed
shop.example.com:443/admin: /admin >one -> public -> one
shop.example.com:443/admin/x: /admin >one -> public -> one
shop.example.com:443/administrator: /admin -> closed
shop.example.com:443/admin/x: =/admin -> closed
shop.example.com:443/admin/x: / >one, /admin >two -> public -> two
shop.example.com:443/admin: /admin >one, =/admin >two -> public -> two
shop.example.com:443/: / >one, b.example.com/ >two -> public -> one
shop.example.com:443/x: / >one, shop.example.com >two -> public -> two
shop.example.com:443/admin: / >one, /admin -backend -> closed
shop.example.com:443/admin: / >one, /admin no-backend -> closed
shop.example.com:443/: / oidc >one -> oidc {"client_id": "app", "issuer": "https://idp.example.com"} -> one
shop.example.com:443/: / branches >one -> network ipp_branch|ipp_office -> one
shop.example.com:443/: / -office >one -> public -> one
shop.example.com:443/: [clients] / >one -> certificate ca_clients -> one
shop.example.com:443/: [clients] / office >one -> certificate ca_clients and network ipp_office -> one
shop.example.com:443/: / github-hook >one -> webhook_verification {"provider": "github", "secret": "words"} -> one
"""


def state(text: str) -> dict[str, Any]:
    """What a service holds if this is declared; the ID of a route is its match, unless it has another one."""
    found = edges(text)
    for one in found["https_edges"]:
        one |= {"id": "edge", "routes": [{"id": each["match"], **each} for each in one["routes"]]}
    return {**found, "objects": {}}


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_where_a_request_gets_to(case: str) -> None:
    request, _, rest = case.partition(": ")
    text, _, expected = rest.partition(" -> ")
    hostport, _, path = request.partition("/")
    assert str(Reachability(state(text)).way(Probe(hostport, f"/{path}"))) == expected


def test_probes_are_at_each_match_below_it_and_next_to_it() -> None:
    found = probes(Reachability(state("b.example.com/admin")))
    assert {str(probe).removeprefix(SHOP) for probe in found} == {
        *("/", "/.probe", "/-other", "/admin", "/admin/.probe", "/admin-other")
    }


def test_a_new_object_is_known_by_its_description() -> None:
    held = {**state("/ >made-up id=x"), "objects": {"backends": [{"id": "made-up", "description": "shop"}]}}
    assert [str(way) for way in Ends(frozenset("x"), held).states[0].routes().values()] == ["public -> shop"]


# Before a run, after it, and at a moment in between; and whether that opens something.
MOMENTS: dict[str, tuple[str, str, str, bool]] = {
    "as before": ("/", "/ oidc", "/", False),
    "both protections": ("[clients] /", "/ oidc", "[clients] / oidc", False),
    "neither protection": ("[clients] /", "/ oidc", "/", True),
    "closed in between": ("/ oidc", "/ issuer=https://other", "/ -backend", False),
    "the old one is gone, and the new one is not there": ("/ oidc", "/ issuer=https://other", "/", True),
    "certificates are gone before a route is": ("[clients] /admin", "", "/admin", True),
    "what is closed at both ends": ("/ -backend", "", "/ oidc", True),
    "a policy less, which may be the one that denies": ("/ branches", "/ oidc", "/ office", True),
    "more networks than at both ends": ("/ office", "/ office oidc", "/ branches", True),
    "a wide route opens before the narrow one is there": ("/ oidc", "/, /admin oidc", "/", True),
    "a hostport before the protection": ("[host=other] /", "/ oidc", "/", True),
    "a new route without its protection": ("", "/ oidc", "/", True),
    "the old backend without the old protection": ("/ oidc >one", "/ >two", "/ >one", True),
    "the new backend with the old protection": ("/ oidc >one", "/ >two", "/ oidc >two", False),
    "a closed route that moves leaves its paths to the wide one": (
        *("/, /admin -backend", "/, /admin -backend id=other", "/", True),
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_opens_paths_that_are_closed_before_and_after(name: str) -> None:
    *texts, opens = MOMENTS[name]
    before, after, now = map(state, texts)
    ends = Ends(frozenset(), before, after)
    assert bool(ends.opened(now)) == opens
    assert ends.opened(before) == ends.opened(after) == []


def test_a_route_that_gets_another_backend_on_another_path() -> None:
    """Seen from outside, somebody got through to `/` without a login before; but not to this backend."""
    before = state("/ >two id=wide, /admin >one oidc id=narrow")
    after, now = state("/ >two id=wide, /pub >two id=narrow"), state("/ >two id=wide, /pub >one id=narrow")
    [opened] = Ends(frozenset({"wide", "narrow"}), before, after).opened(now)
    assert opened.startswith("opened: route narrow is public")


def test_a_path_that_a_wider_route_takes_over() -> None:
    """Both routes lead to one backend, which is public elsewhere, so only the path shows that it is another request."""
    ends = Ends(frozenset(), state("/ >one, /admin >one oidc"), state("/ >two"))
    assert not ends.opened(state("/ >one"))
    found = [one.partition(" is ")[0] for one in ends.shown_elsewhere(state("/ >one"))]
    assert found == [f"{SHOP}{path}" for path in ("/admin", "/admin/.probe")]


def test_nobody_and_everybody_and_a_host_that_its_edge_does_not_serve() -> None:
    assert (shown(None), shown(frozenset())) == ("closed", "public")
    assert str(Reachability(state("b.example.com/x")).routes()["b.example.com/x"]) == "closed"


# Before and after what other jobs did, the state now, and what it would be without them.
OTHERS: dict[str, tuple[str, str, str, str]] = {
    "nothing": ("/ oidc", "/ oidc", "/", "/"),
    "they removed a module": ("/ oidc", "/", "/, /admin", "/ oidc, /admin"),
    "they set one": ("/", "/ oidc", "/ oidc", "/"),
    "it was written over since": ("/ oidc", "/", "/ issuer=y", "/ issuer=y"),
    "they deleted a route": ("/ oidc, /admin", "/ oidc", "/", "/, /admin"),
    "it was created again since": ("/ oidc, /admin", "/ oidc", "/ oidc, /admin id=new", "/ oidc, /admin id=new"),
    "they created a route": ("/ oidc", "/ oidc, /admin", "/ oidc, /admin", "/ oidc"),
    "they changed hostports": ("[host=a] / oidc", "[host=b] / oidc", "[host=b] /", "[host=a] /"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_task_is_not_blamed_for_what_somebody_else_has_changed(name: str) -> None:
    before, after, now, expected = map(state, OTHERS[name])
    assert {**without_them(now, before, after), "objects": {}} == expected
