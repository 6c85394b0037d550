# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges and routes that the plans of a task change, together with what stays as it is. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain

from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE
from .._planning.plan import Plan
from .._planning.undeclared import Remainder, Undeclared
from .traffic import Door, EdgeTraffic, Passage, Probe, RouteProbe

_NOT_PLANNED = Passage([Door(frozenset(), None, None, {})])
"""An edge that the task does not change, so that it does not matter what it requires."""


def changed_edges(plans: Sequence[Plan], rest: Sequence[Remainder]) -> list[list[EdgeTraffic]]:
    """Return the edges of which several parts change, or one while another failed. Shared hosts put edges together.

    The operations on a single object have a safe order of their own.
    """
    parts: dict[Hashable, list[int]] = defaultdict(list)
    for position, plan in enumerate(plans):
        if plan.kind is HTTPS_EDGE or plan.kind is HTTPS_EDGE_ROUTE:
            parts[plan.key if plan.kind is HTTPS_EDGE else plan.target.parent].append(position)
    counts = Counter(host for plan in plans if plan.operations for host in _hosts(plan))
    shared = {host for host, number in counts.items() if number > 1}
    found: dict[Hashable, EdgeTraffic] = {}
    for key, positions in parts.items():
        active = sum(1 for position in positions if plans[position].operations)
        failed = [position for position in positions if plans[position].error and not plans[position].purge]
        is_moving = any(shared.intersection(_hosts(plans[position])) for position in positions)
        if active > 1 or (active and failed) or (active and is_moving):
            found[key] = _traffic(plans, positions, failed, is_moving)
    _add_undeclared(found, plans, rest)
    return _together(list(found.values()), shared)


def probes(edges: Sequence[EdgeTraffic]) -> Iterator[Probe | RouteProbe]:
    """Yield probes for all requests whose access depends on several plans, or on one and on those that failed."""
    for host in _representatives(edges):
        serving = [edge for edge in edges if host in edge.hosts]
        for path in dict.fromkeys(path for edge in serving for path in edge.paths()):
            probe = Probe(host, path, [(edge, edge.around(path)) for edge in serving])
            if len(probe.positions) > 1 or (probe.positions and probe.failed):
                yield probe
    for edge in edges:
        for route in edge.routes:
            inner = RouteProbe(edge, route)
            if len(inner.positions) > 1 or (inner.positions and inner.failed):
                yield inner


def _hosts(plan: Plan) -> set[str]:
    states = (plan.before, plan.after) if plan.kind is HTTPS_EDGE else ()
    return {host for state in states if state for host in state["hostports"]}


def _traffic(plans: Sequence[Plan], positions: Sequence[int], failed: list[int], is_moving: bool) -> EdgeTraffic:
    edge = _NOT_PLANNED
    routes = []
    for position in positions:
        plan, passage = plans[position], Passage.of(plans[position], position)
        if plan.kind is not HTTPS_EDGE:
            routes.append(passage)
            continue
        # Routes come after their new edge in any case.
        is_new = plan.before is None and plan.operations and not is_moving
        edge = Passage(passage.doors[-1:], position) if is_new else passage
        states = (plan.before or {}).get("routes") or ()
        routes += [Passage.unchanged(HTTPS_EDGE_ROUTE, state) for state in states if state is not None]
    return EdgeTraffic(edge, routes, failed)


def _add_undeclared(found: dict[Hashable, EdgeTraffic], plans: Sequence[Plan], rest: Sequence[Remainder]) -> None:
    keys = {
        plan.before["id"]: plan.key for plan in plans if plan.kind is HTTPS_EDGE and plan.before and plan.key in found
    }
    for one in rest:
        if isinstance(one, Undeclared) and one.kind == HTTPS_EDGE_ROUTE.name:
            edge_id = one.state["edge_id"]
            edge = found.get(keys.get(edge_id, edge_id))
            if edge is not None:
                edge.routes.append(Passage.unchanged(HTTPS_EDGE_ROUTE, one.state))


def _together(edges: Sequence[EdgeTraffic], shared: set[str]) -> list[list[EdgeTraffic]]:
    """Return the edges in groups, of which each shares hosts only inside of it."""
    alone = [[edge] for edge in edges if edge.hosts.isdisjoint(shared)]
    by_host: dict[str, list[EdgeTraffic]] = {}
    for edge in edges:
        met = {id(by_host[host]): by_host[host] for host in sorted(edge.hosts & shared) if host in by_host}
        group = [*chain.from_iterable(met.values()), edge]
        by_host.update((host, group) for one in group for host in one.hosts & shared)
    return [*alone, *{id(group): group for group in by_host.values()}.values()]


def _representatives(edges: Sequence[EdgeTraffic]) -> list[str]:
    """Return one of all hosts that the same edges serve at the same times, and those that routes name."""
    named = {
        door.area.host for edge in edges for route in edge.routes for door in route.doors if door and door.area
    } - {""}
    found: dict[object, str] = {}
    for host in sorted(frozenset().union(*(edge.hosts for edge in edges))):
        times = tuple(tuple(door is not None and host in door.hosts for door in edge.edge.doors) for edge in edges)
        name = host.rpartition(":")[0]
        found.setdefault((times, name if name in named else ""), host)
    return list(found.values())
