# SPDX-License-Identifier: GPL-3.0-or-later
"""Identity providers on services that show in different ways which are in use: doors that nobody declared are closed,
and nothing is written in every run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from convergence import other_warnings
from module_task import Tasks, writes
from places import held_route, seed_route
from scripted_service import Received, Response, forwarding, scripted_service

NAMES = ["github", "facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon"]
ACME: dict[str, Any] = {"organizations": ["acme"]}
Habit = Callable[[dict[str, Any]], dict[str, Any]]


def without_empty_values(providers: dict[str, Any]) -> dict[str, Any]:
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


@contextmanager
def showing(tasks: Tasks, habit: Habit) -> Iterator[str]:
    """The address of a service that shows identity providers in this way."""
    forwarded = forwarding(tasks.service.base_url)

    def response(request: Received) -> Response:
        given = forwarded(request)
        return Response(given.status, json.dumps(_shown(json.loads(given.body), habit)).encode(), given.headers)

    with scripted_service(response) as service:
        yield service.base_url


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
def test_what_is_declared_comes_about_and_stays(
    tasks: Tasks, habit: str, declared: dict[str, Any], held: dict[str, Any] | None
) -> None:
    place = seed_route(tasks, **({} if held is None else {"oauth": {"provider": held}}))
    with showing(tasks, HABITS[habit]) as base_url:
        options = {"base_url": base_url, **place, "oauth": {"provider": declared}}
        dry = tasks.done("https_edge_route", check=True, **options)
        real = tasks.done("https_edge_route", **options)
        assert (dry["changed"], real["changed"]) == (True, True)
        assert dry["diff"] == real["diff"]
        assert not other_warnings(real)
        assert set(held_route(tasks)["oauth"]["provider"]) == set(declared)
        again = tasks.done("https_edge_route", **options)
        assert not again["changed"], again["operations"]
        assert again["diff"]["before"] == again["diff"]["after"]


CLOSED = [habit for habit in HABITS if habit not in ("empty objects, without empty values", "empty values")]


@pytest.mark.parametrize("habit", CLOSED)
def test_a_provider_that_nobody_declared_is_removed(tasks: Tasks, habit: str) -> None:
    place = seed_route(tasks, oauth={"provider": {"google": {}, "github": ACME}})
    with showing(tasks, HABITS[habit]) as base_url:
        result = tasks.done("https_edge_route", base_url=base_url, **place, oauth={"provider": {"github": ACME}})
        assert "oauth.provider.google" in result["operations"][0]["reason"]
        assert set(held_route(tasks)["oauth"]["provider"]) == {"github"}


@pytest.mark.parametrize("habit", [habit for habit in CLOSED if "nulls" in habit or "without" in habit])
def test_a_provider_that_restricts_nobody_is_exported(tasks: Tasks, habit: str) -> None:
    seed_route(tasks, oauth={"provider": {"github": {}}})
    with showing(tasks, HABITS[habit]) as base_url:
        estate = tasks.done("estate_info", base_url=base_url)["estate"]
        assert estate["https_edges"][0]["routes"][0]["oauth"]["provider"] == {"github": {}}
        assert not tasks.done("estate", base_url=base_url, **estate, purge=["modules", "routes", "edges"])["changed"]


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("held", [{"github": {}}, {"github": ACME, "google": {}}, {}], ids=str)
def test_what_is_exported_declares_what_is_there(tasks: Tasks, habit: str, held: dict[str, Any]) -> None:
    bare: dict[str, Any] = {"ip_restriction": {}, "saml": {"enabled": False}, "oidc": {}, "request_headers": {}}
    seed_route(tasks, oauth={"provider": held}, **bare)
    with showing(tasks, HABITS[habit]) as base_url:
        estate = tasks.done("estate_info", base_url=base_url)["estate"]
        result = tasks.done("estate", base_url=base_url, **estate, purge=["modules", "routes", "edges"])
        assert not result["changed"], result["operations"]


@pytest.mark.parametrize("habit", HABITS)
def test_a_provider_is_never_opened_that_may_not_be_in_use(tasks: Tasks, habit: str) -> None:
    """The module is sent as a whole, with what the service shows of its providers."""
    place = seed_route(tasks, oauth={"provider": {"github": ACME}})
    with showing(tasks, HABITS[habit]) as base_url:
        assert writes(tasks.done("https_edge_route", base_url=base_url, **place, oauth={"maximum_duration": 5}))
    assert set(held_route(tasks)["oauth"]["provider"]) == {"github"}


def test_a_login_is_not_sent_without_a_provider_that_is_hidden(tasks: Tasks) -> None:
    place = seed_route(tasks, oauth={"provider": {"github": {}}})
    with showing(tasks, HABITS["empty objects, without empty values"]) as base_url:
        result = tasks.failed("https_edge_route", base_url=base_url, **place, oauth={"maximum_duration": 5})
    assert "oauth.provider: required" in result["msg"]
    assert not writes(result)


def test_a_plan_shows_every_provider_that_is_sent(tasks: Tasks) -> None:
    """This service does not show whether a provider is in use that lets in everyone, so it is sent all the same."""
    place = seed_route(tasks, oauth={"provider": {"github": ACME}, "cookie_prefix": "a."})
    plans = []
    with showing(tasks, HABITS["empty objects, without empty values"]) as base_url:
        for more in ({}, {"google": {}}):
            route = {"match_type": place["match_type"], "match": place["match"]}
            oauth = {"provider": {"github": ACME, **more}, "cookie_prefix": "b."}
            options = {"edge_id": place["edge_id"], "routes": [{**route, "oauth": oauth}]}
            plans.append(tasks.done("https_edge_routes", True, base_url=base_url, **options))
    shown = [set(plan["plan"][0]["after"]["oauth"]["provider"]) for plan in plans]
    assert shown == [{"github"}, {"github", "google"}]
    assert plans[0]["plan_digest"] != plans[1]["plan_digest"]
