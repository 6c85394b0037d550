# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan changes, object by object, what it opens, and who gets through before and after. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...module_utils._model.schema import EVENT_SOURCE, TLS_EDGE_MODULES
from ...module_utils._values.option_error import dictionary_of, members_of
from .._plan_facts import lets_others_in
from .._visible_text import as_text
from .account_view import AccountView, ShownObject
from .drawing import Drawing, drawing_of
from .exposure import Exposure
from .identity import EDGE, ROUTE, TLS_EDGE, Key, edge_in, edge_key, route_key
from .judging import with_exposure

OPENS, UNKNOWN, SHIFTS, ADDS, CLOSES, REMOVES, SAME = "opens", "not judged", "shifts", "adds", "closes", "removes", ""
EFFECTS = (OPENS, UNKNOWN, SHIFTS, ADDS, CLOSES, REMOVES, SAME)
"""What a change means for who gets through, in the order in which a report lists the changes."""

_TLS_MODULES = {kind.name: name for name, kind in TLS_EDGE_MODULES.items()}
_WITHOUT_VISITORS = frozenset({EVENT_SOURCE.name, TLS_EDGE_MODULES["tls_termination"].name})


@dataclass
class Pair:
    """One object before and after a change. None if it does not exist then; both are None if nobody knows."""

    key: Key
    was: Drawing | None = None
    now: Drawing | None = None

    @property
    def effect(self) -> str:
        return effect(self.was, self.now)


class Change:
    """An entry of a plan, with the routes and TLS edges that it changes. `edge` is the name of its HTTPS edge."""

    def __init__(self, account: AccountView, entry: Mapping[str, Any]) -> None:
        self.account, self.entry = account, entry
        self.kind, self.action, self.object, self.owner = (
            as_text(entry.get(name)) for name in ("kind", "action", "object", "owner")
        )
        self.before, self.after = entry.get("before"), entry.get("after")
        self.edge = edge_in(self.object)
        self.anchor = account.anchors.of("p", account.name, self.kind, self.object)
        self.pairs: Sequence[Pair] = ()

    @property
    def effect(self) -> str:
        effects = {pair.effect for pair in self.pairs} | ({OPENS} if lets_others_in(self.entry) else set())
        return next((one for one in EFFECTS if one in effects), SAME)

    @property
    def first(self) -> Pair | None:
        """The pair that shows the effect."""
        return next((pair for pair in self.pairs if pair.effect == self.effect), next(iter(self.pairs), None))

    @property
    def rank(self) -> tuple[int, bool]:
        """The position of the change among others, of which those that open something come first."""
        return EFFECTS.index(self.effect), not lets_others_in(self.entry)

    @property
    def sides(self) -> str:
        """Who gets through before and after, empty if nobody ever does."""
        first = self.first
        if first is None or not (first.was or first.now):
            return ""
        sides = ((first.was, "new"), (first.now, "gone"))
        return " → ".join(other if each is None else ", ".join(each.access) or "not judged" for each, other in sides)

    @property
    def target(self) -> str:
        """The anchor of its object, empty if it is not drawn as it is."""
        drawn = (self.account.objects.get(pair.key) for pair in self.pairs)
        edge = self.account.groups.get((EDGE, self.edge)) if self.kind == EDGE else None
        return next((one.anchor for one in drawn if one and one.live), edge.anchor if edge and edge.is_live else "")

    def count(self, effect_of_pair: str) -> int:
        found = sum(pair.effect == effect_of_pair for pair in self.pairs)
        return max(found, int(lets_others_in(self.entry))) if effect_of_pair == OPENS else found


def effect(was: Drawing | None, now: Drawing | None) -> str:
    old, new = (tuple(each.access) if each else ("closed",) for each in (was, now))
    if not (old and new and (was or now)):
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


def changes_of(view: AccountView) -> list[Change]:
    """Return the changes of the plan of an account, and add to the account what they change."""
    changes = [Change(view, entry) for entry in members_of(view.plan.get("plan"))]
    edges = _Edges(view, changes)
    owners = {change.edge: change.owner for change in changes}
    for change in changes:
        change.pairs = list(edges.pairs(change))
        _mark_objects(view, change, owners)
    return changes


