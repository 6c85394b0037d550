# SPDX-License-Identifier: GPL-3.0-or-later
"""The options about findings that count, and those that somebody has accepted."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from .._errors import UNSET_VARIABLE
from .._exposure.finding import SEVERITIES
from .._exposure.rules import ACCEPTABLE
from .._model.objects import join
from .._model.option_error import OptionError, OptionErrors, list_of
from .._model.option_wording import NeverNull, kind_of, quoted

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


def acceptance_errors(given: Any, path: str = "accept") -> OptionErrors:
    """Yield the errors in the option: exceptions that accept nothing, or that nobody can understand later."""
    for number, one in enumerate(list_of(given)):
        if not isinstance(one, dict):
            continue
        where = f"{path}[{number}]"
        for name in ("object", "reason"):
            if isinstance(one.get(name), str) and not one[name].strip():
                yield OptionError(join(where, name), f"is empty; {UNSET_VARIABLE}")
        yield from _date_errors(one.get("until"), join(where, "until"))


def _date_errors(given: Any, path: str) -> OptionErrors:
    if given is None:
        return
    try:
        date.fromisoformat(given if _DATE.fullmatch(given) else "")
    except ValueError:
        got = quoted(given) if given else kind_of(given)
        yield OptionError(path, f"{got} is not a date; expected a date such as '2027-03-31'")
