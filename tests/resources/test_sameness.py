# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts as the same, in whichever form a service returns it."""

from __future__ import annotations

import pytest

from cases import cases
from convergence import converges
from module_task import Given, Tasks, writes
from places import EDGE, KEY, ROUTE, in_each_module, seed_edge, seed_route
from rich_world import FIRST

RULE = {"name": "r", "expressions": ["a", "b"], "actions": {"type": "deny", "config": {"x": 1}}}


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
    addresses in upper case | letter_case: upper | oauth: {provider: {google: *google}}
    a breaker of zeros | empty_is_default: true | circuit_breaker: *zeros
    an empty prefix | empty_is_default: true | oidc: {<<: *oidc, cookie_prefix: ""}
    an empty format | empty_is_default: true | saml: {idp_metadata: <x/>, cookie_prefix: "", nameid_format: ""}
    providers like unused ones | {unused_providers: empty_object, provider_content: left_out}
        | oauth: {provider: {github: {}, google: *google}}
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
    another provider | webhook_verification: *webhook | {provider: github, secret: s}
    another prefix | oidc: {<<: *oidc, cookie_prefix: mine} | {<<: *oidc, cookie_prefix: ""}
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
