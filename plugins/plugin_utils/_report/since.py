# SPDX-License-Identifier: GPL-3.0-or-later
"""What has changed since an earlier report. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...module_utils._exposure.finding import SEVERITIES
from .account_view import AccountView, Finding
from .coverage import Coverage
from .identity import EDGE, Key, Numbered

NEW, GONE, UNCHANGED = "new", "gone", "unchanged"


class Since:
    """The differences to an earlier report: findings that are not accepted, and routes by their account and name.

    Nothing is gone that nobody has read or judged now, such as what is in an account that was read only in part.
    Nothing is new in one that was not read then. An edge that was added before others, or a new ID, makes nothing else
    different. `absent` are the names of the accounts that are not part of the report any more.
    """

    def __init__(
        self, before: Sequence[AccountView], now: Sequence[AccountView], coverage: Mapping[str, Coverage]
    ) -> None:
        """Compare two reports, and mark the findings in both. `coverage` is that of the accounts now, by name."""
        unread, unread_then = _partly_read(now), _partly_read(before)
        covered = {name: one for name, one in coverage.items() if name not in unread}
        names = {view.name for view in now}
        self.absent = [view.name for view in before if view.name not in names and not view.is_missing]
        known, found = _findings(before), _findings(now)
        self.new = [one for key, one in found.items() if key not in known and one.account.name not in unread_then]
        gone = [one for key, one in known.items() if key not in found and one.account.name in covered]
        self.gone = [one for one in gone if covered[one.account.name].has_judged(one)]
        routes_then, routes = _routes(before), _routes(now)
        self.new_routes = [name for key, name in routes.items() if key not in routes_then and key[0] not in unread_then]
        left = [(key, name) for key, name in routes_then.items() if key not in routes and key[0] in covered]
        self.gone_routes = [name for (account, key), name in left if covered[account].has_read_routes((EDGE, key[1]))]
        everything = [one for view in now for one in view.findings]
        for state, findings in ((UNCHANGED, everything), (NEW, self.new), (GONE, self.gone)):
            for one in findings:
                one.state = state

    @property
    def routes(self) -> list[tuple[str, str, str]]:
        """Return the routes that are new or gone, each with its account and its name."""
        return [(state, *pair) for state, pairs in ((NEW, self.new_routes), (GONE, self.gone_routes)) for pair in pairs]

    def summary(self) -> dict[str, Any]:
        severities = Counter(one.severity for one in self.new)
        return {
            "new": {severity: severities[severity] for severity in SEVERITIES},
            "gone": len(self.gone),
            "new_routes": len(self.new_routes),
            "gone_routes": len(self.gone_routes),
        }


def _partly_read(views: Iterable[AccountView]) -> frozenset[str]:
    return frozenset(view.name for view in views if view.error or not view.is_read)


def _findings(views: Iterable[AccountView]) -> dict[Key, Finding]:
    numbered = Numbered()
    return {numbered.key(one.identity): one for view in views for one in view.findings if not one.accepted}


def _routes(views: Iterable[AccountView]) -> dict[Key, tuple[str, str]]:
    edges = ((view.name, group) for view in views for group in view.groups.values() if group.kind == EDGE)
    return {(name, one.key): (name, edge.name_of(one)) for name, edge in edges for one in edge.objects if one.live}
