# SPDX-License-Identifier: GPL-3.0-or-later
"""What has changed since an earlier report. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...module_utils._exposure.finding import SEVERITIES
from .account_view import AccountView, Finding
from .identity import EDGE, Key, Numbered, without_id

_PLACE = re.compile(r"^\w+\[\d+\](?:\.routes\[\d+\])?")

NEW, GONE, UNCHANGED = "new", "gone", "unchanged"

Found = tuple[AccountView, Finding]


@dataclass(frozen=True)
class Since:
    """The differences to an earlier report: findings that are not accepted, and routes by their account and name.

    Nothing is gone from an account that was not read, or only in part. Nothing is new in one that was not read then.
    """

    new: Sequence[Found] = ()
    gone: Sequence[Found] = ()
    new_routes: Sequence[tuple[str, str]] = ()
    gone_routes: Sequence[tuple[str, str]] = ()
    _ids: frozenset[int] = field(default=frozenset())

    def state(self, finding: Finding) -> str:
        return NEW if id(finding) in self._ids else UNCHANGED

    @property
    def findings(self) -> list[tuple[str, AccountView, Finding]]:
        return [(state, *pair) for state, pairs in ((NEW, self.new), (GONE, self.gone)) for pair in pairs]

    @property
    def routes(self) -> list[tuple[str, str, str]]:
        """Return the routes that are new or gone, each with its account and its name."""
        return [(state, *pair) for state, pairs in ((NEW, self.new_routes), (GONE, self.gone_routes)) for pair in pairs]

    def counted(self, severity: str) -> list[Found]:
        """Return the new findings of this severity or a higher one."""
        found = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return [pair for pair in self.new if pair[1].get("severity") in found]

    def summary(self) -> dict[str, Any]:
        severities = Counter(str(one.get("severity")) for _view, one in self.new)
        return {
            "new": {severity: severities[severity] for severity in SEVERITIES},
            "gone": len(self.gone),
            "new_routes": len(self.new_routes),
            "gone_routes": len(self.gone_routes),
        }


def since(before: Sequence[AccountView], now: Sequence[AccountView]) -> Since:
    """Compare two reports. An edge that was added before others, or a new ID, makes nothing else different."""
    left = [view for view in before if view.name not in _partly_read(now)]
    compared = [view for view in now if view.name not in _partly_read(before)]
    known, found = _findings(before), _findings(now)
    routes_before, routes_now = _routes(before), _routes(now)
    new = [pair for key, pair in _findings(compared).items() if key not in known]
    return Since(
        new=new,
        gone=[pair for key, pair in _findings(left).items() if key not in found],
        new_routes=[name for key, name in _routes(compared).items() if key not in routes_before],
        gone_routes=[name for key, name in _routes(left).items() if key not in routes_now],
        _ids=frozenset(id(one) for _view, one in new),
    )


def _partly_read(views: Iterable[AccountView]) -> frozenset[str]:
    return frozenset(view.name for view in views if view.error or not view.is_read)


def _findings(views: Iterable[AccountView]) -> dict[Key, Found]:
    numbered = Numbered()
    found = ((view, one) for view in views for one in view.exposure.findings if not one.get("accepted"))
    return {numbered.key(identity_of(view, one)): (view, one) for view, one in found}


def identity_of(view: AccountView, finding: Finding) -> tuple[str, ...]:
    """Return what stays the same of a finding if its object gets another ID, or another place in the estate."""
    option = _PLACE.sub("", str(finding.get("path")))
    return view.name, str(finding.get("rule")), without_id(str(finding.get("object"))), option


def _routes(views: Iterable[AccountView]) -> dict[Key, tuple[str, str]]:
    found = ((view, group, one) for view in views for group in view.groups for one in group.objects)
    return {
        (view.name, one.key): (view.name, group.name_of(one))
        for view, group, one in found
        if group.kind == EDGE and one.live is not None
    }
