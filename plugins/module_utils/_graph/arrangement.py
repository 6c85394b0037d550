# SPDX-License-Identifier: GPL-3.0-or-later
"""The plans of a task as one graph: all rules together, and what is withheld for want of a plan. Pure.

The needs of existence and of names never give way; only that an object waits for a change of one that it refers to,
and only among the plans that have no safe order otherwise.
Where no order protects what both before and after protect, a route is closed in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .._access.account import account_of
from .._access.policies import Wire
from .._errors import Contradiction
from .._model.protection import BACKENDS, IP_RULES
from .._planning.closing import closed_meanwhile
from .._planning.plan import Plan, unchanged, withholding
from .._planning.undeclared import Remainder
from .existence import need_declared, need_parents, need_referenced, need_to_be_unused
from .graph import Graph, settle
from .moves import give_up_late, need_names, with_releases
from .protection import Stuck, need_protection


def arranged(plans: Sequence[Plan], rest: Sequence[Remainder] = (), ip_rules: Sequence[Wire] | None = None) -> Graph:
    """Return the graph of these plans, of which those are withheld that wait for one that could not be made.

    `rest` are the live objects that the task leaves as they are, `ip_rules` all rules of IP policies, if it has read
    them.
    """
    plans, yielding = with_releases(plans), frozenset[int]()
    while True:
        graph = Graph(plans)
        need_parents(graph)
        need_referenced(graph, yielding)
        need_to_be_unused(graph)
        need_names(graph)
        graph.account = account_of(plans, rest, ip_rules)
        stuck = need_protection(graph, graph.account)
        if not stuck:
            break
        entangled = yielding.union(*(one.entangled for one in stuck))
        plans, yielding = _unstuck(plans, stuck) if entangled == yielding else plans, entangled
    need_declared(graph)
    give_up_late(graph)
    failed = [position for position, plan in enumerate(graph.plans) if plan.error]
    for position, cause in settle(graph, failed).items():
        if not graph.is_join(position):
            plan = graph.plans[position]
            graph.plans[position] = unchanged(plan, withholding(plan, graph.plans[cause].subject))
            graph.account = None
    return graph


def _unstuck(plans: Sequence[Plan], stuck: Sequence[Stuck]) -> list[Plan]:
    """Return the plans with those changed that close routes in between.

    If none of them can do so for a group of edges, the change that opens one of these routes is an error.
    """
    changed = dict(enumerate(plans))
    for openings, waiting, _entangled in stuck:
        closed: dict[int, Plan] = {}
        for one in openings:
            # A new route cannot be closed. What hands it the requests may stay closed itself while it does so.
            routes = [route for route, _cause in one if route is not None]
            closed.update(_closable(plans, [*routes, *(cause for _route, cause in one)])[:1])
        if not closed:
            # Each probe has a safe order of its own. The fewer routes are open, the more orders suit all of them.
            closable = _closable(plans, waiting)
            closed = dict(closable[: 1 + len(closable) // 4])
        if not closed:
            first = openings[0][0][1]
            closed = {first: unchanged(plans[first], _no_order(plans[first]))}
        changed |= closed
    return list(changed.values())


def _closable(plans: Sequence[Plan], positions: Iterable[int]) -> list[tuple[int, Plan]]:
    found = ((position, closed_meanwhile(plans[position])) for position in positions)
    return [(position, plan) for position, plan in found if plan is not None]


def _no_order(plan: Plan) -> Contradiction:
    collection = plan.target.object_collection
    if collection == IP_RULES:
        return Contradiction(
            f"No order of the changes keeps out in between whom {plan.subject} is to keep out, because the task also "
            "changes what its IP policy protects, and this cannot be closed in the meantime. Make the changes in two "
            "runs: first, declare only some of them."
        )
    if collection and plan.before is None:
        return Contradiction(
            f"No order of the changes keeps {plan.subject} protected in between, because it would serve requests "
            "before the traffic modules are set that another part of the task declares for it. Declare them in its "
            "`body`, so that it is created with them."
        )
    if collection.startswith(BACKENDS):
        return Contradiction(
            f"No order of the changes keeps {plan.subject} protected in between, because the task also changes who "
            "gets through to it, and what leads to it cannot be closed in the meantime. Make the changes in two runs: "
            "first, declare only some of them."
        )
    return Contradiction(
        f"No order of the changes keeps {plan.subject} protected in between, because a route would take over its "
        "requests that the task does not declare, or cannot close. Declare that route as well, so that it can be "
        "closed in the meantime, or make the changes in two runs."
    )
