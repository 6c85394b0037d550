# SPDX-License-Identifier: GPL-3.0-or-later
"""Identity providers on services that show in different ways which are in use: doors that nobody declared are closed,
and nothing is written in every run.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from convergence import converges
from module_task import Given, Tasks, writes
from places import held_route, in_each_module, seed_route
from scripted_service import Instead, Received, Response, forwarding

NAMES = ["github", "facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon"]
ACME: Given = {"organizations": ["acme"]}
Habit = Callable[[Given], Given]


def without_empty_values(providers: Given) -> Given:
    return {name: {key: value for key, value in one.items() if value} for name, one in providers.items() if one}


# How a service shows the providers, made of what the reference service shows: null for one that is not in use.
HABITS: dict[str, Habit] = {
    "nulls": lambda providers: providers,
    "missing": lambda providers: {name: one for name, one in providers.items() if one is not None},
    "without empty values": without_empty_values,
    "nulls, without empty values": lambda providers: dict.fromkeys(NAMES) | without_empty_values(providers),
    "empty objects": lambda providers: {name: one or {} for name, one in providers.items()},
    "empty objects, without empty values": lambda providers: (
        {name: {} for name in NAMES} | without_empty_values(providers)
    ),
    "empty values": lambda providers: {name: one or {"scopes": []} for name, one in providers.items()},
}


def showing(tasks: Tasks, habit: str) -> Instead:
    """A service that shows identity providers in this way."""
    forwarded = forwarding(tasks.service.base_url)

    def instead(request: Received) -> Response:
        given = forwarded(request)
        shown = _shown(json.loads(given.body), HABITS[habit])
        return Response(given.status, json.dumps(shown).encode(), given.headers)

    return instead


def _shown(value: Any, habit: Habit) -> Any:
    if isinstance(value, dict):
        return {
            name: habit(member) if name == "provider" and isinstance(member, dict) else _shown(member, habit)
            for name, member in value.items()
        }
    return [_shown(item, habit) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("declared", [{"github": ACME}, {"github": {}}, {"github": ACME, "google": {}}], ids=str)
@pytest.mark.parametrize("held", [None, {"amazon": {"email_domains": ["example.com"]}}], ids=str)
def test_what_is_declared_comes_about_and_stays(tasks: Tasks, habit: str, declared: Given, held: Given | None) -> None:
    place = seed_route(tasks, **({} if held is None else {"oauth": {"provider": held}}))
    options = {"instead": showing(tasks, habit), **place, "oauth": {"provider": declared}}
    assert converges(tasks, "https_edge_route", **options)["changed"]
    assert set(held_route(tasks)["oauth"]["provider"]) == set(declared)


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("held", [{"github": {}}, {"github": ACME, "google": {}}, {}], ids=str)
def test_what_is_exported_declares_what_is_there(tasks: Tasks, habit: str, held: Given) -> None:
    bare: Given = {"ip_restriction": {}, "saml": {"enabled": False}, "oidc": {}, "request_headers": {}}
    seed_route(tasks, oauth={"provider": held}, **bare)
    estate = tasks.done("estate_info", instead=showing(tasks, habit))["estate"]
    result = tasks.done("estate", instead=showing(tasks, habit), **estate, purge=["modules", "routes", "edges"])
    assert not result["changed"], result["operations"]


@pytest.mark.parametrize("habit", HABITS)
def test_a_provider_is_never_opened_that_may_not_be_in_use(tasks: Tasks, habit: str) -> None:
    """The module is sent as a whole, with what the service shows of its providers."""
    place = seed_route(tasks, oauth={"provider": {"github": ACME}})
    options = {**place, "oauth": {"maximum_duration": 5}}
    assert writes(tasks.done("https_edge_route", instead=showing(tasks, habit), **options))
    assert set(held_route(tasks)["oauth"]["provider"]) == {"github"}


def test_a_plan_shows_every_provider_that_is_sent(tasks: Tasks) -> None:
    """This service does not show whether a provider is in use that lets in everyone, so it is sent all the same."""
    seed_route(tasks, oauth={"provider": {"github": ACME}, "cookie_prefix": "a."})
    instead = showing(tasks, "empty objects, without empty values")
    plans = []
    for providers in ({"github": ACME}, {"github": ACME, "google": {}}):
        options = in_each_module({"oauth": {"provider": providers, "cookie_prefix": "b."}})["https_edge_routes"]
        plans.append(tasks.done("https_edge_routes", True, instead, **options))
        assert plans[-1]["plan"][0]["after"]["oauth"]["provider"].keys() == providers.keys()
    assert plans[0]["plan_digest"] != plans[1]["plan_digest"]
