# SPDX-License-Identifier: GPL-3.0-or-later
"""Which findings a change creates or makes worse: old sins do not count, unless they get bigger."""

from __future__ import annotations

import time

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import created, judge
from estates_to_judge import Given, estate
from module_task import Tasks

OFF, ELSEWHERE = "protection_disabled", "backend_open_elsewhere"
LOGIN, CREDENTIAL = "plain_http_issuer", "credential_in_header"


def numbered(number: int) -> str:
    return ", ".join(f"/{one}" for one in range(number))


def many_edges(number: int) -> Given:
    """A public edge, and protected ones with the same backend."""
    protected = [
        {**estate("/ staff")["https_edges"][0], "hostports": [f"h{one}.example.com:443"]} for one in range(number)
    ]
    return {"https_edges": [*estate("/")["https_edges"], *protected]}


# What is live, what is declared, and the rules whose findings count.
CASES: dict[str, tuple[str, str, str]] = {
    "an older version of TLS": ("[tls=1.1]", "[tls=TLSv1.0]", "old_tls"),
    "a version that is less old": ("[tls=1.0]", "[tls=1.1]", ""),
    "another spelling": ("[tls=1.0]", "[tls=TLSv1.0]", ""),
    "SSL in place of TLS": ("[tls=1.0]", "[tls=SSLv3]", "old_tls"),
    "another route": ("[tls=1.0] /", "[tls=1.0] /, /a", ""),
    "another route around": ("[tls=1.0] /a office", "[tls=1.0] /a office, / office", "old_tls"),
    "another hostport": ("[tls=1.0] /", "[tls=1.0 host=shop.example.com+b.example.com] /", "old_tls"),
    "certificates are disabled": ("[tls=1.0 clients] /a office", "[tls=1.0 -clients] /a office", "old_tls"),
    "certificates": ("[tls=1.0] /", "[tls=1.0 clients] /", ""),
    "a restriction is disabled": ("/ office adds=cookie", "/ -office adds=cookie", f"{CREDENTIAL} {OFF}"),
    "another backend": ("/ adds=cookie", "/ adds=cookie >other", CREDENTIAL),
    "another protected route": ("/admin office | /", "/admin office, /staff office | /", ELSEWHERE),
    "another issuer": ("/ issuer=http://a.example.com", "/ issuer=http://b.example.com", LOGIN),
    "the same issuer": ("/ issuer=http://a.example.com", "/ issuer=http://a.example.com", ""),
    "no policy any more": ("/ adds=x-api-key actions", "/ adds=x-api-key", CREDENTIAL),
    "a policy": ("/ adds=x-api-key", "/ adds=x-api-key actions", ""),
    "an emptied restriction": (
        "/ adds=x-api-key office",
        "/ adds=x-api-key no-policies",
        f"{CREDENTIAL} restriction_without_entries",
    ),
    "the twelfth public route": (f"[-clients] {numbered(11)}", f"[-clients] {numbered(12)}", OFF),
    "one route less": (f"[-clients] {numbered(12)}", f"[-clients] {numbered(11)}", ""),
    "another backend of a route next to the finding": ("[-clients] /a, /b", "[-clients] /a, /b >bk_staff", OFF),
    "a protected route inside of it is gone": (
        "/ staff, /a, /a/s staff",
        "/ staff, /a",
        "hole_below_protected_prefix protected_route_deleted",
    ),
    "a closed route inside of it is gone": ("/ staff, /a, /a/s -backend", "/ staff, /a", "hole_below_protected_prefix"),
    "a protected route next to it is gone": ("/ staff, /a, /b staff", "/ staff, /a", ""),
    "another finding about the same route": ("/ staff, /admin | /x", "/ staff, /admin | /admin staff", ELSEWHERE),
    "a restriction of a TLS edge is disabled": ("/\ntls: office tls=1.0", "/\ntls: -office tls=1.0", f"old_tls {OFF}"),
    "nothing": ("/ staff, /a", "/ staff, /a", ""),
}
PURGED = {"purge": ["edges", "routes", "modules"], "max_deletions": 100, "allow_empty": True}


def counted(tasks: Tasks, before: Given, after: Given) -> list[str]:
    tls_edges = [{"id": one.pop("edge_id"), **one} for one in before.get("tls_edges", ())]
    tasks.service.seed(**before | {"tls_edges": tls_edges})
    result = tasks.run("estate", True, **after, **PURGED, reject_findings="low", undeclared="none")
    return sorted(one["rule"] for one in result["findings"] if one["created"])


@pytest.mark.parametrize(("before", "after", "worse"), CASES.values(), ids=CASES)
def test_what_a_change_makes_worse(tasks: Tasks, before: str, after: str, worse: str) -> None:
    assert counted(tasks, estate(before), estate(after)) == worse.split()


def test_the_twelfth_protected_edge_counts_though_a_result_does_not_list_all(tasks: Tasks) -> None:
    assert counted(tasks, many_edges(11), many_edges(12)) == [ELSEWHERE]
    [finding] = judge(many_edges(12)).result()["findings"]
    assert len(finding["also"]) == 10


def test_thousands_of_findings_are_compared_in_seconds() -> None:
    findings = judge(estate(f"/ staff, {numbered(5000)}")).findings
    begin = time.process_time()
    assert created(findings, findings, ()) == set()
    assert time.process_time() - begin < 1
