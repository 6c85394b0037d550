# SPDX-License-Identifier: GPL-3.0-or-later
"""A change that may let more people in says so, in check mode and in a real run; no other change does."""

from __future__ import annotations

from typing import Any

import pytest

from convergence import WIDENED, widened
from estates_to_judge import modules
from module_task import Tasks, writes
from places import EDGE, HOSTPORT, seed_route
from rich_world import FIRST
from scripted_service import rejecting

NO_LOGIN, NO_NETWORK = "no longer requires a login", "no longer requires an allowed network"
URL = f"https://{HOSTPORT.removesuffix(':443')}/"

# What is on the route, what is declared in place of it, and what the warning says.
OPENS = f"""
oidc -> : {NO_LOGIN}
staff -> : {NO_LOGIN}
saml -> : {NO_LOGIN}
office -> : {NO_NETWORK}
hook=github -> : no longer requires a valid signature
rules=one -> : no longer requires the rules of its traffic policy
issuer=https://a -> -issuer=https://a : {NO_LOGIN}
oidc office -> : no longer requires an allowed network and a login
office -> no-policies : {NO_NETWORK}
saml=<x/>+staff -> saml=<x/> : also admits <x/>
google=a@example.com -> google= : also admits google
teams -> everyone-of-github : also admits github
google=a.example -> google=a.example+b.example : also admits google email_domains b.example
google=a.com -> half-open : also admits github
oidc -> google= : also admits oauth in place of oidc
issuer=https://a -> issuer=https://b : also admits https://b app
networks=ipp_a -> networks=ipp_b : also admits ipp_b, what ipp_a may have denied
hook=slack -> unsigned-hook : also admits sns
-backend oidc -> oidc : nobody got through before, and it requires a login now
issuer=https://a -> preflight=https://a : OPTIONS {NO_LOGIN}
"""
OPENS_NOTHING = """
half-open -> google=a.com
google=a.com+b.com -> google=a.com
google= -> own-app
gzip ->
-oidc ->
-> no-policies
oidc -> oidc
-backend oidc -> -backend
"""


def changed(tasks: Tasks, words: str) -> dict[str, Any]:
    """What is declared of a route that is there with other traffic modules."""
    live, _arrow, declared = words.partition("->")
    place = seed_route(tasks, **modules(f"backend {live}"))
    return {**place, **modules(f"backend {declared}"), "purge_modules": True, "allow_empty": True}


@pytest.mark.parametrize("case", OPENS.strip().splitlines())
def test_a_route_that_opens(tasks: Tasks, case: str) -> None:
    words, _colon, named = case.partition(" : ")
    options = changed(tasks, words)
    method = "OPTIONS " if named.startswith("OPTIONS ") else ""
    for check in (True, False):
        result = tasks.done("https_edge_route", check, **options)
        subject = f"https_edge_route path_prefix / of {HOSTPORT} (edghtsrt_place)"
        assert widened(result) == [f"{subject}: {WIDENED}: {method}{URL}: {named.removeprefix(method)}."]
    assert not widened(tasks.done("https_edge_route", **options))


@pytest.mark.parametrize("case", OPENS_NOTHING.strip().splitlines())
def test_a_route_that_does_not(tasks: Tasks, case: str) -> None:
    assert not widened(tasks.done("https_edge_route", True, **changed(tasks, case)))


def test_a_change_that_failed_before_anything_was_done_does_not_warn(tasks: Tasks) -> None:
    place = seed_route(tasks, oidc=FIRST["oidc"], compression={"enabled": True})
    route = {name: place[name] for name in ("match_type", "match")}
    options = {"edge_id": EDGE, "routes": [{**route, "purge_modules": True}]}
    result = tasks.failed("https_edge_routes", instead=rejecting("DELETE", "compression"), **options)
    assert "compression" in result["msg"]
    # It is the first to be removed, so the login is still there.
    assert not widened(result)


def test_policies_that_are_not_shown_are_not_thrown_away(tasks: Tasks) -> None:
    tasks.service.switches(references="single")
    place = seed_route(tasks, ip_restriction={"ip_policy_ids": ["ipp_one", "ipp_two"]})
    failed = tasks.failed("https_edge_route", **place, ip_restriction={"enabled": False})
    assert "ip_restriction.ip_policy_ids: required, because the service returns only one" in failed["msg"]
    assert writes(failed) == []
