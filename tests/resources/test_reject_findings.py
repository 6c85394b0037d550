# SPDX-License-Identifier: GPL-3.0-or-later
"""Which findings a plan creates or makes worse, and an estate that rejects it for them, before it writes anything."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import ACCEPTABLE, created, judge
from ansible_collections.edgeops.ingress.plugins.module_utils._objects import rejection
from any_estate import SEED, SUBSCRIPTIONS, TLS_EDGES, estates
from convergence import ANY_NUMBER, rejected
from declarations import SWITCHES
from estates_to_judge import Given, estate
from module_task import Tasks
from places import SUBSCRIPTION, TLS_EDGE, seed_subscription, seed_tls_edge

HOLE, ELSEWHERE = "hole_below_protected_prefix", "backend_open_elsewhere"
SHOP = "shop.example.com:443"
WITH_HOLE = estate("/ office, /admin")
HIGH, LOW = {"reject_findings": "high"}, {"reject_findings": "low"}


def rules(result: Given, *, created: bool = True) -> list[str]:
    return [one["rule"] for one in result["findings"] if one["created"] == created]


NO_POLICIES = {"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": []}}
CREATING = [WITH_HOLE, estate("/ -office"), estate("[no-clients]"), {"tls_edges": [NO_POLICIES]}]


@pytest.mark.parametrize("options", CREATING, ids=["edge", "what is left of protection", "edge alone", "TLS edge"])
def test_a_plan_that_creates_a_finding_is_rejected(tasks: Tasks, options: Given) -> None:
    seed_tls_edge(tasks)
    text = {"name": "page", "collection": "backends/http_response", "find_by": {"description": "x"}}
    misplaced = {**text, "body": {"metadata": "ref:page", "body": "x", "status_code": 200}}
    result = rejected(tasks, "estate", **options, **HIGH, allow_empty=True, objects=[misplaced])
    assert len(rules(result)) == 1
    assert any("looks like a reference" in warning for warning in result["warnings"])
    assert result["findings"][0]["message"] in result["msg"]
    assert result["plan"]
    plain = tasks.done("estate", True, **options, allow_empty=True, objects=[misplaced])
    assert ("findings" in plain, plain["plan_digest"]) == (False, result["plan_digest"])


def test_old_findings_and_lower_severities_reject_only_if_asked(tasks: Tasks) -> None:
    tasks.done("estate", **WITH_HOLE)
    more = estate("/ office, /admin")
    more["https_edges"][0]["description"] = "A new description"
    assert rules(rejected(tasks, "estate", **more, **HIGH, reject_existing=True), created=False) == [HOLE]
    result = tasks.done("estate", **more, **HIGH)
    assert (result["changed"], rules(result, created=False), rules(result)) == (True, [HOLE], [])
    assert {one["path"] for one in result["not_judged"]} >= {"tls_edges", "event_subscriptions"}
    empty = {"https_edges": [{"hostports": [SHOP], "routes": [{"match_type": "path_prefix", "match": "/new"}]}]}
    assert rules(tasks.done("estate", True, **empty, **HIGH)) == ["route_without_backend"]
    rejected(tasks, "estate", **empty, **LOW)


UNDECLARED: list[tuple[str, str, str, str, str]] = [
    ("/, /admin", "/ office", HOLE, f"https_edge_route path_prefix /admin of {SHOP}", "routes"),
    ("[host=old.example.com] /", "/admin office", ELSEWHERE, "https_edge old.example.com:443", "edges"),
]


@pytest.mark.parametrize(("live", "declared", "rule", "name", "purge"), UNDECLARED)
def test_what_is_undeclared_counts(tasks: Tasks, live: str, declared: str, rule: str, name: str, purge: str) -> None:
    """The route of the hole is not declared: it was there, and everything around it is now protected."""
    tasks.service.seed(**estate(live))
    result = rejected(tasks, "estate", **estate(declared), reject_findings="medium")
    [finding] = result["findings"]
    assert finding["rule"] == rule
    number = int(re.fullmatch(r"undeclared\[(\d+)\](\.routes\[0\])?", finding["path"])[1])  # type: ignore[index]
    assert result["undeclared"][number]["object"].startswith(name)
    assert finding["also"] == ["https_edges[0].routes[0]"]
    tasks.done("estate", **estate(declared), purge=[purge], reject_findings="medium")


def test_what_cannot_be_known_is_a_doubt(tasks: Tasks) -> None:
    """The declaration of an undeclared object lacks a policy with a secret, but its state does not."""
    policy = {"inbound": [{"actions": [{"type": "key", "config": {"token": "canary-of-a-policy"}}]}]}
    live = estate("/, /admin")
    live["https_edges"][0]["routes"][1]["policy"] = policy
    tasks.service.seed(**live)
    seed_tls_edge(tasks, ip_restriction={"enabled": False, "ip_policy_ids": ["ipp_one"]})
    tls_edges = [{"edge_id": TLS_EDGE, "tls_termination": {"terminate_at": "edge"}}]
    result = tasks.done("estate", **estate("/ office"), tls_edges=tls_edges, **LOW)
    assert result["findings"] == []
    assert {one["path"] for one in result["not_judged"]} >= {"undeclared[0].policy", "tls_edges[0].ip_restriction"}
    del result["sent"]
    assert "canary" not in json.dumps(result)


def test_event_sources_are_judged_as_they_will_be(tasks: Tasks) -> None:
    seed_subscription(tasks, "domain_created.v0", "ip_policy_updated.v0")
    options = {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": ["domain_deleted.v0"]}]}
    tasks.done("estate", **options, **LOW)
    assert rules(rejected(tasks, "estate", **options, **LOW, purge=["sources"])) == ["changes_without_subscription"]


EXCEPTION = {"rule": HOLE, "object": f"https_edge_route path_prefix /admin of {SHOP}", "reason": "It is meant."}


def test_exceptions_of_a_plan(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rejection, "today", lambda: date(2027, 4, 1))
    result = rejected(tasks, "estate", **WITH_HOLE, **HIGH, accept=[{**EXCEPTION, "until": "2027-03-31"}])
    assert result["warnings"] == ["accept[0]: expired on 2027-03-31, so its findings count again."]
    result = tasks.done("estate", **WITH_HOLE, **HIGH, accept=[EXCEPTION])
    assert result["findings"][0]["accepted"] == {"reason": "It is meant.", "until": None}
    assert "warnings" not in result
    # Once it exists, the name of the route contains its ID. What was not read may have what an exception is for.
    tasks.done("estate", **WITH_HOLE, **HIGH, reject_existing=True, accept=[EXCEPTION])
    by_id = [{"id": one["id"], "description": "x"} for one in tasks.service.state()["https_edges"]]
    elsewhere = [{**EXCEPTION, "object": "other"}, {**EXCEPTION, "rule": "service_port_in_the_open"}]
    assert "warnings" not in tasks.done("estate", https_edges=by_id, **HIGH, accept=elsewhere)
    unused = tasks.done("estate", **WITH_HOLE, **HIGH, accept=[EXCEPTION, elsewhere[0]])
    assert unused["warnings"] == [f"accept[1]: no finding of {HOLE} matches 'other'; remove it."]


EVERYTHING = [{"rule": rule, "object": "*", "reason": "This test is about what is found."} for rule in ACCEPTABLE]


@settings(ANY_NUMBER, max_examples=so_many(40, 400))
@given(switches=SWITCHES, data=st.data())
def test_what_is_foreseen_is_found_afterwards(tasks: Tasks, switches: Given, data: st.DataObject) -> None:
    """The state that is judged before a task is the one that the service has after it."""
    tasks.service.reset()
    tasks.service.seed(**SEED)
    tasks.service.switches(**switches)
    for _number in range(2):
        options = data.draw(estates(tasks.service.state(), switches)).options
        result = tasks.run("estate", **options, max_deletions=1000, **LOW, accept=EVERYTHING)
        if result.get("failed"):
            assert "incomplete" in result["msg"]
            return
        live = tasks.done("exposure_info", tls_edges=TLS_EDGES, event_subscriptions=SUBSCRIPTIONS)
        if any(one["why"].startswith("Not read") for one in result["not_judged"]):
            continue
        # Some services do not show which identity providers a login uses.
        unclear = {_unnamed(one["object"]) for one in live["not_judged"] if one["path"].endswith(".oauth.provider")}
        foreseen, found = (Counter(_names(one, unclear)) for one in (result, live))
        assert foreseen == found


def _names(result: Given, unclear: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the findings about HTTPS edges that a service shows, without what only goes."""
    for one in result["findings"]:
        rule, name = one["rule"], _unnamed(one["object"])
        is_shown = rule != "protected_route_deleted" and not (rule == "login_for_everyone" and name in unclear)
        if name.startswith("https_edge") and is_shown:
            yield rule, name


