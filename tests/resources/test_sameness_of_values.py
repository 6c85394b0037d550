# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that services return in another form than they were sent: they are the same, and others still differ."""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from convergence import converges
from module_task import Tasks, writes
from places import EDGE, KEY, ROUTE, held_route, seed_edge, seed_route
from rich_world import FIRST
from scripted_service import as_json, in_turn

RULE = {"name": "r", "expressions": ["a"], "actions": [{"type": "deny", "config": {"x": 1}}]}
NUMBERS = ("tripped_duration", "rolling_window", "num_buckets", "volume_threshold", "error_threshold_percentage")
KNOWN = {
    "rule": RULE,
    "zeros": dict.fromkeys(NUMBERS, 0),
    "oidc": {"issuer": "https://id.example.com", "client_id": "c", "client_secret": "s"},
    "google": {"email_addresses": ["Ann@Example.com"], "email_domains": ["Example.org"]},
    "webhook": FIRST["webhook_verification"],
}

# The habits of the service, and what is declared.
CASES = cases(
    """
    addresses in lower case | letter_case: lower | oauth: {provider: {google: *google}}
    addresses in upper case | letter_case: upper | oauth: {provider: {google: *google}}
    a webhook provider | letter_case: upper | webhook_verification: {provider: slack, secret: s}
    a breaker of zeros | empty_is_default: true | circuit_breaker: *zeros
    an empty prefix | empty_is_default: true | oidc: {<<: *oidc, cookie_prefix: ""}
    an empty format | empty_is_default: true | saml: {idp_metadata: <x/>, cookie_prefix: "", nameid_format: ""}
    a policy in a string | policy_name: value | policy: {inbound: *rule, outbound: [*rule]}
    durations | durations: text | circuit_breaker: {tripped_duration: 90, rolling_window: 10}
    declared durations | {} | circuit_breaker: {tripped_duration: 1m30s, rolling_window: 10s}
    both durations | durations: text | oidc: {<<: *oidc, inactivity_timeout: 2h, maximum_duration: 0s}
    """,
    **KNOWN,
)


@pytest.mark.parametrize("case", CASES)
def test_differently_written_values_converge(tasks: Tasks, case: str) -> None:
    switches, declared = CASES[case]
    place = seed_route(tasks)
    tasks.service.switches(**switches)
    assert writes(converges(tasks, "https_edge_route", **place, **declared))
    tasks.service.switches()
    assert not tasks.done("https_edge_route", **place, **declared)["changed"]


# What is live, and what is declared of the same traffic module.
OTHER = cases(
    """
    another address | oauth: {provider: {google: *google}} | provider: {google: {email_addresses: [bob@x.com]}}
    another number | circuit_breaker: {num_buckets: 20} | num_buckets: 0
    another fraction | circuit_breaker: {error_threshold_percentage: 0.25} | error_threshold_percentage: 0
    another time | circuit_breaker: {tripped_duration: 9} | tripped_duration: 10s
    another provider | webhook_verification: *webhook | {provider: github, secret: s}
    another prefix | oidc: {<<: *oidc, cookie_prefix: mine} | {<<: *oidc, cookie_prefix: ""}
    another rule | policy: {inbound: *rule} | inbound: {<<: *rule, name: other}
    """,
    **KNOWN,
)


@pytest.mark.parametrize("case", OTHER)
@pytest.mark.parametrize("is_default", [True, False])
def test_what_differs_is_sent(tasks: Tasks, case: str, is_default: bool) -> None:
    live, declared = OTHER[case]
    place = seed_route(tasks, **live)
    tasks.service.switches(empty_is_default=is_default, policy_name="value", letter_case="upper", durations="text")
    [module] = live
    assert len(writes(converges(tasks, "https_edge_route", **place, **{module: declared}))) == 1


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
    listed = {"ip_policies": [{"id": "ipp_one", "description": "x", "metadata": WRITTEN, "traffic_policy": live}]}
    one = {"collection": "ip_policies", "find_by": {"description": "x"}}
    instead = in_turn(as_json({**listed, "uri": "/x", "next_page_uri": None}))
    assert not tasks.done("object", instead=instead, **one, body={"traffic_policy": declared})["changed"]
    for other in (POLICY.replace("deny", "log"), POLICY.upper()):
        body = {"traffic_policy": other if isinstance(declared, str) else {"value": other}}
        assert tasks.done("object", True, instead, **one, body=body)["changed"]


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
