# SPDX-License-Identifier: GPL-3.0-or-later
"""All routes of an HTTPS edge, which are read once and planned together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from .._applying.carry_out import carry_out_set
from .._definition import Client, OptionErrors, Options, Outcome, PluginDefinition
from .._model.named_secrets import secrets_in_routes
from .._model.schema import EDGE_PREFIX, HTTPS_EDGE_ROUTE
from .._objects import common_options
from .._objects.edge_of_task import EDGE_OPTIONS, edge_errors, edge_id_of
from .._objects.routes_of_edge import ROUTES, routes_errors, routes_of
from .._objects.surroundings import rules_around
from .._planning.plan import Plan
from .._planning.undeclared import Remainder


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from edge_errors(options, EDGE_PREFIX, check_mode)
    yield from routes_errors(options.get("routes"), check_mode, "routes")
    yield from common_options.limit_errors(options)
    yield from common_options.requirement_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    declared, purge = options["routes"], options["purge"]

    def planned() -> tuple[Sequence[Plan], Sequence[Remainder]]:
        routes = routes_of(client, edge_id_of(client, options, check_mode))
        plans = routes.plans(declared, purge=purge, option="routes", **common_options.how_of(options))
        return plans, [*routes.rest(plans, "routes", purge=purge), *routes.around()]

    limits = common_options.limits_of(options, common_options.emptied_set(options, "routes", HTTPS_EDGE_ROUTE))
    return carry_out_set(
        client, options, check_mode, "https_edge_routes", planned, limits, partial(rules_around, client)
    )


DEFINITION = PluginDefinition(
    options={
        **EDGE_OPTIONS,
        "routes": {**ROUTES, "required": True},
        "purge": {"type": "bool", "default": False},
        **common_options.REJECT_OPENINGS,
        **common_options.REQUIREMENTS_OPTION,
        **common_options.SET_OPTIONS,
        "update_secrets": common_options.UPDATE_SECRETS,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_in_routes,
)
