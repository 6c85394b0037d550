# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts as the same, in whichever form a service returns it, what an omitted option means, and what else is sent
with a module.
"""

from __future__ import annotations

import pytest

from cases import cases
from convergence import converges
from module_task import Given, Tasks, writes
from places import (
    EDGE,
    HOSTPORT,
    KEY,
    ROUTE,
    UNSET_EDGE,
    held_edge,
    in_each_module,
    seed_edge,
    seed_route,
)
from rich_world import FIRST
from scripted_service import as_json, in_turn

RULE = {"name": "r", "expressions": ["a", "b"], "actions": {"type": "deny", "config": {"x": 1}}}


@pytest.mark.parametrize("check", [True, False])
def test_a_route_without_what_it_needs_stops_no_other(tasks: Tasks, check: bool) -> None:
    edge_id = seed_edge(tasks)
    fine, lacking = ({"match_type": "exact_path", "match": match} for match in ("/fine", "/lacking"))
    routes = [{**lacking, "oauth": {"enabled": True}}, fine]
    result = tasks.failed("https_edge_routes", check, edge_id=edge_id, routes=routes)
    [failure] = result["failures"]
    assert failure["object"] == f"https_edge_route exact_path /lacking of {HOSTPORT}"
    assert "oauth.provider: required, because it has no current value" in failure["msg"]
    assert [one["match"] for one in held_edge(tasks)["routes"]] == ["/fine"] * (not check)


def test_an_edge_keeps_what_is_not_declared(tasks: Tasks) -> None:
    held = {"mutual_tls": {"certificate_authority_ids": ["ca_b", "ca_a"]}}
    seed_edge(tasks, **held, description="d", metadata="m", tls_termination={"min_version": "1.3"})
    authorities = {"mutual_tls": {"certificate_authority_ids": ["ca_a", "ca_b"]}}
    for same in ({"id": EDGE}, {"hostports": [HOSTPORT.upper(), HOSTPORT], **authorities}):
        assert not tasks.done("https_edge", **same)["changed"]
    cleared = {"description": "", "hostports": [], "purge_hostports": True, "allow_empty": True}
    tasks.done("https_edge", id=EDGE, **cleared, tls_termination={"enabled": False})
    edge = held_edge(tasks)
    assert (edge["description"], edge["metadata"], edge["hostports"]) == ("", "m", [])
    assert edge["tls_termination"] == {"enabled": False, "min_version": "1.3"}
    assert edge["mutual_tls"] == held["mutual_tls"]


def test_hostports_in_other_scripts_are_found_in_either_form_and_sent_as_they_are_written(tasks: Tasks) -> None:
    forms = ["Bücher.example:443", "xn--bcher-kva.example:443"]
    for declared, shown in (forms, forms[::-1]):
        edge = {**UNSET_EDGE, "id": EDGE, "hostports": [shown]}
        instead = in_turn(as_json({"https_edges": [edge], "next_page_uri": None}))
        options = {"https_edges": [{"hostports": [declared]}], "purge": ["edges"]}
        assert not tasks.done("estate", instead=instead, **options)["changed"]
    tasks.done("https_edge", hostports=forms)
    assert held_edge(tasks)["hostports"] == forms[:1]
    twice = tasks.failed("estate", https_edges=[{"hostports": [each]} for each in forms])
    assert f"https_edges[1].hostports: {forms[1]} is already declared in https_edges[0]" in twice["msg"]


NUMBERS = ("tripped_duration", "rolling_window", "num_buckets", "volume_threshold", "error_threshold_percentage")
KNOWN = {
    "rule": RULE,
    "zeros": dict.fromkeys(NUMBERS, 0),
    "oidc": {"issuer": "https://id.example.com", "client_id": "c", "client_secret": "s"},
    "google": {"email_addresses": ["Ann@Example.com"], "email_domains": ["Example.org"]},
    "webhook": FIRST["webhook_verification"],
}

# The habits of the service, and what is declared.
HABITS = cases(
    """
    addresses in lower case | letter_case: lower | oauth: {provider: {google: *google}}
    addresses in upper case | letter_case: upper | oauth: {provider: {google: *google}}
    a webhook provider | letter_case: upper | webhook_verification: {provider: slack, secret: s}
    a breaker of zeros | empty_is_default: true | circuit_breaker: *zeros
    an empty prefix | empty_is_default: true | oidc: {<<: *oidc, cookie_prefix: ""}
    an empty format | empty_is_default: true | saml: {idp_metadata: <x/>, cookie_prefix: "", nameid_format: ""}
    unused providers as objects | unused_providers: empty_object | oauth: {provider: {github: {}, google: *google}}
    providers like unused ones | {unused_providers: empty_object, provider_content: left_out}
        | oauth: {provider: {github: {}, google: *google}}
    no unused providers | {unused_providers: missing, provider_content: left_out} | oauth: {provider: {github: {}}}
    a policy in a string | policy_name: value | policy: {inbound: *rule, outbound: [*rule]}
    durations | durations: text | circuit_breaker: {tripped_duration: 90, rolling_window: 10}
    declared durations | {} | circuit_breaker: {tripped_duration: 1m30s, rolling_window: 10s}
    both durations | durations: text | oidc: {<<: *oidc, inactivity_timeout: 2h, maximum_duration: 0s}
    """,
    **KNOWN,
)


@pytest.mark.parametrize("case", HABITS)
def test_values_that_the_service_writes_in_its_own_way_converge(tasks: Tasks, case: str) -> None:
    switches, declared = HABITS[case]
    place = seed_route(tasks)
    tasks.service.switches(**switches)
    assert writes(converges(tasks, "https_edge_route", **place, **declared))
    tasks.service.switches()
    assert not tasks.done("https_edge_route", **place, **declared)["changed"]


def test_a_plan_shows_every_provider_that_is_sent(tasks: Tasks) -> None:
    """This service does not show whether a provider is in use that lets in everyone, so it is sent all the same."""
    seed_route(tasks, oauth={"provider": {"google": KNOWN["google"]}, "cookie_prefix": "a."})
    tasks.service.switches(unused_providers="empty_object", provider_content="left_out")
    digests = set()
    for more in ({}, {"github": {}}):
        oauth = {"provider": {"google": KNOWN["google"], **more}, "cookie_prefix": "b."}
        result = tasks.done("https_edge_routes", True, **in_each_module({"oauth": oauth})["https_edge_routes"])
        assert result["plan"][0]["after"]["oauth"]["provider"].keys() == {"google", *more}
        digests.add(result["plan_digest"])
    assert len(digests) == 2


# What is live, and what is declared of the same traffic module.
OTHER_FORM = cases(
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


@pytest.mark.parametrize("case", OTHER_FORM)
@pytest.mark.parametrize("is_default", [True, False])
def test_what_differs_is_sent(tasks: Tasks, case: str, is_default: bool) -> None:
    live, declared = OTHER_FORM[case]
    place = seed_route(tasks, **live)
    tasks.service.switches(empty_is_default=is_default, policy_name="value", letter_case="upper", durations="text")
    [module] = live
    assert len(writes(converges(tasks, "https_edge_route", **place, **{module: declared}))) == 1


CLEARED: dict[str, Given] = {
    "https_edge_route": {"edge_id": EDGE, **KEY, "description": ""},
    "https_edge": {"id": EDGE, "metadata": ""},
    "estate": {"https_edges": [{"id": EDGE, "description": "", "metadata": "", "routes": [{**KEY, "metadata": ""}]}]},
    "object": {"collection": "ip_policies", "id": "ipp_one", "body": {"description": ""}},
}


@pytest.mark.parametrize(("module", "options"), CLEARED.items(), ids=CLEARED)
def test_strings_that_the_service_does_not_clear_change_nothing(tasks: Tasks, module: str, options: Given) -> None:
    old = {"description": "old", "metadata": "old"}
    seed_edge(tasks, **old, routes=[{"id": ROUTE, **KEY, **old}])
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one", **old}]})
    tasks.service.switches(cleared_text="ignored")
    for _run in range(2):
        result = tasks.done(module, **options)
        assert (result["changed"], result["operations"], bool(writes(result))) == (False, [], True)
        assert "does not clear" in result["warnings"][0]
        assert any(name in result["warnings"][0] for name in old)
    if module == "https_edge_route":
        for changes in (True, False):  # another field changes as well, and is then as declared
            result = tasks.done(module, **options, metadata="new")
            assert (result["changed"], "description" in result["warnings"][0]) == (changes, True)
    tasks.service.switches()
    converges(tasks, module, **options)
