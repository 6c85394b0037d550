# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through while the plans of edges and routes are executed, one operation after the other. Pure.

As in `_exposure`, the most specific route takes a request. A route without an enabled backend takes it and lets nobody
through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .._exposure.access import hollow_modules
from .._exposure.matches import Area, area_of_match, prefixes_of
from .._model.objects import Object
from .._planning.plan import Operation, Plan, State
from .._planning.widening import is_enabled, protections

At = Mapping[int, int]
"""How many operations of each plan have been executed."""


@dataclass(frozen=True)
class Lock:
    """What a traffic module checks: those `admitted`, in each list that restricts, and everything else about it."""

    admitted: tuple[frozenset[str], ...]
    rest: str

    def admits_no_more_than(self, other: Lock) -> bool:
        """Return whether everyone that this one lets through would also get through the other one."""
        # An empty list restricts nobody.
        lists = zip(self.admitted, other.admitted)
        return self.rest == other.rest and all(not theirs or (mine and mine <= theirs) for mine, theirs in lists)


Locks = Mapping[str, Lock]


@dataclass(frozen=True)
class Access:
    """What a visitor must pass to get through, and to where; None stands for anything that a path leads to."""

    locks: Locks
    backend_id: str | None = None

    def is_within(self, other: Access | None) -> bool:
        """Return whether everyone who gets through now would also get through with the other access."""
        return (
            other is not None
            and self.backend_id == other.backend_id
            and all(
                name in self.locks and self.locks[name].admits_no_more_than(lock) for name, lock in other.locks.items()
            )
        )


@dataclass(frozen=True)
class Door:
    """What counts of a state: where requests come from, whether they get through, and what they must pass."""

    hosts: frozenset[str]
    area: Area | None
    backend_id: str | None
    locks: Locks

    def takes(self, host: str, path: str) -> bool:
        area = self.area
        is_around = area is not None and (path == area.path if area.is_exact else area.path in prefixes_of(path))
        return is_around and self.is_for(host)

    def is_for(self, host: str) -> bool:
        """Return whether a route takes requests for this host."""
        return self.area is None or self.area.host in ("", host.rpartition(":")[0])


@dataclass(frozen=True, eq=False)
class Passage:
    """An edge or a route, with its `doors` before and after each operation; None while it does not exist.

    `plan` is the position of its plan, None if it has none.
    """

    doors: Sequence[Door | None]
    plan: int | None = None

    @classmethod
    def of(cls, plan: Plan, position: int) -> Passage:
        doors = [_door(plan.kind, state) for state in ([plan.before] if plan.error else states_of(plan))]
        return cls(doors if any(one != doors[0] for one in doors) else doors[:1], position)

    @classmethod
    def unchanged(cls, kind: Object, state: State) -> Passage:
        return cls([_door(kind, state)])

    @property
    def position(self) -> int | None:
        """The position of its plan, None if the plan changes nothing that counts here."""
        return self.plan if len(self.doors) > 1 else None

    def at(self, at: At) -> Door | None:
        return self.doors[0] if len(self.doors) == 1 else self.doors[at[self.plan]]  # type: ignore[index]


