# SPDX-License-Identifier: GPL-3.0-or-later
"""All edges with their routes and IP policies, of which each has executed some of the operations of its plan. Pure.

Nothing else knows whether they are live, declared, or planned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .._model.protection import BACKENDS, SERVING, TLS_EDGES
from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE, TLS_EDGE_MODULES
from .._planning.object_names import served_name
from .._planning.plan import Plan, State, is_unclear, known_id, separate_modules, states_of
from .._planning.undeclared import NotExamined, Remainder, Surrounding, Undeclared
from .._values.hostports import with_port
from .._values.identifiers import is_placeholder
from .backends import NO_BACKENDS, Backends, backend_ids, backends_of
from .parts import At, Part, View, grouped, part_of
from .policies import Policies, Wire, changed_policies
from .routing import ASSUMED, Area, Reading, covers, hosts_around, prefixes_of
from .served_objects import SERVED_OBJECT, TLS_EDGE, served_state


@dataclass(eq=False)
class Edge:
    """An edge with its routes. What its separate traffic `modules` check is checked in addition to its own locks.

    If its `own` part is None, nothing is known of the edge itself, and it is judged as if it served any host that its
    routes name. `failed` are plans that could not be made, so that nobody knows what they lead to. What is no
    HTTPS edge has a `name`: all its requests are alike.
    """

    name: str = ""
    own: Part[View] | None = None
    routes: list[Part[View]] = field(default_factory=list)
    modules: list[Part[View]] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)

    def add_own(self, own: Part[View], state: State) -> None:
        """Add what counts of the edge itself, and of the live routes in its state."""
        self.own = own
        self.routes += [part_of(HTTPS_EDGE_ROUTE, [one]) for one in state.get("routes") or () if one]

    @cached_property
    def hosts(self) -> frozenset[str]:
        if self.own is not None:
            return frozenset().union(*(view.hosts for view in self.own.existing))
        return frozenset({"", *(f"{host}:" for host in self.named_hosts)})

    def hosts_at(self, at: At) -> frozenset[str]:
        serving = self.own.at(at) if self.own else self
        return serving.hosts if serving else frozenset()

    def times(self, hostport: str) -> list[bool]:
        """Return whether it serves a hostport before and after each operation of its plan."""
        return [view is not None and hostport in view.hosts for view in (self.own.views if self.own else ())]

    @property
    def parts(self) -> list[Part[View]]:
        """The parts that all requests to the edge pass."""
        return [*([self.own] if self.own else []), *self.modules]

    def areas(self) -> Iterator[tuple[Area, Part[View]]]:
        """Yield what routes match at any time."""
        for route in self.routes:
            yield from ((view.area, route) for view in route.existing if view.area is not None)

    @cached_property
    def by_path(self) -> Mapping[str, list[Part[View]]]:
        return grouped((area.path, route) for area, route in self.areas())

    @cached_property
    def named_hosts(self) -> frozenset[str]:
        """The hosts that matches of its routes name."""
        return frozenset(area.host for area, _route in self.areas() if area.host)

    def around(self, path: str, reading: Reading = ASSUMED) -> list[Part[View]]:
        """Return the routes that may match a path at some time, those with the longest paths first."""
        found = (route for prefix in prefixes_of(path, reading) for route in self.by_path.get(prefix, ()))
        return list(dict.fromkeys(found))


class Account:
    """The edges, whom the IP policies let through, and the backends of plans. `probes` are kept once they are found.

    `unread` is an account of what may be there as well, None if everything is known that counts.
    """

    def __init__(self, edges: Iterable[Edge], policies: Policies, backends: Backends = NO_BACKENDS) -> None:
        self.edges, self.policies, self.backends = list(edges), policies, backends
        self.probes: Sequence[Any] | None = None
        self.unread: Account | None = None

    @cached_property
    def by_host(self) -> Mapping[str, list[Edge]]:
        """The edges by the hostports that they serve at any time."""
        return grouped((host, edge) for edge in self.edges for host in edge.hosts)

    def serving(self, hostport: str, reading: Reading = ASSUMED) -> Iterator[tuple[Edge, str]]:
        """Yield the edges that may serve a hostport, in the order in which they count, each with the one it has."""
        for one in hosts_around(hostport, reading):
            yield from ((edge, one) for edge in self.by_host.get(one, ()))


def account_of(
    plans: Sequence[Plan], rest: Sequence[Remainder] = (), ip_rules: Sequence[Wire] | None = None
) -> Account:
    """Return the account that plans change, with the live objects that they leave as they are.

    `ip_rules` are all live rules of IP policies, None if they were not read.
    """
    edges: dict[Hashable, Edge] = defaultdict(Edge)
    keys = {plan.before["id"]: plan.key for plan in plans if plan.kind is HTTPS_EDGE and plan.before is not None}
    separate = separate_modules(plans)
    for position, plan in enumerate(plans):
        edge = _planned_edge(edges, plan, position, separate)
        if edge is not None and plan.error:
            edge.failed.append(position)
    for one in rest:
        if isinstance(one, (Undeclared, Surrounding)):
            _add_live(edges, keys, separate, one)
    backends, policies = backends_of(plans), Policies.of_plans(plans, ip_rules)
    unclear = {position: plan for position, plan in enumerate(plans) if is_unclear(plan)}
    lost = [one for one, plan in unclear.items() if plan.target.object_collection == TLS_EDGES and not known_id(plan)]
    claimed = [(position, host) for position, plan in enumerate(plans) if plan.error for host in _claimed_hosts(plan)]
    by_modules = {_tls_edge_of(plan) for plan in plans if lost and plan.kind in TLS_EDGE_MODULES.values()}
    for key, edge in edges.items() if claimed or lost or backends.unclear else ():
        edge.failed += [position for position, host in claimed if any(_may_share(host, own) for own in edge.hosts)]
        edge.failed += lost if key in by_modules and (edge.own is None or edge.own.plan is None) else ()
        leads_to_new = all(map(is_placeholder, backends.behind(backend_ids(*edge.routes))))
        edge.failed += () if leads_to_new else backends.unclear
    account = Account(edges.values(), policies, backends)
    leading = [one for one, plan in unclear.items() if _may_lead(plan)]
    if leading or any(isinstance(one, NotExamined) and one.counts for one in rest):
        any_edge = _any_edge(backends.existing, sorted(changed_policies(plans)), leading)
        account.unread = Account([any_edge], policies, backends)
    return account


def _tls_edge_of(plan: Plan) -> tuple[str, str]:
    """Return the collection and the ID of the edge of a traffic module."""
    return TLS_EDGES, str(plan.target.parent)


def _may_lead(plan: Plan) -> bool:
    """Return whether an object may lead to a backend."""
    is_edge = plan.kind in (HTTPS_EDGE, HTTPS_EDGE_ROUTE)
    return is_edge or plan.target.object_collection.startswith((*SERVING, BACKENDS))


_ANY = "any"
"""The ID of an IP policy, or a backend, of which nothing is known but that no plan changes it."""


def _any_edge(backends: Iterable[str], policies: Sequence[str], unclear: Sequence[int]) -> Edge:
    """Return an edge that is open to each of these backends, and to whom these IP policies admit beside another one.

    If there are `unclear` plans, no backend changes anyway, so it does not matter to which of them the policies lead.
    """
    one_by_one = [[one, _ANY] for one in policies] or [[_ANY]]
    led_to = [
        *((one, None) for one in backends),
        *((_ANY if unclear else "", ids) for ids in one_by_one),
        (_ANY, [*policies, _ANY]),
    ]
    wires = [{"backend": {"backend_id": one}, "ip_restriction": ids and {"ip_policy_ids": ids}} for one, ids in led_to]
    return Edge(routes=[part_of(SERVED_OBJECT, [served_state(wire)]) for wire in wires], failed=list(unclear))


def _claimed_hosts(plan: Plan) -> Iterable[str]:
    """Return the hostports that an object is declared to serve, as far as its plan says that."""
    if plan.target.object_collection in SERVING:
        return map(with_port, served_state(plan.desired or {})["hostports"])
    return [with_port(name) for _field, name in plan.claims or ()] if plan.kind is HTTPS_EDGE else ()


def _may_share(host: str, other: str) -> bool:
    """Return whether there are requests for both of these hosts, of which one may be a pattern, or any."""
    return other in ("", host) or covers(host, other) or covers(other, host)


def _planned_edge(
    edges: dict[Hashable, Edge], plan: Plan, position: int, separate: Mapping[Hashable, set[str]]
) -> Edge | None:
    """Add what a plan changes to its edge, which is known by the key of its own plan, or by its ID."""
    states, kind, edge = states_of(plan), plan.kind, None
    collection = plan.target.object_collection
    if kind is HTTPS_EDGE:
        edge = edges[plan.key]
        edge.add_own(part_of(kind, states, position), plan.before or {})
    elif kind is HTTPS_EDGE_ROUTE:
        edge = edges[plan.target.parent]
        edge.routes.append(part_of(kind, states, position))
    elif kind in TLS_EDGE_MODULES.values():
        key = _tls_edge_of(plan)
        edge = edges.setdefault(key, Edge(served_name(*key), routes=[part_of(TLS_EDGE, [{}])]))
        if not is_unclear(plan):
            name = plan.target.path.rpartition("/")[2]
            parts = [{name: state, "id": key[1]} for state in states]
            edge.modules.append(part_of(TLS_EDGE, parts, position))
    elif collection in SERVING:
        edge_id = (plan.before or plan.after or plan.target.identity)["id"]
        # What the plans of its traffic modules say counts in place of them.
        others = dict.fromkeys(separate.get(edge_id, set()) - (plan.desired or {}).keys())
        shown = [None if state is None else {**served_state(kind.judged(state)), **others} for state in states]
        edge = edges[collection, edge_id]
        edge.name = plan.subject
        edge.own = part_of(SERVED_OBJECT, shown, position)
        edge.routes = [edge.own]
    return edge


def _add_live(
    edges: dict[Hashable, Edge],
    keys: Mapping[str, Hashable],
    separate: Mapping[Hashable, set[str]],
    live: Undeclared | Surrounding,
) -> None:
    """Add a live object. `keys` are those of the planned edges by their IDs."""
    kind, state = live.kind, live.state
    if kind == HTTPS_EDGE.name:
        edges[state["id"]].add_own(part_of(HTTPS_EDGE, [state]), state)
    elif kind in SERVING:
        edge = edges[kind, state["id"]]
        edge.name = edge.name or served_name(kind, state["id"])
        if edge.own is None:
            others = dict.fromkeys(separate.get(state["id"], ()))
            edge.own = part_of(SERVED_OBJECT, [{**served_state(state), **others}])
            edge.routes = [edge.own]
    elif kind == HTTPS_EDGE_ROUTE.name:
        edge_id = state["edge_id"]
        edges[keys.get(edge_id, edge_id)].routes.append(part_of(HTTPS_EDGE_ROUTE, [state]))
