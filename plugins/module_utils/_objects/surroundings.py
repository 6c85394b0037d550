# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task reads only because it counts for who gets through: edges around its objects, and rules of IP policies.

Few tasks change who gets in, and Ansible compiles whatever is imported, for each playbook.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._errors import IngressError, NotSupported
from .._model.protection import IP_RULES, RULE_FIELDS, SERVING, TLS_EDGES
from .._model.schema import HTTPS_EDGE, TLS_EDGE_MODULES
from .._planning.plan import Plan
from .._planning.undeclared import NotExamined, Remainder, Surrounding
from .._transport.client import Client
from .._values.identifiers import is_placeholder
from .collection_of_objects import Wire, find_by_id, listed_objects, whole_objects, with_fields
from .https_edges import compared_fields, live_edges


def surroundings(client: Client, plans: Sequence[Plan], *, with_https_edges: bool, is_needed: bool) -> list[Remainder]:
    """Return all that serves traffic if it counts for plans: they change rules of IP policies, or do not know them, or
    change backends that lead to each other, or it `is_needed` for something else.

    These are HTTPS edges as well, unless the task has read them for itself. TLS edges also count if plans change who
    gets through to them, and backends or hosts.
    """
    from .._access.backends import backends_of, change_around_tls_edges  # noqa: PLC0415
    from .._access.policies import Policies, changed_policies  # noqa: PLC0415

    found: list[Remainder] = []
    kinds = [TLS_EDGES] if change_around_tls_edges(plans) else []
    counts = changed_policies(plans) or Policies.of_plans(plans, None).lacks_rules
    if is_needed or counts or backends_of(plans).change_together:
        kinds = [*([HTTPS_EDGE.name] if with_https_edges else []), *SERVING]
    for kind in kinds:
        try:
            if kind == HTTPS_EDGE.name:
                found += [Surrounding(kind, state) for state in live_edges(client, compared_fields(()))]
            else:
                wires = _serving(client, kind, plans)
                # What has no ID is another object than all others.
                ids = (str(wire.get("id") or f"number {number}") for number, wire in enumerate(wires))
                found += [Surrounding(kind, {**wire, "id": one}) for one, wire in zip(ids, wires)]
        except IngressError as error:
            # A service without a list of such a kind may not have any.
            if kind == HTTPS_EDGE.name or not isinstance(error, NotSupported):
                found.append(NotExamined(f"other objects that serve traffic ({kind})", str(error), counts=True))
    known = {(plan.before or {}).get("id") for plan in plans}
    return [one for one in found if not isinstance(one, Surrounding) or one.state["id"] not in known]


def _serving(client: Client, collection: str, plans: Sequence[Plan]) -> Sequence[Wire]:
    """Return all objects of a collection; without a list, the TLS edges whose traffic modules are planned."""
    try:
        return whole_objects(client, collection, listed_objects(client, collection))
    except NotSupported:
        ids = dict.fromkeys(str(plan.target.parent) for plan in plans if plan.kind in TLS_EDGE_MODULES.values())
        if collection != TLS_EDGES or not ids:
            raise
        found = (find_by_id(client, collection, one) for one in ids if not is_placeholder(one))
        return [wire for wire in found if wire is not None]


def rules_around(client: Client) -> Sequence[Wire] | None:
    """Return all rules of IP policies; None if the service does not show them."""
    try:
        return with_fields(client, IP_RULES, listed_objects(client, IP_RULES), RULE_FIELDS)
    except IngressError:
        return None
