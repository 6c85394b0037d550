# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that services return in another form than they were sent: they are the same, and others still differ."""

from __future__ import annotations

import json
from typing import Any

import pytest

from convergence import converges
from module_task import Tasks, writes
from places import EDGE, KEY, ROUTE, held_route, seed_edge, seed_route
from rich_world import FIRST
from scripted_service import Received, Response, as_json, forwarding, scripted_service

RULE = {"name": "r", "expressions": ["a"], "actions": [{"type": "deny", "config": {"x": 1}}]}
NUMBERS = ("tripped_duration", "rolling_window", "num_buckets", "volume_threshold", "error_threshold_percentage")
OIDC = {"issuer": "https://id.example.com", "client_id": "c", "client_secret": "s"}
SAML = {"idp_metadata": "<x/>"}
GOOGLE = {"email_addresses": ["Ann@Example.com"], "email_domains": ["Example.org"]}

CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # The habits of the service, and what is declared.
    "addresses in lower case": ({"letter_case": "lower"}, {"oauth": {"provider": {"google": GOOGLE}}}),
    "addresses in upper case": ({"letter_case": "upper"}, {"oauth": {"provider": {"google": GOOGLE}}}),
    "a webhook provider": ({"letter_case": "upper"}, {"webhook_verification": {"provider": "slack", "secret": "s"}}),
    "a breaker of zeros": ({"empty_is_default": True}, {"circuit_breaker": dict.fromkeys(NUMBERS, 0)}),
    "an empty prefix": ({"empty_is_default": True}, {"oidc": {**OIDC, "cookie_prefix": ""}}),
    "an empty format": ({"empty_is_default": True}, {"saml": {**SAML, "cookie_prefix": "", "nameid_format": ""}}),
    "a policy in a string": ({"policy_name": "value"}, {"policy": {"inbound": RULE, "outbound": [RULE]}}),
    "durations": ({"durations": "text"}, {"circuit_breaker": {"tripped_duration": 90, "rolling_window": 10}}),
    "declared durations": ({}, {"circuit_breaker": {"tripped_duration": "1m30s", "rolling_window": "10s"}}),
    "both durations": ({"durations": "text"}, {"oidc": {**OIDC, "inactivity_timeout": "2h", "maximum_duration": "0s"}}),
}


@pytest.mark.parametrize("case", CASES)
def test_differently_written_values_converge(tasks: Tasks, case: str) -> None:
    switches, declared = CASES[case]
    place = seed_route(tasks)
    tasks.service.switches(**switches)
    assert writes(converges(tasks, "https_edge_route", **place, **declared))
    tasks.service.switches()
    assert not tasks.done("https_edge_route", **place, **declared)["changed"]


OTHER: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "another address": ({"oauth": {"provider": {"google": GOOGLE}}}, {"google": {"email_addresses": ["bob@x.com"]}}),
    "another number": ({"circuit_breaker": {"num_buckets": 20}}, {"num_buckets": 0}),
    "another fraction": ({"circuit_breaker": {"error_threshold_percentage": 0.25}}, {"error_threshold_percentage": 0}),
    "another time": ({"circuit_breaker": {"tripped_duration": 9}}, {"tripped_duration": "10s"}),
    "another provider": (
        {"webhook_verification": FIRST["webhook_verification"]},
        {"provider": "github", "secret": "s"},
    ),
    "another prefix": ({"oidc": {**OIDC, "cookie_prefix": "mine"}}, {**OIDC, "cookie_prefix": ""}),
    "another rule": ({"policy": {"inbound": RULE}}, {"inbound": {**RULE, "name": "other"}}),
}


@pytest.mark.parametrize("case", OTHER)
@pytest.mark.parametrize("is_default", [True, False])
def test_what_differs_is_sent(tasks: Tasks, case: str, is_default: bool) -> None:
    live, declared = OTHER[case]
    place = seed_route(tasks, **live)
    tasks.service.switches(empty_is_default=is_default, policy_name="value", letter_case="upper", durations="text")
    [module] = live
    options = {module: {"provider": declared} if module == "oauth" else declared}
    assert len(writes(converges(tasks, "https_edge_route", **place, **options))) == 1


