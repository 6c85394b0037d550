# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan changes, object by object, what it opens, and who gets through before and after. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...module_utils._model.schema import EVENT_SOURCE, TLS_EDGE_MODULES
from .._plan_facts import lets_others_in
from .account_view import AccountView, Group, ShownObject
from .drawing import Drawing, drawing_of
from .exposure import dictionaries, exposure_of, mapping
from .identity import (
    EDGE,
    ROUTE,
    TLS_EDGE,
    Anchors,
    Key,
    edge_in_plan,
    edge_name_in_plan,
    hosts_of,
    route_key,
    tls_edge_in_plan,
)
from .judging import with_exposure

OPENS, UNKNOWN, SHIFTS, ADDS, CLOSES, REMOVES, SAME = "opens", "not judged", "shifts", "adds", "closes", "removes", ""
EFFECTS = (OPENS, UNKNOWN, SHIFTS, ADDS, CLOSES, REMOVES, SAME)
"""What a change means for who gets through, in the order in which a report lists the changes."""

_TLS_MODULES = {kind.name: name for name, kind in TLS_EDGE_MODULES.items()}
_WITHOUT_VISITORS = frozenset({EVENT_SOURCE.name, TLS_EDGE_MODULES["tls_termination"].name})

State = Mapping[str, Any]


@dataclass
class Pair:
    """One object before and after a change. None if it does not exist then."""

    key: Key
    was: Drawing | None
    now: Drawing | None
    is_judged: bool = True

    @property
    def effect(self) -> str:
        return effect(self.was, self.now) if self.is_judged else UNKNOWN


@dataclass
class Change:
    """An entry of a plan."""

    anchor: str
    account: str
    entry: Mapping[str, Any]
    pairs: list[Pair] = field(default_factory=list)
    target: str = ""

    @property
    def action(self) -> str:
        return str(self.entry.get("action"))

    @property
    def effect(self) -> str:
        effects = {pair.effect for pair in self.pairs} | ({OPENS} if self.lets_others_in else set())
        return next((one for one in EFFECTS if one in effects), SAME)

    @property
    def lets_others_in(self) -> bool:
        return lets_others_in(self.entry)

    @property
    def first(self) -> Pair | None:
        """The pair that shows the effect."""
        return next((pair for pair in self.pairs if pair.effect == self.effect), next(iter(self.pairs), None))

    @property
    def rank(self) -> tuple[int, bool]:
        """The position of the change among others, of which those that open something come first."""
        return EFFECTS.index(self.effect), not self.lets_others_in

    @property
    def sides(self) -> str:
        """Who gets through before and after, empty if nobody ever does."""
        first = self.first
        if first is None or not first.is_judged:
            return ""
        sides = ((first.was, "new"), (first.now, "gone"))
        return " → ".join(other if each is None else ", ".join(each.access) or "not judged" for each, other in sides)

    def count(self, effect_of_pair: str) -> int:
        found = sum(pair.effect == effect_of_pair for pair in self.pairs)
        return max(found, int(self.lets_others_in)) if effect_of_pair == OPENS else found


def effect(was: Drawing | None, now: Drawing | None) -> str:
    """Return what a change means for who gets through."""
    old, new = (tuple(each.access) if each else ("closed",) for each in (was, now))
    if not old or not new:
        return UNKNOWN
    if old == new:
        return SAME
    if new == ("public",):
        return OPENS
    if was is None or now is None:
        return ADDS if was is None else REMOVES
    if old == ("public",) or new == ("closed",) or set(old) < set(new):
        return CLOSES
    return OPENS if old == ("closed",) or set(new) < set(old) else SHIFTS


def changes_of(view: AccountView, anchors: Anchors) -> list[Change]:
    """Return the changes of the plan of an account, and add to the account what they change."""
    entries = dictionaries(view.plan.get("plan"))
    edges = _Edges(view, entries)
    changes = []
    for entry in entries:
        subject = str(entry.get("object"))
        change = Change(anchors.of("p", view.name, entry.get("kind"), subject), view.name, entry)
        change.pairs = list(edges.pairs(entry))
        change.target = next((view.targets[pair.key] for pair in change.pairs if pair.key in view.targets), "")
        if not change.target and entry.get("kind") == EDGE:
            change.target = view.targets.get((EDGE, edge_name_in_plan(entry)), "")
        changes.append(change)
    _mark_objects(view, changes, anchors)
    return changes


