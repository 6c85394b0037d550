# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets in, read from the service or judged from a declaration."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked
from ansible_collections.edgeops.ingress.plugins.module_utils._resources import rejection
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.exposure_info import DEFINITION
from collection_tree import CHECKOUT
from hostile_strings import HOSTILE
from module_task import Tasks, methods, writes
from places import HOSTPORT, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_subscription, seed_tls_edge

PREFIX = {"match_type": "path_prefix", "backend": {"backend_id": "bk_app"}}
OFFICE = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
HOLE = {
    "https_edges": [
        {"hostports": [HOSTPORT], "routes": [{**PREFIX, "match": "/", **OFFICE}, {**PREFIX, "match": "/a"}]}
    ]
}
ACCEPTED = {
    "rule": "hole_below_protected_prefix",
    "object": f"https_edge_route path_prefix /a of {HOSTPORT}",
    "reason": "It is meant to be open.",
}
SHOP = yaml.safe_load((CHECKOUT / "tests" / "unit" / "estates" / "shop.yml").read_text(encoding="utf-8"))
TODAY = date(2027, 3, 31)


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rejection, "today", lambda: TODAY)


def seed_shop(tasks: Tasks) -> None:
    estate = SHOP["estate"]
    tasks.service.seed(
        https_edges=list(estate["https_edges"]),
        tls_edges=[
            {"id": one["edge_id"], **{name: one[name] for name in one if name != "edge_id"}}
            for one in estate["tls_edges"]
        ],
        event_subscriptions=[
            {"id": one["subscription_id"], "sources": one["sources"]} for one in estate["event_subscriptions"]
        ],
        tunnels=SHOP["tunnels"],
    )


def test_the_live_configuration_is_judged_like_its_declaration(tasks: Tasks) -> None:
    seed_shop(tasks)
    result = tasks.done("exposure_info", tls_edges=["edgtls_depot"], event_subscriptions=["esb_audit"])
    found = {f"{one['severity']} {one['rule']}" for one in result["findings"]}
    assert found == {line.rpartition(" ")[0] for line in SHOP["findings"]}
    assert [one["kind"] for one in result["exposure"]].count("https_edge_route") == result["summary"]["routes"] == 9
    assert all(one["id"] for one in result["exposure"])
    assert methods(result) == ["GET"] * 5
    declared = tasks.done("exposure_info", estate=SHOP["estate"])
    assert declared["sent"] == []
    by_route = [
        {(one["edge"]["hostports"][0], str(one["route"])): one["access"] for one in each["exposure"] if one["route"]}
        for each in (result, declared)
    ]
    assert by_route[0] == by_route[1]
    assert (result["changed"], writes(result), "operations" in result) == (False, [], False)


def test_what_is_exported_is_at_the_same_place(tasks: Tasks) -> None:
    seed_shop(tasks)
    exported = tasks.done("estate_info")["estate"]
    for one in tasks.done("exposure_info", tunnels=False)["exposure"]:
        number = int(one["path"].split("[")[1].split("]")[0])
        assert exported["https_edges"][number]["hostports"] == one["edge"]["hostports"]


def test_only_what_is_asked_for_is_read(tasks: Tasks) -> None:
    result = tasks.done("exposure_info", https_edges=False, tunnels=False)
    assert result["sent"] == []
    assert {one["path"] for one in result["not_judged"]} == {
        "https_edges",
        "tls_edges",
        "event_subscriptions",
        "tunnels",
    }


def test_what_a_declaration_does_not_show_is_said(tasks: Tasks) -> None:
    """An object that exists keeps its settings, and declarations contain no tunnels."""
    unknown = {one["path"] for one in tasks.done("exposure_info", estate=HOLE)["not_judged"]}
    assert unknown >= {"estate", "tls_edges", "event_subscriptions", "tunnels"}
    assert "https_edges[0]" not in unknown