@pytest.mark.parametrize("given", ["10", 10, "10s", " 10s ", "10.0s", "0h10s", "10000ms", "0m10s"], ids=repr)
def test_durations_are_sent_as_seconds(tasks: Tasks, given: Any) -> None:
    place = seed_route(tasks)
    tasks.done("https_edge_route", **place, circuit_breaker={"tripped_duration": given})
    assert held_route(tasks)["circuit_breaker"]["tripped_duration"] == 10


@pytest.mark.parametrize("given", ["10x", "s", "10 s", "1500ms", "-10s", "10s5", "1d", "9999999999s"])
def test_what_is_not_a_duration(tasks: Tasks, given: str) -> None:
    place = seed_route(tasks)
    result = tasks.failed("https_edge_route", **place, circuit_breaker={"tripped_duration": given})
    assert "circuit_breaker.tripped_duration: " in result["msg"]
    assert not result["sent"]


def test_only_seconds_may_be_durations(tasks: Tasks) -> None:
    place = seed_route(tasks)
    result = tasks.failed("https_edge_route", **place, circuit_breaker={"num_buckets": "10s"})
    assert "circuit_breaker.num_buckets: '10s' is not an integer" in result["msg"]


POLICY = '{"inbound": [{"name": "r", "actions": [{"type": "deny"}]}], "outbound": []}\n'
WRITTEN = '{"outbound":[],"inbound":[{"actions":[{"type":"deny"}],"name":"r"}]}'


@pytest.mark.parametrize("declared", [POLICY, {"value": POLICY}], ids=["a string", "a value"])
def test_a_written_policy_of_an_object_is_compared_by_meaning(tasks: Tasks, declared: Any) -> None:
    """There are services that write the JSON in their own way."""
    live = WRITTEN if isinstance(declared, str) else {"value": WRITTEN, "enabled": True}
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one", "description": "x", "metadata": WRITTEN}]})
    to_the_service = forwarding(tasks.service.base_url)

    def with_policy(request: Received) -> Response:
        response = to_the_service(request)
        found = json.loads(response.body)
        return as_json({**found, "ip_policies": [{**one, "traffic_policy": live} for one in found["ip_policies"]]})

    one = {"collection": "ip_policies", "find_by": {"description": "x"}}
    with scripted_service(with_policy) as between:
        options = {**one, "base_url": between.base_url}
        assert not tasks.done("object", **options, body={"traffic_policy": declared})["changed"]
        others = [
            POLICY.replace("deny", "log") if isinstance(declared, str) else {"value": POLICY.replace("deny", "log")},
            POLICY.upper() if isinstance(declared, str) else {"value": POLICY.upper()},
        ]
        for other in others:
            assert tasks.done("object", True, **options, body={"traffic_policy": other})["changed"]


CLEARED: dict[str, tuple[str, dict[str, Any]]] = {
    "a route": ("https_edge_route", {"edge_id": EDGE, **KEY, "description": ""}),
    "an edge": ("https_edge", {"id": EDGE, "metadata": ""}),
    "an edge and its route": (
        "estate",
        {"https_edges": [{"id": EDGE, "description": "", "metadata": "", "routes": [{**KEY, "metadata": ""}]}]},
    ),
    "an object": ("object", {"collection": "ip_policies", "id": "ipp_one", "body": {"description": ""}}),
}


@pytest.mark.parametrize("case", CLEARED)
def test_strings_that_the_service_does_not_clear_change_nothing(tasks: Tasks, case: str) -> None:
    old = {"description": "old", "metadata": "old"}
    seed_edge(tasks, **old, routes=[{"id": ROUTE, **KEY, **old}])
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one", **old}]})
    tasks.service.switches(cleared_text="ignored")
    module, options = CLEARED[case]
    for _run in range(2):
        result = tasks.done(module, **options)
        assert result["changed"] is False
        assert result["operations"] == []
        assert writes(result)
        assert "does not clear" in result["warnings"][0]
        assert any(name in result["warnings"][0] for name in old)
    tasks.service.switches()
    converges(tasks, module, **options)


def test_a_change_next_to_a_string_that_the_service_does_not_clear(tasks: Tasks) -> None:
    place = seed_route(tasks, description="old", metadata="old")
    tasks.service.switches(cleared_text="ignored")
    first, again = (tasks.done("https_edge_route", **place, description="", metadata="new") for _run in range(2))
    assert (first["changed"], again["changed"]) == (True, False)
    assert "description" in first["warnings"][0]
    assert "description" in again["warnings"][0]
