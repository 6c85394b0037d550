# SPDX-License-Identifier: GPL-3.0-or-later
"""A login or a filter that is new and declared with empty lists: it would let everyone in, so the task must say so."""

from __future__ import annotations

from typing import Any

import pytest

from convergence import converges
from estates_to_judge import modules
from module_task import Tasks, writes
from places import HOSTPORT, KEY, TLS_EDGE, seed_edge, seed_route, seed_tls_edge

GITHUB = {"client_id": "c", "client_secret": "s", "teams": ["o/x"]}


def oauth(**providers: dict[str, Any]) -> dict[str, Any]:
    return {"oauth": {"provider": providers}}


# What is on the route, what is declared for it, and the path of the first empty list.
EMPTY: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, modules("saml=<x/>"), "saml.authorized_groups"),
    (modules("-saml=<x/>+a"), modules("saml=<x/>"), "saml.authorized_groups"),
    ({}, modules("no-policies"), "ip_restriction.ip_policy_ids"),
    ({}, oauth(github={**GITHUB, "teams": []}), "oauth.provider.github.teams"),
    ({}, oauth(github={"teams": [], "organizations": []}), "oauth.provider.github.teams"),
    ({}, oauth(github={"teams": ["o/x"]}, google={"email_domains": []}), "oauth.provider.google.email_domains"),
    (
        oauth(github=GITHUB),
        oauth(github=GITHUB, google={"email_addresses": []}),
        "oauth.provider.google.email_addresses",
    ),
]
RESTRICTED: list[dict[str, Any]] = [
    # What lets nobody more in than it says, or says that everyone is meant.
    modules("saml"),
    modules("saml=<x/>+a"),
    modules("-saml=<x/>"),
    oauth(github={}),
    oauth(github={"teams": ["o/x"], "organizations": []}),
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("live", "declared", "path"), EMPTY)
@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_new_must_not_admit_everyone(
    tasks: Tasks, live: dict[str, Any], declared: dict[str, Any], path: str, is_there: bool, check: bool
) -> None:
    place = seed_route(tasks, **live) if is_there else {"edge_id": seed_edge(tasks), **KEY}
    result = tasks.failed("https_edge_route", check, **place, **declared)
    refusal = f"{path}: it is empty, so everyone would be let in. If you want that, set `allow_empty: true`"
    assert (refusal in result["msg"], writes(result)) == (True, [])
    if not check:
        converges(tasks, "https_edge_route", **place, **declared, allow_empty=True)
        # What is there already stays.
        assert not tasks.done("https_edge_route", **place, **declared)["changed"]


@pytest.mark.parametrize("declared", RESTRICTED, ids=str)
def test_other_modules_are_created(tasks: Tasks, declared: dict[str, Any]) -> None:
    converges(tasks, "https_edge_route", edge_id=seed_edge(tasks), **KEY, **declared)


@pytest.mark.parametrize("unused", ["null", "empty_object", "missing"])
def test_a_provider_that_is_there_may_admit_everyone(tasks: Tasks, unused: str) -> None:
    """Some services do not show whether such a provider is in use."""
    place = seed_route(tasks, oauth={"provider": {"github": {}}})
    tasks.service.switches(unused_providers=unused, defaults="omitted", provider_content="left_out")
    github = {"oauth": {"provider": {"github": {"teams": []}}}}
    assert not tasks.done("https_edge_route", **place, **github)["changed"]
    converges(tasks, "https_edge_route", **place, oauth={**github["oauth"], "cookie_prefix": "x"})


def test_edges_and_tls_edges(tasks: Tasks) -> None:
    seed_tls_edge(tasks)
    mutual_tls = {"hostports": [HOSTPORT], "mutual_tls": {"certificate_authority_ids": []}}
    restriction = {"edge_id": TLS_EDGE, "ip_policy_ids": []}
    for module, options, path in (
        ("https_edge", mutual_tls, "mutual_tls.certificate_authority_ids"),
        ("tls_edge_ip_restriction", restriction, "ip_policy_ids"),
    ):
        assert f"{path}: it is empty, so everyone" in tasks.failed(module, **options)["msg"]
        converges(tasks, module, **options, allow_empty=True)
        assert not tasks.done(module, **options)["changed"]


def test_an_estate_names_every_empty_restriction(tasks: Tasks) -> None:
    routes = [{**KEY, **modules("saml=<x/>")}]
    estate = {
        "https_edges": [{"id": seed_edge(tasks), "routes": routes, "mutual_tls": {"certificate_authority_ids": []}}],
        "tls_edges": [{"edge_id": seed_tls_edge(tasks), "ip_restriction": {"ip_policy_ids": []}}],
    }
    failures = tasks.failed("estate", **estate)["failures"]
    assert {one["msg"].partition(": it is")[0] for one in failures if "is empty" in one["msg"]} == {
        "mutual_tls.certificate_authority_ids",
        "saml.authorized_groups",
        "ip_policy_ids",
    }
    converges(tasks, "estate", **estate, allow_empty=True)
