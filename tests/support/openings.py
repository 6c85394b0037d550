# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a plan says what it opens, compared with visitors who try: all of it, and nothing else. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from opened import names_of
from visitors import ALL, Crowd, Request, Seen, Traffic, requests

UNSAID = "an opening is not said"
DENIED = "an opening is said that there is not"

CONDITIONS = ("if a match that names", "if prefixes also", "if another route", "if a wildcard")
"""What openings say of services that choose routes in another way than is assumed."""

_MOST_SHOWN = 3

ONE_OF_AN_EDGE = "TLS edge "
"""What the request of an opening begins with if nothing is known of the edge but a traffic module."""


class Openings:
    """What opens from one state to another. `seen` are the rules of IP policies that the task reads.

    Whatever opens in fact has to be said, and whatever is said has to open for one who knows no more than the task.
    That a policy loses its last rule is not known if the others were not read.
    """

    def __init__(
        self, crowd: Crowd, before: Mapping[str, Any], after: Mapping[str, Any], known: frozenset[str], seen: Seen
    ) -> None:
        self._in_fact, self._told = (
            [Traffic(crowd, state, names_of(state, known), how) for state in (before, after)] for how in (ALL, seen)
        )
        self._all = requests(*self._in_fact)

    def complaints(self, plan: Sequence[Mapping[str, Any]], *, shows_all: bool = True) -> list[str]:
        """If the service does not show all members of lists, others than there are may be said to get in."""
        said = [one for entry in plan for one in entry["opens"] if not _is_conditional(one)]
        are_cut = any(entry["opens_count"] > len(entry["opens"]) for entry in plan)
        unsaid = [] if are_cut else list(self._unsaid([one["request"] for one in said]))
        return [*unsaid[:_MOST_SHOWN], *(self._denied(said) if shows_all else ())]

    def _unsaid(self, said: Sequence[str]) -> Iterator[str]:
        tried = [one for text in said for one in self._requests(text)]
        places = {self._place(each) for one in tried for each in (one, _below(one))}
        for one in self._all:
            taker = self._in_fact[1].way(one).taker
            is_said = self._place(one) in places or f"{ONE_OF_AN_EDGE}{taker}" in said
            opens = self._opens(one, self._in_fact) and self._opens(one, self._told)
            if opens and not is_said and not self._is_like_any_method(one):
                yield f"{UNSAID}: {one}"

    def _denied(self, said: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        for one in said:
            tried = self._requests(one["request"])
            # A task reads all rules if it opens something to networks that it does not know.
            if tried and not any(self._opens(each, ends) for each in tried for ends in (self._told, self._in_fact)):
                yield f"{DENIED}: {one['kind']} {one['request']} ({one['text']})"

    @staticmethod
    def _opens(request: Request, ends: Sequence[Traffic]) -> bool:
        was, now = (end.way(request).passers for end in ends)
        return bool(now & ~was)

    def _requests(self, text: str) -> list[Request]:
        """The request that an opening names; all at the hostport if that is one of a TLS edge; none if nothing is known
        of the edge.
        """
        if text.startswith(ONE_OF_AN_EDGE):
            return []
        if "/" not in text:
            return [one for one in self._all if one.hostport == text]
        method, _space, url = text.rpartition(" ")
        address, _slash, path = url.removeprefix("https://").partition("/")
        return [Request(address if ":" in address else f"{address}:443", f"/{path}", method or "GET")]

    def _is_like_any_method(self, one: Request) -> bool:
        """Whether the same becomes of a request as of one with another method, which is looked at as well."""
        other = one._replace(method="GET")
        return other != one and all(end.way(one) == end.way(other) for end in self._in_fact)

    def _place(self, one: Request) -> tuple[object, ...]:
        """What takes a request, and who gets through, then and now: of all these, the same is said."""
        return tuple(end.way(one) for end in self._in_fact)


def _is_conditional(one: Mapping[str, Any]) -> bool:
    return any(text in one["text"] for text in CONDITIONS)


def _below(request: Request) -> Request:
    return request._replace(path=f"{request.path.rstrip('/')}/.below")
