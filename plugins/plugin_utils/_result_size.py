# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves out what makes the result of a task too large to read or to keep, and says what was omitted. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from ._plan_in_lines import opens_or_deletes

PRINTED = 10_000
"""How long the result of a failed task may be, in characters. Ansible prints it in a single line after the error."""

STORED = 650_000
"""How long a result may be that AWX stores. Of a job event above 700,000 characters, AWX stores no result at all."""

_NOT_PRINTED = frozenset({"diff", "invocation", "exception", "warnings", "deprecations"})
"""Ansible prints these elsewhere, or only with much verbosity."""

_REVIEWED = frozenset({"plan", "findings", "not_judged"})
"""What somebody reviews who registers the result of check mode, even if the task fails because of it."""

_STATES = ("before", "after")


def of_failure(result: dict[str, Any], *, is_reviewed: bool) -> dict[str, Any]:
    """Return the result of a failed task without the lists that are too long to be printed."""
    kept = _NOT_PRINTED | (_REVIEWED if is_reviewed else frozenset())
    return _without_largest(result, PRINTED, kept)


def to_be_stored(result: dict[str, Any]) -> dict[str, Any]:
    """Return the result without the largest lists, then the states in the plan, the diff, and at last the plan.

    What opens and what is deleted is the last to be omitted from the plan, because somebody may approve it.
    """
    if _length(result) > STORED:
        # It repeats the declaration, and may be longer than all that the task has found out.
        result = {name: value for name, value in result.items() if name != "invocation"}
    room = STORED - _length({name: result[name] for name in (*_REVIEWED, "diff") if name in result})
    result = _without_largest(result, room, _REVIEWED | {"diff"})
    plan = result.get("plan")
    if isinstance(plan, list) and _length(result) > STORED:
        entries = [{name: value for name, value in entry.items() if name not in _STATES} for entry in plan]
        result = _noted({**result, "plan": entries}, {f"plan[].{name}": len(plan) for name in _STATES})
    result = _without_largest(result, STORED - _length(result.get("plan")), {"plan"})
    if isinstance(plan, list) and _length(result) > STORED:
        dangerous = [entry for entry in result["plan"] if opens_or_deletes(entry)]
        result = _noted({**result, "plan": dangerous}, {"plan[]": len(plan) - len(dangerous)})
    return _without_largest(result, STORED, ())


def _without_largest(result: dict[str, Any], limit: int, kept: Collection[str]) -> dict[str, Any]:
    counted = {name: value for name, value in result.items() if name not in kept}
    excess = _length(counted) - limit
    if excess <= 0:
        return result
    lists = ((name, _length(value)) for name, value in counted.items() if isinstance(value, list))
    omitted = {}
    for name, length in sorted(lists, key=lambda one: one[1], reverse=True):
        if excess <= 0:
            break
        omitted[name] = len(result[name])
        excess -= length
    return _noted({name: value for name, value in result.items() if name not in omitted}, omitted)


def _noted(result: dict[str, Any], omitted: Mapping[str, int]) -> dict[str, Any]:
    return {**result, "omitted": {**result.get("omitted", {}), **omitted}} if omitted else result


def _length(value: Any) -> int:
    return len(json.dumps(value, default=str))
