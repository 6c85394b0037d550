# SPDX-License-Identifier: GPL-3.0-or-later
"""What the template of the page shows of a report, in the order in which it does. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ...module_utils._exposure.finding import SEVERITIES
from ...module_utils._planning.plan import NEW
from .._plan_facts import lets_others_in
from .._plan_markdown.state_diff import diff_lines
from .._plan_markdown.text import remainder
from .._report.account_view import KINDS, Group, highest_severity
from .._report.drawing import ACCESS
from .._report.plan_view import OPENS, Change
from .._report.report import OPENNESS, Report
from .._report.wording import LONGEST, yaml
from .._yaml_text import yaml_lines

_SEVERITIES = (*SEVERITIES, "")
_LISTS = ("https_edges", "tls_edges", "event_subscriptions", "routes", "sources")
_MOST_OPEN_FIRST = ("public", "unknown", "one", "several", "closed")
_WIDTHS = ((90, 15), (200, 9), (420, 6), (900, 4), (1500, 3))
"""Up to how many bars in the overview, each is so wide."""


def worst_first(groups: Iterable[Group]) -> list[Group]:
    """Return what is drawn, by kind, the worst first."""
    return sorted(groups, key=_badness)


def width_of_bars(number: int) -> int:
    return next((width for most, width in _WIDTHS if number <= most), 2)


def access_of(report: Report) -> dict[str, int]:
    """Return who gets through any route, live or after the plan, each with the number of live routes."""
    counts = Counter(name for one in report.routes for name in one.access)
    counts["unknown"] = report.openness["unknown"]
    planned = (one.planned for group in report.groups for one in group.objects if one.planned)
    names = {name for one in planned for name in one.access or ["unknown"]}
    return {name: counts[name] for name in (*ACCESS, "unknown") if counts[name] or name in names}


def opened(report: Report) -> list[tuple[str, str, str]]:
    """Return the anchor, the kind, and the name of what the plan opens, except for what nothing took before."""
    asked = [(change.anchor, one.kind, one.request) for change, one in report.openings() if one.kind != NEW]
    changes = (change for change in report.changes if change.effect == OPENS and not lets_others_in(change.entry))
    return [*asked, *((change.anchor, "", change.object) for change in changes)]


def _badness(group: Group) -> tuple[int, int, int]:
    own = (_SEVERITIES.index(highest_severity(group.findings)), len(_MOST_OPEN_FIRST))
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
    return "\n".join(line[:LONGEST] + remainder(line, LONGEST) for line in yaml_lines(value))


def differences(change: Change) -> list[tuple[str, str]]:
    """Return the lines of the difference that a change makes, each with the mark before it."""
    lines = diff_lines(change.before, change.after)
    return [(line[0], line[:LONGEST] + remainder(line, LONGEST)) for line in lines]


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
