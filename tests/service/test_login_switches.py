# SPDX-License-Identifier: GPL-3.0-or-later
"""Differences between services in `oauth`, `oidc`, and `saml`: their number in an edge, and their responses."""

from __future__ import annotations

from typing import Any

import pytest

from running_service import Running

LOGINS = ("oauth", "oidc", "saml")
PROVIDERS = ("github", "facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon")


@pytest.mark.parametrize("held", LOGINS)
@pytest.mark.parametrize("given", LOGINS)
def test_a_second_login_of_an_edge_can_be_rejected(service: Running, held: str, given: str) -> None:
    edge = service.new_edge()
    first, other = service.new_route(edge, **{held: {}}), service.new_route(edge, match="/other")
    new = {"match_type": "exact_path", "match": "/new", given: {}}
    service.switches(one_login_per_edge=True)
    before = service.control("GET", "state")
    for method, path, body in (
        ("POST", f"{edge}/routes", new),
        ("PATCH", other, {given: {"enabled": False}}),
        ("PUT", f"{other}/{given}", {}),
    ):
        assert service.rejected(method, path, body)["error_code"] == "ERR_ONE_LOGIN_PER_EDGE"
    assert service.control("GET", "state") == before
    service.done("PATCH", first, {given: {}})
    service.done("PUT", f"{first}/{held}", {})
    service.done("PATCH", other, {"compression": {}})
    service.done("POST", f"{service.new_edge()}/routes", new, status=201)
    for name in {held, given}:
        service.done("DELETE", f"{first}/{name}", status=204)
    service.done("PUT", f"{other}/{given}", {})


def test_a_login_for_each_route(service: Running) -> None:
    """By default, each route can have one. Existing ones do not prevent other changes."""
    edge = service.new_edge()
    routes = [service.new_route(edge, match=f"/{name}", **{name: {}}) for name in LOGINS]
    service.switches(one_login_per_edge=True)
    for route in routes:
        service.done("PATCH", route, {"description": "d"})
        service.done("PUT", f"{route}/compression", {})


def test_disabled_logins_may_not_count(service: Running) -> None:
    edge = service.new_edge()
    first, other = service.new_route(edge, oidc={}), service.new_route(edge, match="/other")
    service.switches(one_login_per_edge="enabled")
    service.done("PATCH", other, {"saml": {"enabled": False}})
    for given in ({"saml": {}}, {"saml": {"enabled": True}}):
        assert service.rejected("PATCH", other, given)["error_code"] == "ERR_ONE_LOGIN_PER_EDGE"
    service.done("PUT", f"{first}/oidc", {"enabled": False})
    service.done("PUT", f"{other}/saml", {})


@pytest.mark.parametrize("defaults", ["filled", "omitted"])
@pytest.mark.parametrize(
    ("value", "shown"), [("null", {"null": None}), ("empty_object", {"empty": {}}), ("missing", {})]
)
def test_unused_providers_are_returned_in_the_chosen_form(
    service: Running, value: str, shown: dict[str, Any], defaults: str
) -> None:
    service.switches(unused_providers=value, defaults=defaults, unset_values="null")
    route = service.new_route(oauth={"provider": {"google": {"email_domains": ["example.com"]}}})
    provider = service.done("GET", route)["oauth"]["provider"]
    assert provider.pop("google")["email_domains"] == ["example.com"]
    assert provider == {name: each for each in shown.values() for name in PROVIDERS if name != "google"}


def test_unused_providers_as_other_unset_values(service: Running) -> None:
    """By default, unused providers are null or missing like other values. Other switch values apply only to them."""
    route = service.new_route(oauth={"provider": {"google": {}}})
    for value, count in (("null", 0), ("empty_object", 7), ("missing", 0)):
        service.switches(unused_providers=value, defaults="omitted", unset_values="missing")
        provider = service.done("GET", route)["oauth"]["provider"]
        assert len(provider) == 1 + count


def test_an_unused_provider_can_be_returned_as_an_object(service: Running) -> None:
    service.switches(unused_providers="empty_object", extra_keys=True)
    provider = service.done("GET", service.new_route(oauth={"provider": {}}))["oauth"]["provider"]
    assert {name: len(provider[name]) for name in PROVIDERS} == dict.fromkeys(PROVIDERS, 1)


@pytest.mark.parametrize("value", ["filled", "left_out"])
def test_empty_settings_of_providers_can_be_omitted(service: Running, value: str) -> None:
    service.switches(provider_content=value)
    empty = {"client_id": "", "client_secret": "", "scopes": [], "email_addresses": [], "email_domains": []}
    github = {**empty, "teams": [], "organizations": []}
    given: dict[str, Any] = {"github": {"teams": ["a/b"]}, "google": {}}
    provider = service.done("PUT", f"{service.new_route()}/oauth", {"provider": given})["provider"]
    expected = {"github": {**github, "teams": ["a/b"]}, "google": empty} if value == "filled" else given
    assert provider == {**dict.fromkeys(PROVIDERS), **expected}


def test_a_provider_without_content_may_look_unused(service: Running) -> None:
    service.switches(unused_providers="empty_object", provider_content="left_out")
    route = service.new_route(oauth={"provider": {"google": {}}})
    assert service.done("GET", route)["oauth"]["provider"] == {name: {} for name in PROVIDERS}
    [edge] = service.control("GET", "state")["https_edges"]
    assert edge["routes"][0]["oauth"] == {"provider": {"google": {}}}


@pytest.mark.parametrize(("value", "prefix"), [("filled", "svc."), ("filled_for_oauth", "")])
def test_the_cookie_prefix_has_the_chosen_default(service: Running, value: str, prefix: str) -> None:
    service.switches(cookie_prefix=value)
    route = service.done("GET", service.new_route(oauth={}, saml={}, oidc={"cookie_prefix": "own."}))
    returned = {name: route[name]["cookie_prefix"] for name in LOGINS}
    assert returned == {"oauth": "svc.", "saml": prefix, "oidc": "own."}
