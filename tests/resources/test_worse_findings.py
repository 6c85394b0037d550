# SPDX-License-Identifier: GPL-3.0-or-later
"""Which findings a change creates or makes worse: old sins do not count, unless they get bigger."""

from __future__ import annotations

import time
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.comparison import created
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge
from module_task import Tasks

Given = dict[str, Any]

OFFICE: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
HOLLOW: Given = {"ip_restriction": {"ip_policy_ids": []}}
STAFF: Given = {"oauth": {"provider": {"google": {"email_domains": ["example.com"]}}}}
KEY: Given = {"request_headers": {"add": {"x-api-key": "words"}}}
ACTIONS: Given = {"policy": {"inbound": [{"actions": [{"type": "deny"}]}]}}
TLS, LOGIN, CREDENTIAL = "old_tls", "plain_http_issuer", "credential_in_header"
DELETED = "protected_route_deleted"
CLOSED: Given = {"backend": {"backend_id": "bk_app", "enabled": False}}
HOLE, OFF, ELSEWHERE = "hole_below_protected_prefix", "protection_disabled", "backend_open_elsewhere"


def route(match: str, *modules: Given, backend: str = "bk_app") -> Given:
    merged: Given = {"match_type": "path_prefix", "match": match, "backend": {"backend_id": backend}}
    for one in modules:
        merged |= one
    return merged


def edge(*routes: Given, **fields: Any) -> Given:
    return {"hostports": ["shop.example.com:443"], "routes": list(routes), **fields}


def version(number: str, *routes: Given) -> Given:
    return edge(*routes, tls_termination={"min_version": number})


def issuer(url: str) -> Given:
    return edge(route("/", {"oidc": {"issuer": url, "client_id": "app", "client_secret": "words"}}))


def without_certificate(*routes: Given) -> Given:
    return edge(*routes, mutual_tls={"enabled": False, "certificate_authority_ids": ["ca_one"]})


def numbered(number: int) -> list[Given]:
    return [route(f"/{one}") for one in range(number)]


def hole(*more: Given) -> Given:
    return edge(route("/", STAFF), route("/a"), *more)


def many_edges(number: int) -> list[Given]:
    """A public edge, and protected ones with the same backend."""
    protected = [{**edge(route("/", STAFF)), "hostports": [f"h{one}.example.com:443"]} for one in range(number)]
    return [edge(route("/")), *protected]


CASES: list[tuple[str, list[Given], list[Given], list[str]]] = [
    ("an older version of TLS", [version("1.1")], [version("TLSv1.0")], [TLS]),
    ("a version that is less old", [version("1.0")], [version("1.1")], []),
    ("another spelling", [version("1.0")], [version("TLSv1.0")], []),
    ("SSL in place of TLS", [version("1.0")], [version("SSLv3")], [TLS]),
    ("another route", [version("1.0", route("/"))], [version("1.0", route("/"), route("/a"))], []),
    ("another issuer", [issuer("http://a.example.com")], [issuer("http://b.example.com")], [LOGIN]),
    ("the same issuer", [issuer("http://a.example.com")], [issuer("http://a.example.com")], []),
    ("no policy any more", [edge(route("/", KEY, ACTIONS))], [edge(route("/", KEY))], [CREDENTIAL]),
    ("a policy", [edge(route("/", KEY))], [edge(route("/", KEY, ACTIONS))], []),
    (
        "an emptied restriction",
        [edge(route("/", KEY, OFFICE))],
        [edge(route("/", KEY, HOLLOW))],
        ["restriction_without_entries", CREDENTIAL],
    ),
    ("the twelfth public route", [without_certificate(*numbered(11))], [without_certificate(*numbered(12))], [OFF]),
    ("one route less", [without_certificate(*numbered(12))], [without_certificate(*numbered(11))], []),
    (
        "another backend of a route next to the finding",
        [without_certificate(route("/a"), route("/b"))],
        [without_certificate(route("/a"), route("/b", backend="bk_staff"))],
        [OFF],
    ),
    ("the twelfth protected edge", many_edges(11), many_edges(12), [ELSEWHERE]),
    ("a protected route inside of it is gone", [hole(route("/a/s", STAFF))], [hole()], [HOLE, DELETED]),
    ("a closed route inside of it is gone", [hole({**route("/a/s"), **CLOSED})], [hole()], [HOLE]),
    ("a protected route next to it is gone", [hole(route("/b", STAFF))], [hole()], []),
    ("nothing", [hole()], [hole()], []),
]


@pytest.mark.parametrize(("before", "after", "worse"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_a_change_makes_worse(tasks: Tasks, before: list[Given], after: list[Given], worse: list[str]) -> None:
    tasks.service.seed(https_edges=before)
    purged = {"purge": ["edges", "routes", "modules"], "max_deletions": 100, "allow_empty": True}
    result = tasks.run("estate", True, https_edges=after, **purged, reject_findings="low", undeclared="none")
    assert sorted(one["rule"] for one in result["findings"] if one["created"]) == sorted(worse)


def test_a_result_does_not_list_all_objects_of_a_finding() -> None:
    [finding] = judge({"https_edges": many_edges(12)}).result()["findings"]
    assert len(finding["also"]) == 10


def test_thousands_of_findings_are_compared_in_seconds() -> None:
    findings = judge({"https_edges": [edge(route("/", STAFF), *numbered(5000))]}).findings
    begin = time.process_time()
    assert created(findings, findings, ()) == set()
    assert time.process_time() - begin < 1