def test_a_tls_edge_that_may_not_exist_is_not_public(tasks: Tasks) -> None:
    seed_tls_edge(tasks)
    tasks.service.switches(unset_module="not_found")
    result = tasks.done("exposure_info", https_edges=False, tunnels=False, tls_edges=[TLS_EDGE])
    assert result["exposure"] == []
    assert any("404" in one["why"] for one in result["not_judged"])


@pytest.mark.parametrize("secrets", ["echoed", "redacted", "emptied", "left_out"])
def test_secrets_and_values_of_headers_are_not_returned(tasks: Tasks, secrets: str) -> None:
    tasks.service.switches(secrets=secrets)
    modules = {
        "webhook_verification": {"provider": "github", "secret": "canary-webhook"},
        "oidc": {"issuer": "http://id.example.com", "client_id": "app", "client_secret": "canary-oidc"},
        "request_headers": {"add": {"Authorization": "Bearer canary-header"}},
        "policy": {"inbound": [{"actions": [{"type": "x", "config": {"token": "canary-policy"}}]}]},
    }
    route = {**PREFIX, "match": "/", **modules}
    seed_edge(tasks, routes=[route])
    for result in (
        tasks.done("exposure_info"),
        tasks.failed("exposure_info", fail_on="low"),
        tasks.done("exposure_info", estate={"https_edges": [{"hostports": [HOSTPORT], "routes": [route]}]}),
    ):
        assert {one["rule"] for one in result["findings"]} == {"plain_http_issuer", "credential_in_header"}
        del result["sent"]
        assert "canary" not in json.dumps(result)
        is_unknown = any(one["path"].endswith("webhook_verification.secret") for one in result["not_judged"])
        assert not is_unknown or secrets != "echoed"


def test_secrets_of_a_declaration_are_known_to_be_masked() -> None:
    action = {"type": "x", "config": {"token": "canary-of-a-policy"}}
    route = {"webhook_verification": {"secret": "canary"}, "policy": {"inbound": [{"actions": [action]}]}}
    arguments = checked(DEFINITION, {"estate": {"https_edges": [{"routes": [route]}]}})
    shown = masked({"quoted": "not canary, not canary-of-a-policy"}, DEFINITION, arguments)
    assert shown == {"quoted": "not ********, not ********"}
    assert [*DEFINITION.secrets({"estate": None}), *DEFINITION.secrets({"estate": "x"})] == []


def test_providers_that_may_be_unused_are_not_judged(tasks: Tasks) -> None:
    tasks.service.switches(unused_providers="empty_object", empty_lists="missing", empty_text="missing")
    seed_edge(tasks, routes=[{**PREFIX, "match": "/", "oauth": {"provider": {"google": {}}}}])
    result = tasks.done("exposure_info")
    assert result["findings"] == []
    assert any(one["path"].endswith("oauth.provider") for one in result["not_judged"])


def test_hostile_strings_are_shown_as_they_are(tasks: Tasks) -> None:
    strings = [text for text in HOSTILE if text.strip() and "\0" not in text and len(text) < 255]
    modules = {
        "oidc": {"issuer": "x", "client_id": "x"},
        "webhook_verification": {"provider": "x", "secret": "words"},
        "user_agent_filter": {"deny": ["x"]},
    }
    tunnels = [
        {"id": f"tn_{number}", "proto": "tcp", "public_url": text, "forwards_to": text, "metadata": text}
        for number, text in enumerate(strings)
    ]
    edges = []
    for number, text in enumerate(strings):
        hostile = json.loads(json.dumps(modules).replace('"x"', json.dumps(text)))
        routes = [{**PREFIX, "match": text, **hostile, "description": text}, {**PREFIX, "match": f"/{text}", **OFFICE}]
        edges.append(
            {
                "hostports": [f"h{number}.example.com:443"],
                "description": text,
                "metadata": text,
                "tls_termination": {"min_version": text},
                "routes": routes,
            }
        )
    tasks.service.seed(https_edges=edges, tunnels=tunnels)
    result = tasks.done("exposure_info")
    assert {one["route"]["match"] for one in result["exposure"] if one["route"]} >= set(strings)
    assert result["findings"] == []
    assert len(result["not_judged"]) >= 3 * len(strings)


