# SPDX-License-Identifier: GPL-3.0-or-later
"""The backends of a task: what each of them is at a moment, and to which others it leads. Pure.

The API reference only refers to backends. Their collections are those of the services that have them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .._model.protection import BACKENDS, OF_PEOPLE
from .._planning.plan import Plan, states_of
from .._values.identifiers import strings_in
from .parts import At, Part


class Content(NamedTuple):
    """What counts of a backend: all of it as text, and the strings in it, of which some are IDs of other backends."""

    text: str
    names: frozenset[str]


class Backends:
    """The backends that plans create, change, or delete, by their IDs."""

    def __init__(self, parts: Mapping[str, Part[Content]]) -> None:
        self._parts = parts
        self.changed = {identifier: set(self._to(identifier)) for identifier, part in parts.items() if _changes(part)}
        """Those that exist before and after and lead elsewhere then, each with all that may lead to it."""

    def positions(self, identifier: str) -> set[int]:
        """Return the plans on which it depends what gets to a changed backend."""
        found = (self._parts[one].position for one in self.changed[identifier])
        return {one for one in found if one is not None}

    def at(self, identifier: str, at: At) -> str | None:
        content = self._parts[identifier].at(at)
        return content and content.text

    def leads_to(self, first: str, identifier: str, at: At) -> bool:
        """Return whether what gets to the first backend gets to this one. One that is not known may be any."""
        left, waiting = set(self.changed[identifier]), [first]
        while waiting:
            one = waiting.pop()
            if one in ("", identifier):
                return True
            content = self._parts[one].at(at) if one in left else None
            left.discard(one)
            waiting += left & content.names if content else ()
        return False

    def _to(self, identifier: str) -> Iterator[str]:
        """Yield a backend, and those that lead to it at some time."""
        found, waiting = set[str](), [identifier]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                yield one
                waiting += [
                    other for other, part in self._parts.items() if any(one in it.names for it in part.existing)
                ]


NO_BACKENDS = Backends({})


def backends_of(plans: Sequence[Plan]) -> Backends:
    parts = {}
    for position, plan in enumerate(plans):
        if plan.kind.name == "object" and plan.target.collection.strip("/").startswith(BACKENDS):
            identifier = (plan.before or plan.after or plan.target.identity)["id"]
            contents = [None if state is None else _content(plan.kind.shown(state)) for state in states_of(plan)]
            parts[identifier] = Part(contents, position)
    return Backends(parts)


def _content(shown: Mapping[str, Any]) -> Content:
    counting = _set_members({name: value for name, value in shown.items() if name not in OF_PEOPLE})
    return Content(json.dumps(counting, sort_keys=True, default=str), frozenset(strings_in(counting)))


def _set_members(value: Any) -> Any:
    """Return a value without members of objects that are null: a state has one for each that is declared."""
    if not isinstance(value, dict):
        return value
    return {name: _set_members(member) for name, member in value.items() if member is not None}


def _changes(part: Part[Content]) -> bool:
    return part.position is not None and part.views[0] is not None and part.views[-1] is not None
