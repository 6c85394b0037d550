# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTPS edges: each in a task of its own, and what is only read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._applying.carry_out import carry_out_one
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._errors import ChangeWithheld
from .._model.named_secrets import secrets_in_routes
from .._model.option_error import OptionError, OptionErrors
from .._model.schema import EDGE_PREFIX, HTTPS_EDGE
from .._objects.common_options import (
    PURGE_HOSTPORTS,
    SINGLE_OPTIONS,
    STATE,
    identifier_errors,
    openings_errors,
    rejected_kinds,
)
from .._objects.https_edges import (
    MEMBER_OPTIONS,
    compared_fields,
    edge_errors,
    edge_matching,
    edge_plan,
    edge_target,
    held_hostports,
    listed_edges,
    read_edge,
    state_of,
    whole_edge,
)
from .._objects.surroundings import surroundings
from .._planning.changes import plan_absent
from .._planning.given_up_names import NameRule
from .._planning.plan import Plan, State
from .._planning.undeclared import Remainder
from .._planning.unique_names import possible_plans
from .._transport.client import Client


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from edge_errors(options, check_mode)
    yield from openings_errors(options)
    if options.get("state") == "absent" and options.get("find_by") == "none" and not options.get("id"):
        why = "because it finds no edge; set `id`, or use another `find_by`"
        yield OptionError("find_by", f"`none` cannot be used with `state: absent`, {why}")


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    rejected = rejected_kinds(options)

    def around(plan: Plan) -> Sequence[Remainder]:
        return surroundings(client, [plan], with_https_edges=True, are_needed=bool(rejected))

    target = edge_target(options, None, "edge")
    return carry_out_one(client, check_mode, "https_edge", lambda: _planned(client, options), rejected, around, target)


def _planned(client: Client, options: Options) -> Plan:
    by_id, find_by, allow_empty = options["id"], options["find_by"], options["allow_empty"]
    matching = edge_matching(() if by_id or find_by == "none" else listed_edges(client, {find_by}), [options])
    wire = read_edge(client, by_id) if by_id else whole_edge(client, matching.live(0), compared_fields([options]))
    if options["state"] == "present":
        names = NameRule(options["purge_hostports"], "set `purge_hostports: true`", allow_empty)
        plan = edge_plan(wire, options, "edge", matching.undeclared(), allow_empty=allow_empty, names=names)
        return possible_plans([plan], matching, held_hostports)[0]
    current = state_of(wire)
    _check_deletion(current, options)
    return plan_absent(edge_target(options, current, "edge"), current)


def _check_deletion(current: State | None, options: Options) -> None:
    """Raise ChangeWithheld if the edge also serves hostports that the task does not declare."""
    if current is None or options["id"] or options["hostports"] is None:
        return
    more = sorted(set(current["hostports"]) - set(HTTPS_EDGE.named["hostports"].kind.normal(options["hostports"])))
    if more:
        raise ChangeWithheld(
            f"Not deleted, because the edge also serves {', '.join(more)}. To delete it, declare all of its "
            "hostports, or set `id`."
        )


_FILTERS = ("hostports", "description", "metadata")


def _info_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from identifier_errors(options, "id", EDGE_PREFIX, check_mode)
    for name in _FILTERS:
        if options.get(name) is not None:
            yield from HTTPS_EDGE.named[name].kind.option_errors(options[name], name)


def _read(client: Client, options: Options, check_mode: bool) -> Outcome:
    wires = [read_edge(client, options["id"])] if options["id"] else listed_edges(client)
    states = [state for wire in wires if (state := state_of(wire)) is not None]
    return Outcome(objects={"https_edges": [HTTPS_EDGE.shown(state) for state in states if _matches(state, options)]})


def _matches(state: dict[str, Any], options: Options) -> bool:
    """Return whether each field has the requested value or, if it is a list, at least one of the requested members."""
    values = {name: HTTPS_EDGE.named[name].kind.normal(options[name]) for name in _FILTERS if options[name] is not None}
    return all(
        not set(state[name]).isdisjoint(value)
        if isinstance(value, list)
        else HTTPS_EDGE.named[name].kind.same(state[name], value)
        for name, value in values.items()
        if value != []
    )


EDGE = PluginDefinition(
    options={"state": STATE, "purge_hostports": PURGE_HOSTPORTS, **SINGLE_OPTIONS, **MEMBER_OPTIONS},
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_in_routes,
)

INFO = PluginDefinition(
    options={"id": {"type": "str"}, **{name: HTTPS_EDGE.named[name].kind.argument() for name in _FILTERS}},
    option_errors=_info_errors,
    perform=_read,
    writes=False,
)