@pytest.mark.parametrize(("severity", "fails"), [("high", True), ("medium", True), ("low", True)])
def test_fail_on(tasks: Tasks, severity: str, fails: bool) -> None:
    result = tasks.failed("exposure_info", estate=HOLE, fail_on=severity)
    assert [one["rule"] for one in result["findings"]] == ["hole_below_protected_prefix"]
    assert result["summary"]["findings"] == {"high": 1, "medium": 0, "low": 0}
    head, line = result["msg"].splitlines()
    assert head == f"1 finding of severity {severity}{'' if severity == 'high' else ' or higher'}:"
    assert line.startswith(f"- {ACCEPTED['object']}: Everyone can reach")


def test_a_lower_severity_does_not_fail(tasks: Tasks) -> None:
    estate = {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": []}]}
    assert tasks.done("exposure_info", estate=estate, fail_on="medium")["summary"]["findings"]["low"] == 1
    tasks.failed("exposure_info", estate=estate, fail_on="low")


UNTIL: list[tuple[dict[str, Any], bool, str]] = [
    ({}, True, ""),
    ({"until": TODAY.isoformat()}, True, ""),
    (
        {"until": (TODAY - timedelta(days=1)).isoformat()},
        False,
        "accept[0]: expired on 2027-03-30, so its findings count again.",
    ),
    ({"object": "*"}, True, ""),
    ({"object": "*path_prefix /a of*"}, True, ""),
    (
        {"object": "https_edge_route"},
        False,
        "accept[0]: no finding of hole_below_protected_prefix matches 'https_edge_route'; remove it.",
    ),
    ({"rule": "old_tls"}, False, f"accept[0]: no finding of old_tls matches '{ACCEPTED['object']}'; remove it."),
    ({"rule": "service_port_in_the_open"}, False, ""),
]


@pytest.mark.parametrize(("exception", "is_accepted", "warning"), UNTIL)
def test_exceptions(tasks: Tasks, exception: dict[str, Any], is_accepted: bool, warning: str) -> None:
    """Tunnels are not part of the declaration, so an exception for one is not useless."""
    result = tasks.run("exposure_info", estate=HOLE, fail_on="high", accept=[{**ACCEPTED, **exception}])
    assert result.get("failed", False) != is_accepted
    assert result.get("warnings", []) == ([warning] if warning else [])
    [finding] = result["findings"]
    accepted = {"reason": ACCEPTED["reason"], "until": exception.get("until")} if is_accepted else None
    assert finding["accepted"] == accepted
    assert result["summary"]["accepted"] == is_accepted


def test_an_exception_matches_with_and_without_the_id(tasks: Tasks) -> None:
    seed_edge(tasks, routes=HOLE["https_edges"][0]["routes"])
    [finding] = tasks.done("exposure_info", accept=[ACCEPTED], fail_on="high")["findings"]
    assert finding["object"] != ACCEPTED["object"]
    tasks.done("exposure_info", accept=[{**ACCEPTED, "object": finding["object"]}], fail_on="high")


UNFILLED: dict[str, Any] = {"user_agent_filter": {}}
UNFILLED_PATH = "estate.https_edges[0].routes[0].user_agent_filter"
OPTION_ERRORS: list[tuple[dict[str, Any], list[str]]] = [
    ({"fail_on": None}, ["fail_on: expected a string, got null; check whether the variable that it comes from is set"]),
    ({"fail_on": ""}, ["fail_on: '' is not allowed; expected high, medium, or low"]),
    (
        {"accept": None},
        ["accept: expected a list of dictionaries, got null; write [] for an empty list"],
    ),
    ({"accept": [{**ACCEPTED, "rule": "old_tsl"}]}, ["accept[0].rule: 'old_tsl' is not allowed"]),
    (
        {"accept": [{**ACCEPTED, "until": None}]},
        ["accept[0].until: expected a string, got null; check whether the variable that it comes from is set"],
    ),
    (
        {"accept": [{**ACCEPTED, "until": "31.3.2027"}]},
        ["accept[0].until: '31.3.2027' is not a date; expected a date such as '2027-03-31'"],
    ),
    (
        {"accept": [{**ACCEPTED, "until": "2027-02-29"}]},
        ["accept[0].until: '2027-02-29' is not a date; expected a date such as '2027-03-31'"],
    ),
    (
        {"accept": [{**ACCEPTED, "reason": " "}]},
        ["accept[0].reason: is empty; check whether the variable that it comes from is set"],
    ),
    (
        {"accept": [{**ACCEPTED, "object": ""}]},
        ["accept[0].object: is empty; check whether the variable that it comes from is set"],
    ),
    ({"accept": [{"rule": "old_tls"}]}, ["accept[0].object: required", "accept[0].reason: required"]),
    ({"estate": None}, ["estate: expected a dictionary, got null"]),
    ({"estate": {}}, ["estate: nothing is declared; set objects, https_edges, tls_edges, or event_subscriptions"]),
    ({"estate": {"https_edge": []}}, ["estate.https_edge: unknown option; did you mean `https_edges`?"]),
    ({"estate": {"purge": [], **HOLE}}, ["estate.purge: unknown option"]),
    (
        {"estate": HOLE, "tls_edges": [TLS_EDGE]},
        ["tls_edges: has no effect with `estate`, which is judged without a request; remove one of the two"],
    ),
    ({"estate": {"tls_edges": [{}]}}, ["estate.tls_edges[0].edge_id: required"]),
    ({"estate": {"https_edges": [{"hostports": ["x"]}]}}, ["estate.https_edges[0].hostports[0]: 'x' has no port"]),
    (
        {"estate": {"https_edges": [{"hostports": [HOSTPORT], "mutual_tls": {"enabled": "maybe"}}]}},
        ["estate.https_edges[0].mutual_tls.enabled: "],
    ),
    (
        {"estate": {"https_edges": [{"hostports": [HOSTPORT], "routes": [{**PREFIX, "match": "/", **UNFILLED}]}]}},
        [f"{UNFILLED_PATH}.allow or {UNFILLED_PATH}.deny: required (an empty list is allowed); set one of them"],
    ),
    ({"tls_edges": ["esb_x"]}, ["tls_edges[0]: "]),
]


@pytest.mark.parametrize(("options", "option_errors"), OPTION_ERRORS)
def test_option_errors_come_before_any_request(tasks: Tasks, options: dict[str, Any], option_errors: list[str]) -> None:
    result = tasks.failed("exposure_info", **options)
    assert result["sent"] == []
    assert len(result["option_errors"]) == len(option_errors)
    for found, beginning in zip(result["option_errors"], option_errors, strict=True):
        assert found.startswith(beginning)


def test_words_for_booleans_are_understood_inside_of_a_declaration(tasks: Tasks) -> None:
    """A template returns a string on old versions of Ansible. Every string is true in Python."""
    routes = [{**PREFIX, "match": "/", "ip_restriction": {"enabled": "False", "ip_policy_ids": "ipp_office"}}]
    result = tasks.done("exposure_info", estate={"https_edges": [{"hostports": [HOSTPORT], "routes": routes}]})
    assert result["exposure"][0]["access"] == ["public"]


def test_a_subscription_that_does_not_exist_fails(tasks: Tasks) -> None:
    seed_subscription(tasks)
    assert "esb_other" in tasks.failed("exposure_info", event_subscriptions=["esb_other"])["msg"]
