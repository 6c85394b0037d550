# SPDX-License-Identifier: GPL-3.0-or-later
"""Composes the message of a task whose objects failed in part: one line for each cause, with its objects. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .._errors import IngressError, ObjectFailed, Withheld, as_sentence
from .._planning.plan import Plan
from .._planning.undeclared import NotExamined, Remainder

_SHOWN_CAUSES = 20
_SHOWN_NAMES = 3
_SHOWN_LINES = 20
_AFTER_FAILURES = IngressError("Withheld, because other objects failed that they wait for")
_FIRST_WORD = re.compile(r"\A[a-z]+(?= )")


def failure_message(errors: Sequence[ObjectFailed], number: int, rest: str) -> str:
    """Return the message about the failures of a task with `number` objects; `rest` describes the other objects."""
    others = number - len(errors)
    kept_back = [error for error in errors if isinstance(error.error, Withheld)]
    head = f"{len(errors) - len(kept_back)} of {number} objects failed"
    if kept_back:
        head += f", and {len(kept_back)} {'was' if len(kept_back) == 1 else 'were'} withheld"
    if others:
        head += f"; the other {'one is' if others == 1 else f'{others} are'} {rest}"
    # What was withheld comes last, after the failures that caused it.
    groups = [*_by_cause([error for error in errors if error not in kept_back]), *_by_cause(_grouped(kept_back))]
    lines = [_line(group) for group in groups[:_SHOWN_CAUSES]]
    if hidden := sum(map(len, groups[_SHOWN_CAUSES:])):
        lines.append(f"and {hidden} more; see `failures` in the result")
    return "\n- ".join([f"{head}.", *lines])


def planning_failures(plans: Sequence[Plan]) -> str:
    errors = [plan.target.failed(plan.error) for plan in plans if plan.error]
    return failure_message(errors, len(plans), "planned") if errors else ""


def not_read(rest: Sequence[Remainder]) -> str:
    """Return the end of a message that lists what was not read, and counts for who gets in; empty if nothing does."""
    return listed([f"{one.subject}: {one.why}" for one in rest if isinstance(one, NotExamined) and one.counts])


def _grouped(errors: Sequence[ObjectFailed]) -> list[ObjectFailed]:
    """Return errors of withheld objects. If there are many causes, these are not repeated for each of them."""
    if len({error.error.cause for error in errors if isinstance(error.error, Withheld)}) <= _SHOWN_NAMES:
        return list(errors)
    return [
        error if error.done else ObjectFailed(error.subject, _AFTER_FAILURES, noun=error.noun, name=error.name)
        for error in errors
    ]


def _by_cause(failures: Sequence[ObjectFailed]) -> list[list[ObjectFailed]]:
    groups: dict[object, list[ObjectFailed]] = {}
    for failure in failures:
        # An object with operations of its own gets a line of its own.
        cause = (_cause(failure.error), failure.interim_state) if not failure.done else id(failure)
        groups.setdefault(cause, []).append(failure)
    return list(groups.values())


def _cause(error: IngressError) -> str:
    """Return the message without the request, which is a different one for each object."""
    return _FIRST_WORD.sub(lambda word: word[0].capitalize(), error.shared) if error.shared else str(error)


def _line(group: Sequence[ObjectFailed]) -> str:
    if len(group) == 1:
        return group[0].full_message()
    cause, interim_state = _cause(group[0].error), group[0].interim_state
    message = f"{as_sentence(cause)} {interim_state}" if interim_state else cause
    return f"{message} ({_listed(group)})"


def _listed(group: Sequence[ObjectFailed]) -> str:
    noun, *others = {error.noun for error in group}
    are_alike = noun and not others
    names = [error.name if are_alike else error.subject for error in group]
    shown = names if len(names) <= _SHOWN_NAMES + 1 else names[:_SHOWN_NAMES]
    more = f" and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
    # The name of an edge is itself a list of hostports.
    separator = "; " if any(", " in name for name in shown) else ", "
    return f"{len(names)} {noun if are_alike else 'object'}s: {separator.join(shown)}{more}"


def listed(strings: Sequence[str]) -> str:
    """Return the end of a message that lists these strings, each on a line of its own, unless there are too many."""
    more = [f"and {len(strings) - _SHOWN_LINES} more"] if len(strings) > _SHOWN_LINES else []
    return "".join(f"\n- {text}" for text in [*strings[:_SHOWN_LINES], *more])
