# SPDX-License-Identifier: GPL-3.0-or-later
"""Declarations that a service may accept, and that are hardly what somebody wants: the task that makes them warns."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from places import EDGE, HOSTPORT, KEY, ROUTE, in_each_module, seed_edge, seed_route

Given = dict[str, Any]

OAUTH: Given = {"oauth": {"provider": {"github": {"client_id": "c", "client_secret": "canary-of-oauth"}}}}
NO_SECRET: Given = {"oidc": {"issuer": "https://issuer.example.com", "client_id": "c"}}
OIDC: Given = {"oidc": {**NO_SECRET["oidc"], "client_secret": "canary-of-oidc"}}
GOOGLE: Given = {"oauth": {"provider": {"google": {}}}}
SOMEBODY: Given = {"oauth": {"provider": {"google": {"email_domains": ["example.com"]}}}}
NETWORK: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_one"]}}
SLASH = "`match` has no leading slash, but every path begins with one. Did you mean {}?"
SEVERAL = "oauth and oidc are enabled. Some services allow only one of them on a route."
WITHOUT_SECRET = (
    "`oidc.client_secret` is omitted, so the new login has no secret, and works only with a provider that needs none."
)
EVERYONE = "`oauth.provider.google` lists nobody, so everyone with an account at google can log in."
NEW = {"description": "new"}

# What is live of the route (None: there is none), what is declared, and the warning.
CASES: dict[str, tuple[Given | None, Given, str]] = {
    "a match without a slash": (None, {"match": "admin"}, SLASH.format("/admin")),
    "the match of before": ({"match": "admin"}, {"match": "admin", **NEW}, ""),
    "a match that becomes one without": (
        {"match": "admin"},
        {"id": ROUTE, "match": "x/admin"},
        SLASH.format("/x/admin"),
    ),
    "two logins": ({}, {**OAUTH, **OIDC}, SEVERAL),
    "one more login": (OAUTH, OIDC, SEVERAL),
    "two logins of before": ({**OAUTH, **OIDC}, NEW, ""),
    "no secret": ({}, NO_SECRET, WITHOUT_SECRET),
    "no secret of what is disabled": ({}, {"oidc": {**NO_SECRET["oidc"], "enabled": False}}, ""),
    "the secret of before": (OIDC, {**NO_SECRET, **NEW}, ""),
    "no secret as before": (NO_SECRET, {**NO_SECRET, **NEW}, ""),
    "an open route gets a login for everyone": ({}, GOOGLE, EVERYONE),
    "a new route gets a login for everyone": (None, GOOGLE, EVERYONE),
    "it admits some": (None, SOMEBODY, ""),
    "only one of two does": (None, {"oauth": {"provider": {**GOOGLE["oauth"]["provider"], "github": {}}}}, EVERYONE),
    "it is disabled": (None, {"oauth": {**GOOGLE["oauth"], "enabled": False}}, ""),
    "a network is required as well": (None, {**GOOGLE, **NETWORK}, ""),
    "it is there": (GOOGLE, NEW, ""),
    "it admitted some, which is a warning of its own": (SOMEBODY, GOOGLE, ""),
}
ALL = (SLASH.format("")[:20], SEVERAL, WITHOUT_SECRET, EVERYONE)


def doubts(result: Given) -> list[str]:
    """The warnings of these kinds, without the name of the route."""
    found = [one.partition(": ")[2] for one in result.get("warnings", ())]
    return [one for one in found if one.startswith(ALL)]


@pytest.mark.parametrize(("live", "declared", "warning"), CASES.values(), ids=CASES)
def test_what_is_new_and_doubtful_is_a_warning(tasks: Tasks, live: Given | None, declared: Given, warning: str) -> None:
    seed_edge(tasks) if live is None else seed_route(tasks, **live)
    options = {"edge_id": EDGE, **KEY, **declared}
    for check in (True, False):
        # Whether it allows several logins, a service says itself in a real run.
        is_warned = bool(warning) and (check or warning != SEVERAL)
        found = doubts(tasks.done("https_edge_route", check, **options))
        assert [one[: len(warning)] for one in found] == [warning] * is_warned
    assert doubts(tasks.done("https_edge_route", **options)) == []


@pytest.mark.parametrize("module", ["https_edge_route", "https_edge_routes", "estate"])
def test_every_module_that_declares_a_route_warns(tasks: Tasks, module: str) -> None:
    seed_edge(tasks)
    options = in_each_module(GOOGLE)[module]
    for check, expected in ((True, [EVERYONE]), (False, [EVERYONE]), (False, [])):
        result = tasks.done(module, check, **options)
        assert [EVERYONE for one in result.get("warnings", ()) if EVERYONE in one] == expected


TLS, PROVIDER = "tls_termination.min_version", "webhook_verification.provider"
# Values of which nobody knows all, and the known one that they almost are.
NEAR_MISSES: list[tuple[str, str, str]] = [
    *((TLS, value, meant) for value, meant in (("12", "1.2"), ("1,3", "1.3"), ("1.22", "1.2"))),
    *((TLS, value, "") for value in ("1.3", "TLSv1.3", "")),
    *((PROVIDER, value, meant) for value, meant in (("gihtub", "github"), ("Slak", "slack"), ("stripee", "stripe"))),
    *((PROVIDER, value, "") for value in ("smd", "SLACK", "acme")),
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("path", "value", "meant"), NEAR_MISSES)
def test_a_value_that_is_almost_a_known_one_is_a_warning(
    tasks: Tasks, path: str, value: str, meant: str, check: bool
) -> None:
    seed_edge(tasks)
    edge: Given = {"hostports": [HOSTPORT], "tls_termination": {"min_version": value}}
    if path == PROVIDER:
        webhook = {"webhook_verification": {"provider": value, "secret": "words-of-the-provider"}}
        edge = {"hostports": [HOSTPORT], "routes": [{**KEY, **webhook}]}
    result = tasks.done("estate", check, https_edges=[edge])
    warnings = [warning for warning in result.get("warnings", ()) if path in warning]
    assert [f"did you mean `{meant}`?" in warning for warning in warnings] == [True] * bool(meant)
    if not check:  # The service has accepted it.
        assert "did you mean" not in str(tasks.done("estate", https_edges=[edge]).get("warnings"))
