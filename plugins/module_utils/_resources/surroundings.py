# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task reads only because it counts for who gets through: edges around its objects, and rules of IP policies."""

from __future__ import annotations

from collections.abc import Sequence

from .._access.policies import Wire, changed_policies
from .._access.requirements import Requirement
from .._errors import IngressError, NotSupported
from .._model.protection import IP_RULES, SERVING
from .._model.schema import HTTPS_EDGE
from .._planning.plan import Plan, State
from .._planning.undeclared import NotExamined, Remainder, Surrounding
from .._transport.client import Client
from .collection_of_objects import listed_objects
from .https_edge import compared_fields, listed_edges, state_of


def surroundings(
    client: Client, plans: Sequence[Plan], *, has_read_edges: bool = False, are_needed: bool = False
) -> list[Remainder]:
    """Return what may use the IP policies whose rules the plans change; if they `are_needed`, all that serves traffic.

    If the task `has_read_edges`, HTTPS edges are not read again.
    """
    if not are_needed and not changed_policies(plans):
        return []
    found: list[Remainder] = []
    for kind in [*([] if has_read_edges else [HTTPS_EDGE.name]), *SERVING]:
        try:
            found += [Surrounding(kind, state) for state in _listed(client, kind) if state]
        except IngressError as error:
            # A service without a list of an own kind may not have such objects.
            if kind == HTTPS_EDGE.name or not isinstance(error, NotSupported):
                found.append(NotExamined(f"{kind} that may use changed IP policies", str(error)))
    known = {(plan.before or {}).get("id") for plan in plans}
    return [one for one in found if not isinstance(one, Surrounding) or one.state["id"] not in known]


def _listed(client: Client, kind: str) -> Sequence[State | None]:
    if kind == HTTPS_EDGE.name:
        return [state_of(wire) for wire in listed_edges(client, compared_fields(()))]
    return listed_objects(client, kind)


def rules_around(client: Client, demanded: Sequence[Requirement]) -> Sequence[Wire] | None:
    """Return all rules of IP policies if a requirement asks for networks; None if the service does not show them."""
    if not any("network" in one.needs for one in demanded):
        return None
    try:
        return listed_objects(client, IP_RULES)
    except IngressError:
        return None
