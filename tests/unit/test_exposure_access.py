# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through, and what is found because of that, compared with visitors who try; and what each traffic module on
the way checks, and whom it admits.
"""

from __future__ import annotations

import json
from functools import reduce
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from estates_to_judge import Given, edges, judged
from visitors import Crowd, Request, Traffic

MATCHES = ["/", "/a", "/a/b", "/a/b/c", "/ab", "/c"]
PATHS = [*MATCHES, "/a/x", "/a/b/x", "/abc", "/c/d/e"]
HOSTPORTS = ("shop.example.com:443", "old.example.com:443")
WORDS = [
    f"{sign}{word}" for word in ("office", "github-hook", "teams", "oidc", "saml", "gzip") for sign in ("", "", "-")
]


@st.composite
def an_edge(draw: st.DrawFn) -> str:
    routes = []
    for match in draw(
        st.lists(st.sampled_from(MATCHES), unique=True, min_size=draw(st.sampled_from([0, 2, 3])), max_size=4)
    ):
        exact = draw(st.sampled_from(["", "", "", "="]))
        backend = draw(st.sampled_from(["backend", "backend", "-backend", "no-backend"]))
        routes.append(" ".join([f"{exact}{match}", backend, *draw(st.lists(st.sampled_from(WORDS), max_size=2))]))
    return f"[{draw(st.sampled_from(['', '', 'clients', '-clients']))}] {', '.join(routes)}"


def traffic(estate: Given) -> Traffic:
    """Each route has its path in the estate as its ID."""
    held = [
        {
            **edge,
            "id": f"{number}",
            "routes": [
                {**route, "id": f"https_edges[{number}].routes[{at}]"} for at, route in enumerate(edge["routes"])
            ],
        }
        for number, edge in enumerate(estate["https_edges"])
    ]
    return Traffic(Crowd(held), {"https_edges": held})


def without(estate: Given, path: str) -> Given:
    """The estate without a traffic module, or without a route."""
    [edge] = estate["https_edges"]
    name = path.rpartition(".")[2]
    routes = [
        {**route, name: None} if path.startswith(f"https_edges[0].routes[{number}].") else route
        for number, route in enumerate(edge["routes"])
        if path != f"https_edges[0].routes[{number}]"
    ]
    return {"https_edges": [{**edge, **({name: None} if name == "mutual_tls" else {}), "routes": routes}]}


def asked_for(estate: Given, path: str) -> frozenset[str]:
    """What a visitor needs for a route."""
    tried = traffic(estate)
    return next(tried.crowd.asked_for(them) for (name, _backend), them in tried.by_route.items() if name == path)


@settings(max_examples=so_many(800, 20_000))
@given(an_edge())
def test_the_classification_agrees_with_requests(text: str) -> None:
    estate = edges(text)
    tried = traffic(estate)
    exposure = judged(estate)["exposure"]
    if not tried.by_route:
        assert [(one["kind"], one["access"]) for one in exposure] == [("https_edge", ["closed"])]
        return
    for shown, ((path, _backend), passers) in zip(exposure, tried.by_route.items(), strict=True):
        everybody = ["public"] if passers else ["closed"]
        assert (shown["path"], sorted(shown["access"])) == (path, sorted(asked_for(estate, path)) or everybody)
        for name, paths in shown["by"].items():
            # Each of these modules is enough to ask for it, and no other one does.
            for kept in (*paths, ""):
                rest = reduce(without, (one for one in paths if one != kept), estate)
                assert (name in asked_for(rest, path)) is bool(kept)


@settings(max_examples=so_many(800, 20_000))
@given(an_edge())
def test_everyone_reaches_a_hole_and_nobody_a_path_next_to_it(text: str) -> None:
    estate = edges(text)
    tried = traffic(estate)
    holes = {one["path"] for one in judged(estate)["findings"] if one["rule"] == "hole_below_protected_prefix"}
    expected = set()
    for (path, _backend), passers in tried.by_route.items():
        own = estate["https_edges"][0]["routes"][int(path[-2])]
        # Without this route, another one would take its requests; a closed one takes none that count.
        rest = without(estate, path)
        routes = rest["https_edges"][0]["routes"]
        routes[:] = [one for one in routes if one["backend"] and one["backend"].get("enabled", True)]
        around = traffic(rest).way(Request(HOSTPORTS[0], own["match"]))
        is_prefix = around.taker and routes[int(around.taker[-2])]["match_type"] == "path_prefix"
        if passers == tried.crowd.everybody and is_prefix and own["match"] != "/":
            expected |= {path} if around.passers != traffic(rest).crowd.everybody else set()
    assert holes == expected


@settings(max_examples=so_many(800, 20_000))
@given(an_edge(), an_edge())
def test_a_backend_that_is_open_elsewhere_is_reached_without_what_protects_it(one: str, other: str) -> None:
    """The paths of the routes are enough, unless an exact path hides what is below it."""
    estate = edges(f"{one} | {other}")
    tried = traffic(estate)
    found = {one["path"] for one in judged(estate)["findings"] if one["rule"] == "backend_open_elsewhere"}
    expected = set()
    for hostports, path in product((HOSTPORTS, HOSTPORTS[::-1]), PATHS):
        way, elsewhere = (tried.way(Request(hostport, path)) for hostport in hostports)
        if way.passers == tried.crowd.everybody and 0 < elsewhere.passers < tried.crowd.everybody:
            expected.add(way.taker)
    assert found <= expected
    if "=" not in one + other:
        assert found == expected


# An estate in a line, the traffic module that is a lock, its state, and whom it admits.
LOCKS = """
/ branches -> ip_restriction on ipp_branch, ipp_office
/ -branches -> ip_restriction off ipp_branch, ipp_office
/ no-policies -> ip_restriction open
/ networks=a+b+c+d+e+f -> ip_restriction on a, b, c, d, e, f
/ teams -> oauth on org/web
/ teams -backend -> oauth on org/web
/ everybody -> oauth on any user of google
/ no-provider -> oauth open
/ oidc -> oidc on https://idp.example.com
/ preflight -> oidc on https://idp.example.com
/ saml -> saml on any user
/ saml=<x/>+web -> saml on web
/ github-hook -> webhook_verification on github
/ empty-hook -> webhook_verification open
/ limit -> policy unknown limit
/ no-limit -> policy open limit
"""


@pytest.mark.parametrize("line", LOCKS.strip().splitlines())
def test_a_lock_says_whether_it_checks_and_whom_it_admits(line: str) -> None:
    """Few of those whom it admits are listed, and all of them are counted."""
    text, _, expected = line.partition(" -> ")
    module, state, *listed = expected.split(" ", 2)
    admits = listed[0].split(", ") if listed else []
    [lock] = judged(edges(text))["exposure"][0]["locks"]
    assert (lock["module"], lock["state"], lock["admits"]) == (module, state, admits[:5])
    assert lock["admits_count"] == len(admits)
    assert "words" not in json.dumps(lock), "a secret or a setting is shown"


def test_the_locks_of_the_edge_and_the_route_are_in_the_order_of_the_checks() -> None:
    [shown] = judged(edges("[clients] / limit teams office gzip"))["exposure"]
    assert [(one["requires"], one["path"].removeprefix("https_edges[0].")) for one in shown["locks"]] == [
        ("certificate", "mutual_tls"),
        ("network", "routes[0].ip_restriction"),
        ("login", "routes[0].oauth"),
        ("policy", "routes[0].policy"),
    ]
