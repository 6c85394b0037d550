# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan changes, object by object, and who gets through before and after. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...module_utils._model.schema import EVENT_SOURCE, HTTPS_EDGE, HTTPS_EDGE_ROUTE, TLS_EDGE_MODULES
from .account_view import AccountView, ShownLane
from .exposure import Exposure, dictionaries, mapping
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
from .judging import exposure_of_objects
from .lane import Judgement, Lane, ModulesByPlace, judgement_of, lane

OPENS, UNKNOWN, SHIFTS, ADDS, CLOSES, REMOVES, SAME = "opens", "not judged", "shifts", "adds", "closes", "removes", ""
EFFECTS = (OPENS, UNKNOWN, SHIFTS, ADDS, CLOSES, REMOVES, SAME)
"""What a change means for who gets through, in the order in which a report lists the changes."""

_TLS_MODULES = {kind.name: name for name, kind in TLS_EDGE_MODULES.items()}
_WITHOUT_VISITORS = frozenset({EVENT_SOURCE.name, TLS_EDGE_MODULES["tls_termination"].name})

State = Mapping[str, Any]


@dataclass
class Pair:
    """One lane before and after a change. None if it does not exist then.

    `around` is the route that takes the requests of a route that is deleted, and `outer` is its lane.
    """

    key: Key
    before: State | None
    after: State | None
    around: State | None = None
    was: Lane | None = None
    now: Lane | None = None
    outer: Lane | None = None
    is_judged: bool = True

    @property
    def last(self) -> Lane | None:
        """What requests meet afterwards: the lane itself, or the one around it if that lets anybody through."""
        return self.now if self.outer is None or self.outer.openness == "closed" else self.outer

    @property
    def effect(self) -> str:
        return effect(self.was, self.last) if self.is_judged else UNKNOWN


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
        effects = {pair.effect for pair in self.pairs}
        return next((one for one in EFFECTS if one in effects), SAME)

    @property
    def first(self) -> Pair | None:
        """The pair that shows the effect."""
        return next((pair for pair in self.pairs if pair.effect == self.effect), None)

    @property
    def rank(self) -> int:
        """The position of the change among others, of which those that open something come first."""
        return EFFECTS.index(self.effect)

    @property
    def sides(self) -> str:
        """Who gets through before and after, empty if nobody ever does."""
        first = self.first
        if first is None or not first.is_judged:
            return ""
        lanes = (first.was, first.last)
        return " → ".join("nobody" if each is None else ", ".join(each.access) or "not judged" for each in lanes)

    def count(self, effect_of_pair: str) -> int:
        return sum(pair.effect == effect_of_pair for pair in self.pairs)

    def rows(self) -> list[tuple[str, str | None, str | None]]:
        """Return the options that differ, with the value before and after; None if it is not set."""
        before, after = (dict(_flat(self.entry.get(when) or {})) for when in ("before", "after"))
        return [
            (path, before.get(path), after.get(path))
            for path in {**before, **after}
            if path and before.get(path) != after.get(path)
        ]


def effect(was: Lane | None, now: Lane | None) -> str:
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
    """Return the changes of the plan of an account, and mark the lanes that they change."""
    entries = dictionaries(view.plan.get("plan"))
    changes = []
    context = _Context(view, entries)
    for entry in entries:
        subject = str(entry.get("object"))
        change = Change(anchors.of("p", view.name, entry.get("kind"), subject), view.name, entry)
        change.pairs = list(context.pairs(entry))
        change.target = next((view.targets[pair.key] for pair in change.pairs if pair.key in view.targets), "")
        if not change.target and entry.get("kind") == HTTPS_EDGE.name:
            change.target = view.targets.get((EDGE, edge_name_in_plan(entry)), "")
        changes.append(change)
    _judge([pair for change in changes for pair in change.pairs])
    _mark_lanes(view, changes)
    return changes


