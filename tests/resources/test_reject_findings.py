# SPDX-License-Identifier: GPL-3.0-or-later
"""An estate that rejects a plan because of what it would leave open, before it writes anything."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import ACCEPTABLE
from ansible_collections.edgeops.ingress.plugins.module_utils._resources import rejection
from any_estate import SEED, SUBSCRIPTIONS, TLS_EDGES, estates
from convergence import ANY_NUMBER
from declarations import SWITCHES
from module_task import Tasks, writes
from places import EDGE, HOSTPORT, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_subscription, seed_tls_edge

BACKEND = {"backend": {"backend_id": "bk_app"}}
OFFICE = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
STAFF = {"oauth": {"provider": {"google": {"email_domains": ["example.com"]}}}}
HOLE = "hole_below_protected_prefix"

Given = dict[str, Any]


def route(match: str, **modules: Any) -> Given:
    return {"match_type": "path_prefix", "match": match, **BACKEND, **modules}


def declared(*routes: Given, **more: Any) -> Given:
    return {"https_edges": [{"hostports": [HOSTPORT], "routes": list(routes)}], **more}


def rejected(tasks: Tasks, options: Given, severity: str = "high", **more: Any) -> Given:
    """The result of a task that is rejected, the same in check mode and in a real run."""
    dry, real = (tasks.failed("estate", check, **options, reject_findings=severity, **more) for check in (True, False))
    for result in (dry, real):
        assert writes(result) == []
        assert result["operations"] == []
        assert result["changed"] is False
        assert "Nothing was changed" in result["msg"]
    for name in ("msg", "plan", "plan_digest", "findings", "not_judged"):
        assert dry[name] == real[name]
    assert "diff" in dry
    assert "diff" not in real
    return real


def rules(result: Given, *, created: bool = True) -> list[str]:
    return [one["rule"] for one in result["findings"] if one["created"] == created]


CREATING: list[tuple[str, Given]] = [
    ("a new edge", declared(route("/", **OFFICE), route("/admin"))),
    ("what is left of protection", declared(route("/", ip_restriction={"enabled": False, "ip_policy_ids": ["ipp_x"]}))),
    (
        "an edge that has it",
        {"https_edges": [{"hostports": [HOSTPORT], "mutual_tls": {"certificate_authority_ids": []}}]},
    ),
    ("a traffic module of a TLS edge", {"tls_edges": [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": []}}]}),
]


@pytest.mark.parametrize("options", [options for _name, options in CREATING], ids=[name for name, _options in CREATING])
def test_a_plan_that_creates_a_finding_is_rejected(tasks: Tasks, options: Given) -> None:
    seed_tls_edge(tasks)
    options = {**options, "allow_empty": True}
    result = rejected(tasks, options)
    assert len(rules(result)) == 1
    assert result["findings"][0]["message"] in result["msg"]
    assert result["plan"]
    assert result["plan_digest"]
    tasks.done("estate", **options)


def test_a_clean_plan_is_executed(tasks: Tasks) -> None:
    options = declared(route("/", **OFFICE), route("/admin", **STAFF))
    for check in (True, False):
        result = tasks.done("estate", check, **options, reject_findings="low")
        assert result["changed"]
        assert result["findings"] == []
        assert {one["path"] for one in result["not_judged"]} >= {"tls_edges", "event_subscriptions"}


def test_without_the_option_nothing_is_judged(tasks: Tasks) -> None:
    result = tasks.done("estate", **CREATING[0][1])
    assert "findings" not in result


def test_old_findings_reject_only_if_asked(tasks: Tasks) -> None:
    options = declared(route("/", **OFFICE), route("/admin"))
    tasks.done("estate", **options)
    more = deepcopy(options)
    more["https_edges"][0]["description"] = "A new description"
    result = rejected(tasks, more, reject_existing=True)
    assert rules(result, created=False) == [HOLE]
    result = tasks.done("estate", **more, reject_findings="high")
    assert result["changed"]
    assert rules(result, created=False) == [HOLE]
    assert rules(result) == []


def test_a_severity_below_does_not_reject(tasks: Tasks) -> None:
    options = declared({"match_type": "path_prefix", "match": "/"})
    assert rules(tasks.done("estate", True, **options, reject_findings="high")) == ["route_without_backend"]
    rejected(tasks, options, "low")


LIVE = {
    "id": EDGE,
    "hostports": [HOSTPORT],
    "tls_termination": {"min_version": "1.0"},
    "routes": [{"id": "edghtsrt_one", **route("/shop", **OFFICE)}],
}
WORSE: list[tuple[str, Given, Given, bool]] = [
    ("another hostport", LIVE, {"hostports": [HOSTPORT, "more.example.com:443"]}, True),
    ("fewer hostports", {**LIVE, "hostports": [HOSTPORT, "more.example.com:443"]}, {"hostports": [HOSTPORT]}, False),
    (
        "no certificate",
        {**LIVE, "mutual_tls": {"certificate_authority_ids": ["ca_one"]}},
        {"absent_modules": ["mutual_tls"]},
        True,
    ),
    ("a certificate", LIVE, {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}, False),
    ("another route", LIVE, {"routes": [route("/", **OFFICE)]}, True),
    ("no change", LIVE, {"description": "another"}, False),
    ("an older version", LIVE, {"tls_termination": {"min_version": "SSLv3"}}, True),
    ("a version that is less old", LIVE, {"tls_termination": {"min_version": "1.1"}}, False),
]


@pytest.mark.parametrize(("live", "change", "is_worse"), [case[1:] for case in WORSE], ids=[case[0] for case in WORSE])
def test_a_finding_that_gets_worse_counts_as_created(tasks: Tasks, live: Given, change: Given, is_worse: bool) -> None:
    tasks.service.seed(https_edges=[live])
    options = {"https_edges": [{"hostports": [HOSTPORT], **change}], "purge": ["hostports"]}
    if is_worse:
        assert rules(rejected(tasks, options, "medium")) == ["old_tls"]
    else:
        result = tasks.done("estate", **options, reject_findings="medium")
        assert rules(result, created=False) == ["old_tls"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (route("/", **OFFICE, request_headers={"add": {"x-api-key": "words"}}), {"absent_modules": ["ip_restriction"]}),
        (route("/a", request_headers={"add": {"x-api-key": "words"}}), {"backend": {"backend_id": "bk_other"}}),
    ],
)
def test_a_route_that_more_visitors_reach_makes_its_findings_worse(tasks: Tasks, before: Given, after: Given) -> None:
    seed_edge(tasks, routes=[before])
    key = {name: before[name] for name in ("match_type", "match")}
    assert rules(rejected(tasks, declared({**key, **after}), "medium")) == ["credential_in_header"]


def test_undeclared_objects_are_part_of_the_end_state(tasks: Tasks) -> None:
    """The route of the hole is not declared: it was there, and everything around it is now protected."""
    seed_edge(tasks, routes=[route("/"), route("/admin")])
    result = rejected(tasks, declared(route("/", **OFFICE)))
    assert rules(result) == [HOLE]
    [finding] = result["findings"]
    number = int(finding["path"].removeprefix("undeclared[").removesuffix("]"))
    assert result["undeclared"][number]["object"].startswith(f"https_edge_route path_prefix /admin of {HOSTPORT}")
    assert finding["also"] == ["https_edges[0].routes[0]"]
    tasks.done("estate", **declared(route("/", **OFFICE), purge=["routes"]), reject_findings="high")


def test_undeclared_edges_are_part_of_the_end_state(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[{"hostports": ["old.example.com:443"], "routes": [route("/")]}])
    options = declared(route("/admin", **OFFICE))
    result = rejected(tasks, options, "medium")
    assert [(one["rule"], one["path"]) for one in result["findings"]] == [
        ("backend_open_elsewhere", "undeclared[0].routes[0]")
    ]
    assert result["undeclared"][0]["object"].startswith("https_edge old.example.com:443")
    tasks.done("estate", **options, purge=["edges"], reject_findings="medium")


def test_a_finding_about_more_objects_is_worse(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[{"hostports": ["old.example.com:443"], "routes": [route("/")]}])
    tasks.done("estate", **declared(route("/admin", **OFFICE)))
    more = declared(route("/admin", **OFFICE), route("/staff", **OFFICE))
    assert rules(rejected(tasks, more, "medium")) == ["backend_open_elsewhere"]


def test_a_policy_with_a_secret_stays_a_doubt(tasks: Tasks) -> None:
    """The declaration of an undeclared object lacks such a policy, but its state does not."""
    policy = {"inbound": [{"actions": [{"type": "key", "config": {"token": "canary-of-a-policy"}}]}]}
    seed_edge(tasks, routes=[route("/"), route("/admin", policy=policy)])
    result = tasks.done("estate", **declared(route("/", **OFFICE)), reject_findings="high")
    assert result["findings"] == []
    assert any(one["path"] == "undeclared[0].policy" for one in result["not_judged"])
    del result["sent"]
    assert "canary" not in json.dumps(result)


def test_an_undeclared_module_of_a_tls_edge_is_not_judged(tasks: Tasks) -> None:
    seed_tls_edge(tasks, ip_restriction={"enabled": False, "ip_policy_ids": ["ipp_one"]})
    options = {"tls_edges": [{"edge_id": TLS_EDGE, "tls_termination": {"terminate_at": "edge"}}]}
    result = tasks.done("estate", **options, reject_findings="low")
    assert result["findings"] == []
    assert "tls_edges[0].ip_restriction" in {one["path"] for one in result["not_judged"]}


def test_an_incomplete_plan_is_not_assumed_to_be_clean(tasks: Tasks) -> None:
    options = {"https_edges": [{"hostports": [HOSTPORT], "routes": []}, {"id": "edghts_missing"}]}
    result = rejected(tasks, options)
    assert "incomplete" in result["msg"]
    assert "edghts_missing" in result["msg"]
    assert result["findings"] == []


def test_event_sources_are_judged_as_they_will_be(tasks: Tasks) -> None:
    seed_subscription(tasks, "domain_created.v0", "ip_policy_updated.v0")

    def options(*sources: str) -> Given:
        return {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": list(sources)}]}

    tasks.done("estate", **options("domain_deleted.v0"), reject_findings="low")
    assert rules(rejected(tasks, {**options("domain_deleted.v0"), "purge": ["sources"]}, "low")) == [
        "changes_without_subscription"
    ]


EXCEPTION = {"rule": HOLE, "object": f"https_edge_route path_prefix /admin of {HOSTPORT}", "reason": "It is meant."}


def test_exceptions_of_a_plan(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rejection, "today", lambda: date(2027, 4, 1))
    options = declared(route("/", **OFFICE), route("/admin"))
    result = rejected(tasks, options, accept=[{**EXCEPTION, "until": "2027-03-31"}])
    assert result["warnings"] == ["accept[0]: expired on 2027-03-31, so its findings count again."]
    result = rejected(tasks, options, accept=[{**EXCEPTION, "object": "other"}])
    assert result["warnings"] == [f"accept[0]: no finding of {HOLE} matches 'other'; remove it."]
    result = tasks.done("estate", **options, reject_findings="high", accept=[EXCEPTION])
    assert result["findings"][0]["accepted"] == {"reason": "It is meant.", "until": None}
    assert "warnings" not in result
    # Once it exists, the name of the route contains its ID.
    tasks.done("estate", **options, reject_findings="high", reject_existing=True, accept=[EXCEPTION])


def test_exceptions_for_what_was_not_read_are_not_useless(tasks: Tasks) -> None:
    seed_edge(tasks)
    tunnels = {"rule": "service_port_in_the_open", "object": "*", "reason": "Elsewhere."}
    by_id = {"https_edges": [{"id": EDGE, "description": "x"}]}
    assert "warnings" not in tasks.done("estate", **by_id, reject_findings="high", accept=[tunnels, EXCEPTION])


OPTION_ERRORS: list[tuple[Given, list[str]]] = [
    ({"reject_findings": None}, ["reject_findings: expected a string, got null"]),
    ({"reject_findings": ""}, ["reject_findings: '' is not allowed; expected high, medium, or low"]),
    ({"accept": [EXCEPTION]}, ["accept: has no effect without `reject_findings`"]),
    ({"reject_existing": True}, ["reject_existing: has no effect without `reject_findings`"]),
    ({"reject_findings": "high", "accept": None}, ["accept: expected a list of dictionaries, got null"]),
    (
        {"reject_findings": "high", "accept": [{**EXCEPTION, "until": None}]},
        ["accept[0].until: expected a string, got null"],
    ),
    (
        {"reject_findings": "high", "accept": [{**EXCEPTION, "until": "soon"}]},
        ["accept[0].until: 'soon' is not a date"],
    ),
]


@pytest.mark.parametrize(("options", "option_errors"), OPTION_ERRORS)
def test_option_errors_come_before_any_request(tasks: Tasks, options: Given, option_errors: list[str]) -> None:
    result = tasks.failed("estate", **declared(), **options)
    assert result["sent"] == []
    assert [
        found.startswith(option_error)
        for found, option_error in zip(result["option_errors"], option_errors, strict=True)
    ] == [True]


def test_the_digest_does_not_depend_on_reject_findings(tasks: Tasks) -> None:
    options = declared(route("/"))
    plain, judged = (tasks.done("estate", True, **options, **more) for more in ({}, {"reject_findings": "high"}))
    assert plain["plan_digest"] == judged["plan_digest"]


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
        result = tasks.run("estate", **options, max_deletions=1000, reject_findings="low", accept=EVERYTHING)
        if result.get("failed"):
            assert "incomplete" in result["msg"]
            return
        live = tasks.done("exposure_info", tls_edges=TLS_EDGES, event_subscriptions=SUBSCRIPTIONS)
        if any(one["why"].startswith("Not read") for one in result["not_judged"]):
            continue
        foreseen, found = (Counter(_names(one)) for one in (result, live))
        assert foreseen == found


def _names(result: Given) -> Iterator[tuple[str, str]]:
    """Yield the findings about HTTPS edges, without the IDs that new objects get later, and without what only goes."""
    for one in result["findings"]:
        if one["object"].startswith("https_edge") and one["rule"] != "protected_route_deleted":
            quoted = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""  # in which quotes can be escaped
            unnamed = rf" (\(edght\w+\)|of edghts_\w+|without hostports|(of )?({quoted}))"
            yield one["rule"], re.sub(unnamed, "", one["object"])
