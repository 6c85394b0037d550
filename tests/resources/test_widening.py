# SPDX-License-Identifier: GPL-3.0-or-later
"""A change that may let more people in says so, in check mode and in a real run; no other change does."""

from __future__ import annotations

from typing import Any

import pytest

from convergence import WIDENED, widened
from module_task import Tasks
from places import EDGE, HOSTPORT, TLS_EDGE, seed_edge, seed_route, seed_tls_edge
from rich_world import FIRST
from scripted_service import Response, forwarding, scripted_service

GITHUB = {"github": {"organizations": ["acme"], "teams": ["acme/one"]}}


def oauth(**providers: Any) -> dict[str, Any]:
    return {"oauth": {"provider": providers}}


# What is on the route, what is declared, and what the warning names.
ROUTES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    **{
        f"{name} removed": ({name: FIRST[name]}, {"absent_modules": [name]}, f"{name} is removed")
        for name in ("oauth", "oidc", "saml", "ip_restriction", "webhook_verification")
    },
    "purged": ({"oidc": FIRST["oidc"]}, {"purge_modules": True}, "oidc is removed"),
    "disabled": ({"oidc": FIRST["oidc"]}, {"oidc": {**FIRST["oidc"], "enabled": False}}, "oidc is disabled"),
    "two together": (
        {"oidc": FIRST["oidc"], "ip_restriction": FIRST["ip_restriction"]},
        {"purge_modules": True},
        "ip_restriction is removed; oidc is removed",
    ),
    "the last policy": (
        {"ip_restriction": FIRST["ip_restriction"]},
        {"ip_restriction": {"ip_policy_ids": []}},
        "ip_restriction no longer restricts access, because ip_policy_ids became empty",
    ),
    "the last group": (
        {"saml": FIRST["saml"]},
        {"saml": {**FIRST["saml"], "authorized_groups": []}},
        "saml no longer restricts access, because authorized_groups became empty",
    ),
    "the last organization": (
        oauth(**GITHUB),
        oauth(github={"scopes": []}),
        "oauth.provider.github no longer restricts access, because teams and organizations became empty",
    ),
    "the last address": (
        oauth(google={"email_addresses": ["a@example.com"]}),
        oauth(google={"email_addresses": []}),
        "oauth.provider.google no longer restricts access, because email_addresses became empty",
    ),
    "another login, for anybody": (
        {"oidc": FIRST["oidc"]},
        {**oauth(github={"email_domains": []}), "absent_modules": ["oidc"]},
        "oidc is replaced, and oauth.provider.github has no restriction",
    ),
    "the secret": (
        {"webhook_verification": {"provider": "slack", "secret": "s3cret"}},
        {"webhook_verification": {"provider": "sns"}},
        "webhook_verification.secret is removed",
    ),
    "another provider": (
        oauth(**GITHUB),
        oauth(**GITHUB, google={"email_domains": []}),
        "oauth.provider.google has no restriction",
    ),
}

NOT_WIDER: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "another login": ({"oidc": FIRST["oidc"]}, {"saml": FIRST["saml"], "absent_modules": ["oidc"]}),
    "one of two": (oauth(**GITHUB), oauth(github={"organizations": ["acme"]})),
    "a provider fewer": (oauth(**GITHUB, google={"email_domains": ["example.com"]}), oauth(**GITHUB)),
    "what protects nothing": ({"compression": {"enabled": True}}, {"absent_modules": ["compression"]}),
    "what was disabled": ({"oidc": {**FIRST["oidc"], "enabled": False}}, {"absent_modules": ["oidc"]}),
    "what is new": ({}, {"ip_restriction": {"ip_policy_ids": []}}),
    "nothing": ({"oidc": FIRST["oidc"]}, {"description": "d"}),
}


@pytest.mark.parametrize(("live", "declared", "named"), ROUTES.values(), ids=ROUTES)
def test_a_route_that_opens(tasks: Tasks, live: dict[str, Any], declared: dict[str, Any], named: str) -> None:
    place = seed_route(tasks, **live)
    for check in (True, False):
        result = tasks.done("https_edge_route", check, **place, **declared, allow_empty=True)
        subject = f"https_edge_route path_prefix / of {HOSTPORT} (edghtsrt_place)"
        assert widened(result) == [f"{subject}: {WIDENED}: {named}."]
    assert not widened(tasks.done("https_edge_route", **place, **declared))


