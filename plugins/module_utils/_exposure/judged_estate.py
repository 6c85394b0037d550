# SPDX-License-Identifier: GPL-3.0-or-later
"""What is judged together: the objects of an account, live, declared, or before or after a plan. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .._access.account import Account
from .._access.policies import Policies
from .._access.requirements import Requirement
from .._model.kinds import Mark
from .._model.objects import join
from .._planning.plan import State
from .subjects import Edge, Route, ServedObject, Subject, TlsEdge, Tunnel


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
    what somebody demands of requests.
    """

    edges: Sequence[Edge] = ()
    tls_edges: Sequence[TlsEdge] = ()
    served: Sequence[ServedObject] = ()
    subscriptions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tunnels: Sequence[Tunnel] = ()
    parts: frozenset[str] = frozenset()
    not_judged: Sequence[NotJudged] = ()
    ip_policies: Policies = field(default_factory=Policies)
    opened: Sequence[tuple[Route, Route]] = ()
    requirements: Sequence[Requirement] = ()

    @cached_property
    def routes(self) -> list[Route]:
        return [route for edge in self.edges for route in edge.routes]

    @property
    def without_routes(self) -> list[Subject]:
        """The edges and other objects that have no routes."""
        return [*self.tls_edges, *self.served]

    @cached_property
    def account(self) -> Account:
        """What serves requests."""
        read = {one.identifier for one in self.served}
        tls_edges = (one for one in self.tls_edges if one.is_known and one.edge_id not in read)
        serving = [*self.edges, *tls_edges, *self.served, *self.tunnels]
        return Account([one.serving for one in serving], self.ip_policies)

    def exposed(self) -> Iterator[Subject]:
        """Yield everything that people can or could get through, in the order of the estate."""
        for edge in self.edges:
            if edge.routes:
                yield from edge.routes
            elif edge.knows_routes:
                yield edge
        for tls_edge in self.tls_edges:
            if tls_edge.is_known and tls_edge.state["ip_restriction"] is not Mark.KEEP:
                yield tls_edge
        yield from self.served
        yield from (tunnel for tunnel in self.tunnels if tunnel.is_known)


def edge_with_routes(
    path: str, state: State, routes: Sequence[State | None] | None, *, knows_hostports: bool = True
) -> Edge:
    """Return an edge with its routes; None stands for routes that are not known, or that do not exist any more."""
    edge = Edge(path, state, knows_routes=routes is not None, knows_hostports=knows_hostports)
    places = ((join(path, f"routes[{number}]"), route) for number, route in enumerate(routes or ()))
    edge.routes.extend(Route(place, route, edge) for place, route in places if route is not None)
    return edge
