# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTPS edges, read."""

from __future__ import annotations

from typing import Any

from .._definition import Client, OptionErrors, Options, Outcome, PluginDefinition
from .._model.schema import EDGE_PREFIX, HTTPS_EDGE
from .._objects import common_options, https_edges

_FILTERS = ("hostports", "description", "metadata")


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from common_options.identifier_errors(options, "id", EDGE_PREFIX, check_mode)
    for name in _FILTERS:
        if options.get(name) is not None:
            yield from HTTPS_EDGE.named[name].kind.option_errors(options[name], name)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    wires = [https_edges.read_edge(client, options["id"])] if options["id"] else https_edges.listed_edges(client)
    states = [state for wire in wires if (state := https_edges.state_of(wire)) is not None]
    found = [state for state in states if _matches(state, options)]
    return Outcome(
        objects={"https_edges": [HTTPS_EDGE.shown(state) for state in found]},
        warnings=[f"{path} {https_edges.OTHER_RULES}" for path in https_edges.policies_with_other_rules(found)],
    )


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


DEFINITION = PluginDefinition(
    options={"id": {"type": "str"}, **{name: HTTPS_EDGE.named[name].kind.argument() for name in _FILTERS}},
    option_errors=_option_errors,
    perform=_perform,
    writes=False,
)