class _Edges:
    """The edges around the routes of a plan, because mutual TLS of an edge protects all its routes."""

    def __init__(self, view: AccountView, changes: Sequence[Change]) -> None:
        live = {edge_key(edge, "")[1]: edge for edge in members_of(view.estate.get("https_edges"))}
        sides = {name: (edge, edge) for name, edge in live.items()}
        edges = (one for one in changes if one.kind == EDGE)
        sides |= {one.edge: (dictionary_of(one.before), dictionary_of(one.after)) for one in edges}
        self._modules = {name: (_modules_of(was), _modules_of(now)) for name, (was, now) in sides.items()}
        self._routes = {name: members_of(edge.get("routes")) for name, edge in live.items()}
        self._own = {_key(change) for change in changes if change.kind == ROUTE}

    def pairs(self, change: Change) -> Iterator[Pair]:
        """Yield the routes and TLS edges that a change is about, each before and after."""
        kind = change.kind
        if kind == ROUTE:
            yield self._route(_key(change), change.before, change.after)
        elif kind == EDGE:
            yield from self._routes_of(change, (EDGE, change.edge))
        elif kind in _WITHOUT_VISITORS:
            return
        elif kind in _TLS_MODULES:
            edge_id = change.object.rpartition(" of TLS edge ")[2]
            states = ({_TLS_MODULES[kind]: each} if each else {} for each in (change.before, change.after))
            edge = {"edge_id": edge_id, "forwards_to": "the connection"}
            was, now = (_drawn(TLS_EDGE, {**edge, **each}) for each in states)
            yield Pair((TLS_EDGE, edge_id), was, now)
        elif not isinstance(change.entry.get("opens"), list):
            yield Pair((kind, change.object))

    def _routes_of(self, change: Change, edge: Key) -> Iterator[Pair]:
        was, now = self._modules[change.edge]
        if change.after is None:
            for route in members_of(dictionary_of(change.before).get("routes")):
                yield self._route(route_key(edge, route), route, None)
        elif change.before is not None and was != now:
            if change.edge not in self._routes:
                yield Pair(edge)
            for route in self._routes.get(change.edge, ()):
                if (key := route_key(edge, route)) not in self._own:
                    yield self._route(key, route, route)

    def _route(self, key: Key, *sides: Any) -> Pair:
        if key[1] not in self._modules:
            return Pair(key)
        was, now = (
            None if each is None else _drawn(ROUTE, {**modules, **dictionary_of(each)})
            for each, modules in zip(sides, self._modules[key[1]], strict=True)
        )
        return Pair(key, was, now)


def _key(change: Change) -> Key:
    return route_key((EDGE, change.edge), dictionary_of(change.after or change.before))


def _modules_of(edge: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"mutual_tls": edge["mutual_tls"]} if edge.get("mutual_tls") is not None else {}


def _drawn(kind: str, state: Mapping[str, Any]) -> Drawing:
    """Return the drawing of a route or of a TLS edge. Only its own traffic modules and those of its edge decide."""
    route = {name: value for name, value in state.items() if name != "mutual_tls"}
    edge = {"hostports": ["judged.invalid:443"], **_modules_of(state), "routes": [route]}
    estate = {"https_edges": [edge]} if kind == ROUTE else {"tls_edges": [state]}
    judged = Exposure(with_exposure({"estate": estate}))
    found = next((one for key, one in judged.objects.items() if key[0] == kind), {})
    return drawing_of(found, judged, state, "route")


def _mark_objects(view: AccountView, change: Change, owners: Mapping[str, str]) -> None:
    """Mark the objects that a change is about, and add the routes and edges that only the plan creates."""
    gone = view.groups.get((EDGE, change.edge))
    if gone and change.action == "delete" and change.kind == EDGE:
        gone.is_left = False
    for pair in change.pairs:
        shown, edge = view.objects.get(pair.key), (EDGE, pair.key[1])
        if shown is None and pair.now is not None and pair.key[0] == ROUTE:
            shown = ShownObject(pair.key, f"r-{change.anchor}", pair.key[3], None)
            if edge not in view.groups:
                group = view.group(edge, edge[1].split(", "))
                group.is_live, group.owner = False, owners.get(edge[1], "")
            view.groups[edge].objects.append(shown)
        if shown and (pair.was or pair.now):
            shown.action, shown.plan_anchor, shown.planned = change.action, change.anchor, pair.now
