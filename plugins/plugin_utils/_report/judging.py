# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges what nobody has judged yet. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...module_utils._errors import IngressError
from ...module_utils._exposure.judge import judge
from .exposure import dictionaries, mapping
from .merging import united
from .options import is_estate

NOT_JUDGED = "The estate was not judged, because it does not have the format that estate_info returns."

NO_REASON = "The task that reads it failed without an error message."

# What the judge raises for values of other types. A report shows such an account all the same, as not judged.
_NOT_AN_ESTATE = (IngressError, AttributeError, KeyError, TypeError, ValueError)


def with_exposure(account: Mapping[str, Any]) -> dict[str, Any]:
    """Return the account with its exposure, which is judged here if there is an estate and no exposure.

    What `estate_info` returns as `estate` takes the place of its whole result, and the error that of the result of a
    task that has failed, because nothing in it was read. When the account was read is known from these results, unless
    it is given. The earliest of several times counts, so that a report never claims to be newer than a part of it.
    """
    estate, exposure = mapping(account.get("estate")), mapping(account.get("exposure"))
    times = [one["collected_at"] for one in (estate, exposure) if isinstance(one.get("collected_at"), str)]
    whole = {"estate": estate["estate"]} if isinstance(estate.get("estate"), Mapping) else {}
    known = {"collected_at": min(times)} if times and not account.get("collected_at") else {}
    given = {**account, **whole, **known}
    for part in ("estate", "exposure"):
        value = mapping(given.get(part))
        is_known = isinstance(value.get(part), list) if part == "exposure" else is_estate(value)
        if isinstance(given.get(part), Mapping) and not is_known:
            del given[part]
            if value.get("failed"):
                given["error"] = united(given.get("error"), value.get("msg") or NO_REASON)
    if given.get("exposure") is None and isinstance(given.get("estate"), Mapping):
        tunnels = given.get("tunnels")
        try:
            given["exposure"] = judge(given["estate"], None if tunnels is None else dictionaries(tunnels)).result()
        except _NOT_AN_ESTATE:
            given["error"] = united(given.get("error"), NOT_JUDGED)
    return given
