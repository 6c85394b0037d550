# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that are judged: HTTPS edges with their routes, TLS edges, other objects, and tunnels. Pure.

All of them are in their normal form. Mark.KEEP stands for a traffic module whose current settings are not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from .._access import account
from .._access.locks import OFF, ON, OPEN, POLICY, Lock
from .._access.served_objects import SERVED_OBJECT, TLS_EDGE, served_state
from .._access.views import Part
from .._model.escapes import visible
from .._model.identifiers import is_placeholder
from .._model.kinds import Mark
from .._model.objects import Object, join
from .._model.protection import CHECKS, CLOSED, PUBLIC, is_enabled
from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE, TUNNEL
from .._planning.object_names import edge_label, edge_subject, joined, route_subject, tls_edge_subject
from .._planning.plan import State


@dataclass(frozen=True, eq=False)
class Subject:
    """An object that is judged. `path` is its place in the estate, `state` its normal form."""

    path: str
    state: State
    kind: ClassVar[str]
    table: ClassVar[Object]

    @cached_property
    def part(self) -> Part:
        """What counts of it for requests."""
        return Part(self.table, [self.state], subject=self)

    @cached_property
    def serving(self) -> account.Edge:
        """What serves its requests."""
        return account.Edge(own=self.part, routes=[self.part])

    @property
    def name(self) -> str:
        """The name of the object, as in plans."""
        raise NotImplementedError

    @property
    def id(self) -> str | None:
        """The ID; None if it is not known, as for a declaration."""
        found = self.state.get("id")
        return None if not found or is_placeholder(found) else str(found)

    @property
    def is_closed(self) -> bool:
        """Whether nobody gets through."""
        return False

    @property
    def is_open(self) -> bool:
        """Whether it is certain that everyone gets through."""
        return self.access == [PUBLIC] and not self.hollow and not self.has_actions

    @property
    def own_locks(self) -> Sequence[Lock]:
        return self.part.existing[0].all_locks

    @property
    def locks(self) -> list[tuple[Subject, Lock]]:
        """What can keep visitors out, and what it belongs to."""
        return [(self, lock) for lock in self.own_locks]

    @property
    def has_actions(self) -> bool:
        """Whether a policy acts on requests. What its actions do is not known: they may restrict access."""
        return any(lock.check == POLICY and lock.state == ON for lock in self.own_locks)

    @cached_property
    def required(self) -> Mapping[str, Sequence[str]]:
        """What a visitor must have, with the paths of the traffic modules that require it."""
        found: dict[str, list[str]] = {name: [] for name in CHECKS}
        for owner, lock in self.locks:
            if lock.state == ON and lock.check in CHECKS:
                found[lock.check].append(join(owner.path, lock.module))
        return {name: paths for name, paths in found.items() if paths}

    @cached_property
    def access(self) -> list[str]:
        """Closed, public, or everything that a visitor must have."""
        return [CLOSED] if self.is_closed else list(self.required) or [PUBLIC]

    @cached_property
    def hollow(self) -> list[str]:
        """The enabled traffic modules that lack what they check with: they may let everyone through, or nobody."""
        return [lock.module for lock in self.own_locks if lock.state == OPEN and lock.check != POLICY]

    def enabled(self, name: str) -> Mapping[str, Any] | None:
        """Return the settings of a traffic module that is applied to traffic, if they are known."""
        module = self.state[name]
        return module if module is not Mark.KEEP and is_enabled(module) else None

    def disabled_protections(self) -> list[str]:
        """Return the traffic modules that would restrict access if they were not disabled."""
        # Some services return a traffic module that is not set as one that is disabled and empty.
        return [lock.module for lock in self.own_locks if lock.state == OFF and lock.members and lock.check != POLICY]


