# SPDX-License-Identifier: GPL-3.0-or-later
"""What of an account was read and judged, so that what nobody has looked at is not taken for absent. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ...module_utils._values.option_error import members_of
from .account_view import AccountView, Finding, Group, ShownObject
from .exposure import strings
from .identity import EDGE, OBJECT, ROUTE, TLS_EDGE, TUNNEL, Key, edge_key, option_in, without_id

_OF_POLICIES, _OF_REQUIREMENTS = "policy_allows_everyone", "requirement_not_met"
_POLICY = "IP policy "
_ROUTES = ".routes"
_WITHOUT_ACCESS = frozenset({"", ".match", ".backend", ".hostports"})
"""Options whose doubts say nothing about who gets through."""
_LISTS = {EDGE: "https_edges", TLS_EDGE: "tls_edges", TUNNEL: "tunnels", OBJECT: "objects"}


class Coverage:
    """What the report knows of an account. `unread` are the lists of which nothing was judged."""

    def __init__(self, view: AccountView) -> None:
        self.view = view
        known = view.exposure.objects
        self._judged = {*known, *((EDGE, key[1]) for key in known if key[0] == ROUTE)}
        self._judged_collections = {_collection_of(key) for key in self._judged if key[0] == OBJECT}
        tunnels = view.groups.get((TUNNEL, ""))
        self._unjudged_tunnels = frozenset(_names(tunnels, self._judged) if tunnels else ())
        judged = {_list_of(entry) for entry in known.values()}
        entries = view.exposure.not_judged
        self._doubts: dict[str, set[str]] = defaultdict(set)
        for one in entries:
            self._doubts[without_id(str(one.get("object")))].add(option_in(str(one.get("path"))))
        self._unclear_policies = {name.removeprefix(_POLICY) for name in self._doubts if name.startswith(_POLICY)}
        self._knows_routes = not any(_ROUTES in options for options in self._doubts.values())
        # Other entries for a whole list are about some of its members, such as all that nobody has named.
        named = {str(one.get("path")) for one in entries if one.get("object") == str(one.get("path")).replace("_", " ")}
        self.unread = named - judged if view.exposure.is_known else {*_LISTS.values(), "event_subscriptions"}
        edges = enumerate(members_of(view.estate.get("https_edges")))
        self._without_routes = {edge_key(one, f"https_edges[{at}]") for at, one in edges if one.get("routes") is None}

    def has_judged(self, earlier: Finding) -> bool:
        """Return whether its object was judged again, or does not exist any more."""
        if _list_of(earlier.given) in self.unread or self._is_doubted(earlier) or not self._is_demanded(earlier):
            return False
        key = earlier.account.exposure.key_of(earlier.path)
        return key is None or key in self._judged or self._is_gone(key, without_id(earlier.object))

    def _is_doubted(self, earlier: Finding) -> bool:
        """Return whether nobody knows what it is about: its option or what contains it, its IP policy, or who gets
        through to its object, or to the others that it is about.
        """
        option, name = option_in(earlier.path), without_id(earlier.object)
        if any(f"{option}.".startswith(f"{one}.") for one in self._doubts.get(name, ())):
            return True
        if earlier.rule == _OF_POLICIES:
            return not self._unclear_policies.isdisjoint(str(earlier.given.get("message")).split())
        if option:
            return False
        known = earlier.account.exposure
        others = (known.objects[key] for path in strings(earlier.given.get("also")) if (key := known.key_of(path)))
        names = [name, *(without_id(str(one.get("object"))) for one in others)]
        return not self._knows_routes or any(self._doubts.get(one, set()) - _WITHOUT_ACCESS for one in names)

    def _is_demanded(self, earlier: Finding) -> bool:
        """Return whether the requirement still holds that a finding is about, or any if it is about all of them."""
        if earlier.rule != _OF_REQUIREMENTS:
            return True
        demanded, reason = self.view.exposure.requirements, earlier.given.get("requirement")
        return reason in demanded if reason else bool(demanded)

    def has_read_routes(self, edge: Key) -> bool:
        """Return whether all routes of an edge are known, or that it does not exist any more."""
        is_read = isinstance(self.view.estate.get("https_edges"), list) or _LISTS[EDGE] not in self.unread
        return is_read and edge not in self._without_routes

    def unjudged(self) -> Iterator[str]:
        """Yield the names of what was read and not judged, unless the exposure says so itself."""
        for group in self.view.groups.values():
            if _LISTS[group.kind] not in self.unread:
                yield from (name for name in _names(group, self._judged) if name not in self._doubts)

    def _is_gone(self, key: Key, name: str) -> bool:
        """Return whether an object that was not judged would have been, if it still existed."""
        kind = key[0]
        if kind == TUNNEL:  # each session of an agent has another ID
            return name not in self._unjudged_tunnels
        if kind == OBJECT:
            return _collection_of(key) in self._judged_collections
        group = self.view.groups.get((EDGE, key[1]))
        # TLS edges cannot be listed, so nobody knows of one that is not named.
        return kind != TLS_EDGE and (group is None or not group.is_live or (EDGE, key[1]) in self._judged)


def _collection_of(key: Key) -> str:
    return str(key[1]).partition(" ")[0]


def _list_of(entry: Mapping[str, object]) -> str:
    return str(entry.get("path")).partition(".")[0].partition("[")[0]


def _names(group: Group, judged: set[Key]) -> list[str]:
    """Return the names of what is drawn of the live configuration, and was not judged."""
    objects: list[ShownObject] = [one for one in group.objects if one.live]
    if group.kind == EDGE and not objects:
        return [] if group.key in judged or not group.is_live else [f"{EDGE} {', '.join(group.hosts)}"]
    names = ((one.key, f"TLS edge {one.name}" if group.kind == TLS_EDGE else group.name_of(one)) for one in objects)
    return [name for key, name in names if key not in judged]
