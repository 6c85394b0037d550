# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report takes from the results of tasks: the configuration of an account, and when it was read. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .exposure import mapping


def from_results(account: Mapping[str, Any]) -> dict[str, Any]:
    """Return the account with what `estate_info` returns as `estate`, instead of its whole result.

    When the account was read is known from these results, unless it is given. The earliest of several times counts, so
    that a report never claims to be newer than a part of it.
    """
    estate, exposure = mapping(account.get("estate")), mapping(account.get("exposure"))
    times = [one["collected_at"] for one in (estate, exposure) if isinstance(one.get("collected_at"), str)]
    whole = {"estate": estate["estate"]} if isinstance(estate.get("estate"), Mapping) else {}
    known = {"collected_at": min(times)} if times and not account.get("collected_at") else {}
    return {**account, **whole, **known}
