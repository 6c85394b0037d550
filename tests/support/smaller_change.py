# SPDX-License-Identifier: GPL-3.0-or-later
"""A change made smaller, as long as it still opens something without any failure."""

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


def smaller(watched: Watched, change: Change) -> Trial:
    """The smallest that is found by leaving out one part after the other."""
    best = _opening(watched, change)
    assert best is not None
    while True:
        tries = (_opening(watched, candidate) for candidate in _without_a_part(best.change))
        found = next((trial for trial in tries if trial is not None), None)
        if found is None:
            return best
        best = found


def _opening(watched: Watched, change: Change) -> Trial | None:
    """The change tried, if it succeeds and opens something."""
    trial = Trial(watched, change)
    try:
        trial.try_without_failures()
    except (remote_control.ControlFailure, KeyError):  # what is left cannot be live
        return None
    found = trial.complaints.get("no failure", [])
    return trial if not trial.real.has_failed and any(one.startswith(OPENED) for one in found) else None


def _without_a_part(change: Change) -> Iterator[Change]:
    if change.expects_plan:
        yield replace(change, expects_plan=False)
    for field in ("switches", "options", "live"):
        whole = getattr(change, field)
        for part in _less(whole):
            yield replace(change, **{field: part})


def _less(value: Any) -> Iterator[Any]:
    """The value without one of its parts, larger parts first."""
    if not isinstance(value, (dict, list)):
        return
    places = list(value) if isinstance(value, dict) else range(len(value))
    for place in places:
        if place in ("id", "edge_id", "max_deletions", "https_edges", "objects"):
            continue
        copied = copy.deepcopy(value)
        del copied[place]
        yield copied
    for place in places:
        for part in _less(value[place]):
            copied = copy.deepcopy(value)
            copied[place] = part
            yield copied