@pytest.mark.parametrize(("live", "declared"), NOT_WIDER.values(), ids=NOT_WIDER)
def test_a_route_that_does_not(tasks: Tasks, live: dict[str, Any], declared: dict[str, Any]) -> None:
    place = seed_route(tasks, **live)
    assert not widened(tasks.done("https_edge_route", True, **place, **declared, allow_empty=True))


def test_an_estate_warns_for_each_object_that_opens(tasks: Tasks) -> None:
    seed_edge(
        tasks,
        mutual_tls={"certificate_authority_ids": ["ca_one"]},
        routes=[{"match_type": "path_prefix", "match": "/", "oidc": FIRST["oidc"]}],
    )
    seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]}, tls_termination={"terminate_at": "edge"})
    options = {
        "https_edges": [{"id": EDGE, "routes": [{"match_type": "path_prefix", "match": "/"}]}],
        "tls_edges": [{"edge_id": TLS_EDGE, "absent_modules": ["ip_restriction"]}],
        "purge": ["modules"],
    }
    dry, real = (tasks.done("estate", check, **options) for check in (True, False))
    assert widened(dry) == widened(real)
    assert [warning.split(f": {WIDENED}: ")[1] for warning in widened(real)] == [
        "mutual_tls is removed.",
        "oidc is removed.",
        "it is removed.",
    ]


@pytest.mark.parametrize(
    ("declared", "named"),
    [
        ({"enabled": False, "ip_policy_ids": ["ipp_one"]}, "it is disabled"),
        ({"ip_policy_ids": []}, "it no longer restricts"),
    ],
)
def test_a_tls_edge_that_opens(tasks: Tasks, declared: dict[str, Any], named: str) -> None:
    edge_id = seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]})
    [warning] = widened(tasks.done("tls_edge_ip_restriction", True, edge_id=edge_id, **declared))
    assert f"{WIDENED}: {named}" in warning


def test_a_change_that_failed_before_anything_was_done_does_not_warn(tasks: Tasks) -> None:
    place = seed_route(tasks, oidc=FIRST["oidc"], compression={"enabled": True})
    to_the_service = forwarding(tasks.service.base_url)
    with scripted_service(
        lambda got: Response(403) if got.path.endswith("compression") else to_the_service(got)
    ) as between:
        options = {"edge_id": EDGE, "routes": [{**place, "purge_modules": True}], "base_url": between.base_url}
        del options["routes"][0]["edge_id"]
        result = tasks.failed("https_edge_routes", **options)
    assert "compression" in result["msg"]
    # It is the first to be removed, so the login is still there.
    assert not widened(result)


DISABLED: list[tuple[str, dict[str, Any]]] = [
    (name, FIRST[name])
    for name in ("ip_restriction", "saml", "request_headers", "response_headers", "user_agent_filter", "policy")
]


@pytest.mark.parametrize(("name", "held"), DISABLED)
def test_what_is_only_disabled_keeps_what_it_holds(tasks: Tasks, name: str, held: dict[str, Any]) -> None:
    place = seed_route(tasks, **{name: held})
    before = tasks.done("https_edge_route", **place)["https_edge_route"][name]
    tasks.done("https_edge_route", **place, **{name: {"enabled": False}})
    after = tasks.done("https_edge_route", **place, **{name: {"enabled": False}})
    assert not after["changed"]
    assert after["https_edge_route"][name] == {**before, "enabled": False}


def test_a_restriction_of_a_tls_edge_that_is_only_disabled_keeps_its_policies(tasks: Tasks) -> None:
    edge_id = seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]})
    result = tasks.done("tls_edge_ip_restriction", edge_id=edge_id, enabled=False)
    assert result["ip_restriction"] == {"enabled": False, "ip_policy_ids": ["ipp_one"]}
    tasks.service.switches(references="single")
    seed_route(tasks, ip_restriction={"ip_policy_ids": ["ipp_one", "ipp_two"]})
    # What is not shown is not thrown away.
    options = {"edge_id": EDGE, "match_type": "path_prefix", "match": "/", "ip_restriction": {"enabled": False}}
    failed = tasks.failed("https_edge_route", **options)
    assert "ip_restriction.ip_policy_ids: required, because the service returns only one" in failed["msg"]
    assert not [request for request in failed["sent"] if request["method"] != "GET"]
