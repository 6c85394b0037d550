# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of one request: what takes it, what a visitor must have, where it leads, and what is not sure about that."""

from __future__ import annotations

import json
from typing import Any

import pytest

from module_task import Tasks, methods
from places import EDGE, TLS_EDGE, seed_tls_edge

Given = dict[str, Any]

SECRET = "words-of-the-shop"
BACKEND: Given = {"backend": {"backend_id": "bkd_one"}}
CLOSED: Given = {"backend": {"backend_id": "bkd_one", "enabled": False}}
CERTIFICATE: Given = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
OFFICE: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_office", "ipp_home"]}}
LOGIN: Given = {"oidc": {"issuer": "https://login.example.com", "client_id": "shop", "client_secret": SECRET}}
EXEMPT: Given = {"oidc": {**LOGIN["oidc"], "options_passthrough": True}}
GOOGLE: Given = {"client_id": "shop", "client_secret": SECRET}
STAFF: Given = {"oauth": {"provider": {"google": {**GOOGLE, "email_domains": ["a.com", "b.com"]}}}}
ANYONE: Given = {"oauth": {"provider": {"google": GOOGLE}}}
WEBHOOK: Given = {"webhook_verification": {"provider": "slack", "secret": SECRET}}
ACTIONS: Given = {"policy": {"inbound": [{"name": "all", "actions": [{"type": "deny", "config": {"text": SECRET}}]}]}}
SHOP = "https://shop.example.com"
WILDCARD = "edghts_wildcard"
TUNNEL = {"id": "tn_ssh", "proto": "tcp", "public_url": "tcp://1.tcp.example.net:12345"}


def route(match: str = "/", *modules: Given, **more: Any) -> Given:
    found = {"match_type": "path_prefix", "match": match, **BACKEND, **more}
    for one in modules:
        found |= one
    return {"id": f"edghtsrt_{match.strip('/%.') or 'root'}", **found}


def edge(*routes: Given, hosts: tuple[str, ...] = ("shop.example.com:443",), **more: Any) -> Given:
    return {"id": EDGE, "hostports": list(hosts), "routes": list(routes), **more}


def traced(tasks: Tasks, request: str, *edges: Given, **options: Any) -> Given:
    tasks.service.seed(https_edges=list(edges))
    [way] = tasks.done("exposure_info", requests=[request], **options)["requests"]
    return dict(way)


SEVERAL = (route("/", OFFICE, LOGIN), route("/admin", STAFF), route("/admin/open"), route("/off", CLOSED))
ALL_OTHERS = edge(route(id="edghtsrt_wild"), hosts=("*.example.com:443", "blog.example.com:8443"), id=WILDCARD)

