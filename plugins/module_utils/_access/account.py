# SPDX-License-Identifier: GPL-3.0-or-later
"""All edges with their routes and IP policies, of which each has executed some of the operations of its plan. Pure.

Nothing else knows whether they are live, declared, or planned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from .._model.protection import SERVING, TLS_EDGES
from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE, TLS_EDGE_MODULES
from .._planning.plan import Plan, State, states_of
from .._planning.undeclared import Remainder, Surrounding, Undeclared
from .policies import Policies
from .routing import ASSUMED, WILDCARD, Reading, prefixes_of
from .served_objects import SERVED_OBJECT, TLS_EDGE, served_state
from .views import At, Part

Wire = Mapping[str, Any]


class Edge:
    """An edge with its routes. What its separate traffic `modules` check is checked in addition to its own locks.

    If its `own` part is None, nothing is known of the edge itself, and it is judged as if it served any host that its
    routes name. `failed` are plans that could not be made, so that nobody knows what they lead to. The `identifier` is
    the ID of an edge that is known by its modules.
    """

    def __init__(
        self,
        identifier: str = "",
        own: Part | None = None,
        routes: Iterable[Part] = (),
        modules: Iterable[Part] = (),
    ) -> None:
        self.identifier, self.own = identifier, own
        self.routes, self.modules = list(routes), list(modules)
        self.failed: list[int] = []

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The hostports that it serves at any time."""
        if self.own is not None:
            return frozenset().union(*(view.hosts for view in self.own.existing))
        areas = [view.area for route in self.routes for view in route.existing if view.area]
        return frozenset({"", *(f"{area.host}:" for area in areas if area.host)})

    def serves(self, hostport: str, at: At) -> bool:
        view = self.own.at(at) if self.own else None
        return hostport in (view.hosts if view else ()) if self.own else hostport in self.hosts

    @property
    def parts(self) -> list[Part]:
        """The parts that all requests to the edge pass."""
        return [*([self.own] if self.own else []), *self.modules]

    @cached_property
    def by_path(self) -> Mapping[str, list[Part]]:
        """The routes by the paths of their areas."""
        found: dict[str, dict[Part, None]] = defaultdict(dict)
        for route in self.routes:
            for view in route.existing:
                if view.area is not None:
                    found[view.area.path][route] = None
        return {path: list(routes) for path, routes in found.items()}

    @cached_property
    def exact_paths(self) -> frozenset[str]:
        areas = (view.area for route in self.routes for view in route.existing)
        return frozenset(area.path for area in areas if area is not None and area.is_exact)

    @cached_property
    def named_hosts(self) -> frozenset[str]:
        """The hosts that matches of its routes name."""
        areas = (view.area for route in self.routes for view in route.existing)
        return frozenset(area.host for area in areas if area is not None and area.host)

    @cached_property
    def has_twins(self) -> bool:
        """Whether several routes may match the same requests."""
        return any(len(routes) > 1 for routes in self.by_path.values())

    def around(self, path: str, reading: Reading = ASSUMED) -> list[Part]:
        """Return the routes that may match a path at some time, those with the longest paths first."""
        found = (route for prefix in prefixes_of(path, reading) for route in self.by_path.get(prefix, ()))
        return list(dict.fromkeys(found))


class Account:
    """The edges, and whom the IP policies let through. `probes` are kept once they are found."""

    def __init__(self, edges: Iterable[Edge], policies: Policies) -> None:
        self.edges, self.policies = list(edges), policies
        self.probes: Sequence[Any] | None = None

    @cached_property
    def has_wildcards(self) -> bool:
        return any(WILDCARD in host for host in self.by_host)

    @cached_property
    def by_host(self) -> Mapping[str, list[Edge]]:
        """The edges by the hostports that they serve at any time."""
        found: dict[str, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            for host in edge.hosts:
                found[host].append(edge)
        return dict(found)


def account_of(
    plans: Sequence[Plan], rest: Sequence[Remainder] = (), ip_rules: Sequence[Wire] | None = None
) -> Account:
    """Return the account that plans change, with the live objects that they leave as they are.

    `ip_rules` are all live rules of IP policies, None if they were not read.
    """
    planned = _Planned()
    for position, plan in enumerate(plans):
        planned.add(plan, position)
    for one in rest:
        if isinstance(one, (Undeclared, Surrounding)):
            planned.add_live(one.kind, one.state)
    return Account(planned.edges.values(), Policies.of_plans(plans, ip_rules))


class _Planned:
    """The edges of plans, by the keys of their plans, or by their IDs."""

    def __init__(self) -> None:
        self.edges: dict[Hashable, Edge] = {}
        self._keys: dict[str, Hashable] = {}

    def add(self, plan: Plan, position: int) -> None:
        states = [plan.before] if plan.error else states_of(plan)
        kind, edge = plan.kind, None
        if kind is HTTPS_EDGE:
            edge = self._edge(plan.key)
            edge.own = Part(kind, states, position)
            edge.routes += [Part(HTTPS_EDGE_ROUTE, [one]) for one in (plan.before or {}).get("routes") or () if one]
            if plan.before is not None:
                self._keys[plan.before["id"]] = plan.key
        elif kind is HTTPS_EDGE_ROUTE:
            edge = self._edge(plan.target.parent)
            edge.routes.append(Part(kind, states, position))
        elif kind in TLS_EDGE_MODULES.values():
            edge = self._tls_edge(str(plan.target.parent))
            name = next(name for name, one in TLS_EDGE_MODULES.items() if one is kind)
            edge.modules.append(Part(TLS_EDGE, [{name: state} for state in states], position))
        elif kind.name == "object" and plan.target.collection.strip("/") in SERVING:
            edge = self._served_object(plan, states, position)
        if edge is not None and plan.error and not plan.purge:
            edge.failed.append(position)

    def _edge(self, key: Hashable) -> Edge:
        return self.edges.setdefault(key, Edge())

    def _tls_edge(self, edge_id: str) -> Edge:
        edge = self.edges.setdefault((TLS_EDGES, edge_id), Edge(edge_id))
        if not edge.routes:
            edge.routes.append(Part(TLS_EDGE, [{}]))
        return edge

    def _served_object(self, plan: Plan, states: Sequence[State | None], position: int) -> Edge:
        shown = [None if state is None else served_state(plan.kind.shown(state)) for state in states]
        identifier = (plan.before or plan.after or plan.target.identity)["id"]
        edge = self._edge((plan.target.collection.strip("/"), identifier))
        edge.own = Part(SERVED_OBJECT, shown, position)
        edge.routes = [edge.own]
        return edge

    def add_live(self, kind: str, state: State) -> None:
        if kind == HTTPS_EDGE.name:
            edge = self._edge(state["id"])
            edge.own = Part(HTTPS_EDGE, [state])
            edge.routes += [Part(HTTPS_EDGE_ROUTE, [one]) for one in state.get("routes") or () if one]
        elif kind in SERVING:
            edge = self._edge((kind, state["id"]))
            if edge.own is None:
                # What the plans of its traffic modules say counts in place of them.
                planned = {name for part in edge.modules for view in part.existing for name in view.state}
                edge.own = Part(SERVED_OBJECT, [{**served_state(state), **dict.fromkeys(planned)}])
                edge.routes = [edge.own]
        elif kind == HTTPS_EDGE_ROUTE.name:
            edge_id = state["edge_id"]
            self._edge(self._keys.get(edge_id, edge_id)).routes.append(Part(HTTPS_EDGE_ROUTE, [state]))
