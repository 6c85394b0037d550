# SPDX-License-Identifier: GPL-3.0-or-later
"""The two traffic modules of TLS edges: API reference, sections 2.5 and 4.2. A PUT replaces one as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .._definition import Options
from .._errors import NotFound, UnsupportedRequest, reading
from .._model.identifiers import is_placeholder
from .._model.schema import TLS_EDGE_MODULES
from .._planning.changes import plan_absent, plan_replacement
from .._planning.object_names import tls_edge_subject
from .._planning.plan import Plan, State, Target
from .._transport.addresses import path_of
from .._transport.client import Client


@dataclass(frozen=True)
class ModuleReading:
    """A traffic module as the service returns it. Its `state` is None if it is not set.

    `proves_edge` is False if the service returned 404: all services do so for an unknown edge, and some also for a
    traffic module that is not set.
    """

    state: State | None
    proves_edge: bool


def read_module(client: Client, edge_id: str, name: str, *, prove_edge: bool = False) -> ModuleReading:
    """Read the traffic module. A TLS edge that check mode would create has none.

    If a 404 leaves open whether the edge exists, `prove_edge` also reads the other traffic module.
    """
    if is_placeholder(edge_id):
        return ModuleReading(None, proves_edge=True)
    path = path_of("edges", "tls", edge_id, name)
    try:
        wire = client.call("GET", path)[1]
    except NotFound:
        return ModuleReading(None, proves_edge=prove_edge and _is_proven_by_others(client, edge_id, name))
    with reading(path):
        return ModuleReading(TLS_EDGE_MODULES[name].read(wire, ""), proves_edge=True)


def read_modules(client: Client, edge_id: str) -> dict[str, ModuleReading]:
    return {name: read_module(client, edge_id, name) for name in TLS_EDGE_MODULES}


def is_proven(found: Mapping[str, ModuleReading]) -> bool:
    """Return whether anything proves that a TLS edge exists."""
    return any(one.proves_edge for one in found.values())


def edge_doubt(edge_id: str) -> str:
    return (
        f"TLS edge {edge_id} might not exist: the service returned 404 for its traffic modules, which means that they "
        "are not set or that the edge does not exist. Check the ID."
    )


def module_target(edge_id: str, name: str, option: str = "") -> Target:
    return Target(
        f"{name} of {tls_edge_subject(edge_id)}",
        TLS_EDGE_MODULES[name],
        key=(edge_id, name),
        parent=edge_id,
        path=path_of("edges", "tls", edge_id, name),
        option=option,
        is_part=True,
    )


def module_plan(
    edge_id: str, found: ModuleReading, name: str, given: Options | None, absent: str, option: str = ""
) -> Plan:
    """Return the plan for one traffic module; `absent` is the reason to remove it, if any.

    `option` is the one that declares it.
    """
    target = module_target(edge_id, name, option)
    if absent or given is None:
        # The traffic module is not set, whether or not the edge exists.
        return plan_absent(target, found.state, absent)
    made = plan_replacement(target, found.state, given)
    return made if found.proves_edge else replace(made, doubt=edge_doubt(edge_id))


def _is_proven_by_others(client: Client, edge_id: str, name: str) -> bool:
    """Return whether the service returns another traffic module of the TLS edge."""
    try:
        return any(read_module(client, edge_id, other).proves_edge for other in TLS_EDGE_MODULES if other != name)
    except UnsupportedRequest:  # This says nothing about the edge.
        return False
