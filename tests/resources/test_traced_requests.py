# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of one request: what takes it, what a visitor must have, where it leads, and what is not sure about that."""

from __future__ import annotations

import json
from typing import Any

import pytest

from estates_to_judge import Given, estate
from module_task import Tasks, methods
from places import TLS_EDGE, seed_tls_edge

SHOP = "https://shop.example.com"
SECRET = "words"
TUNNEL = {"id": "tn_ssh", "proto": "tcp", "public_url": "tcp://1.tcp.example.net:12345"}


def seeded(text: str) -> list[Given]:
    """Edges with IDs: `edghts_0` is the first one, `edghtsrt_admin` its route for /admin."""
    edges: list[Given] = estate(text)["https_edges"]
    for number, edge in enumerate(edges):
        edge["id"] = f"edghts_{number}"
        for one in edge["routes"]:
            one["id"] = f"edghtsrt_{one['match'].strip('/%.') or 'root'}{number or ''}"
    return edges


def traced(tasks: Tasks, request: str, text: str, **options: Any) -> Given:
    tasks.service.seed(https_edges=seeded(text))
    [way] = tasks.done("exposure_info", requests=[request], **options)["requests"]
    return dict(way)


SEVERAL = "/ branches oidc, /admin staff, /admin/open, /off -backend"
WILD = "[host=*.example.com] /"

# The edges, the request, and the edge that serves it, the route that takes it, the traffic modules, and the access.
CASES: dict[str, tuple[str, str, str]] = {
    "in their order": (
        "[clients] / oidc github-hook office",
        f"{SHOP}/x",
        "edghts_0 / [mutual_tls ip_restriction webhook_verification oidc] certificate network signature login",
    ),
    "the longest prefix": (SEVERAL, f"{SHOP}/admin/x", "edghts_0 /admin [oauth] login"),
    "a query": (SEVERAL, f"{SHOP}/admin?next=/off", "edghts_0 /admin [oauth] login"),
    "a route without any": (SEVERAL, f"{SHOP}/admin/open", "edghts_0 /admin/open [] public"),
    "a closed route": (SEVERAL, f"{SHOP}/off/x", "edghts_0 /off [] closed"),
    "no path": (SEVERAL, SHOP, "edghts_0 / [ip_restriction oidc] network login"),
    "an exact path": ("/ oidc, =/a", f"{SHOP}/a", "edghts_0 /a [] public"),
    "below an exact path": ("/ oidc, =/a", f"{SHOP}/a/b", "edghts_0 / [oidc] login"),
    "upper case": ("/", "HTTPS://Shop.Example.com/", "edghts_0 / [] public"),
    "a lock that admits everyone": ("/ everybody", f"{SHOP}/", "edghts_0 / [oauth] public"),
    "a lock that is off": ("/ -oidc", f"{SHOP}/", "edghts_0 / [oidc] public"),
    "OPTIONS": ("/ preflight office", f"OPTIONS {SHOP}/", "edghts_0 / [ip_restriction] network"),
    "not OPTIONS": ("/ preflight", f"{SHOP}/", "edghts_0 / [oidc] login"),
    "OPTIONS without an exemption": ("/ oidc", f"OPTIONS {SHOP}/", "edghts_0 / [oidc] login"),
    "no route": ("/a", f"{SHOP}/b", "edghts_0 None [] closed"),
    "no route behind certificates": ("[clients] /a", f"{SHOP}/b", "edghts_0 None [mutual_tls] closed"),
    "no edge": ("/", "https://nowhere.example.com/", "None None [] closed"),
    "another port": ("/", f"{SHOP}:8443/", "None None [] closed"),
    "the port of http": ("/", "http://shop.example.com/", "None None [] closed"),
    "this port": ("[hostport=a.b:8443] /", "https://a.b:8443/", "edghts_0 / [] public"),
    "a wildcard": (f"/ | {WILD}", "https://any.example.com/", "edghts_1 / [] public"),
    "a wildcard covers all below": (WILD, "https://a.b.example.com/", "edghts_0 / [] public"),
    "a host before a wildcard": (f"/ oidc | {WILD}", f"{SHOP}/", "edghts_0 / [oidc] login"),
}


@pytest.mark.parametrize(("edges", "request_text", "expected"), CASES.values(), ids=CASES)
def test_the_way_of_a_request(tasks: Tasks, edges: str, request_text: str, expected: str) -> None:
    way = traced(tasks, request_text, edges)
    edge_id, match = way["edge"] and way["edge"]["id"], way["route"] and way["route"]["match"]
    locks = " ".join(one["module"] for one in way["locks"])
    assert f"{edge_id} {match} [{locks}] {' '.join(way['access'])}" == expected
    assert way["request"] == request_text
    assert way["backend_id"] == (None if match is None else "bk_app")
    assert SECRET not in json.dumps(way)


