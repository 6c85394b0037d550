# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom to ask about a finding: the owner of its edge, from the metadata of the edge or by its hosts. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...module_utils._values.json_strings import container
from ...module_utils._values.option_error import dictionary_of, members_of
from ...module_utils._values.patterns import covers
from .exposure import strings
from .identity import EDGE, edge_in, edge_key

_EDGE = re.compile(r"https_edges\[(\d+)\]")
_PORT = re.compile(r":\d*$")


@dataclass(frozen=True)
class Owners:
    """How owners are known: by the `field` of an edge's metadata, a path such as `contact.team`, or by its hosts.

    `patterns` are dictionaries with `hosts` and `owner`, of which the first that matches a host counts. Metadata that
    name an owner win.
    """

    field: str = ""
    patterns: Sequence[Mapping[str, Any]] = ()

    def of(self, edge: Mapping[str, Any]) -> str:
        """Return the owner of an edge, empty if it is not known."""
        return self._in_metadata(edge.get("metadata")) or self._by_host(strings(edge.get("hostports")))

    def added_to(self, account: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the account with an `owner` in everything that is about an edge with one.

        These are the findings, and what the exposure and the plan say about its routes and itself.
        """
        if not (self.field or self.patterns):
            return account
        edges = members_of(dictionary_of(account.get("estate")).get("https_edges"))
        plan = account.get("plan")
        entries = (one for one in members_of(dictionary_of(plan).get("plan")) if one.get("kind") == EDGE)
        planned = [dictionary_of(one.get("after") or one.get("before")) for one in entries]
        known = {edge_key(edge, "")[1]: self.of(edge) for edge in [*planned, *edges]}

        def by_name(one: Mapping[str, Any]) -> str:
            name = edge_in(str(one.get("object")))
            return (known[name] if name in known else self._by_host(name.split(", "))) if name else ""

        def at_place(one: Mapping[str, Any]) -> str:
            place = _EDGE.match(str(one.get("path")))
            edge = edges[int(place[1])] if place and int(place[1]) < len(edges) else None
            return by_name(one) if edge is None or not _is_called(edge, str(one.get("object"))) else self.of(edge)

        parts = {
            "exposure": _with_owners(account.get("exposure"), ("exposure", "findings"), at_place),
            # The places in a plan are not those of the live configuration.
            "plan": _with_owners(plan, ("plan", "findings", "undeclared"), by_name),
        }
        return {**account, **{name: part for name, part in parts.items() if name in account}}

    def _in_metadata(self, metadata: Any) -> str:
        value = container(metadata) if isinstance(metadata, str) else metadata
        for name in self.field.split("."):
            value = dictionary_of(value).get(name)
        return value if isinstance(value, str) else ""

    def _by_host(self, hostports: Sequence[str]) -> str:
        hosts = [_PORT.sub("", hostport).lower() for hostport in hostports]
        matching = (one for one in self.patterns if any(covers(str(one["hosts"]).lower(), host) for host in hosts))
        return next((str(one["owner"]) for one in matching), "")


def _is_called(edge: Mapping[str, Any], subject: str) -> bool:
    """Return whether the name of an edge or of one of its routes can be that of this edge.

    Another one can be at its place, because the exposure may have been judged at another time than the estate was read.
    A name that contains neither hostports nor an ID tells nothing, so only the place is known of such edges.
    """
    name, key = edge_in(subject), edge_key(edge, "")[1]
    return name == key or (key == edge_key({}, "")[1] and (not name or name.startswith(("'", '"'))))


def _with_owners(result: Any, lists: Sequence[str], owner_of: Callable[[Mapping[str, Any]], str]) -> Any:
    found = {name: dictionary_of(result)[name] for name in lists if isinstance(dictionary_of(result).get(name), list)}
    for name, members in found.items():
        owned = ((one, owner_of(one) if isinstance(one, Mapping) else "") for one in members)
        found[name] = [{**one, "owner": owner} if owner else one for one, owner in owned]
    return {**result, **found} if found else result
