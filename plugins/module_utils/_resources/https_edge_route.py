# SPDX-License-Identifier: GPL-3.0-or-later
"""A route of an HTTPS edge, which is planned as a set of one."""

from __future__ import annotations

from .._applying.carry_out import OneObject, carry_out_one
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._model.named_secrets import secrets_in_routes
from .._model.option_error import OptionErrors
from .._model.schema import EDGE_PREFIX
from .._objects.common_options import SINGLE_OPTIONS, STATE, UPDATE_SECRETS, openings_errors, rejected_kinds
from .._objects.edge_of_task import EDGE_OPTIONS, edge_errors, edge_id_of
from .._objects.https_edges import read_edge
from .._objects.routes_of_edge import MEMBER_OPTIONS, RoutesOfEdge, route_errors, routes_of
from .._planning.plan import Plan
from .._planning.undeclared import Remainder
from .._transport.client import Client


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from edge_errors(options, EDGE_PREFIX, check_mode)
    yield from route_errors(options, check_mode)
    yield from openings_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    is_absent, resends = options["state"] == "absent", options["update_secrets"] == "always"

    def read() -> RoutesOfEdge:
        edge_id = edge_id_of(client, options, check_mode)
        return RoutesOfEdge(read_edge(client, edge_id), edge_id) if is_absent else routes_of(client, edge_id)

    def plan(edge: RoutesOfEdge) -> Plan:
        if is_absent:
            return edge.absent(options)
        [made] = edge.plans([options], resend_secrets=resends, allow_empty=options["allow_empty"])
        return made

    def around(edge: RoutesOfEdge, _plan: Plan) -> list[Remainder]:
        return edge.around([options])

    return carry_out_one(client, check_mode, OneObject("https_edge_route", read, plan, around), rejected_kinds(options))


DEFINITION = PluginDefinition(
    options={
        **EDGE_OPTIONS,
        "state": STATE,
        "update_secrets": UPDATE_SECRETS,
        **SINGLE_OPTIONS,
        **MEMBER_OPTIONS,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_in_routes,
)
