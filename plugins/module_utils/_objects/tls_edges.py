# SPDX-License-Identifier: GPL-3.0-or-later
"""The two traffic modules of TLS edges: API reference, sections 2.5 and 4.2. A PUT replaces one as a whole."""

from __future__ import annotations

from dataclasses import replace

from .._definition import Client, Options
from .._errors import NotFound, UnsupportedRequest, reading
from .._model.schema import TLS_EDGE_MODULES
from .._planning.changes import plan_absent, plan_replacement, restricted
from .._planning.object_names import tls_edge_subject
from .._planning.plan import Plan, State, Target
from .._transport.addresses import path_of
from .._values.identifiers import is_placeholder


def read_module(client: Client, edge_id: str, name: str, *, prove_edge: bool = False) -> tuple[State | None, bool]:
    """Return a traffic module, None if it is not set, and whether the response proves that the TLS edge exists.

    All services return 404 for an unknown edge, and some also for a traffic module that is not set. `prove_edge` then
    also reads the other traffic module. A TLS edge that check mode would create has none.
    """
    if is_placeholder(edge_id):
        return None, True
    path = path_of("edges", "tls", edge_id, name)
    try:
        wire = client.call("GET", path)[1]
    except NotFound:
        return None, prove_edge and _is_proven_by_others(client, edge_id, name)
    with reading(path):
        return TLS_EDGE_MODULES[name].read(wire, ""), True


def _is_proven_by_others(client: Client, edge_id: str, name: str) -> bool:
    try:
        return any(read_module(client, edge_id, other)[1] for other in TLS_EDGE_MODULES if other != name)
    except UnsupportedRequest:  # This says nothing about the edge.
        return False


def read_modules(client: Client, edge_id: str) -> tuple[dict[str, State | None], bool]:
    """Return the traffic modules of a TLS edge, and whether anything proves that it exists."""
    found = {name: read_module(client, edge_id, name) for name in TLS_EDGE_MODULES}
    return {name: state for name, (state, _proves) in found.items()}, any(proves for _state, proves in found.values())


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
    client: Client,
    target: Target,
    name: str,
    given: Options,
    absent: str,
    *,
    prove_edge: bool = True,
    allow_empty: bool = False,
) -> Plan:
    """Read a traffic module, and return its plan; `absent` is the reason to remove it, if any.

    Only for a plan that sets it, it matters whether the edge exists; with `prove_edge`, that is found out before.
    """
    edge_id = str(target.parent)
    state, proves_edge = read_module(client, edge_id, name, prove_edge=prove_edge and not absent)
    if absent:
        return plan_absent(target, state, absent)
    made = restricted(plan_replacement(target, state, given), given, allow_empty=allow_empty)
    return made if proves_edge else replace(made, doubt=edge_doubt(edge_id))
