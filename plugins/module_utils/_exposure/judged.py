# SPDX-License-Identifier: GPL-3.0-or-later
"""What is judged together: HTTPS edges with their routes, TLS edges, other objects, and tunnels. Pure.

All of them are in their normal form. Mark.KEEP stands for a traffic module whose current settings are not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from .._access.account import Account, Edge
from .._access.locks import OFF, ON, OPEN, POLICY, Lock
from .._access.parts import Part, View, part_of
from .._access.policies import Policies
from .._access.requirements import Requirement
from .._access.routing import Area, host_of
from .._access.served_objects import SERVED_OBJECT, TLS_EDGE, served_state
from .._model.objects import Object
from .._model.protection import CHECKS, CLOSED, PUBLIC, is_enabled
from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE
from .._planning.object_names import edge_label, edge_subject, joined, route_subject, tls_edge_subject
from .._planning.plan import State
from .._values.escapes import visible
from .._values.identifiers import is_placeholder
from .._values.kinds import Mark
from .._values.option_error import join

HTTPS, ROUTE, TLS, OBJECT, TUNNEL = ("https_edge", "https_edge_route", "tls_edge", "object", "tunnel")


@dataclass(frozen=True, eq=False)
class Subject:
    """An object that is judged.

    `path` is its place in the estate, `state` its normal form by the fields of the `table`, and `id` its ID if that is
    known. A route has a `parent`, and an edge has `routes`. An object is not known if nothing proves that it exists, or
    if a tunnel may have an address that is not shown.
    """

    kind: str
    table: Object
    path: str
    state: State
    name: str
    id: str | None
    parent: Subject | None = None
    routes: list[Subject] = field(default_factory=list)
    knows_routes: bool = True
    knows_hostports: bool = True
    is_known: bool = True

    def at(self, option: str) -> str:
        return join(self.path, option) if option else self.path

    def not_judged(self, option: str, why: str) -> NotJudged:
        return NotJudged(self.name, self.at(option), why)

    @property
    def edge(self) -> Subject:
        """What serves its requests."""
        return self.parent or self

    @property
    def hostports(self) -> Sequence[str]:
        return tuple(self.state.get("hostports") or ())

    @cached_property
    def part(self) -> Part[View]:
        """What counts of it for requests."""
        return part_of(self.table, [self.state], subject=self)

    @cached_property
    def serving(self) -> Edge:
        if self.table is SERVED_OBJECT:
            return Edge(self.name, own=self.part, routes=[self.part])
        routes = [route.part for route in self.routes]
        if not self.knows_routes:
            routes.append(part_of(TLS_EDGE, [{}], subject=self))  # What no known route takes, nobody knows.
        if self.knows_hostports:
            return Edge(own=self.part, routes=routes)
        return Edge(self.name if self.kind == TLS else "", routes=routes, modules=[self.part])

    @cached_property
    def area(self) -> Area | None:
        """The requests that a route matches; None if its match has a form that the API does not define.

        If all requests to the edge are for the host that the match names, it does not matter that it is named.
        """
        area = self.part.existing[0].area
        hosts = {host_of(hostport) for hostport in self.edge.hostports}
        return replace(area, host="") if area is not None and hosts == {area.host} else area

    def competing(self, path: str) -> list[tuple[Subject, Area]]:
        """Return the routes of the edge that match a path and name the same host as this one, the best one first."""
        own: Any = self.area
        found = [(part.subject, part.subject.area) for part in self.edge.serving.around(path) if part.subject.parent]
        found = [one for one in found if one[1].host == own.host and one[1].takes(own.host, path)]
        return sorted(found, key=lambda one: one[1].rank(), reverse=True)

    def takes(self, path: str) -> bool:
        """Return whether a route takes a path as the only one of the most specific ones that match it."""
        found = self.competing(path)
        return [one for one, area in found if area == found[0][1]] == [self]

    @property
    def match(self) -> str:
        return visible(f"{self.state['match_type']} {self.state['match']}")

    @property
    def backend_id(self) -> str | None:
        return (self.state.get("backend") or {}).get("backend_id") or None

    @property
    def is_closed(self) -> bool:
        """Whether nobody gets through."""
        if self.kind == HTTPS:
            return not self.routes
        is_served = self.edge.hostports or not self.edge.knows_hostports
        return not is_served or self.part.existing[0].backend_id is None

    @property
    def is_open(self) -> bool:
        """Whether it is certain that everyone gets through."""
        is_certain = not (self.hollow or self.edge.hollow or self.has_actions)
        return is_certain and self.access == [PUBLIC] and (self.parent is None or bool(self.backend_id))

    @property
    def own_locks(self) -> Sequence[Lock]:
        return self.part.existing[0].all_locks

    @property
    def locks(self) -> list[tuple[Subject, Lock]]:
        """What can keep visitors out, and what it belongs to."""
        return [*(self.parent.locks if self.parent else ()), *((self, lock) for lock in self.own_locks)]

    @property
    def has_actions(self) -> bool:
        """Whether a policy acts on requests. What its actions do is not known: they may restrict access."""
        return any(lock.check == POLICY and lock.state == ON for lock in self.own_locks)

    @cached_property
    def required(self) -> Mapping[str, Sequence[str]]:
        """What a visitor must have, with the paths of the traffic modules that require it."""
        enabled = [(lock.check, join(owner.path, lock.module)) for owner, lock in self.locks if lock.state == ON]
        found = {name: [path for check, path in enabled if check == name] for name in CHECKS}
        return {name: paths for name, paths in found.items() if paths}

    @cached_property
    def access(self) -> list[str]:
        """Closed, public, or everything that a visitor must have."""
        return [CLOSED] if self.is_closed else list(self.required) or [PUBLIC]

    @cached_property
    def hollow(self) -> list[str]:
        """The enabled traffic modules that lack what they check with: they may let everyone through, or nobody."""
        return [lock.module for lock in self.own_locks if lock.state == OPEN and lock.check != POLICY]

    @property
    def unclear(self) -> list[str]:
        """What is not known of an object without a module of its own, because it has an unexpected form."""
        unknown = [name for name, value in self.state.items() if value is Mark.KEEP]
        unknown += ["hostports"] if "" in self.hostports else []
        return unknown if self.table is SERVED_OBJECT else []

    def enabled(self, name: str) -> Mapping[str, Any] | None:
        """Return the settings of a traffic module that is applied to traffic, if they are known."""
        module = self.state[name]
        return module if module is not Mark.KEEP and is_enabled(module) else None

    def disabled_protections(self) -> list[str]:
        """Return the traffic modules that would restrict access if they were not disabled."""
        # Some services return a traffic module that is not set as one that is disabled and empty.
        return [lock.module for lock in self.own_locks if lock.state == OFF and lock.members and lock.check != POLICY]


def https_edge(
    path: str,
    state: State,
    routes: Iterable[State | None],
    *,
    knows_routes: bool = True,
    knows_hostports: bool = True,
) -> Subject:
    """Return an edge with its routes, of which those that do not exist any more are None."""
    edge_id = _known(state.get("id"))
    name = edge_subject({}, {**state, "id": edge_id})
    edge = Subject(
        HTTPS, HTTPS_EDGE, path, state, name, edge_id, knows_routes=knows_routes, knows_hostports=knows_hostports
    )
    for number, one in enumerate(routes):
        if one is not None:
            add_route(edge, join(path, f"routes[{number}]"), one)
    return edge


def add_route(edge: Subject, path: str, state: State) -> None:
    route_id = _known(state.get("id"))
    served = joined(edge.hostports) or edge.id or edge_label(edge.state)
    name = route_subject({**state, "id": route_id}, served)
    edge.routes.append(Subject(ROUTE, HTTPS_EDGE_ROUTE, path, state, name, route_id, edge))


def tls_edge(path: str, state: State, edge_id: str, *, is_known: bool = True) -> Subject:
    """Return a TLS edge with its traffic modules, of which nothing else is known."""
    own, name = {**state, "id": edge_id}, tls_edge_subject(edge_id)
    return Subject(
        TLS, TLS_EDGE, path, own, name, _known(edge_id), knows_routes=False, knows_hostports=False, is_known=is_known
    )


def served_object(path: str, state: State, label: str, identifier: str | None) -> Subject:
    """Return an object without a module of its own that serves traffic, such as a TCP edge."""
    return Subject(OBJECT, SERVED_OBJECT, path, state, f"object {label}", _known(identifier))


def tunnel(path: str, state: State) -> Subject:
    """Return an online tunnel. Without a public address, it is only reached through the edges that use it as a backend.

    Backend tunnels have neither an address nor a protocol.
    """
    url, tunnel_id = state["public_url"], _known(state.get("id"))
    name = " ".join(filter(None, ("tunnel", url, f"({tunnel_id})" if tunnel_id else "")))
    own = {**state, **served_state({"url": url, "id": tunnel_id})}
    is_known = bool(url) or not (state["proto"] or state["endpoint"])
    return Subject(TUNNEL, SERVED_OBJECT, path, own, name, tunnel_id, is_known=is_known)


def _known(identifier: Any) -> str | None:
    return None if not identifier or is_placeholder(identifier) else str(identifier)


@dataclass(frozen=True)
class NotJudged:
    """What is not known about an object, and why."""

    name: str
    path: str
    why: str

    def shown(self) -> dict[str, str]:
        return {"object": self.name, "path": self.path, "why": self.why}


@dataclass(frozen=True, eq=False)
class Estate:
    """Everything that is judged together.

    `subscriptions` are the event types of each event subscription, by its ID. `parts` are the lists of the estate of
    which all members are known, and `not_judged` is what is known to be missing. If a plan leads to it, `opened` are
    the protected routes that this plan deletes, each with a public route that takes its requests. `requirements` are
    what somebody demands of requests, and `unread` is what may serve some of these.
    """

    edges: Sequence[Subject] = ()
    tls_edges: Sequence[Subject] = ()
    served: Sequence[Subject] = ()
    subscriptions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tunnels: Sequence[Subject] = ()
    parts: frozenset[str] = frozenset()
    not_judged: Sequence[NotJudged] = ()
    ip_policies: Policies = field(default_factory=Policies)
    opened: Sequence[tuple[Subject, Subject]] = ()
    requirements: Sequence[Requirement] = ()
    unread: Sequence[NotJudged] = ()

    @cached_property
    def routes(self) -> list[Subject]:
        return [route for edge in self.edges for route in edge.routes]

    @cached_property
    def open_routes(self) -> list[Subject]:
        return [route for route in self.routes if not route.is_closed]

    @property
    def without_routes(self) -> list[Subject]:
        """The edges and other objects that have no routes."""
        return [*self.tls_edges, *self.served]

    @cached_property
    def account(self) -> Account:
        read = {one.id for one in self.served}
        tls_edges = (one for one in self.tls_edges if one.is_known and one.state["id"] not in read)
        serving = [*self.edges, *tls_edges, *self.served, *self.tunnels]
        return Account([one.serving for one in serving], self.ip_policies)

    def exposed(self) -> Iterator[Subject]:
        """Yield everything that people can or could get through, in the order of the estate."""
        for edge in self.edges:
            yield from edge.routes or ([edge] if edge.knows_routes else [])
        yield from (one for one in self.tls_edges if one.is_known and one.state["ip_restriction"] is not Mark.KEEP)
        yield from self.served
        yield from (tunnel for tunnel in self.tunnels if tunnel.is_known)
