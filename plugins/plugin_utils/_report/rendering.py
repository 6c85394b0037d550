# SPDX-License-Identifier: GPL-3.0-or-later
"""A report in each of its formats. Pure, except that the page reads its own template."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .html import html_page
from .junit import junit_document
from .markdown import markdown_page
from .merging import Collected
from .report import Report
from .sarif import sarif_document
from .summary import summary_of

_FORMATS: Mapping[str, Callable[[Report], str]] = {
    "html": html_page,
    "markdown": markdown_page,
    "junit": junit_document,
    "sarif": sarif_document,
}


def rendered(report: Report, collected: Collected, format_name: str) -> str:
    """Return the report in one of the formats."""
    if format_name == "json":
        return collected.document(summary_of(report))
    return _FORMATS[format_name](report)
