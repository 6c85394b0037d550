# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that say which findings make a task fail, and which ones somebody has accepted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from .._applying.failures import listed
from .._definition import Options
from .._errors import UNSET_VARIABLE, counted
from .._exposure.finding import SEVERITIES, Finding
from .._exposure.judge import ACCEPTABLE
from .._values.option_error import OptionError, OptionErrors, join, with_paths
from .._values.option_wording import DocumentedElsewhere, NeverNull, kind_of, quoted

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)

SEVERITY = NeverNull(type="str", choices=list(SEVERITIES))
ACCEPT: dict[str, Any] = {
    "type": "list",
    "elements": "dict",
    "default": [],
    "options": {
        "rule": {"type": "str", "required": True, "choices": list(ACCEPTABLE)},
        "object": {"type": "str", "required": True},
        "reason": {"type": "str", "required": True},
        "until": NeverNull(type="str"),
    },
}

OPTIONS = {
    "reject_findings": SEVERITY,
    "reject_existing": {"type": "bool", "default": False},
    "accept": DocumentedElsewhere(ACCEPT),
}


def acceptance_errors(given: Any) -> OptionErrors:
    """Yield the errors in the option: exceptions that accept nothing, or that nobody can understand later."""
    for where, one in with_paths(given, "accept"):
        for name in ("object", "reason"):
            if isinstance(one.get(name), str) and not one[name].strip():
                yield OptionError(join(where, name), f"is empty; {UNSET_VARIABLE}")
        until = one.get("until")
        try:
            if until is not None:
                date.fromisoformat(until if _DATE.fullmatch(until) else "")
        except ValueError:
            got = quoted(until) if until else kind_of(until)
            yield OptionError(join(where, "until"), f"{got} is not a date; expected a date such as '2027-03-31'")


def rejection_errors(options: Options) -> OptionErrors:
    """Yield the errors in the options, which have no effect without a severity."""
    yield from acceptance_errors(options.get("accept"))
    for name in ("accept", "reject_existing"):
        if options.get(name) and options.get("reject_findings") is None:
            yield OptionError(name, f"has no effect without `reject_findings`; set `reject_findings`, or remove {name}")


def today() -> date:
    """Return the date on the host that runs the task. Only this function of the core asks for it."""
    return datetime.now().astimezone().date()


def counted_findings(findings: Sequence[Finding], severity: str) -> str:
    at_least = "severity high" if severity == "high" else f"severity {severity} or higher"
    return f"{counted(len(findings), 'findings')} of {at_least}"


def lines_of(findings: Sequence[Finding]) -> str:
    return listed([f"{one.name}: {one.hit.message} ({one.rule.name})" for one in findings])
