# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of seconds that are written as durations, such as `10s` or `1h30m`. Pure."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

_UNITS = {"h": Decimal(3600), "m": Decimal(60), "s": Decimal(1), "ms": Decimal("0.001")}
UNITS = "h, m, s, and ms, such as 1h30m"
_PART = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(ms|h|m|s)", re.ASCII)
_DURATION = re.compile(rf"\s*((?:{_PART.pattern})+)\s*", re.ASCII)


class InSeconds(dict[str, Any]):
    """The spec of an integer option that is a number of seconds, and also accepts a duration."""


def seconds_in(text: str) -> int | None:
    """Return the whole number of seconds of a duration; None for anything else."""
    found = _DURATION.fullmatch(text)
    if not found:
        return None
    total = sum((Decimal(number) * _UNITS[unit] for number, unit in _PART.findall(found[1])), Decimal(0))
    return int(total) if total == total.to_integral_value() else None
