# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes of the page as a table, for browsers without JavaScript. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .drawing import Drawing
from .names import with_names
from .page_data import text
from .report import Report

MOST_ROWS = 1000
"""Routes in this table, and members of other long lists without JavaScript."""

_MOST_OPTIONS = 500
"""With more routes, this table does not contain their options."""


def rows(report: Report) -> Iterator[dict[str, str]]:
    with_options = len(report.routes) <= _MOST_OPTIONS
    names = {view.name: view.names for view in report.accounts}
    shown = [(group, one, one.live) for group in report.groups for one in group.objects if one.live is not None]
    for group, one, live in shown[:MOST_ROWS]:
        yield {
            "edge": text(", ".join(group.hosts)),
            "name": text(" ".join(filter(None, (one.match_type, one.name)))),
            "access": ", ".join(live.access) or "not judged",
            "severity": one.severity,
            "backend": text(with_names(live.backend, names[group.account]), 80),
            "account": text(group.account),
            "options": _options(live) if with_options else "",
        }


def _options(drawing: Drawing) -> str:
    return "\n".join(f"{name}: {text(_flat(value))}" for name, value in drawing.details.items())


def _flat(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_flat(member)}" for name, member in value.items())
    if isinstance(value, list):
        return "[" + ", ".join(map(_flat, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def rows_note(report: Report) -> str:
    """Return what the table leaves out, empty if it is whole."""
    total = sum(one.live is not None for group in report.groups for one in group.objects)
    return f"and {total - MOST_ROWS} more, which need JavaScript" if total > MOST_ROWS else ""