@dataclass(eq=False)
class EdgeTraffic:
    """An edge with its routes. `failed` are plans that could not be made, so that nobody knows what they lead to."""

    edge: Passage
    routes: list[Passage] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The hosts that it serves at any time.

        An edge that the task does not plan is judged as if it served any that its routes name.
        """
        if not self.is_anywhere:
            return frozenset().union(*(door.hosts for door in self.edge.doors if door is not None))
        areas = [door.area for route in self.routes for door in route.doors if door is not None and door.area]
        return frozenset({"", *(f"{area.host}:" for area in areas if area.host)})

    @cached_property
    def is_anywhere(self) -> bool:
        return self.edge.plan is None

    @cached_property
    def _by_path(self) -> Mapping[str, list[Passage]]:
        """The routes by the paths of their areas."""
        found: dict[str, dict[Passage, None]] = {}
        for route in self.routes:
            for door in route.doors:
                if door is not None and door.area is not None:
                    found.setdefault(door.area.path, {})[route] = None
        return {path: list(routes) for path, routes in found.items()}

    def paths(self) -> Iterator[str]:
        """Yield paths that stand for all others: where each route begins, and below."""
        for path in self._by_path:
            yield path
            yield f"{path.rstrip('/')}/.below"

    def around(self, path: str) -> list[Passage]:
        """Return the routes that may take a request for this path at some time, the most specific ones first."""
        return list(dict.fromkeys(route for prefix in prefixes_of(path) for route in self._by_path.get(prefix, ())))

    def serves(self, host: str, at: At) -> bool:
        door = self.edge.at(at)
        return door is not None and (host in door.hosts or self.is_anywhere)


@dataclass(frozen=True, eq=False)
class Probe:
    """Requests for one path of one host: what they must pass, and on which plans that depends."""

    host: str
    path: str
    candidates: Sequence[tuple[EdgeTraffic, Sequence[Passage]]]

    @cached_property
    def positions(self) -> list[int]:
        passages = (one for edge, routes in self.candidates for one in (edge.edge, *routes))
        return sorted({one.position for one in passages if one.position is not None})

    @property
    def failed(self) -> list[int]:
        return [position for edge, _routes in self.candidates for position in edge.failed]

    def access(self, at: At) -> Access | None:
        """Return who gets through; None if nobody does."""
        found = self.server(at)
        if found is None:
            return None
        edge, route = (one.at(at) for one in found)
        if edge is None or route is None or route.backend_id is None:
            return None
        return Access({**edge.locks, **route.locks})

    def server(self, at: At) -> tuple[Passage, Passage] | None:
        """Return the edge and the route that take the requests."""
        for edge, routes in self.candidates:
            if edge.serves(self.host, at):
                doors = ((route.at(at), route) for route in routes)
                taking = [(door.area, route) for door, route in doors if door and door.takes(self.host, self.path)]
                best = max(taking, key=lambda one: _specificity(one[0]), default=None)
                return None if best is None else (edge.edge, best[1])
        return None


@dataclass(frozen=True, eq=False)
class RouteProbe:
    """All requests that one route takes: to which backend they get, and what they must pass."""

    edge: EdgeTraffic
    route: Passage

    @property
    def positions(self) -> list[int]:
        return [one.position for one in (self.edge.edge, self.route) if one.position is not None]

    @property
    def failed(self) -> list[int]:
        return self.edge.failed

    def access(self, at: At) -> Access | None:
        edge, route = self.edge.edge.at(at), self.route.at(at)
        if edge is None or route is None or route.backend_id is None:
            return None
        if not self.edge.is_anywhere and not any(route.is_for(host) for host in edge.hosts):
            return None
        return Access({**edge.locks, **route.locks}, route.backend_id)

    def server(self, _at: At) -> tuple[Passage, Passage]:
        return self.edge.edge, self.route


def states_of(plan: Plan) -> list[State | None]:
    """Return the state before the first operation, and that after each of them; None if the object does not exist."""
    states = [plan.before]
    for operation in plan.operations:
        states.append(_after(plan, states[-1], operation))
    return states


def _after(plan: Plan, state: State | None, operation: Operation) -> State | None:
    if operation.method == "DELETE":
        removed = operation.removed_module
        return None if removed is None or state is None else {**state, removed: None}
    if state is None:
        return plan.after
    fields = plan.kind.named
    changed = {}
    for name, value in operation.body.items():
        kind, final = fields[name].kind, (plan.after or {}).get(name)
        wanted = kind.normal(value)
        # The final state also contains what the service has chosen.
        is_final = plan.after is not None and not kind.differs(final, wanted, name, False)
        changed[name] = final if is_final else kind.predict(state[name], wanted)
    return {**state, **changed}


def _specificity(area: Area | None) -> tuple[bool, int, bool]:
    return (area.is_exact, len(area.path), bool(area.host)) if area else (False, 0, False)


def _door(kind: Object, state: State | None) -> Door | None:
    if state is None:
        return None
    backend = state.get(kind.closed_by) if kind.closed_by else None
    return Door(
        hosts=frozenset(state.get("hostports") or ()),
        area=area_of_match(state["match_type"], state["match"]) if "match" in state else None,
        backend_id=backend["backend_id"] if backend is not None and is_enabled(backend) else None,
        locks=_locks(kind, state),
    )


def _locks(kind: Object, state: State) -> Locks:
    hollow = hollow_modules(kind, state)
    locks = {name: _lock(kind.named[name].kind, state[name]) for name in protections(kind, state) if name not in hollow}
    policy = state.get("policy")
    if policy is not None and is_enabled(policy) and any(rule["actions"] for rule in policy["inbound"]):
        # What its actions do is not known: they may restrict access.
        locks["policy"] = Lock((), repr(policy["inbound"]))
    return locks


def _lock(kind: Any, state: State) -> Lock:
    admitted = tuple(frozenset(state[f.name]) for f in kind.fields if f.restricts)
    rest = repr([(f.name, state[f.name]) for f in kind.declarable if not f.restricts and f.name != "enabled"])
    return Lock(admitted, rest)
