# SPDX-License-Identifier: GPL-3.0-or-later
"""The two modules of a TLS edge: sections 2.5 and 4.2 of the description. A PUT replaces the module as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .. import plan
from ..addresses import path_of
from ..apply import converge
from ..arguments import STATE, identifier_faults
from ..client import Client
from ..errors import reading
from ..outcome import Outcome, outcome_of_one
from ..schema import TLS_EDGE_MODULES, TLS_EDGE_PREFIX
from ..work import Options, Work


def read_module(client: Client, edge_id: str, name: str) -> plan.State | None:
    """The module as it is, None where it is not set."""
    path = path_of("edges", "tls", edge_id, name)
    with reading(path):
        state: plan.State | None = TLS_EDGE_MODULES[name].read(client.object_at(path, may_be_unset=True), "")
    return state


def module_plan(
    client: Client, edge_id: str, name: str, given: Mapping[str, Any] | None, absent: str = ""
) -> plan.Plan:
    """The plan for one module, read from the service; `absent` is the reason why it is to go."""
    kind, path = TLS_EDGE_MODULES[name], path_of("edges", "tls", edge_id, name)
    have = read_module(client, edge_id, name)
    subject = f"{name} of TLS edge {edge_id}"
    if absent or given is None:
        made = plan.absent(subject, kind, path, have, absent)
    else:
        made = plan.replaced(subject, kind, path, have, given)
    return replace(made, key=(edge_id, name))


def tls_edge_module(name: str) -> Work:
    """The work on the module of that name."""
    kind = TLS_EDGE_MODULES[name]

    def faults(options: Options, check_mode: bool) -> Iterator[str]:
        yield from identifier_faults(options, "edge_id", TLS_EDGE_PREFIX, check_mode)
        declared = {f.name: options.get(f.name) for f in kind.declarable}
        yield from kind.value_faults(declared, "") if options.get("state") == "absent" else kind.faults(declared, "")

    def perform(client: Client, options: Options, check_mode: bool) -> Outcome:
        absent = "is to be absent" if options["state"] == "absent" else ""
        [done] = converge(client, lambda: [module_plan(client, options["edge_id"], name, options, absent)], check_mode)
        return outcome_of_one(done, name)

    return Work(
        options={"edge_id": {"type": "str", "required": True}, "state": STATE, **kind.options()},
        faults=faults,
        perform=perform,
    )


IP_RESTRICTION = tls_edge_module("ip_restriction")
TLS_TERMINATION = tls_edge_module("tls_termination")
