# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through, compared with a slow and obvious simulation of requests."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge

Given = dict[str, Any]

MATCHES = ["/", "/a", "/a/b", "/a/b/c", "/ab", "/c"]
PATHS = [*MATCHES, "/a/x", "/a/b/x", "/abc", "/c/d/e"]


Visitor = frozenset[str]
"""What a visitor has."""

NOBODY: Visitor = frozenset()
EVERYBODY: Visitor = frozenset({"certificate", "network", "signature", "login"})
VISITORS = [frozenset(has) for number in range(5) for has in combinations(sorted(EVERYBODY), number)]


def switched(module: Given) -> st.SearchStrategy[Given]:
    """A module that is enabled, by default or expressly, or disabled."""
    return st.sampled_from([module, {**module, "enabled": True}, {**module, "enabled": False}])


BACKEND = {"backend_id": "bk_one"}
CLOSED = {**BACKEND, "enabled": False}
MODULES = {
    "ip_restriction": switched({"ip_policy_ids": ["ipp_one"]}),
    "webhook_verification": switched({"provider": "github", "secret": "words"}),
    "oauth": switched({"provider": {"github": {"teams": ["a/b"]}}}),
    "oidc": switched({"issuer": "https://idp.example.com", "client_id": "app"}),
    "saml": switched({"idp_metadata": "<x/>"}),
    "compression": switched({}),
    "user_agent_filter": switched({"deny": ["curl"]}),
}


@st.composite
def an_edge(draw: st.DrawFn) -> Given:
    keys = draw(st.lists(st.sampled_from(MATCHES), unique=True, min_size=draw(st.sampled_from([0, 2, 3])), max_size=4))
    routes = [
        {
            "match_type": draw(st.sampled_from(["path_prefix", "path_prefix", "path_prefix", "exact_path"])),
            "match": match,
            **draw(st.sampled_from([{"backend": BACKEND}, {"backend": BACKEND}, {"backend": CLOSED}, {}])),
            **{name: draw(MODULES[name]) for name in draw(st.lists(st.sampled_from(sorted(MODULES)), max_size=2))},
        }
        for match in keys
    ]
    mutual_tls = draw(st.none() | st.none() | switched({"certificate_authority_ids": ["ca_one"]}))
    return {"hostports": ["a.example.com:443"], "mutual_tls": mutual_tls, "routes": routes}


def is_on(owner: Given, name: str) -> bool:
    module = owner.get(name)
    return module is not None and module.get("enabled", True)


def route_of(edge: Given, path: str) -> Given | None:
    """The route that takes a request: an exact match, or else the longest prefix by whole segments."""
    for route in edge["routes"]:
        if route["match_type"] == "exact_path" and route["match"] == path:
            return dict(route)
    segments = path.strip("/").split("/")
    for length in range(len(segments), -1, -1):
        prefix = "/" + "/".join(segments[:length])
        for route in edge["routes"]:
            if route["match_type"] == "path_prefix" and route["match"] == prefix:
                return dict(route)
    return None


def gets_through(edge: Given, route: Given, visitor: Visitor) -> bool:
    """Whether a request reaches the backend, one traffic module after another."""
    if is_on(edge, "mutual_tls") and "certificate" not in visitor:
        return False
    needed = {"ip_restriction": "network", "webhook_verification": "signature"}
    needed |= dict.fromkeys(("oauth", "oidc", "saml"), "login")
    return is_on(route, "backend") and all(need in visitor for name, need in needed.items() if is_on(route, name))


def is_let_through(access: list[str], visitor: Visitor) -> bool:
    """What the classification says about a visitor."""
    if access == ["closed"]:
        return False
    return access == ["public"] or visitor.issuperset(access)


@settings(max_examples=so_many(800, 20_000))
@given(an_edge())
def test_the_classification_agrees_with_requests(edge: Given) -> None:
    result = judge({"https_edges": [edge]}).result()
    by_path = {one["path"]: one for one in result["exposure"]}
    if not edge["routes"]:
        assert [(one["kind"], one["access"]) for one in result["exposure"]] == [("https_edge", ["closed"])]
    for number, route in enumerate(edge["routes"]):
        shown = by_path[f"https_edges[0].routes[{number}]"]
        for visitor in VISITORS:
            assert is_let_through(shown["access"], visitor) == gets_through(edge, route, visitor)
        for name, paths in shown["by"].items():
            for path in paths:
                owner = edge if path.startswith("https_edges[0].mutual") else route
                module = path.rpartition(".")[2]
                assert is_on(owner, module)
                without = {**owner, module: None}
                others = [other for other in paths if other != path]
                pair = (without, route) if owner is edge else (edge, without)
                assert others or gets_through(*pair, EVERYBODY - {name})


@settings(max_examples=so_many(800, 20_000))
@given(an_edge())
def test_everyone_reaches_a_hole_and_nobody_a_path_next_to_it(edge: Given) -> None:
    """Everyone reaches the route of a finding, and nobody the route around it without what this one requires."""
    result = judge({"https_edges": [edge]}).result()
    holes = {one["path"]: one for one in result["findings"] if one["rule"] == "hole_below_protected_prefix"}
    for number, route in enumerate(edge["routes"]):
        expected = False
        if gets_through(edge, route, NOBODY):
            # Without this route, another one would take its requests.
            rest = [one for one in edge["routes"] if one is not route and is_on(one, "backend")]
            outer = route_of({**edge, "routes": rest}, route["match"])
            expected = outer is not None and outer["match_type"] == "path_prefix" and route["match"] != "/"
            expected = expected and not gets_through(edge, outer or {}, NOBODY)
        assert (f"https_edges[0].routes[{number}]" in holes) == expected


@settings(max_examples=so_many(800, 20_000))
@given(an_edge(), an_edge())
def test_a_backend_that_is_open_elsewhere_is_reached_without_what_protects_it(one: Given, other: Given) -> None:
    """The paths of the routes are enough, unless an exact path hides what is below it."""
    edges = [{**one, "hostports": ["a.example.com:443"]}, {**other, "hostports": ["b.example.com:443"]}]
    result = judge({"https_edges": edges}).result()
    found = {finding["path"] for finding in result["findings"] if finding["rule"] == "backend_open_elsewhere"}
    expected = set()
    for (number, edge), elsewhere, path in product(enumerate(edges), edges, PATHS):
        route, guard = route_of(edge, path), route_of(elsewhere, path)
        if edge is elsewhere or not route or not guard or not gets_through(edge, route, NOBODY):
            continue
        if gets_through(elsewhere, guard, EVERYBODY) and not gets_through(elsewhere, guard, NOBODY):
            expected.add(f"https_edges[{number}].routes[{edge['routes'].index(route)}]")
    assert found <= expected
    if not any(route["match_type"] == "exact_path" for edge in edges for route in edge["routes"]):
        assert found == expected