class _Context:
    """The edges around the routes of a plan, because mutual TLS of an edge protects all its routes."""

    def __init__(self, view: AccountView, entries: Sequence[Mapping[str, Any]]) -> None:
        self._edges: dict[str, tuple[State, State]] = {}
        self._own: set[Key] = set()
        self._routes: dict[str, list[State]] = {}
        self._left: dict[str, dict[Key, State]] = {}
        for edge in dictionaries(view.estate.get("https_edges")):
            name = hosts_of(edge) or str(edge.get("id") or "")
            self._edges[name] = (_edge_modules(edge), _edge_modules(edge))
            self._routes[name] = [mapping(route) for route in dictionaries(edge.get("routes"))]
        for entry in entries:
            if entry.get("kind") == HTTPS_EDGE.name:
                before, after = mapping(entry.get("before")), mapping(entry.get("after"))
                self._edges[edge_name_in_plan(entry)] = (_edge_modules(before), _edge_modules(after))
            elif entry.get("kind") == HTTPS_EDGE_ROUTE.name:
                self._own.add(self._key(entry))
        for name, routes in self._routes.items():
            self._left[name] = {route_key((EDGE, name), route): route for route in routes}
        for entry in entries:
            if entry.get("kind") == HTTPS_EDGE_ROUTE.name:
                left, key = self._left.setdefault(edge_in_plan(entry), {}), self._key(entry)
                left.pop(key, None)
                left.update({key: mapping(entry["after"])} if entry.get("after") else {})

    def pairs(self, entry: Mapping[str, Any]) -> Iterator[Pair]:
        """Yield the lanes that an entry changes, each before and after."""
        kind = str(entry.get("kind"))
        if kind == HTTPS_EDGE_ROUTE.name:
            key, name = self._key(entry), edge_in_plan(entry)
            pair = self._route(key, name, entry.get("before"), entry.get("after"))
            around = self._around(key, name) if pair.before is not None and pair.after is None else None
            pair.around = None if around is None else {**self._edges[name][1], **around}
            yield pair
        elif kind == HTTPS_EDGE.name:
            yield from self._edge(entry)
        elif kind in _TLS_MODULES and kind not in _WITHOUT_VISITORS:
            edge_id = tls_edge_in_plan(entry)
            states = ({_TLS_MODULES[kind]: each} if each else {} for each in (entry.get("before"), entry.get("after")))
            before, after = ({"edge_id": edge_id, "forwards_to": "the connection", **each} for each in states)
            yield Pair((TLS_EDGE, edge_id), before, after)
        elif kind not in _WITHOUT_VISITORS:
            yield Pair((kind, str(entry.get("object"))), None, None, is_judged=False)

    def _edge(self, entry: Mapping[str, Any]) -> Iterator[Pair]:
        name = edge_name_in_plan(entry)
        if entry.get("after") is None:
            for route in dictionaries(mapping(entry.get("before")).get("routes")):
                yield self._route(route_key((EDGE, name), route), name, route, None)
        elif entry.get("before") is not None and self._edges[name][0] != self._edges[name][1]:
            if name not in self._routes:
                yield Pair((EDGE, name), None, None, is_judged=False)
            for route in self._routes.get(name, ()):
                key = route_key((EDGE, name), route)
                if key not in self._own:
                    yield self._route(key, name, route, route)

    def _route(self, key: Key, name: str, before: Any, after: Any) -> Pair:
        if name not in self._edges:
            return Pair(key, None, None, is_judged=False)
        was, now = self._edges[name]
        return Pair(
            key,
            {**was, **mapping(before)} if before is not None else None,
            {**now, **mapping(after)} if after is not None else None,
        )

    def _around(self, key: Key, name: str) -> State | None:
        """Return the most specific prefix that is left around a route, None if there is none."""
        path = str(key[3])
        prefixes = [
            route
            for route in self._left.get(name, {}).values()
            if route.get("match_type") == "path_prefix" and _contains(str(route.get("match") or ""), path)
        ]
        return max(prefixes, key=lambda route: len(str(route.get("match"))), default=None)

    def _key(self, entry: Mapping[str, Any]) -> Key:
        return route_key((EDGE, edge_in_plan(entry)), mapping(entry.get("after") or entry.get("before")))


def _contains(prefix: str, path: str) -> bool:
    # A prefix ends at a slash, as for the judge.
    return bool(prefix) and (path == prefix or path.startswith(f"{prefix.removesuffix('/')}/"))


def _edge_modules(edge: State) -> State:
    return {"mutual_tls": edge["mutual_tls"]} if edge.get("mutual_tls") is not None else {}


def _judge(pairs: Sequence[Pair]) -> None:
    for when, result in (("before", "was"), ("after", "now"), ("around", "outer")):
        present = [pair for pair in pairs if getattr(pair, when) is not None]
        routes = [pair for pair in present if pair.key[0] == ROUTE]
        tls_edges = [pair for pair in present if pair.key[0] == TLS_EDGE]
        # Each has an edge of its own, so that its place is known, and only its own traffic modules decide.
        edges = [_edge_with(getattr(pair, when), number) for number, pair in enumerate(routes)]
        judged = exposure_of_objects(edges, [getattr(pair, when) for pair in tls_edges])
        weak = ModulesByPlace(judged.weak_paths())
        for pairs_of_kind, place in ((routes, "https_edges[{}].routes[0]"), (tls_edges, "tls_edges[{}]")):
            for number, pair in enumerate(pairs_of_kind):
                drawn = lane(getattr(pair, when), _judgement_at(judged, place.format(number), weak))
                setattr(pair, result, drawn)


def _edge_with(route: State, number: int) -> dict[str, Any]:
    own = {name: value for name, value in route.items() if name != "mutual_tls"}
    return {"hostports": [f"{number}.invalid:443"], **_edge_modules(route), "routes": [own]}


def _judgement_at(judged: Exposure, path: str, weak: ModulesByPlace) -> Judgement:
    key = judged.keys_by_path.get(path)
    return judgement_of(judged.objects[key] if key else None, weak, ModulesByPlace(()))


def _mark_lanes(view: AccountView, changes: Sequence[Change]) -> None:
    lanes = {one.key: one for group in view.groups for one in group.lanes}
    for change in changes:
        if change.action == "delete" and change.entry.get("kind") == HTTPS_EDGE.name:
            for group in view.groups:
                group.is_left &= group.key != (EDGE, edge_name_in_plan(change.entry))
        for pair in change.pairs:
            shown = lanes.get(pair.key)
            if shown is not None and pair.is_judged:
                shown.action, shown.plan_anchor, shown.planned = change.action, change.anchor, pair.now


def created_lanes(view: AccountView, changes: Sequence[Change]) -> Iterator[tuple[str, ShownLane]]:
    """Yield the lanes that only the plan creates, each with the name of its edge."""
    for change in changes:
        for pair in change.pairs:
            if pair.now is not None and pair.key[0] == ROUTE and pair.key not in view.targets:
                anchor = f"r-{change.anchor}"
                lane_of_plan = ShownLane(pair.key, anchor, pair.key[3], pair.key[2], None)
                lane_of_plan.action, lane_of_plan.plan_anchor = change.action, change.anchor
                lane_of_plan.planned = pair.now
                yield str(pair.key[1]), lane_of_plan


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for name, member in value.items():
            yield from _flat(member, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and any(isinstance(member, (Mapping, list)) for member in value):
        for number, member in enumerate(value):
            yield from _flat(member, f"{path}[{number}]")
    elif isinstance(value, list):
        yield path, ", ".join(map(str, value))
    else:
        yield path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
