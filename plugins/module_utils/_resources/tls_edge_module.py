# SPDX-License-Identifier: GPL-3.0-or-later
"""The two modules of a TLS edge: sections 2.5 and 4.2 of the description. A PUT replaces the module as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .._applying.apply import converge
from .._applying.outcome import Outcome, outcome_of_one
from .._definition import ModuleDefinition, Options
from .._errors import NotThere, reading
from .._model.schema import TLS_EDGE_MODULES, TLS_EDGE_PREFIX
from .._planning import plan
from .._planning.placeholders import is_placeholder
from .._transport.addresses import path_of
from .._transport.client import Client
from .common_options import STATE, identifier_errors


@dataclass(frozen=True)
class ModuleReading:
    """A module as the service shows it: its `state` is None if it is not set.

    `proves_edge` is False where the service answered 404. Some services answer so for a module that is not set, all of
    them for an edge that they do not know.
    """

    state: plan.State | None
    proves_edge: bool


def read_module(client: Client, edge_id: str, name: str) -> ModuleReading:
    """The module as it is. A TLS edge that a dry run would create has none."""
    if is_placeholder(edge_id):
        return ModuleReading(None, proves_edge=True)
    path = path_of("edges", "tls", edge_id, name)
    try:
        wire = client.call("GET", path)[1]
    except NotThere as refusal:
        if refusal.request.status != 404:  # noqa: PLR2004
            raise
        return ModuleReading(None, proves_edge=False)
    with reading(path):
        return ModuleReading(TLS_EDGE_MODULES[name].read(wire, ""), proves_edge=True)


def edge_doubt(edge_id: str) -> str:
    """What to tell users if nothing proves that a TLS edge exists."""
    return (
        f"TLS edge {edge_id} may not exist: the service answers 404 for its modules, which means either that they are "
        "not set or that the edge is unknown. Check the ID."
    )


def module_plan(
    client: Client,
    edge_id: str,
    name: str,
    given: Mapping[str, Any] | None,
    absent: str = "",
    *,
    look_for_edge: bool = True,
) -> plan.Plan:
    """The plan for one module, read from the service; `absent` is the reason why it is to go.

    With `look_for_edge`, the other module is read where this one's 404 leaves open whether there is an edge to put it
    on. Without, the answer to the PUT tells.
    """
    kind, path = TLS_EDGE_MODULES[name], path_of("edges", "tls", edge_id, name)
    found = read_module(client, edge_id, name)
    subject = f"{name} of TLS edge {edge_id}"
    if absent or given is None:
        # What is not there is not there, with or without the edge.
        return replace(plan.absent(subject, kind, path, found.state, absent), key=(edge_id, name))
    is_proven = found.proves_edge or (look_for_edge and _is_proven_by_others(client, edge_id, name))
    made = plan.replaced(subject, kind, path, found.state, given)
    return replace(made, key=(edge_id, name), doubt="" if is_proven else edge_doubt(edge_id))


def _is_proven_by_others(client: Client, edge_id: str, name: str) -> bool:
    """Whether the service shows another module of the TLS edge than this one."""
    try:
        return any(read_module(client, edge_id, other).proves_edge for other in TLS_EDGE_MODULES if other != name)
    except NotThere:  # it does not have the operation, which tells nothing about the edge
        return False


def tls_edge_module(name: str) -> ModuleDefinition:
    """The work on the module of that name."""
    kind = TLS_EDGE_MODULES[name]

    def option_errors(options: Options, check_mode: bool) -> Iterator[str]:
        yield from identifier_errors(options, "edge_id", TLS_EDGE_PREFIX, check_mode)
        declared = {f.name: options.get(f.name) for f in kind.declarable}
        yield from (
            kind.value_errors(declared, "") if options.get("state") == "absent" else kind.option_errors(declared, "")
        )

    def perform(client: Client, options: Options, check_mode: bool) -> Outcome:
        absent = "is to be absent" if options["state"] == "absent" else ""

        def look() -> list[plan.Plan]:
            return [module_plan(client, options["edge_id"], name, options, absent, look_for_edge=check_mode)]

        [done] = converge(client, look, check_mode)
        return outcome_of_one(done, name)

    return ModuleDefinition(
        options={"edge_id": {"type": "str", "required": True}, "state": STATE, **kind.options()},
        option_errors=option_errors,
        perform=perform,
    )


IP_RESTRICTION = tls_edge_module("ip_restriction")
TLS_TERMINATION = tls_edge_module("tls_termination")