# The edges, the request, the edge that serves it, the route that takes it, the traffic modules, and the access.
CASES: dict[str, tuple[list[Given], str, tuple[str | None, str | None, list[str], list[str]]]] = {
    "in their order": (
        [edge(route("/", LOGIN, WEBHOOK, OFFICE), **CERTIFICATE)],
        f"{SHOP}/x",
        (
            EDGE,
            "/",
            ["mutual_tls", "ip_restriction", "webhook_verification", "oidc"],
            ["certificate", "network", "signature", "login"],
        ),
    ),
    "the longest prefix": ([edge(*SEVERAL)], f"{SHOP}/admin/x", (EDGE, "/admin", ["oauth"], ["login"])),
    "a query": ([edge(*SEVERAL)], f"{SHOP}/admin?next=/off", (EDGE, "/admin", ["oauth"], ["login"])),
    "a route without any": ([edge(*SEVERAL)], f"{SHOP}/admin/open", (EDGE, "/admin/open", [], ["public"])),
    "a closed route": ([edge(*SEVERAL)], f"{SHOP}/off/x", (EDGE, "/off", [], ["closed"])),
    "no path": ([edge(*SEVERAL)], SHOP, (EDGE, "/", ["ip_restriction", "oidc"], ["network", "login"])),
    "an exact path": (
        [edge(route("/", LOGIN), route("/a", match_type="exact_path"))],
        f"{SHOP}/a",
        (EDGE, "/a", [], ["public"]),
    ),
    "below an exact path": (
        [edge(route("/", LOGIN), route("/a", match_type="exact_path"))],
        f"{SHOP}/a/b",
        (EDGE, "/", ["oidc"], ["login"]),
    ),
    "upper case": ([edge(route())], "HTTPS://Shop.Example.com/", (EDGE, "/", [], ["public"])),
    "a lock that admits everyone": ([edge(route("/", ANYONE))], f"{SHOP}/", (EDGE, "/", ["oauth"], ["public"])),
    "a lock that is off": (
        [edge(route("/", {"oidc": {**LOGIN["oidc"], "enabled": False}}))],
        f"{SHOP}/",
        (EDGE, "/", ["oidc"], ["public"]),
    ),
    "OPTIONS": ([edge(route("/", EXEMPT, OFFICE))], f"OPTIONS {SHOP}/", (EDGE, "/", ["ip_restriction"], ["network"])),
    "not OPTIONS": ([edge(route("/", EXEMPT))], f"{SHOP}/", (EDGE, "/", ["oidc"], ["login"])),
    "OPTIONS of a login without an exemption": (
        [edge(route("/", LOGIN))],
        f"OPTIONS {SHOP}/",
        (EDGE, "/", ["oidc"], ["login"]),
    ),
    "no route": ([edge(route("/a"))], f"{SHOP}/b", (EDGE, None, [], ["closed"])),
    "no route of an edge with certificates": (
        [edge(route("/a"), **CERTIFICATE)],
        f"{SHOP}/b",
        (EDGE, None, ["mutual_tls"], ["closed"]),
    ),
    "no edge": ([edge(route())], "https://nowhere.example.com/", (None, None, [], ["closed"])),
    "another port": ([edge(route())], f"{SHOP}:8443/", (None, None, [], ["closed"])),
    "the port of http": ([edge(route())], "http://shop.example.com/", (None, None, [], ["closed"])),
    "this port": ([ALL_OTHERS], "https://blog.example.com:8443/", (WILDCARD, "/", [], ["public"])),
    "a wildcard": ([edge(route()), ALL_OTHERS], "https://any.example.com/", (WILDCARD, "/", [], ["public"])),
    "a wildcard covers all below": ([ALL_OTHERS], "https://a.b.example.com/", (WILDCARD, "/", [], ["public"])),
    "a host before a wildcard": (
        [edge(route("/", LOGIN)), ALL_OTHERS],
        f"{SHOP}/",
        (EDGE, "/", ["oidc"], ["login"]),
    ),
}


@pytest.mark.parametrize(("edges", "request_text", "expected"), CASES.values(), ids=CASES)
def test_the_way_of_a_request(
    tasks: Tasks, edges: list[Given], request_text: str, expected: tuple[str | None, str | None, list[str], list[str]]
) -> None:
    way = traced(tasks, request_text, *edges)
    edge_id, match = way["edge"] and way["edge"]["id"], way["route"] and way["route"]["match"]
    assert (edge_id, match, [one["module"] for one in way["locks"]], way["access"]) == expected
    assert way["request"] == request_text
    assert way["backend_id"] == (None if match is None else "bkd_one")
    assert SECRET not in json.dumps(way)


def test_each_lock_says_where_it_is_and_whom_it_admits(tasks: Tasks) -> None:
    way = traced(tasks, f"{SHOP}/", edge(route("/", STAFF, OFFICE), **CERTIFICATE))
    assert way["object"] == "https_edge_route path_prefix / of shop.example.com:443 (edghtsrt_root)"
    assert [(one["path"], one["state"], one["admits"]) for one in way["locks"]] == [
        ("https_edges[0].mutual_tls", "on", ["ca_one"]),
        ("https_edges[0].routes[0].ip_restriction", "on", ["ipp_home", "ipp_office"]),
        ("https_edges[0].routes[0].oauth", "on", ["a.com", "b.com"]),
    ]
    assert way["unsure"] == []


