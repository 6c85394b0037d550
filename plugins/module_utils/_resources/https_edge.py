# SPDX-License-Identifier: GPL-3.0-or-later
"""An HTTPS edge in a task of its own."""

from __future__ import annotations

from functools import partial

from .._applying.carry_out import carry_out_one
from .._definition import Client, Options, Outcome, PluginDefinition
from .._errors import ChangeWithheld
from .._model.named_secrets import secrets_in_routes
from .._model.schema import HTTPS_EDGE
from .._objects import common_options, https_edges
from .._objects.surroundings import surroundings
from .._planning.changes import plan_absent
from .._planning.given_up_names import NameRule
from .._planning.plan import Plan, State, planned
from .._planning.unique_names import possible_plans
from .._values.option_error import OptionError, OptionErrors


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from https_edges.edge_errors(options, check_mode)
    yield from common_options.openings_errors(options)
    if options.get("state") == "absent" and options.get("find_by") == "none" and not options.get("id"):
        why = "because it finds no edge; set `id`, or use another `find_by`"
        yield OptionError("find_by", f"`none` cannot be used with `state: absent`, {why}")


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    rejected = common_options.rejected_kinds(options)
    around = partial(surroundings, client, with_https_edges=True, is_needed=bool(rejected))
    target = https_edges.edge_target(options, None, "edge")
    plan = partial(planned, partial(_plan, client, options), target)
    return carry_out_one(client, check_mode, "https_edge", plan, rejected, around)


def _plan(client: Client, options: Options) -> Plan:
    by_id, find_by, allow_empty = options["id"], options["find_by"], options["allow_empty"]
    wires = () if by_id or find_by == "none" else https_edges.listed_edges(client, {find_by})
    matching, fields = https_edges.edge_matching(wires, [options]), https_edges.compared_fields([options])
    found = matching.live(0)
    wire = https_edges.read_edge(client, by_id) if by_id else https_edges.whole_edge(client, found, fields)
    if options["state"] == "present":
        names = NameRule(options["purge_hostports"], "set `purge_hostports: true`", allow_empty)
        plan = https_edges.edge_plan(wire, options, "edge", matching.undeclared(), allow_empty=allow_empty, names=names)
        return possible_plans([plan], matching, https_edges.held_hostports)[0]
    current = https_edges.declared_state(wire, options, matching.undeclared())
    _check_deletion(current, options)
    return plan_absent(https_edges.edge_target(options, current, "edge"), current)


def _check_deletion(current: State | None, options: Options) -> None:
    """Raise ChangeWithheld if the edge also serves hostports that the task does not declare."""
    if current is None or options["id"] or options["hostports"] is None:
        return
    more = sorted(set(current["hostports"]) - set(HTTPS_EDGE.named["hostports"].kind.normal(options["hostports"])))
    if more:
        advice = "To delete it, declare all of its hostports, or set `id`."
        raise ChangeWithheld(f"Not deleted, because the edge also serves {', '.join(more)}. {advice}")


DEFINITION = PluginDefinition(
    options={
        "state": common_options.STATE,
        "purge_hostports": common_options.PURGE_HOSTPORTS,
        **common_options.SINGLE_OPTIONS,
        **https_edges.MEMBER_OPTIONS,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_in_routes,
)
