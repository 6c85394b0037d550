# SPDX-License-Identifier: GPL-3.0-or-later
"""What the template of the page shows of a report, in the order in which it does. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from ...module_utils._exposure.finding import SEVERITIES
from ...module_utils._planning.plan import NEW
from .._plan_markdown.state_diff import diff_lines, state_lines
from .account_view import KINDS, AccountView, Finding, Group
from .drawing import ACCESS
from .exposure import severity_of, strings
from .findings import RuleFindings, by_rule
from .identity import EDGE
from .names import with_names
from .plan_view import OPENS, Change
from .report import OPENNESS, Report
from .wording import LONGEST, cut, yaml

_SEVERITIES = (*SEVERITIES, "")
_LISTS = ("https_edges", "tls_edges", "event_subscriptions", "routes", "sources")
_MOST_OPEN_FIRST = ("public", "unknown", "one", "several", "closed")
_WIDTHS = ((90, 15), (200, 9), (420, 6), (900, 4), (1500, 3))
"""Up to how many bars in the overview, each is so wide."""


class PageView:
    """A report as its page shows it."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.views = {view.name: view for view in report.accounts}
        self._names = {one.anchor: one.name for group in report.groups for one in group.objects}
        self._names.update((group.anchor, group.hosts[0]) for group in report.groups)

    def rules_of(self, account: str, findings: Sequence[Finding]) -> Sequence[RuleFindings]:
        return by_rule((self.views[account], one) for one in findings)

    @cached_property
    def groups(self) -> list[Group]:
        """Return what is drawn, the worst first."""
        return sorted(self.report.groups, key=_badness)

    def edges(self, view: AccountView) -> list[Group]:
        return sorted((group for group in view.groups if group.kind == EDGE), key=_badness)

    @property
    def width_of_bars(self) -> int:
        return next((width for most, width in _WIDTHS if len(self.report.routes) <= most), 2)

    @property
    def access(self) -> dict[str, int]:
        """Return who gets through any route, live or after the plan, each with the number of live routes."""
        counts = Counter(name for one in self.report.routes if one.live for name in one.live.access)
        counts["unknown"] = self.report.openness["unknown"]
        planned = {
            name
            for group in self.report.groups
            for one in group.objects
            for name in (one.planned.access or ["unknown"] if one.planned else [])
        }
        return {name: counts[name] for name in (*ACCESS, "unknown") if counts[name] or name in planned}

    def named(self, account: str, shown: str) -> Any:
        """Return the name of a backend or of whom a traffic module admits, instead of an ID."""
        return with_names(shown, self.views[account].names)

    def target(self, view: AccountView, finding: Finding) -> str:
        """Return the anchor of the object of a finding, empty if it is not drawn."""
        return view.targets.get(view.exposure.key_of(finding.get("path")) or (), "")

    def others(self, view: AccountView, finding: Finding) -> Iterator[tuple[str, str]]:
        """Yield the anchors and the names of other objects that a finding is about."""
        for path in strings(finding.get("also")):
            anchor = view.targets.get(view.exposure.key_of(path) or (), "")
            if anchor in self._names and anchor != self.target(view, finding):
                yield anchor, self._names[anchor]

    @property
    def subscriptions(self) -> list[tuple[AccountView, Mapping[str, Any]]]:
        return [(view, one) for view in self.report.accounts for one in view.subscriptions]

    def opened(self) -> list[tuple[str, str, str]]:
        """Return the anchor, the kind, and the name of what the plan opens, except for what nothing took before."""
        asked = [(change.anchor, one.kind, one.request) for change, one in self.report.openings() if one.kind != NEW]
        drawn = [
            (change.anchor, "", str(change.entry.get("object")))
            for change in self.report.changes
            if change.effect == OPENS and not change.lets_others_in
        ]
        return [*asked, *drawn]


def _badness(group: Group) -> tuple[int, int, int]:
    own = (_SEVERITIES.index(severity_of(group.findings)), len(_MOST_OPEN_FIRST))
    lanes = [
        (_SEVERITIES.index(one.severity), _MOST_OPEN_FIRST.index(one.drawing.openness))
        for one in group.lanes
        if one.is_live
    ]
    return KINDS.index(group.kind), *min([own, *lanes])


def segments(openness: Mapping[str, int]) -> dict[str, Any]:
    """Return the parts of a bar, each with its beginning and its width."""
    parts, start = [], 0
    for word in OPENNESS:
        if openness[word]:
            parts.append((word, start, openness[word]))
            start += openness[word]
    return {"total": start, "parts": parts}


def options_text(value: Any) -> str:
    """Return the options of a traffic module, one on each line."""
    return "\n".join(map(_cut, state_lines(value)))


def differences(change: Change) -> list[tuple[str, str]]:
    """Return the lines of the difference that a change makes, each with the mark before it."""
    lines = diff_lines(change.entry.get("before"), change.entry.get("after"))
    return [(line[0], _cut(line)) for line in lines]


def _cut(line: str) -> str:
    return cut(line[:LONGEST], len(line) - LONGEST)


def event_types(subscription: Mapping[str, Any]) -> list[str]:
    sources = subscription.get("sources")
    members = sources if isinstance(sources, list) else []
    return [str(each.get("type")) if isinstance(each, Mapping) else str(each) for each in members]


def declaration_of(undeclared: Mapping[str, Any]) -> str:
    """Return the declaration of an undeclared object, as a member if its option is a list; nothing if there is none.

    `estate` returns declarations only with `undeclared: declarations`.
    """
    declaration, option = undeclared.get("declaration"), str(undeclared.get("option"))
    return yaml([declaration] if declaration and option.rpartition(".")[2] in _LISTS else declaration)
