# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through, by object: the exposure of one account, as the judge returns it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...module_utils._values.option_error import dictionary_of, list_of, members_of
from .identity import EDGE, OBJECT, ROUTE, TLS_EDGE, TUNNEL, Key, Numbered, edge_key, key_by_id, route_key

_LAST_PART = re.compile(r"[.\[][^.\[]*$")


class Exposure:
    """The judgement of an account: its objects by their key, and which of them a path belongs to.

    `weak` are the paths of which something has a finding that is not accepted, `unknown` those of which something
    cannot be judged. `requirements` are the reasons of those that were judged. Without a judgement, it is not
    `is_known`.
    """

    def __init__(self, account: Mapping[str, Any]) -> None:
        result = dictionary_of(account.get("exposure"))
        self.is_known = isinstance(account.get("exposure"), Mapping)
        self.findings, self.not_judged = (members_of(result.get(name)) for name in ("findings", "not_judged"))
        self.requirements = strings(dictionary_of(result.get("summary")).get("requirements"))
        counted = (one for one in self.findings if not one.get("accepted"))
        self.weak = frozenset(each for one in counted for each in _around(one.get("path")))
        self.unknown = frozenset(each for one in self.not_judged for each in _around(one.get("path")))
        self.objects: dict[Key, Mapping[str, Any]] = {}
        self.keys_by_path: dict[str, Key] = {}
        numbered = Numbered()
        for number, entry in enumerate(members_of(result.get("exposure"))):
            path = str(entry.get("path") or "")
            key = numbered.key(_key(entry, path, number))
            self.objects[key], self.keys_by_path[path] = entry, key
            if key[0] == ROUTE:
                self.keys_by_path.setdefault(_LAST_PART.sub("", _LAST_PART.sub("", path)), (EDGE, key[1]))

    def key_of(self, path: Any) -> Key | None:
        """Return the key of the innermost object that contains the path."""
        return next((self.keys_by_path[each] for each in _around(path) if each in self.keys_by_path), None)


def _around(path: Any) -> Iterator[str]:
    """Yield a path and those around it, the innermost first."""
    place = str(path or "")
    while place:
        yield place
        shorter = _LAST_PART.sub("", place)
        place = shorter if shorter != place else ""


def _key(entry: Mapping[str, Any], path: str, number: int) -> Key:
    edge, route = dictionary_of(entry.get("edge")), dictionary_of(entry.get("route"))
    place = path.partition(".")[0] or number
    kind = entry.get("kind")
    if kind == ROUTE:
        return route_key(edge_key(edge, place), route)
    if kind in (TLS_EDGE, TUNNEL):
        return key_by_id(kind, edge or entry, place)
    if kind == OBJECT:
        return OBJECT, str(entry.get("object") or place).removeprefix(f"{OBJECT} ")
    return edge_key(edge, place)


def strings(value: Any) -> list[str]:
    """Return the members of a list as strings, and nothing for any other value."""
    return [str(member) for member in list_of(value)]
