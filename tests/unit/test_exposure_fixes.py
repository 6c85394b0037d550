# SPDX-License-Identifier: GPL-3.0-or-later
"""What findings say about how to fix them: options to copy, or what people must do."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.finding import Rule
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import ACCEPTABLE, RULES
from estates_to_judge import (
    APP,
    CLIENTS,
    OFFICE,
    OIDC,
    STAFF,
    TRIGGERED,
    WEBHOOK,
    Given,
    disabled,
    edge,
    edges,
    found,
    hears,
    route,
)


def test_everything_that_protects_the_prefix_is_a_fix() -> None:
    teams = {"oauth": {"provider": {"github": {"organizations": ["edgeops"]}}}}
    [finding] = found(edges(edge(route("/", OFFICE, teams), route("/a"))), "hole_below_protected_prefix")
    assert finding["fix_options"] == {
        "ip_restriction": {"enabled": True, "ip_policy_ids": ["ipp_office"]},
        "oauth": {"enabled": True, "provider": {"github": {"organizations": ["edgeops"]}}},
    }


@pytest.mark.parametrize(
    "protection",
    [OIDC, WEBHOOK, {"oauth": {"provider": {"google": {**APP, "email_domains": ["example.com"]}}}}],
    ids=["oidc", "webhook_verification", "oauth"],
)
def test_a_protection_that_needs_a_secret_is_not_copied(protection: Given) -> None:
    """The secret is not known, and the rest of what protects the prefix alone would not be enough."""
    [finding] = found(edges(edge(route("/", OFFICE, protection), route("/a"))), "hole_below_protected_prefix")
    assert finding["fix_options"] == {}


def test_no_second_login_is_a_fix() -> None:
    """Some services allow only one of them on a route, even if it is disabled."""
    inner = route("/a", disabled(OIDC))
    [finding] = found(edges(edge(route("/", STAFF), inner)), "hole_below_protected_prefix")
    assert finding["fix_options"] == {}


def test_a_protection_of_another_edge_is_not_an_option_of_a_route() -> None:
    given = edges(edge(route("/"), **CLIENTS), edge(route("/"), host="old.example.com"))
    [finding] = found(given, "backend_open_elsewhere")
    assert finding["fix_options"] == {}


def test_with_several_subscriptions_people_choose_which_one_reports_changes() -> None:
    given = hears()
    given["event_subscriptions"].append({"subscription_id": "esb_two", "sources": []})
    [finding] = found(given, "changes_without_subscription")
    assert finding["fix_options"] == {}


def merged(declared: Given, more: Given) -> Given:
    return {
        **declared,
        **{
            name: merged(declared.get(name) or {}, value) if isinstance(value, dict) else value
            for name, value in more.items()
        },
    }


def at(given: Given, path: str) -> Any:
    place: Any = given
    for part in path.replace("]", "").replace("[", ".").split("."):
        place = place[int(part)] if part.isdigit() else place[part]
    return place


def test_declaring_the_fix_removes_the_finding() -> None:
    """The options are relative to the object of the finding, so they are merged into its declaration."""
    fixed = set()
    for rule, path, given in TRIGGERED:
        [finding] = found(given, rule)
        if finding["fix_options"]:
            changed = deepcopy(given)
            place = re.match(r"\w+\[\d+\](?:\.routes\[\d+\])?", path)
            declared = at(changed, place[0]) if place else changed
            declared.update(merged(declared, finding["fix_options"]))
            # A route that is protected now may show that yet another one is not.
            assert path not in [one["path"] for one in found(changed, rule)]
            fixed.add(rule)
    assert fixed == set(ACCEPTABLE) - BY_PEOPLE.keys()


BY_PEOPLE = {
    "protected_route_deleted": "Keep the route",
    "login_for_everyone": "List",
    "webhook_without_secret": "Set the secret",
    "restriction_without_entries": "List",
    "policy_allows_everyone": "Allow only the networks",
    "credential_in_header": "Let the backend authenticate",
    "any_user_of_idp": "List the groups",
    "route_without_backend": "Declare `backend`",
    "service_port_in_the_open": "Restrict the addresses",
}
"""What only people know, such as a secret or who may get in: the sentence says what to do."""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_says_what_to_do(rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z].+\.", rule.fix)
    assert rule.fix.startswith(BY_PEOPLE.get(rule.name, ""))
