# SPDX-License-Identifier: GPL-3.0-or-later
"""The words that all formats of a report have in common, and strings of others as they are shown. Pure."""

from __future__ import annotations

from typing import Any

from ...module_utils._errors import counted
from .._plan_markdown.text import as_text, visible
from .._yaml_text import yaml_text
from .account_view import AccountView
from .report import Report

LONGEST = 400
"""Longer strings are cut, with the number of the remaining characters."""

_ACRONYMS = {"tls": "TLS", "idp": "identity provider", "http": "HTTP"}


def text(value: Any, longest: int = LONGEST) -> str:
    """Return what a report shows of a string of others: on one line, and with nothing invisible in it."""
    given = as_text(value)
    return cut(visible(given[:longest]), len(given) - longest) if given else ""


def cut(shown: str, more: int) -> str:
    """Return the beginning of a string with the number of the remaining characters, if there are any."""
    return f"{shown}… ({more} more characters)" if more > 0 else shown


def yaml(value: Any) -> str:
    """Return a declaration to copy; nothing if it is empty or cannot be written."""
    try:
        return yaml_text(value) if value else ""
    except ValueError:
        return ""


def titled(name: str) -> str:
    """Return the name of a rule or of a traffic module as a title."""
    words = " ".join(_ACRONYMS.get(word, word) for word in name.split("_"))
    return words[:1].upper() + words[1:]


def account_absence(view: AccountView) -> str:
    """Return what is wrong with an account that is not complete, as the end of a sentence."""
    if view.is_missing:
        return "is missing."
    return "was read only in part." if view.is_read else "could not be read."


def openings_note(report: Report) -> str:
    """Return how many openings are only counted, empty if all are listed."""
    number = report.more_openings
    return f"The plan only counts {counted(number, 'more requests')}." if number else ""
