# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges what nobody has judged yet: accounts with an estate, and single objects before and after a plan. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...module_utils._errors import IngressError
from ...module_utils._exposure.judge import judge
from .exposure import Exposure, dictionaries, exposure_of, mapping
from .merging import united
from .options import is_estate

NOT_JUDGED = "The estate was not judged, because it does not have the format that estate_info returns."

NO_REASON = "The task that reads it failed without an error message."

# What the judge raises for values of other types. A report shows such an account all the same, as not judged.
_NOT_AN_ESTATE = (IngressError, AttributeError, KeyError, TypeError, ValueError)


def with_exposure(account: Mapping[str, Any]) -> dict[str, Any]:
    """Return the account with its exposure, which is judged here if there is an estate and no exposure.

    The results of tasks that have failed are replaced by their error, because nothing in them was read.
    """
    given = _without_failures(from_results(account))
    if given.get("exposure") is None and isinstance(given.get("estate"), Mapping):
        tunnels = given.get("tunnels")
        try:
            given["exposure"] = judge(given["estate"], None if tunnels is None else dictionaries(tunnels)).result()
        except _NOT_AN_ESTATE:
            given["error"] = united(given.get("error"), NOT_JUDGED)
    return given


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


def _without_failures(account: Mapping[str, Any]) -> dict[str, Any]:
    given = dict(account)
    for part in ("estate", "exposure"):
        value = given.get(part)
        if isinstance(value, Mapping) and not (
            is_estate(value) if part == "estate" else isinstance(value.get(part), list)
        ):
            del given[part]
            if value.get("failed"):
                given["error"] = united(given.get("error"), value.get("msg") or NO_REASON)
    return given


def exposure_of_objects(https_edges: Sequence[Mapping[str, Any]], tls_edges: Sequence[Mapping[str, Any]]) -> Exposure:
    """Return who gets through these edges and routes."""
    if not https_edges and not tls_edges:
        return Exposure()
    estate = {"https_edges": list(https_edges), "tls_edges": list(tls_edges)}
    try:
        return exposure_of({"exposure": judge(estate).result()})
    except _NOT_AN_ESTATE:
        return Exposure()
