# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a plan says what it opens, compared with visitors who try: all of it, and nothing else. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from opened import names_of
from reachability import Probe, Reachability, Seen, is_as_strict_as, lost, probes

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

    def __init__(self, before: Mapping[str, Any], after: Mapping[str, Any], known: frozenset[str], seen: Seen) -> None:
        names = [names_of(state, known) for state in (before, after)]
        self._then, self._now = (Reachability(*each) for each in zip((before, after), names, strict=True))
        self._told = [Reachability(*each, seen) for each in zip((before, after), names, strict=True)]
        self._all = probes(self._then, self._now)

    def complaints(self, plan: Sequence[Mapping[str, Any]], *, shows_all: bool = True) -> list[str]:
        """If the service does not show all members of lists, others than there are may be said to get in."""
        said = [one for entry in plan for one in entry["opens"] if not _is_conditional(one)]
        are_cut = any(entry["opens_count"] > len(entry["opens"]) for entry in plan)
        unsaid = [] if are_cut else list(self._unsaid([one["request"] for one in said]))
        return [*unsaid[:_MOST_SHOWN], *(self._denied(said) if shows_all else ())]

    def _unsaid(self, said: Sequence[str]) -> Iterator[str]:
        tried = [probe for request in said for probe in self._probes(request)]
        places = {self._place(probe) for one in tried for probe in (one, _below(one))}
        for probe in self._all:
            was, now = self._then.way(probe), self._now.way(probe)
            told, shown = (end.way(probe) for end in self._told)
            is_said = self._place(probe) in places or f"{ONE_OF_AN_EDGE}{self._now.taker(probe)}" in said
            is_closed = is_as_strict_as(now.access, was.access) or is_as_strict_as(shown.access, told.access)
            if not (is_closed or is_said or self._is_like_any_method(probe)):
                yield f"{UNSAID}: {probe} is {now} after {was}"

    def _denied(self, said: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        for one in said:
            tried = self._probes(one["request"])
            # A task reads all rules if it opens something to networks that it does not know.
            ways = [
                [end.way(probe) for end in ends] for ends in (self._told, (self._then, self._now)) for probe in tried
            ]
            if tried and all(is_as_strict_as(now.access, was.access) for was, now in ways):
                was, now = ways[0]
                yield f"{DENIED}: {one['kind']} {one['request']} ({one['text']}) is {now} after {was}"

    def _probes(self, request: str) -> list[Probe]:
        """The request that an opening names; all at the hostport if that is one of a TLS edge; none if nothing is known
        of the edge.
        """
        if request.startswith(ONE_OF_AN_EDGE):
            return []
        if "/" not in request:
            return [probe for probe in self._all if probe.hostport == request]
        method, _space, url = request.rpartition(" ")
        address, _slash, path = url.removeprefix("https://").partition("/")
        return [Probe(address if ":" in address else f"{address}:443", f"/{path}", bool(method))]

    def _is_like_any_method(self, probe: Probe) -> bool:
        """Whether the same becomes of a request as of one with another method, which is looked at as well."""
        other = replace(probe, is_options=False)
        return probe.is_options and all(end.way(probe) == end.way(other) for end in (self._then, self._now))

    def _place(self, probe: Probe) -> tuple[object, ...]:
        """What takes a request, then and now, and what is not asked for any more: of all these, the same is said."""
        then, now = self._then, self._now
        takers = then.edge_of(probe), now.edge_of(probe), then.taker(probe), now.taker(probe)
        return (*takers, lost(then.way(probe).access, now.way(probe).access))


def _is_conditional(one: Mapping[str, Any]) -> bool:
    return any(text in one["text"] for text in CONDITIONS)


def _below(probe: Probe) -> Probe:
    return Probe(probe.hostport, f"{probe.path.rstrip('/')}/.below", probe.is_options)