def _unnamed(name: str) -> str:
    """The name of an object without the ID that a new one gets later."""
    quoted = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""  # in which quotes can be escaped
    return re.sub(rf" (\(edght\w+\)|of edghts_\w+|without hostports|(of )?({quoted}))", "", name)


OFF, LOGIN, CREDENTIAL = "protection_disabled", "plain_http_issuer", "credential_in_header"
DELETED, EMPTIED = "protected_route_deleted", "restriction_without_entries"


def numbered(number: int) -> str:
    return ", ".join(f"/{one}" for one in range(number))


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
    "an emptied restriction": ("/ adds=cookie office", "/ adds=cookie no-policies", f"{CREDENTIAL} {EMPTIED}"),
    "the twelfth public route": (f"[-clients] {numbered(11)}", f"[-clients] {numbered(12)}", OFF),
    "one route less": (f"[-clients] {numbered(12)}", f"[-clients] {numbered(11)}", ""),
    "another backend of a route next to the finding": ("[-clients] /a, /b", "[-clients] /a, /b >bk_staff", OFF),
    "a protected route inside of it is gone": ("/ staff, /a, /a/s staff", "/ staff, /a", f"{HOLE} {DELETED}"),
    "a closed route inside of it is gone": ("/ staff, /a, /a/s -backend", "/ staff, /a", HOLE),
    "a protected route next to it is gone": ("/ staff, /a, /b staff", "/ staff, /a", ""),
    "another finding about the same route": ("/ staff, /admin | /x", "/ staff, /admin | /admin staff", ELSEWHERE),
    "a restriction of a TLS edge is disabled": ("/\ntls: office tls=1.0", "/\ntls: -office tls=1.0", f"old_tls {OFF}"),
    "nothing": ("/ staff, /a", "/ staff, /a", ""),
}
PURGED = {"purge": ["edges", "routes", "modules"], "max_deletions": 100, "allow_empty": True}


@pytest.mark.parametrize(("before", "after", "worse"), CASES.values(), ids=CASES)
def test_what_a_change_makes_worse(tasks: Tasks, before: str, after: str, worse: str) -> None:
    live = estate(before)
    tls_edges = [{"id": one.pop("edge_id"), **one} for one in live.get("tls_edges", ())]
    tasks.service.seed(**live | {"tls_edges": tls_edges})
    result = tasks.run("estate", True, **estate(after), **PURGED, reject_findings="low", undeclared="none")
    assert sorted(rules(result)) == worse.split()


def test_thousands_of_findings_are_compared_in_seconds() -> None:
    findings = judge(estate(f"/ staff, {numbered(5000)}")).findings
    begin = time.process_time()
    assert created(findings, findings, ()) == set()
    assert time.process_time() - begin < 1
