# SPDX-License-Identifier: GPL-3.0-or-later
"""All routes of an HTTPS edge as a set, which are read once and planned together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._applying.carry_out import ObjectSet, carry_out_set
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._model.named_secrets import secrets_in_routes
from .._model.option_error import OptionErrors
from .._model.schema import EDGE_PREFIX, HTTPS_EDGE_ROUTE
from .._objects.common_options import REJECT_OPENINGS, SET_OPTIONS, UPDATE_SECRETS, emptied_set, limit_errors, limits_of
from .._objects.edge_of_task import EDGE_OPTIONS, edge_errors, edge_id_of
from .._objects.requirement_options import REQUIREMENTS_OPTION, requirement_errors, requirements_of
from .._objects.routes_of_edge import ROUTES, RoutesOfEdge, routes_errors, routes_of
from .._planning.plan import Plan
from .._planning.undeclared import Remainder
from .._transport.client import Client


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from edge_errors(options, EDGE_PREFIX, check_mode)
    yield from routes_errors(options.get("routes"), check_mode, "routes")
    yield from limit_errors(options)
    yield from requirement_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    declared, purge = options["routes"], options["purge"]
    how = {"resend_secrets": options["update_secrets"] == "always", "allow_empty": options["allow_empty"]}

    def read() -> RoutesOfEdge:
        return routes_of(client, edge_id_of(client, options, check_mode))

    def plan(routes: RoutesOfEdge) -> tuple[list[Plan], list[Remainder]]:
        plans = routes.plans(declared, purge=purge, option="routes", **how)
        return plans, [*routes.rest(declared, plans, "routes", purge=purge), *routes.around()]

    def read_rules() -> Any:
        from .._objects.surroundings import rules_around  # noqa: PLC0415 # Few tasks need them.

        return rules_around(client)

    limits = limits_of(options, emptied_set(options, "routes", HTTPS_EDGE_ROUTE))
    limits = replace(limits, demanded=requirements_of(options))
    return carry_out_set(client, options, check_mode, ObjectSet("https_edge_routes", read, plan, read_rules), limits)


DEFINITION = PluginDefinition(
    options={
        **EDGE_OPTIONS,
        "routes": {**ROUTES, "required": True},
        "purge": {"type": "bool", "default": False},
        **REJECT_OPENINGS,
        **REQUIREMENTS_OPTION,
        **SET_OPTIONS,
        "update_secrets": UPDATE_SECRETS,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_in_routes,
)
