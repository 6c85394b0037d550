# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that services return in another form than they were sent: they are the same, and others still differ."""

from __future__ import annotations

from typing import Any

import pytest

from convergence import converges
from module_task import Tasks, writes
from places import held_route, seed_route
from rich_world import FIRST

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
def test_it_converges(tasks: Tasks, case: str) -> None:
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
