# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that are shortened, item by item, until a document is short enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from ...module_utils._errors import counted


@dataclass(frozen=True)
class ShortenedList:
    """Markdown for several items. `more` returns what is shown instead of the items with the given numbers.

    It must not be longer for fewer items. If no item is shown, `opening` and `closing` are not shown either.
    """

    items: Sequence[str]
    more: Callable[[Sequence[int]], str]
    opening: str = ""
    closing: str = ""

    @cached_property
    def least(self) -> int:
        """The length without any item."""
        return len(self._with(frozenset()))

    @cached_property
    def most(self) -> int:
        """The length that can be used."""
        return max(self.least, len(self.opening) + sum(map(len, self.items)) + len(self.closing))

    def within(self, limit: int) -> str:
        """Return the list with as many items as fit, from the first to the last; long ones are skipped."""
        reserved = 0 if limit >= self.most else self.least
        room = limit - len(self.opening) - len(self.closing) - reserved
        shown = set()
        for number, item in enumerate(self.items):
            if len(item) <= room:
                room -= len(item)
                shown.add(number)
        return self._with(shown)

    def _with(self, shown: Set[int]) -> str:
        omitted = [number for number in range(len(self.items)) if number not in shown]
        more = self.more(omitted) if omitted else ""
        if not shown:
            return more
        return "".join([self.opening, *(self.items[number] for number in sorted(shown)), self.closing, more])


Part = str | ShortenedList


def shortened(items: Sequence[str], opening: str = "", closing: str = "\n", noun: str = "more") -> ShortenedList:
    """Return a list that says how many members are omitted."""
    return ShortenedList(items, lambda omitted: f"… and {counted(len(omitted), noun)}\n\n", opening, closing)


def limited(parts: Sequence[Part], limit: int) -> str:
    """Return the parts, with lists that are shortened until everything has at most `limit` characters.

    The limit must be at least `least_length`. No list takes room that shorter ones need.
    """
    lists = sorted((part for part in parts if isinstance(part, ShortenedList)), key=lambda part: part.most - part.least)
    room = limit - least_length(parts)
    strings = {}
    for number, part in enumerate(lists):
        strings[id(part)] = part.within(part.least + room // (len(lists) - number))
        room -= len(strings[id(part)]) - part.least
    return "".join(part if isinstance(part, str) else strings[id(part)] for part in parts)


def least_length(parts: Sequence[Part]) -> int:
    """Return the length of the parts without any item of a list."""
    return sum(len(part) if isinstance(part, str) else part.least for part in parts)
