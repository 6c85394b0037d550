# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task reads only because it counts for who gets through: edges around its objects, and rules of IP policies."""

from __future__ import annotations

from collections.abc import Sequence

from .._access.policies import Wire, changed_policies
from .._access.requirements import Requirement
from .._errors import IngressError
from .._model.protection import IP_RULES
from .._model.schema import HTTPS_EDGE
from .._planning.plan import Plan
from .._planning.undeclared import NotExamined, Remainder, Surrounding
from .._transport.client import Client
from .collection_of_objects import listed_objects
from .https_edge import compared_fields, listed_edges, state_of


def edges_around(client: Client, plans: Sequence[Plan], *, are_needed: bool = False) -> list[Remainder]:
    """Return the edges that may use the IP policies whose rules the plans change; if they `are_needed`, all of them."""
    if not are_needed and not changed_policies(plans):
        return []
    known = {(plan.before or {}).get("id") for plan in plans if plan.kind is HTTPS_EDGE}
    try:
        found = [state_of(wire) for wire in listed_edges(client, compared_fields(()))]
    except IngressError as error:
        return [NotExamined("the routes that use changed IP policies", f"other HTTPS edges could not be read: {error}")]
    return [Surrounding(HTTPS_EDGE, state) for state in found if state and state["id"] not in known]


def rules_around(client: Client, demanded: Sequence[Requirement]) -> Sequence[Wire] | None:
    """Return all rules of IP policies if a requirement asks for networks; None if the service does not show them."""
    if not any("network" in one.needs for one in demanded):
        return None
    try:
        return listed_objects(client, IP_RULES)
    except IngressError:
        return None
