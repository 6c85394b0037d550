# SPDX-License-Identifier: GPL-3.0-or-later
"""A route of an HTTPS edge in a task of its own."""

from __future__ import annotations

from .._applying.carry_out import carry_out_one
from .._definition import Client, OptionErrors, Options, Outcome, PluginDefinition
from .._model.named_secrets import secrets_in_routes
from .._model.schema import EDGE_PREFIX
from .._objects import common_options
from .._objects.edge_of_task import EDGE_OPTIONS, edge_errors, edge_id_of
from .._objects.https_edges import read_edge
from .._objects.routes_of_edge import MEMBER_OPTIONS, RoutesOfEdge, route_errors, routes_of
from .._planning.plan import Plan


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from edge_errors(options, EDGE_PREFIX, check_mode)
    yield from route_errors(options, check_mode)
    yield from common_options.openings_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    edges: list[RoutesOfEdge] = []

    def planned() -> Plan:
        edge_id = edge_id_of(client, options, check_mode)
        is_absent = options["state"] == "absent"
        edges.append(RoutesOfEdge(read_edge(client, edge_id), edge_id) if is_absent else routes_of(client, edge_id))
        return edges[-1].plans([options], **common_options.how_of(options))[0]

    rejected = common_options.rejected_kinds(options)
    return carry_out_one(
        client, check_mode, "https_edge_route", planned, rejected, lambda _plans: edges[-1].around(with_routes=True)
    )


DEFINITION = PluginDefinition(
    options={
        **EDGE_OPTIONS,
        "state": common_options.STATE,
        "update_secrets": common_options.UPDATE_SECRETS,
        **common_options.SINGLE_OPTIONS,
        **MEMBER_OPTIONS,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_in_routes,
)