# The edges, the request, and how the reasons begin.
UNSURE: dict[str, tuple[list[Given], str, list[str]]] = {
    "nothing": ([edge(*SEVERAL)], f"{SHOP}/x", []),
    "a prefix": (
        [edge(*SEVERAL)],
        f"{SHOP}/administrator",
        ["If prefixes also match paths that only begin like them, https_edge_route path_prefix /admin of shop."],
    ),
    "a wildcard": (
        [edge(route("/", LOGIN)), ALL_OTHERS],
        f"{SHOP}/",
        ["If a wildcard comes before an exact host, https_edge_route path_prefix / of *.example.com:443, "],
    ),
    "a wildcard that serves nothing there": (
        [edge(route("/", LOGIN)), edge(hosts=("*.example.com:443",), id=WILDCARD)],
        f"{SHOP}/",
        ["If a wildcard comes before an exact host, nothing takes it."],
    ),
    "a host in a match": (
        [edge(route("shop.example.com/", LOGIN), route("/a"), hosts=("shop.example.com:443", "b.example.com:443"))],
        f"{SHOP}/a/b",
        ["If a match that names the host comes before a longer one, "],
    ),
    "dots": (
        [edge(route("/", LOGIN), route("/a"))],
        f"{SHOP}/a/../b",
        ["The API does not define how it resolves empty segments, dots, and encoded characters"],
    ),
    "an encoded letter": (
        [edge(*SEVERAL)],
        f"{SHOP}/%61dmin",
        ["The API does not define how it resolves empty segments, dots, and encoded characters"],
    ),
    "a traffic policy": ([edge(route("/", ACTIONS))], f"{SHOP}/", ["The API does not define the actions of policies"]),
    "a lock without content": (
        [edge(route("/", LOGIN), mutual_tls={"certificate_authority_ids": []})],
        f"{SHOP}/",
        ["mutual_tls: It is enabled, but lacks what it checks visitors with"],
    ),
    "no edge": ([edge(route())], "https://b.example.com/", ["Nothing that was read serves this host and port."]),
    "no route": ([edge(route("/a"))], f"{SHOP}/b", []),
}


@pytest.mark.parametrize(("edges", "request_text", "expected"), UNSURE.values(), ids=UNSURE)
def test_what_is_not_sure(tasks: Tasks, edges: list[Given], request_text: str, expected: list[str]) -> None:
    reasons = traced(tasks, request_text, *edges)["unsure"]
    assert len(reasons) == len(expected), reasons
    assert all(reason.startswith(text) for reason, text in zip(reasons, expected, strict=True)), reasons


def test_a_tunnel_with_a_public_address(tasks: Tasks) -> None:
    tasks.service.seed(tunnels=[TUNNEL])
    way = traced(tasks, "tcp://1.tcp.example.net:12345")
    assert (way["object"], way["edge"], way["access"]) == (f"tunnel {TUNNEL['public_url']} (tn_ssh)", None, ["public"])
    assert traced(tasks, "tcp://1.tcp.example.net:12345", tunnels=False)["object"] is None


def test_several_requests_are_answered_in_their_order(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[edge(*SEVERAL)])
    seed_tls_edge(tasks)
    requests = [f"{SHOP}/off", f"{SHOP}/admin", f"{SHOP}/off"]
    result = tasks.done("exposure_info", requests=requests, tls_edges=[TLS_EDGE])
    assert [one["request"] for one in result["requests"]] == requests
    assert set(methods(result)) == {"GET"}
    assert tasks.done("exposure_info")["requests"] == []


def test_a_declaration_is_traced_without_a_request(tasks: Tasks) -> None:
    declared = edge(route("/", STAFF))
    del declared["id"], declared["routes"][0]["id"]
    result = tasks.done("exposure_info", estate={"https_edges": [declared]}, requests=[f"{SHOP}/x"])
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
