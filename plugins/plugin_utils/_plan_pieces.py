# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan in pieces that are short enough for pages that show only the beginning of a task's output. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..module_utils._values.option_wording import kind_of
from ._plan_facts import by_danger, deletions_of, lets_others_in, line_of, must_be_seen
from ._plan_markdown.result import WITHOUT_DIGEST, Members, check_integer, results_of
from ._visible_text import visible

_LEAST = 100
"""Bytes of a piece. In less, the lines that say how much is shown would be hard to read."""

_AROUND = len('        "",\r\n')
"""Bytes that Ansible displays around each member of a list."""

_LAST_SHORT, _IN_UTF_8, _ESCAPED = 0xFFFF, 4, 10
"""The last character with four digits, and how long the others are, in bytes."""

_CONTINUED = "  … "
"""The beginning of a line that continues another one, so that nobody can name an object like a line of the list."""

_END = "End of the list."


def plan_pieces(value: Any, limit: Any, most: Any) -> list[list[str]]:
    """Return the plan in the result of a task as lists of lines, each of which is displayed in at most `limit` bytes.

    All openings and deletions are shown, and at most so many other changes. Raises ValueError if there is no plan.
    """
    check_integer(limit, "pieces", _LEAST)
    check_integer(most, "most", 0)
    pieces: list[list[str]] = []
    room = 0
    for line in _lines(value, most):
        for part in _wrapped(visible(line), limit):
            room -= _displayed(part)
            if room < 0:
                pieces.append([])
                room = limit - _displayed(part)
            pieces[-1].append(part)
    return pieces


def _lines(value: Any, most: int) -> Iterator[str]:
    results = dict(results_of(value))
    if None not in results:
        raise ValueError("expected the result of one account, got a dictionary of results")
    result = results[None]
    for number, entry in enumerate(result.plan):
        if not isinstance(entry.get("opens"), list):
            raise ValueError(f"plan[{number}].opens: expected a list, got {kind_of(entry.get('opens'))}")
    yield f"{result.line}. {f'Digest: {result.digest}' if result.digest else WITHOUT_DIGEST}"
    yield from _list(result.plan, most)


def _list(plan: Members, most: int) -> Iterator[str]:
    """Yield the number of changes and of those that are shown, these, and what is missing."""
    if not plan:
        yield f"There is nothing to change. {_END}"
        return
    entries = by_danger(plan)
    dangerous = [entry for entry in entries if must_be_seen(entry)]
    others = entries[len(dangerous) :]
    openings = sum(map(lets_others_in, dangerous))
    deletions = deletions_of(dangerous)
    shown = others[:most]
    counts = (
        (openings, openings, "openings"),
        (deletions, deletions, "deletions"),
        (len(shown), len(others), "other changes"),
    )
    said = ", ".join(f"{one} of {all_} {name} shown" if all_ else f"no {name}" for one, all_, name in counts)
    yield f"{said[0].upper()}{said[1:]}:"
    yield from map(line_of, [*dangerous, *shown])
    missing = len(others) - len(shown)
    yield f"{missing} other changes are not shown here. {_END}" if missing else f"Nothing is omitted. {_END}"


def _wrapped(line: str, limit: int) -> Iterator[str]:
    while _displayed(line) > limit:
        end = limit - _AROUND
        while _displayed(line[:end]) > limit:
            end -= 1
        yield line[:end]
        line = _CONTINUED + line[end:]
    yield line


def _displayed(line: str) -> int:
    quoted = json.dumps(line, ensure_ascii=False)
    # YAML, which can be configured as the format of results, shows these as escape sequences such as \U0001F642.
    longer = sum(_ESCAPED - _IN_UTF_8 for char in line if ord(char) > _LAST_SHORT)
    return len(quoted.encode("utf-8", "surrogatepass")) + longer + _AROUND - len('""')
