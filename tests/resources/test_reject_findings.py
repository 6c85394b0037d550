# SPDX-License-Identifier: GPL-3.0-or-later
"""An estate that rejects a plan because of what it would leave open, before it writes anything."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import ACCEPTABLE
from ansible_collections.edgeops.ingress.plugins.module_utils._objects import rejection
from any_estate import SEED, SUBSCRIPTIONS, TLS_EDGES, estates
from convergence import ANY_NUMBER, rejected
from declarations import SWITCHES
from estates_to_judge import Given, estate
from module_task import Tasks
from places import SUBSCRIPTION, TLS_EDGE, seed_subscription, seed_tls_edge

HOLE, OPEN = "hole_below_protected_prefix", "backend_open_elsewhere"
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


def test_a_clean_plan_is_executed(tasks: Tasks) -> None:
    for check in (True, False):
        result = tasks.done("estate", check, **estate("/ office, /admin staff"), **LOW)
        assert (result["changed"], result["findings"]) == (True, [])
        assert {one["path"] for one in result["not_judged"]} >= {"tls_edges", "event_subscriptions"}


def test_old_findings_and_lower_severities_reject_only_if_asked(tasks: Tasks) -> None:
    tasks.done("estate", **WITH_HOLE)
    more = estate("/ office, /admin")
    more["https_edges"][0]["description"] = "A new description"
    assert rules(rejected(tasks, "estate", **more, **HIGH, reject_existing=True), created=False) == [HOLE]
    result = tasks.done("estate", **more, **HIGH)
    assert (result["changed"], rules(result, created=False), rules(result)) == (True, [HOLE], [])
    empty = {"https_edges": [{"hostports": [SHOP], "routes": [{"match_type": "path_prefix", "match": "/new"}]}]}
    assert rules(tasks.done("estate", True, **empty, **HIGH)) == ["route_without_backend"]
    rejected(tasks, "estate", **empty, **LOW)


UNDECLARED: list[tuple[str, str, str, str, str]] = [
    ("/, /admin", "/ office", HOLE, f"https_edge_route path_prefix /admin of {SHOP}", "routes"),
    ("[host=old.example.com] /", "/admin office", OPEN, "https_edge old.example.com:443", "edges"),
]


@pytest.mark.parametrize(("live", "declared", "rule", "name", "purge"), UNDECLARED)
def test_what_is_undeclared_is_part_of_the_end_state(
    tasks: Tasks, live: str, declared: str, rule: str, name: str, purge: str
) -> None:
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


OPTION_ERRORS: list[tuple[Given, str]] = [
    ({"accept": [EXCEPTION]}, "accept: has no effect without `reject_findings`"),
    ({"reject_existing": True}, "reject_existing: has no effect without `reject_findings`"),
    ({"reject_findings": "high", "accept": [{**EXCEPTION, "until": "soon"}]}, "accept[0].until: 'soon' is not a date"),
]


@pytest.mark.parametrize(("options", "option_error"), OPTION_ERRORS)
def test_option_errors_come_before_any_request(tasks: Tasks, options: Given, option_error: str) -> None:
    result = tasks.failed("estate", **estate("/"), **options)
    assert (result["sent"], len(result["option_errors"])) == ([], 1)
    assert result["option_errors"][0].startswith(option_error)


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
