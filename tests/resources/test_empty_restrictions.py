# SPDX-License-Identifier: GPL-3.0-or-later
"""A login or a filter that is new and declared with empty lists: it would let everyone in, so the task must say so."""

from __future__ import annotations

from typing import Any

import pytest

from convergence import converges
from module_task import Tasks, writes
from places import EDGE, HOSTPORT, KEY, TLS_EDGE, held_edge, seed_edge, seed_route, seed_tls_edge
from rich_world import FIRST

SAML = {"idp_metadata": "<x/>"}
APP = {"client_id": "c", "client_secret": "s"}
EMPTY: dict[str, tuple[dict[str, Any], str]] = {
    # What is declared for a route, and the path of the first list.
    "groups": ({"saml": {**SAML, "authorized_groups": []}}, "saml.authorized_groups"),
    "policies": ({"ip_restriction": {"ip_policy_ids": []}}, "ip_restriction.ip_policy_ids"),
    "teams": ({"oauth": {"provider": {"github": {**APP, "teams": []}}}}, "oauth.provider.github.teams"),
    "two lists": (
        {"oauth": {"provider": {"github": {"teams": [], "organizations": []}}}},
        "oauth.provider.github.teams",
    ),
    "one of two providers": (
        {"oauth": {"provider": {"github": {"teams": ["o/x"]}, "google": {"email_domains": []}}}},
        "oauth.provider.google.email_domains",
    ),
}
RESTRICTED: list[dict[str, Any]] = [
    # What lets nobody more in than it says, or says that everyone is meant.
    {"saml": SAML},
    {"saml": {**SAML, "authorized_groups": ["a"]}},
    {"saml": {**SAML, "authorized_groups": [], "enabled": False}},
    {"oauth": {"provider": {"github": {}}}},
    {"oauth": {"provider": {"github": {"teams": ["o/x"], "organizations": []}}}},
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("case", EMPTY)
@pytest.mark.parametrize("is_there", [True, False])
def test_a_new_module_must_not_admit_everyone(tasks: Tasks, case: str, is_there: bool, check: bool) -> None:
    declared, path = EMPTY[case]
    place = seed_route(tasks) if is_there else {"edge_id": seed_edge(tasks), **KEY}
    result = tasks.failed("https_edge_route", check, **place, **declared)
    assert (
        f"{path}: it is empty, so everyone would be let in. If you want that, set `allow_empty: true`" in result["msg"]
    )
    assert not writes(result)
    if not check:
        converges(tasks, "https_edge_route", **place, **declared, allow_empty=True)
        # What is there already stays.
        assert not tasks.done("https_edge_route", **place, **declared)["changed"]


@pytest.mark.parametrize("declared", RESTRICTED, ids=str)
def test_other_modules_are_created(tasks: Tasks, declared: dict[str, Any]) -> None:
    converges(tasks, "https_edge_route", edge_id=seed_edge(tasks), **KEY, **declared)


def test_a_disabled_module_must_not_be_enabled_for_everyone(tasks: Tasks) -> None:
    place = seed_route(tasks, saml={**FIRST["saml"], "enabled": False})
    declared = {"saml": {**FIRST["saml"], "enabled": True, "authorized_groups": []}}
    assert "saml.authorized_groups: it is empty" in tasks.failed("https_edge_route", **place, **declared)["msg"]
    converges(tasks, "https_edge_route", **place, saml={**declared["saml"], "enabled": False})


def test_a_new_provider_must_not_admit_everyone(tasks: Tasks) -> None:
    place = seed_route(tasks, oauth={"provider": {"github": {"teams": ["o/x"]}}})
    declared = {"oauth": {"provider": {"github": {"teams": ["o/x"]}, "google": {"email_addresses": []}}}}
    result = tasks.failed("https_edge_route", **place, **declared)
    assert "oauth.provider.google.email_addresses: it is empty" in result["msg"]


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


def test_an_empty_restriction_does_not_stop_other_objects_of_a_set_or_estate(tasks: Tasks) -> None:
    edge_id, tls_edge_id = seed_edge(tasks), seed_tls_edge(tasks)
    routes = [{**KEY, **EMPTY["groups"][0]}, {"match_type": "exact_path", "match": "/other", "compression": {}}]
    result = tasks.failed("https_edge_routes", edge_id=edge_id, routes=routes)
    assert "saml.authorized_groups: it is empty" in result["msg"]
    assert [route["match"] for route in held_edge(tasks)["routes"]] == ["/other"]
    estate = {
        "https_edges": [{"id": EDGE, "routes": routes[:1], "mutual_tls": {"certificate_authority_ids": []}}],
        "tls_edges": [{"edge_id": tls_edge_id, "ip_restriction": {"ip_policy_ids": []}}],
    }
    failures = tasks.failed("estate", **estate)["failures"]
    assert {one["msg"].partition(": it is")[0] for one in failures if "is empty" in one["msg"]} == {
        "mutual_tls.certificate_authority_ids",
        "saml.authorized_groups",
        "ip_policy_ids",
    }
    converges(tasks, "estate", **estate, allow_empty=True)
