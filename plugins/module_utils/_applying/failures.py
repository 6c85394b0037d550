# SPDX-License-Identifier: GPL-3.0-or-later
"""The message of a task of which some objects failed: one line for each cause, however many objects it hit. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .._errors import IngressError, NotTried, RequestError, as_sentence

_SHOWN_CAUSES = 20
_SHOWN_NAMES = 3
_FIRST_WORD = re.compile(r"\A[a-z]+(?= )")
_NOUNS = {
    "https_edge": "edges",
    "https_edge_route": "routes",
    "event_source": "event sources",
    "event_subscription": "event subscriptions",
}
"""What several objects are called whose names begin with the same word."""


def failure_message(errors: Sequence[IngressError], number: int, rest: str) -> str:
    """What failed of `number` objects; `rest` says what the others are."""
    others = number - len(errors)
    head = f"{len(errors)} of {number} objects failed"
    if others:
        head += f"; the other {'one is' if others == 1 else f'{others} are'} {rest}"
    # What was not tried at all comes last: it hides no cause then.
    groups = sorted(_by_cause(errors), key=lambda group: isinstance(group[0], NotTried))
    lines = [_line(group) for group in groups[:_SHOWN_CAUSES]]
    if hidden := sum(map(len, groups[_SHOWN_CAUSES:])):
        lines.append(f"and {hidden} more, which the result has under failures")
    return "\n- ".join([f"{head}.", *lines])


def _by_cause(errors: Sequence[IngressError]) -> list[list[IngressError]]:
    groups: dict[object, list[IngressError]] = {}
    for error in errors:
        # What was done to one object before it failed is said of that one alone.
        groups.setdefault((_cause(error), error.meanwhile) if not error.done else id(error), []).append(error)
    return list(groups.values())


def _cause(error: IngressError) -> str:
    """What went wrong, without the request that it happened to: that is another one for each object."""
    if isinstance(error, NotTried):
        return "They were not tried, because others failed that they depend on"
    text = error.cause or str(error)
    for each in (error, error.__cause__):
        if isinstance(each, RequestError):
            request = f"{each.method} {each.path}: "
            if text.startswith(request):
                text = _FIRST_WORD.sub(lambda word: word[0].capitalize(), text.removeprefix(request))
            text = text.replace(request, "")
    return text


def _line(group: Sequence[IngressError]) -> str:
    if len(group) == 1:
        return group[0].full_message()
    cause, meanwhile = _cause(group[0]), group[0].meanwhile
    said = f"{as_sentence(cause)} {meanwhile}" if meanwhile else cause
    return f"{said} ({_names(group)})"


def _names(group: Sequence[IngressError]) -> str:
    """How many they are, and the first of their names."""
    kinds = {error.subject.partition(" ")[0] for error in group}
    noun = _NOUNS.get(*kinds) if len(kinds) == 1 else None
    names = [error.subject.partition(" ")[2] if noun else error.subject for error in group]
    shown = names if len(names) <= _SHOWN_NAMES + 1 else names[:_SHOWN_NAMES]
    more = f" and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
    # The name of an edge is a list of hostports itself.
    return (
        f"{len(names)} {noun or 'objects'}: {('; ' if any(', ' in name for name in shown) else ', ').join(shown)}{more}"
    )