@dataclass(frozen=True, eq=False)
class Edge(Subject):
    """An HTTPS edge. Without known routes, `knows_routes` is false, and nobody knows whether it is closed."""

    routes: list[Route] = field(default_factory=list)
    knows_routes: bool = True
    knows_hostports: bool = True
    kind = "https_edge"
    table = HTTPS_EDGE

    @property
    def name(self) -> str:
        return edge_subject({}, {**self.state, "id": self.id})

    @cached_property
    def hosts(self) -> set[str]:
        """The hosts that it serves, without ports."""
        return {hostport.rpartition(":")[0] for hostport in self.state["hostports"]}

    @cached_property
    def serving(self) -> account.Edge:
        routes = [route.part for route in self.routes]
        if not self.knows_routes:
            routes.append(Part(TLS_EDGE, [{}], subject=self))  # What no known route takes, nobody knows.
        if not self.knows_hostports:
            return account.Edge(routes=routes, modules=[self.part])
        return account.Edge(own=self.part, routes=routes)

    @property
    def is_served_nowhere(self) -> bool:
        return self.knows_hostports and not self.state["hostports"]

    @property
    def is_closed(self) -> bool:
        return not self.routes


@dataclass(frozen=True, eq=False)
class Route(Subject):
    """A route of an HTTPS edge."""

    edge: Edge
    kind = "https_edge_route"
    table = HTTPS_EDGE_ROUTE

    @property
    def name(self) -> str:
        return route_subject(
            {**self.state, "id": self.id},
            joined(self.edge.state["hostports"]) or self.edge.id or edge_label(self.edge.state),
        )

    @property
    def key(self) -> tuple[str, str]:
        """What distinguishes it from the other routes of its edge."""
        return self.state["match_type"], self.state["match"]

    @property
    def match(self) -> str:
        """What it matches, in messages."""
        return visible(f"{self.key[0]} {self.key[1]}")

    @property
    def backend_id(self) -> str | None:
        return (self.state["backend"] or {}).get("backend_id") or None

    @property
    def is_closed(self) -> bool:
        return self.enabled("backend") is None or self.edge.is_served_nowhere

    @property
    def locks(self) -> list[tuple[Subject, Lock]]:
        return [*self.edge.locks, *super().locks]

    @property
    def is_open(self) -> bool:
        return super().is_open and bool(self.backend_id) and not self.edge.hollow


@dataclass(frozen=True, eq=False)
class TlsEdge(Subject):
    """A TLS edge with its traffic modules. It `is_known` unless nothing proves that it exists."""

    edge_id: str
    is_known: bool = True
    kind = "tls_edge"
    table = TLS_EDGE

    @cached_property
    def serving(self) -> account.Edge:
        return account.Edge(self.edge_id, routes=[Part(TLS_EDGE, [{}], subject=self)], modules=[self.part])

    @property
    def name(self) -> str:
        return tls_edge_subject(self.edge_id)

    @property
    def id(self) -> str | None:
        return None if is_placeholder(self.edge_id) else self.edge_id


@dataclass(frozen=True, eq=False)
class ServedObject(Subject):
    """An object without a module of its own that serves traffic, such as a TCP edge."""

    label: str
    identifier: str
    kind = "object"
    table = SERVED_OBJECT

    @property
    def name(self) -> str:
        return f"object {self.label}"

    @property
    def id(self) -> str | None:
        return self.identifier if self.identifier and not is_placeholder(self.identifier) else None

    @property
    def is_closed(self) -> bool:
        return self.enabled("backend") is None or not self.state["hostports"]


@dataclass(frozen=True, eq=False)
class Tunnel(Subject):
    """An online tunnel. Without a public address, it is only reached through the edges that use it as a backend."""

    kind = "tunnel"
    table = TUNNEL

    @cached_property
    def part(self) -> Part:
        return Part(SERVED_OBJECT, [served_state({"url": self.state["public_url"], "id": self.id})], subject=self)

    @property
    def name(self) -> str:
        url, tunnel_id = self.state["public_url"], f"({self.id})" if self.id else ""
        return " ".join(filter(None, ("tunnel", url, tunnel_id)))

    @property
    def is_known(self) -> bool:
        """Whether it is certain if the tunnel has a public address. Backend tunnels have no protocol, either."""
        return bool(self.state["public_url"]) or not (self.state["proto"] or self.state["endpoint"])

    @property
    def is_closed(self) -> bool:
        return not self.state["public_url"]
