# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom to ask about a finding: the owner of its edge, from the metadata of the edge or by its hosts. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from .exposure import dictionaries, mapping, strings

_EDGE = re.compile(r"https_edges\[(\d+)\]")


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
        """Return the account with an `owner` in each finding whose edge has one."""
        exposure, edges = (
            mapping(account.get("exposure")),
            dictionaries(mapping(account.get("estate")).get("https_edges")),
        )
        if not (self.field or self.patterns) or not isinstance(exposure.get("findings"), list):
            return account
        findings = [self._with_owner(one, edges) for one in exposure["findings"]]
        return {**account, "exposure": {**exposure, "findings": findings}}

    def _with_owner(self, finding: Any, edges: Sequence[Mapping[str, Any]]) -> Any:
        place = _EDGE.match(str(mapping(finding).get("path")))
        owner = self.of(edges[int(place[1])]) if place and int(place[1]) < len(edges) else ""
        return {**finding, "owner": owner} if owner else finding

    def _in_metadata(self, metadata: Any) -> str:
        value = metadata
        if isinstance(metadata, str):
            try:
                value = json.loads(metadata)
            except (ValueError, RecursionError):
                value = None
        for name in self.field.split("."):
            value = mapping(value).get(name)
        return value if isinstance(value, str) else ""

    def _by_host(self, hostports: Sequence[str]) -> str:
        hosts = [hostport.rpartition(":")[0].lower() for hostport in hostports]
        matching = (one for one in self.patterns if any(fnmatchcase(host, str(one["hosts"]).lower()) for host in hosts))
        return next((str(one["owner"]) for one in matching), "")