def test_each_lock_says_where_it_is_and_whom_it_admits(tasks: Tasks) -> None:
    way = traced(tasks, f"{SHOP}/", "[clients] / staff branches")
    assert way["object"] == "https_edge_route path_prefix / of shop.example.com:443 (edghtsrt_root)"
    assert [(one["path"], one["state"], one["admits"]) for one in way["locks"]] == [
        ("https_edges[0].mutual_tls", "on", ["ca_clients"]),
        ("https_edges[0].routes[0].ip_restriction", "on", ["ipp_branch", "ipp_office"]),
        ("https_edges[0].routes[0].oauth", "on", ["example.com"]),
    ]
    assert way["unsure"] == []


# The edges, the request, and how the reasons begin.
RESOLVES = "The API does not define how it resolves empty segments, dots, and encoded characters"
WILDCARD_FIRST = "If a wildcard comes before an exact host, "
UNSURE: dict[str, tuple[str, str, list[str]]] = {
    "nothing": (SEVERAL, f"{SHOP}/x", []),
    "a prefix": (
        SEVERAL,
        f"{SHOP}/administrator",
        ["If prefixes also match paths that only begin like them, https_edge_route path_prefix /admin of shop."],
    ),
    "a wildcard": (
        f"/ oidc | {WILD}",
        f"{SHOP}/",
        [f"{WILDCARD_FIRST}https_edge_route path_prefix / of *.example.com:443"],
    ),
    "a wildcard that serves nothing there": (
        "/ oidc | [host=*.example.com]",
        f"{SHOP}/",
        [f"{WILDCARD_FIRST}nothing takes it."],
    ),
    "a host in a match": (
        "[host=shop.example.com+b.example.com] shop.example.com/ oidc, /a",
        f"{SHOP}/a/b",
        ["If a match that names the host comes before a longer one, "],
    ),
    "dots": ("/ oidc, /a", f"{SHOP}/a/../b", [RESOLVES]),
    "an encoded letter": (SEVERAL, f"{SHOP}/%61dmin", [RESOLVES]),
    "a traffic policy": ("/ actions", f"{SHOP}/", ["The API does not define the actions of policies"]),
    "a lock without content": (
        "[no-clients] / oidc",
        f"{SHOP}/",
        ["mutual_tls: It is enabled, but lacks what it checks visitors with"],
    ),
    "no edge": ("/", "https://b.example.com/", ["Nothing that was read serves this host and port."]),
    "no route": ("/a", f"{SHOP}/b", []),
}


@pytest.mark.parametrize(("edges", "request_text", "expected"), UNSURE.values(), ids=UNSURE)
def test_what_is_not_sure(tasks: Tasks, edges: str, request_text: str, expected: list[str]) -> None:
    reasons = traced(tasks, request_text, edges)["unsure"]
    assert len(reasons) == len(expected), reasons
    assert all(reason.startswith(text) for reason, text in zip(reasons, expected, strict=True)), reasons


def test_a_tunnel_with_a_public_address(tasks: Tasks) -> None:
    tasks.service.seed(tunnels=[TUNNEL])
    way = traced(tasks, "tcp://1.tcp.example.net:12345", "")
    assert (way["object"], way["edge"], way["access"]) == (f"tunnel {TUNNEL['public_url']} (tn_ssh)", None, ["public"])
    [way] = tasks.done("exposure_info", requests=["tcp://1.tcp.example.net:12345"], tunnels=False)["requests"]
    assert way["object"] is None


def test_several_requests_are_answered_in_their_order(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=seeded(SEVERAL))
    seed_tls_edge(tasks)
    requests = [f"{SHOP}/off", f"{SHOP}/admin", f"{SHOP}/off"]
    result = tasks.done("exposure_info", requests=requests, tls_edges=[TLS_EDGE])
    assert [one["request"] for one in result["requests"]] == requests
    assert set(methods(result)) == {"GET"}
    assert tasks.done("exposure_info")["requests"] == []


def test_a_declaration_is_traced_without_a_request(tasks: Tasks) -> None:
    result = tasks.done("exposure_info", estate=estate("/ staff"), requests=[f"{SHOP}/x"])
    [way] = result["requests"]
    assert (way["access"], way["edge"]["id"], result["sent"]) == (["login"], None, [])


@pytest.mark.parametrize(
    "given", ["shop.example.com", "/admin", "ftp://a.b/", "tcp://a.b", "https://", "https://a:b/", ""]
)
def test_what_is_no_request(tasks: Tasks, given: str) -> None:
    result = tasks.failed("exposure_info", requests=[given])
    [error] = result["option_errors"]
    assert error.startswith("requests[0]: ")
    assert "expected one such as 'https://shop.example.com/admin'" in error
    assert result["sent"] == []
