# SPDX-License-Identifier: GPL-3.0-or-later
"""Differences between services in `oauth`, `oidc`, and `saml`: their number in an edge, and their responses."""

from __future__ import annotations

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


def test_an_unused_provider_can_be_returned_as_an_object(service: Running) -> None:
    service.switches(unused_providers="empty_object", extra_keys=True)
    provider = service.done("GET", service.new_route(oauth={"provider": {}}))["oauth"]["provider"]
    assert {name: len(provider[name]) for name in PROVIDERS} == dict.fromkeys(PROVIDERS, 1)
