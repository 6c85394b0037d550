# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges what nobody has judged yet. Pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from ...module_utils._errors import IngressError
from ...module_utils._exposure.declared import declared_estate
from ...module_utils._exposure.doubts import NOT_LISTED
from ...module_utils._exposure.finding import SEVERITIES
from ...module_utils._exposure.judge import judge, judgement_of
from ...module_utils._exposure.judged import NotJudged
from ...module_utils._values.option_error import dictionary_of, members_of
from .exposure import strings
from .options import is_estate

NOT_JUDGED = "The estate was not judged, because it does not have the format that estate_info returns."

NO_REASON = "The task that reads it failed without an error message."

_JUDGED_BY, _REPORT = "judged_by", "report"
"""In the summary of an exposure that the report has judged itself, and that nobody has given."""

_NOT_FOUND = "tls_edges_not_found"
_LISTS = ("exposure", "findings", "not_judged")
_TUNNELS = "tunnels"
_BETWEEN_ERRORS = "; "

# What the judge raises for values of other types. A report shows such an account all the same, as not judged.
_NOT_AN_ESTATE = (IngressError, AttributeError, KeyError, TypeError, ValueError)


def with_exposure(account: Mapping[str, Any]) -> dict[str, Any]:
    """Return the account with its exposure, which is judged here if there is an estate and no exposure.

    What `estate_info` returns as `estate` takes the place of its whole result, and the error that of the result of a
    task that has failed, because nothing in it was read. When the account was read is known from these results, unless
    it is given. The earliest of several times counts, so that a report never claims to be newer than a part of it.
    """
    estate, exposure = dictionary_of(account.get("estate")), dictionary_of(account.get("exposure"))
    times = [one["collected_at"] for one in (estate, exposure) if isinstance(one.get("collected_at"), str)]
    whole = {"estate": estate["estate"]} if isinstance(estate.get("estate"), Mapping) else {}
    known = {"collected_at": min(times)} if times and not account.get("collected_at") else {}
    given = {**account, **whole, **known}
    for part in ("estate", "exposure"):
        value = dictionary_of(given.get(part))
        is_known = isinstance(value.get(part), list) if part == "exposure" else is_estate(value)
        if isinstance(given.get(part), Mapping) and not is_known:
            del given[part]
            if value.get("failed"):
                given["error"] = united(given.get("error"), value.get("msg") or NO_REASON)
    if given.get("exposure") is None and isinstance(given.get("estate"), Mapping):
        try:
            judged = _judged(given["estate"], strings(estate.get(_NOT_FOUND)), is_live=bool(given.get("collected_at")))
        except _NOT_AN_ESTATE:
            return {**given, "error": united(given.get("error"), NOT_JUDGED)}
        return {**given, **judged_with_tunnels([judged], given)}
    return given


def _judged(estate: Mapping[str, Any], not_found: Sequence[str], *, is_live: bool) -> dict[str, Any]:
    """Return the report's own judgement of an estate, without tunnels.

    What `exposure_info` does not judge of an account is not judged here either. It is live if somebody has read it.
    """
    declared = declared_estate(estate)
    tls_edges = [replace(one, is_known=one.id not in not_found) for one in declared.tls_edges]
    unknown = [*(NOT_LISTED if is_live else ()), NotJudged(_TUNNELS, _TUNNELS, "They were not read.")]
    judged = judgement_of(replace(declared, tls_edges=tls_edges, not_judged=unknown), (), date.max).result()
    return {**judged, "summary": {**judged["summary"], _JUDGED_BY: _REPORT}}


def is_own(exposure: Any) -> bool:
    """Return whether the report has judged it itself, so that it can do so again if it knows more."""
    return bool(dictionary_of(dictionary_of(exposure).get("summary")).get(_JUDGED_BY) == _REPORT)


def judged_with_tunnels(own: Iterable[Mapping[str, Any]], account: Mapping[str, Any]) -> dict[str, Any]:
    """Return the exposure of an account from the report's own judgements of its estate, and the error if there is none.

    Tunnels are judged on their own, because no rule is about both, and because the estate in a report as JSON contains
    less than the one that was judged, such as no values of headers. Of several judgements, the longest one counts.
    """
    found = []
    try:
        tunnels = None if account.get(_TUNNELS) is None else judge({}, members_of(account[_TUNNELS])).result()
    except _NOT_AN_ESTATE:
        return {"exposure": None, "error": united(account.get("error"), NOT_JUDGED)}
    for one in own:
        judged = one if tunnels is None else _joined(one, tunnels)
        found.append((json.dumps(judged, sort_keys=True), judged))
    return {"exposure": max(found, key=lambda pair: (len(pair[0]), pair[0]))[1]}


def _joined(judged: Mapping[str, Any], tunnels: Mapping[str, Any]) -> dict[str, Any]:
    """Return a judgement with that of these tunnels instead of any others."""

    def members(name: str) -> list[Mapping[str, Any]]:
        pairs = ((one, str(one.get("path")).startswith(_TUNNELS)) for one in members_of(judged.get(name)))
        others = [one for one, is_tunnel in pairs if not is_tunnel]
        return [*others, *(one for one in tunnels[name] if one["path"].startswith(_TUNNELS))]

    found = {name: members(name) for name in _LISTS}
    found["findings"].sort(key=lambda one: [*SEVERITIES, one.get("severity")].index(one.get("severity")))
    access = Counter(name for one in found["exposure"] for name in strings(one.get("access")))
    severities = Counter(str(one.get("severity")) for one in found["findings"])
    summary = dictionary_of(judged.get("summary"))
    counts = {"access": {name: access[name] for name in tunnels["summary"]["access"]}}
    counts["findings"] = {severity: severities[severity] for severity in SEVERITIES}
    return {**found, "summary": {**summary, **counts}}


def united(*errors: Any) -> str:
    """Return several errors as one, the same in whichever order they were found."""
    found = {one for each in errors if each for one in str(each).split(_BETWEEN_ERRORS) if one}
    return _BETWEEN_ERRORS.join(sorted(found))
