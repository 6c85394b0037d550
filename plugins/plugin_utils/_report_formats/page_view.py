# SPDX-License-Identifier: GPL-3.0-or-later
"""What the template of the page shows of a report, in the order in which it does, and its icons. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ...module_utils._exposure.finding import SEVERITIES
from ...module_utils._planning.plan import NEW
from ...module_utils._values.option_error import list_of
from .._plan_facts import lets_others_in
from .._plan_markdown.state_diff import diff_lines
from .._plan_markdown.text import remainder
from .._report.account_view import KINDS, Group, highest_severity
from .._report.drawing import ACCESS
from .._report.plan_view import OPENS, Change
from .._report.report import OPENNESS, Report
from .._report.wording import LONGEST, yaml
from .._yaml_text import yaml_lines

ICONS = {
    "public": "M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12M2 8h12M8 2c-4 4-4 8 0 12c4-4 4-8 0-12",
    "network": "M6 2h4v4H6zM2 10h4v4H2zM10 10h4v4h-4zM8 6v2M4 10V8h8v2",
    "login": "M8 2a3 3 0 1 0 0 6a3 3 0 0 0 0-6M2.500 14c0-3 2-4.500 5.500-4.500s5.500 1.500 5.500 4.500",
    "certificate": "M3 2h10v7H3zM5.500 5h5M8 9v5M6 14l2-1.500 2 1.500",
    "signature": "M2 11c2-9 5-9 4-3s1 2 3-1 1 3 5 1M2 14h12",
    "closed": "M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12M4 4l8 8",
    "unknown": "M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12M6.500 6.500c0-2 3-2 3 0c0 1.200-1.500 1.200-1.500 2.500M8 11.500h.1",
    "policy": "M2 4h6M11 4h3M9.500 2.500v3M2 8h2M7 8h7M5.500 6.500v3M2 12h7M12 12h2M10.500 10.500v3",
    "server": "M2.500 3h11v4h-11zM2.500 9h11v4h-11zM5 5h.1M5 11h.1",
    "user_agent_filter": "M2 3h12v8H2zM6 14h4M5 7h6",
    "circuit_breaker": "M9 2L4 9h4l-1 5 5-7H8z",
    "request_headers": "M2 4h7M2 8h10M10 5.500l2.500 2.500L10 10.500M2 12h7",
    "response_headers": "M14 4H7M14 8H4M6 5.500L3.500 8 6 10.500M14 12H7",
    "websocket_tcp_converter": "M2 6h10l-2.500-2.500M14 10H4l2.500 2.500",
    "compression": "M8 1.500v4M6 4l2 2 2-2M8 14.500v-4M6 12l2-2 2 2M3 8h10",
    "high": "M8 2.500l6 11H2z",
    "medium": "M8 2l6 6-6 6-6-6z",
    "low": "M8 4.500a3.500 3.500 0 1 0 0 7a3.500 3.500 0 0 0 0-7",
}
"""Icons by the name of what they stand for, as paths of SVG in a square of 16 units."""

GENERAL = "M8 2.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 0 0 0-11M8 8h.1"
"""The icon of a traffic module without one of its own."""

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
    live = (one for one in group.lanes if one.is_live)
    lanes = [(_SEVERITIES.index(one.severity), _MOST_OPEN_FIRST.index(one.drawing.openness)) for one in live]
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
    sources = list_of(subscription.get("sources"))
    return [str(each.get("type") if isinstance(each, Mapping) else each) for each in sources]


def declaration_of(undeclared: Mapping[str, Any]) -> str:
    """Return the declaration of an undeclared object, as a member if its option is a list; nothing if there is none.

    `estate` returns declarations only with `undeclared: declarations`.
    """
    declaration, option = undeclared.get("declaration"), str(undeclared.get("option"))
    return yaml([declaration] if declaration and option.rpartition(".")[2] in _LISTS else declaration)
