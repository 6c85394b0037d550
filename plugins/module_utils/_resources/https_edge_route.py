# SPDX-License-Identifier: GPL-3.0-or-later
"""A route of an HTTPS edge, which is planned as a set of one."""

from __future__ import annotations

from .._applying.carry_out import carry_out_one
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
    route = _Route(client, options, check_mode)
    rejected = rejected_kinds(options)
    return carry_out_one(client, route.plan, "https_edge_route", check_mode, route.around, rejected)


class _Route:
    """The route of a task, with the edge as it was read last."""

    def __init__(self, client: Client, options: Options, check_mode: bool) -> None:
        self._client, self._options, self._check_mode = client, options, check_mode
        self._edge: RoutesOfEdge | None = None

    def plan(self) -> Plan:
        options = self._options
        edge_id = edge_id_of(self._client, options, self._check_mode)
        if options["state"] == "absent":
            self._edge = RoutesOfEdge(read_edge(self._client, edge_id), edge_id)
            return self._edge.absent(options)
        how = {"resend_secrets": options["update_secrets"] == "always", "allow_empty": options["allow_empty"]}
        self._edge = routes_of(self._client, edge_id)
        [plan] = self._edge.plans([options], **how)
        return plan

    def around(self, _plan: Plan) -> list[Remainder]:
        return self._edge.around([self._options]) if self._edge else []


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
