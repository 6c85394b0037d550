# SPDX-License-Identifier: GPL-3.0-or-later
"""A purge needs everything that is declared with it: what is not declared may be what a failed declaration is meant to
replace. Pure.

Protection comes first: a purge does not wait for declared objects that must not be changed before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping

from .._planning.plan import Plan
from .graph import Graph


def need_declared(graph: Graph, later: Mapping[int, Collection[int]]) -> None:
    """Let each purge wait for what is declared with it, except for the plans that come `later`."""
    kinds = {plan.key: plan.kind.name for plan in graph.plans if plan.target.parent is None}
    declared: dict[Hashable, list[int]] = defaultdict(list)
    purges: dict[Hashable, list[int]] = defaultdict(list)
    for position, plan in enumerate(graph.plans):
        if not plan.purge:
            for family in _families(plan, kinds):
                declared[family].append(position)
        elif plan.operations or plan.error:
            purges[next(_families(plan, kinds))].append(position)
    for family, positions in purges.items():
        needed = [node for position in declared[family] for node in graph.nodes(position)[-1:]]
        everything = graph.join(needed) if needed else None
        for position in positions:
            own = graph.nodes(position)[-1]
            if everything is not None and not later.get(position):
                graph.need(own, everything)
            for node in needed if later.get(position) else ():
                if node[0] not in later[position]:
                    graph.need(own, node)


def _families(plan: Plan, kinds: Mapping[Hashable, str]) -> Iterator[Hashable]:
    """Yield what a plan is declared with: the others of its parent, and the collection that it or its parent is in."""
    parent = plan.target.parent
    if parent is not None:
        yield ("parent", parent)
    if parent is None or parent in kinds:
        yield ("collection", kinds[plan.key if parent is None else parent])
