# SPDX-License-Identifier: GPL-3.0-or-later
"""The backends of a task: what each of them is at a moment, and to which others it leads. Pure.

The API reference only refers to backends. Their collections are those of the services that have them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .._model.protection import BACKENDS, OF_PEOPLE, SERVING, leads_to_others
from .._model.schema import HTTPS_EDGE
from .._planning.plan import Plan, known_id, states_of
from .._values.identifiers import strings_in
from .parts import At, Part, View, grouped, reached


class Content(NamedTuple):
    """What counts of a backend: all of it as text, and the strings in it, of which some are IDs of other backends."""

    text: str
    names: frozenset[str]


class Backends:
    """The backends that plans create, change, or delete, by their IDs.

    The `failed` ones could not be planned. If they were not read either, they may lead to any other one. The `unclear`
    plans failed as well, and each is about one of all backends.
    """

    def __init__(
        self, parts: Mapping[str, Part[Content]], failed: Mapping[str, int], unclear: Sequence[int] = ()
    ) -> None:
        self._parts, self._failed, self.unclear = parts, failed, unclear
        leading = grouped((name, identifier) for identifier, part in parts.items() for name in _names_in(part))
        self._unknown = {one for one in failed if not parts[one].existing}
        kept = (one for one, part in parts.items() if None not in (part.position, part.views[0], part.views[-1]))
        changed = [*failed, *kept]
        self.changed = {one: reached([one, *self._unknown], lambda name: leading.get(name, ())) for one in changed}
        """Those that exist before and after and lead elsewhere then, each with all that may lead to it."""
        self._ways: dict[frozenset[str], dict[str, set[str]]] = {}

    def ways(self, ids: frozenset[str]) -> Mapping[str, set[str]]:
        """Return the changed backends that these may lead to, each with all that decide what gets there."""
        if ids not in self._ways:
            near = self.behind(ids)
            self._ways[ids] = {
                identifier: {identifier, *to & near}
                for identifier, to in self.changed.items()
                if not ids.isdisjoint({"", *to})
            }
        return self._ways[ids]

    def positions(self, ids: Iterable[str]) -> set[int]:
        return {position for one in ids if (position := self._parts[one].position) is not None}

    def failed(self, ids: Iterable[str]) -> list[int]:
        return sorted(self._failed[one] for one in ids if one in self._failed)

    def changes_at_once(self, ids: Iterable[str]) -> bool:
        """Return whether what gets to a backend changes with a single operation, if at all."""
        steps = sum(len(self._parts[one].views) - 1 for one in ids)
        return steps <= 1 and not self.failed(ids)

    @property
    def change_together(self) -> bool:
        """Whether what gets to a backend changes with several operations."""
        return not all(map(self.changes_at_once, self.changed.values()))

    @property
    def existing(self) -> list[str]:
        return [identifier for identifier, part in self._parts.items() if part.views[0] is not None]

    def at(self, identifier: str, at: At) -> str | None:
        content = self._parts[identifier].at(at)
        return content and content.text

    def leads_to(self, first: str, identifier: str, at: At) -> bool:
        """Return whether what gets to the first backend gets to this one. One that was not read may lead to any."""
        left, waiting = set(self.changed[identifier]), [first]
        while waiting:
            one = waiting.pop()
            # Before anything has changed, that it may lead there is no permission.
            if one in ("", identifier) or (one in self._unknown and any(at.values())):
                return True
            content = self._parts[one].at(at) if one in left else None
            left.discard(one)
            waiting += left & content.names if content else ()
        return False

    def behind(self, ids: Iterable[str]) -> set[str]:
        """Return these backends, and all to which they lead at some time."""
        return reached(ids, self._after)

    def _after(self, identifier: str) -> Iterable[str]:
        """Return the backends to which one leads at some time."""
        part = self._parts.get(identifier)
        return self._parts if identifier in self._unknown else _names_in(part) if part else ()


def backend_ids(*routes: Part[View]) -> frozenset[str]:
    """Return the IDs of the backends of routes at all times, an empty one for a backend that is not known."""
    ids = (view.backend_id for route in routes for view in route.existing)
    return frozenset(one for one in ids if one is not None)


def _names_in(part: Part[Content]) -> set[str]:
    return {name for content in part.existing for name in content.names}


NO_BACKENDS = Backends({}, {})


def change_around_tls_edges(plans: Sequence[Plan]) -> bool:
    """Return whether plans change traffic modules of TLS edges as well as backends, to which these may lead, or hosts
    of other edges, which they may serve without these. What failed was to be changed."""
    changing = [plan for plan in plans if plan.operations or plan.error]
    has_modules = any(plan.target.is_part for plan in changing)
    return has_modules and any(_is_of_backend(plan) or _changes_hosts(plan) for plan in changing)


def _changes_hosts(plan: Plan) -> bool:
    if plan.kind is not HTTPS_EDGE and plan.target.object_collection not in SERVING:
        return False
    states = (plan.before or {}, plan.after or {})
    then, now = ([state.get(name) for name in ("id", "hostports", "url")] for state in states)
    return plan.error is not None or then != now


def _is_of_backend(plan: Plan) -> bool:
    return plan.target.object_collection.startswith(BACKENDS)


def backends_of(plans: Sequence[Plan]) -> Backends:
    parts, failed, unclear = {}, {}, []
    for position, plan in enumerate(plans):
        if _is_of_backend(plan):
            leads = leads_to_others(plan.target.object_collection)
            shown = [state and plan.kind.shown(state) for state in states_of(plan)]
            contents = [None if state is None else _content(state, leads) for state in shown]
            if identifier := known_id(plan):
                parts[identifier] = Part(contents, position)
                failed.update({identifier: position} if plan.error else {})
            else:
                unclear.append(position)
    return Backends(parts, failed, unclear)


def _content(shown: Mapping[str, Any], leads: bool) -> Content:
    counting = _set_members({name: value for name, value in shown.items() if name not in OF_PEOPLE})
    return Content(json.dumps(counting, sort_keys=True, default=str), frozenset(strings_in(counting) if leads else ()))


def _set_members(value: Any) -> Any:
    """Return a value without members of objects that are null: a state has one for each that is declared."""
    if not isinstance(value, dict):
        return value
    return {name: _set_members(member) for name, member in value.items() if member is not None}
