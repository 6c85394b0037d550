# SPDX-License-Identifier: GPL-3.0-or-later
"""The option that rejects plans because of what they open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from .._errors import UNSET_VARIABLE, counted
from .._model.option_error import OptionError, OptionErrors
from .._model.option_types import choice_errors
from .._model.option_wording import enumerated, kind_of
from .._planning.plan import NEW, OPENING_KINDS, Opening, Plan
from .failures import planning_failures

REJECT_OPENINGS: dict[str, Any] = {"reject_openings": {"type": "raw", "default": False}}

_TRUE, _FALSE = ("true", "yes", "on"), ("false", "no", "off")
_MOST_SUBJECTS = 5


def openings_errors(options: Mapping[str, Any], path: str = "reject_openings") -> OptionErrors:
    """Yield the errors in the option: a boolean, or a list of kinds."""
    given = options.get("reject_openings", False)
    if isinstance(given, bool) or _word(given) in (*_TRUE, *_FALSE):
        return
    members = _members(given)
    if not members:
        expected = f"expected true, false, or a list of {enumerated(list(OPENING_KINDS), 'and')}"
        yield OptionError(path, f"{expected}, got {kind_of(given)}; {UNSET_VARIABLE}")
    for number, one in enumerate(members):
        yield from choice_errors(one, OPENING_KINDS, f"{path}[{number}]")


def rejected_kinds(options: Mapping[str, Any]) -> frozenset[str]:
    """Return the kinds of openings that a task rejects. The option has no errors."""
    given = options.get("reject_openings", False)
    if isinstance(given, bool) or _word(given) in (*_TRUE, *_FALSE):
        return frozenset(OPENING_KINDS) - {NEW} if given is True or _word(given) in _TRUE else frozenset()
    return frozenset(map(str, _members(given)))


def _word(given: Any) -> str:
    return given.strip().lower() if isinstance(given, str) else ""


def _members(given: Any) -> list[Any]:
    if isinstance(given, str):
        return [one.strip() for one in given.split(",")] if given.strip() else []
    return given if isinstance(given, list) else []


def rejection(plans: Sequence[Plan], kinds: Collection[str]) -> str:
    """Return why plans are rejected because of what they open, or an empty string."""
    if kinds and (failures := planning_failures(plans)):
        head = "The plan is incomplete, so it is not known what it opens, and `reject_openings` rejects it."
        return f"{head} Nothing was changed. {failures}"
    causes: dict[Opening, list[str]] = defaultdict(list)
    for plan in plans:
        for one in plan.opens:
            if one.kind in kinds:
                causes[one].append(plan.subject)
    if not causes:
        return ""
    return (
        f"The plan opens {counted(len(causes), 'requests')}, which `reject_openings` rejects. Nothing was changed. "
        f"Change the declaration, or let somebody approve the plan without this option:{listed(list(_lines(causes)))}"
    )


def _lines(causes: Mapping[Opening, Sequence[str]]) -> Iterator[str]:
    for one, subjects in causes.items():
        more = f" and {len(subjects) - _MOST_SUBJECTS} more" if len(subjects) > _MOST_SUBJECTS else ""
        yield f"{one.request}: {one.text} ({one.kind}), because of {', '.join(subjects[:_MOST_SUBJECTS])}{more}"


_SHOWN = 20


def listed(strings: Sequence[str]) -> str:
    """Return the end of a message that lists these strings, each on a line of its own, unless there are too many."""
    more = [f"and {len(strings) - _SHOWN} more"] if len(strings) > _SHOWN else []
    return "".join(f"\n- {text}" for text in [*strings[:_SHOWN], *more])
