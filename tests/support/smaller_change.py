# SPDX-License-Identifier: GPL-3.0-or-later
"""A change made smaller, as long as it still opens something."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from any_change import Change
from opened import OPENED
from reference_service_process import remote_control
from trial import Trial
from watched_change import Watched

FIXED = ("id", "edge_id", "state", "max_deletions", "allow_empty", "https_edges", "objects", "description")
"""Parts without which it would be another change, or none."""


def smaller(watched: Watched, change: Change, kind: str = "") -> Trial | None:
    """The smallest that is found by omitting one part at a time, with a failure of this kind at each write, or without
    failures. None if the whole change opens nothing this time: what is sent in parallel arrives in varying order.
    """
    best = _opening(watched, change, kind)
    while best is not None:
        tries = (_opening(watched, candidate, kind) for candidate in _without_a_part(best.change))
        found = next((trial for trial in tries if trial is not None), None)
        if found is None:
            break
        best = found
    return best


def _opening(watched: Watched, change: Change, kind: str) -> Trial | None:
    """The change tried, if it succeeds without the failure and opens something; with it only, if there is one."""
    trial = Trial(watched, change)
    try:
        trial.try_without_failures()
    except (remote_control.ControlFailure, KeyError):  # what is left cannot be live
        return None
    if trial.real.has_failed or (kind and trial.complaints):
        return None
    if kind:
        trial.try_failures([kind])
    complaints = [one for found in trial.complaints.values() for one in found]
    return trial if any(one.startswith(OPENED) for one in complaints) else None


def _without_a_part(change: Change) -> Iterator[Change]:
    if change.expects_plan:
        yield replace(change, expects_plan=False)
    for field in ("switches", "options", "live"):
        for part in _less(getattr(change, field)):
            yield replace(change, **{field: part})


def _less(value: Any) -> Iterator[Any]:
    """The value without one of its parts, larger parts first."""
    if not isinstance(value, (dict, list)):
        return
    places = list(value) if isinstance(value, dict) else range(len(value))
    if len(value) == 1 and isinstance(value, list) and str(value[0]).startswith(("ipp_", "ca_", "ref:")):
        return  # the API does not define what an empty set does
    for place in places:
        if place not in FIXED:
            copied = copy.deepcopy(value)
            del copied[place]
            yield copied
    for place in places:
        for part in _less(value[place]):
            copied = copy.deepcopy(value)
            copied[place] = part
            yield copied