class _Edges:
    """The edges around the routes of a plan, because mutual TLS of an edge protects all its routes."""

    def __init__(self, view: AccountView, entries: Sequence[Mapping[str, Any]]) -> None:
        self._modules: dict[str, tuple[State, State]] = {}
        self._routes: dict[str, list[Mapping[str, Any]]] = {}
        self._own = {_key(entry) for entry in entries if entry.get("kind") == ROUTE}
        for edge in dictionaries(view.estate.get("https_edges")):
            name = hosts_of(edge) or str(edge.get("id") or "")
            self._modules[name] = (_modules_of(edge), _modules_of(edge))
            self._routes[name] = dictionaries(edge.get("routes"))
        for entry in entries:
            if entry.get("kind") == EDGE:
                sides = (_modules_of(mapping(entry.get("before"))), _modules_of(mapping(entry.get("after"))))
                self._modules[edge_name_in_plan(entry)] = sides

    def pairs(self, entry: Mapping[str, Any]) -> Iterator[Pair]:
        """Yield the routes and TLS edges that an entry changes, each before and after."""
        kind = str(entry.get("kind"))
        if kind == ROUTE:
            yield self._route(_key(entry), entry.get("before"), entry.get("after"))
        elif kind == EDGE:
            yield from self._routes_of(entry)
        elif kind in _WITHOUT_VISITORS:
            return
        elif kind in _TLS_MODULES:
            edge_id = tls_edge_in_plan(entry)
            states = ({_TLS_MODULES[kind]: each} if each else {} for each in (entry.get("before"), entry.get("after")))
            edge = {"edge_id": edge_id, "forwards_to": "the connection"}
            was, now = (_drawn(TLS_EDGE, {**edge, **each}) for each in states)
            yield Pair((TLS_EDGE, edge_id), was, now)
        elif not isinstance(entry.get("opens"), list):
            yield Pair((kind, str(entry.get("object"))), None, None, is_judged=False)

    def _routes_of(self, entry: Mapping[str, Any]) -> Iterator[Pair]:
        name = edge_name_in_plan(entry)
        was, now = self._modules[name]
        if entry.get("after") is None:
            for route in dictionaries(mapping(entry.get("before")).get("routes")):
                yield self._route(route_key((EDGE, name), route), route, None)
        elif entry.get("before") is not None and was != now:
            if name not in self._routes:
                yield Pair((EDGE, name), None, None, is_judged=False)
            for route in self._routes.get(name, ()):
                key = route_key((EDGE, name), route)
                if key not in self._own:
                    yield self._route(key, route, route)

    def _route(self, key: Key, *sides: Any) -> Pair:
        if key[1] not in self._modules:
            return Pair(key, None, None, is_judged=False)
        was, now = (
            None if each is None else _drawn(ROUTE, {**modules, **mapping(each)})
            for each, modules in zip(sides, self._modules[key[1]], strict=True)
        )
        return Pair(key, was, now)


def _key(entry: Mapping[str, Any]) -> Key:
    return route_key((EDGE, edge_in_plan(entry)), mapping(entry.get("after") or entry.get("before")))


def _modules_of(edge: State) -> State:
    return {"mutual_tls": edge["mutual_tls"]} if edge.get("mutual_tls") is not None else {}


def _drawn(kind: str, state: State) -> Drawing:
    """Return the drawing of a route or of a TLS edge. Only its own traffic modules and those of its edge decide."""
    route = {name: value for name, value in state.items() if name != "mutual_tls"}
    edge = {"hostports": ["judged.invalid:443"], **_modules_of(state), "routes": [route]}
    estate = {"https_edges": [edge]} if kind == ROUTE else {"tls_edges": [state]}
    judged = exposure_of(with_exposure({"estate": estate}))
    found = next((one for key, one in judged.objects.items() if key[0] == kind), None)
    return drawing_of(found, judged, state, "route")


def _mark_objects(view: AccountView, changes: Sequence[Change], anchors: Anchors) -> None:
    """Mark the objects that the plan changes, and add the routes and edges that only the plan creates."""
    objects = {one.key: one for group in view.groups for one in group.objects}
    groups = {group.key: group for group in view.groups}
    owners = {edge_name_in_plan(one.entry): str(one.entry.get("owner") or "") for one in changes}
    for change in changes:
        gone = groups.get((EDGE, edge_name_in_plan(change.entry)))
        if gone and change.action == "delete" and change.entry.get("kind") == EDGE:
            gone.is_left = False
        for pair in change.pairs:
            shown = objects.get(pair.key)
            if shown is None and pair.now is not None and pair.key[0] == ROUTE:
                shown = ShownObject(pair.key, f"r-{change.anchor}", pair.key[3], pair.key[2], None)
                edge = (EDGE, pair.key[1])
                if edge not in groups:
                    groups[edge] = Group(EDGE, edge, anchors.of_object(view.name, edge), view.name, edge[1].split(", "))
                    groups[edge].is_live, groups[edge].owner = False, owners.get(edge[1], "")
                    view.groups.append(groups[edge])
                groups[edge].objects.append(shown)
            if shown is not None and pair.is_judged:
                shown.action, shown.plan_anchor, shown.planned = change.action, change.anchor, pair.now
