# SPDX-License-Identifier: GPL-3.0-or-later
"""What identifies an object in a report: the same in each report, so that links to it stay valid. Pure."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...module_utils._planning.object_names import joined
from ...module_utils._values.option_error import list_of

Key = tuple[Any, ...]

ROUTE, EDGE, TLS_EDGE, TUNNEL, OBJECT = "https_edge_route", "https_edge", "tls_edge", "tunnel", "object"

_PREFIXES = {ROUTE: "r", EDGE: "e", TLS_EDGE: "t", TUNNEL: "n", OBJECT: "o"}
_DIGITS = 10
_PLACE = re.compile(r"^\w+\[\d+\](?:\.routes\[\d+\])?")
_ID_AT_THE_END = re.compile(r" \([^() ]+\)$")
_LABEL_AT_THE_END = re.compile(r""" of ((['"])(?:(?!\2)[^\\]|\\.)*\2)$""")
"""The label of an edge, which can contain anything, in the name of a route."""


class Numbered:
    """Numbers equal keys by their order, so that none is mistaken for one that is protected."""

    def __init__(self) -> None:
        self._seen: Counter[Key] = Counter()

    def key(self, key: Key) -> Key:
        self._seen[key] += 1
        return key if self._seen[key] == 1 else (*key, self._seen[key])


class Anchors(Numbered):
    """Gives each object the name that links in the page refer to."""

    def of(self, prefix: str, *parts: Any) -> str:
        text = "\0".join(map(str, parts))
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        return "-".join(map(str, self.key((prefix, digest))))

    def of_object(self, account: str, key: Key) -> str:
        return self.of(_PREFIXES[key[0]], account, *key)


def without_id(name: str) -> str:
    """Return the name of an object as it stays if the object is created again."""
    return _ID_AT_THE_END.sub("", name)


def option_in(path: str) -> str:
    """Return the option in a path of an estate, without the place of its object."""
    return _PLACE.sub("", path)


def edge_key(edge: Mapping[str, Any], position: Any) -> Key:
    """Return the key of an HTTPS edge: its hostports as names of objects have them, its ID, or its position."""
    hosts = joined(sorted({str(one).lower() for one in list_of(edge.get("hostports"))}))
    return (EDGE, hosts or str(edge.get("id") or "") or f"#{position}")


def route_key(edge: Key, route: Mapping[str, Any]) -> Key:
    return (ROUTE, edge[1], str(route.get("match_type") or ""), str(route.get("match") or ""))


def key_by_id(kind: str, one: Mapping[str, Any], position: Any) -> Key:
    """Return the key of a TLS edge or of a tunnel."""
    return (kind, str(one.get("edge_id") or one.get("id") or f"#{position}"))


def edge_in(name: str) -> str:
    """Return the hostports, the ID, or the label in the name of an HTTPS edge or of one of its routes.

    It is empty for other objects, and if nothing is known of the edge.
    """
    kind, _blank, rest = name.partition(" ")
    if kind == EDGE:
        return "" if rest == "without hostports" else without_id(rest).strip("()")
    if kind != ROUTE or " of " not in rest:
        return ""
    label = _LABEL_AT_THE_END.search(rest)
    return label[1] if label else without_id(rest).rpartition(" of ")[2]
