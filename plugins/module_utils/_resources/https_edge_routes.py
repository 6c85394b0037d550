# SPDX-License-Identifier: GPL-3.0-or-later
"""All routes of an HTTPS edge as a set, which are read once and planned together."""

from __future__ import annotations

from typing import Any

from .._applying.outcome import Outcome
from .._applying.sets import converge_set
from .._definition import ModuleDefinition, Options
from .._model.option_error import OptionErrors
from .._model.policy_secrets import secrets_in_policies
from .._model.schema import EDGE_PREFIX
from .._planning.plan import Plan
from .._planning.undeclared import Remainder
from .._transport.client import Client
from .common_options import (
    ALLOW_EMPTY,
    EXPECT_PLAN,
    MAX_DELETIONS,
    UPDATE_SECRETS,
    duplicate_errors,
    emptied_errors,
    identifier_errors,
    limit_errors,
    limits_of,
)
from .https_edge_route import MEMBER_OPTIONS, route_errors
from .routes_of_edge import declared_key, routes_of

ROUTES: dict[str, Any] = {"type": "list", "elements": "dict", "options": MEMBER_OPTIONS}


def routes_errors(routes: Any, check_mode: bool, path: str) -> OptionErrors:
    """Yield the errors in a list of declared routes: those of each route, and duplicates."""
    members = [route for route in routes if isinstance(route, dict)] if isinstance(routes, list) else []
    for number, route in enumerate(members):
        yield from route_errors(route, check_mode, f"{path}[{number}]")
    yield from duplicate_errors([declared_key(route) for route in members], path)


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from identifier_errors(options, "edge_id", EDGE_PREFIX, check_mode)
    yield from routes_errors(options.get("routes"), check_mode, "routes")
    yield from emptied_errors(options, "routes")
    yield from limit_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    def plan_set() -> tuple[list[Plan], list[Remainder]]:
        return routes_of(client, options["edge_id"]).plans_and_rest(
            options["routes"], "routes", purge=options["purge"], resend_secrets=options["update_secrets"] == "always"
        )

    return converge_set(client, "https_edge_routes", "routes", plan_set, limits_of(options), check_mode)


DEFINITION = ModuleDefinition(
    options={
        "edge_id": {"type": "str", "required": True},
        "routes": {**ROUTES, "required": True},
        "purge": {"type": "bool", "default": False},
        "allow_empty": ALLOW_EMPTY,
        "max_deletions": MAX_DELETIONS,
        "expect_plan": EXPECT_PLAN,
        "update_secrets": UPDATE_SECRETS,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_in_policies,
)
