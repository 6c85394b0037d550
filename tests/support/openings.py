# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a plan says what it opens, compared with visitors who try: all of it, and nothing else. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from visitors import Request, Traffic, requests

UNSAID = "an opening is not said"
DENIED = "an opening is said that there is not"

CONDITIONS = ("if a match that names", "if prefixes also", "if another route", "if a wildcard")
"""What openings say of services that choose routes in another way than is assumed."""

_MOST_SHOWN = 3

ONE_OF_AN_EDGE = "TLS edge "
"""What the request of an opening begins with if nothing is known of the edge but a traffic module."""

Ends = Sequence[Traffic]
"""Before and after."""


def kind_of_opening(request: Request, ends: Ends) -> str:
    """How a request opens; empty if it does not."""
    was, now = (end.way(request) for end in ends)
    if not now.passers & ~was.passers:
        return ""
    if not was.taker:
        return "new"
    asked_for = ends[0].crowd.asked_for
    lost = asked_for(was.passers) - asked_for(now.passers)
    return "reopened" if not was.passers else "unlocked" if lost else "others"


def unsaid(tried: Iterable[Request], said: Iterable[Request], in_fact: Ends, told: Ends) -> Iterator[str]:
    """What opens in fact, and for one who knows no more than the task, and is not said.

    Of all requests of which the same becomes, then and now, it is enough to say one.
    """
    places = {tuple(end.way(one) for end in in_fact) for one in said}
    for one in tried:
        if tuple(end.way(one) for end in in_fact) not in places:
            kinds = [kind_of_opening(one, ends) for ends in (in_fact, told)]
            yield from [f"{UNSAID}: {one} is {kinds[0]}"] if all(kinds) else []


def complaints_of_openings(
    plan: Sequence[Mapping[str, Any]], in_fact: Ends, told: Ends, *, shows_all: bool = True
) -> list[str]:
    """What is wrong with what a plan says that it opens.

    If the service does not show all members of lists, others than there are may be said to get in.
    """
    tried = requests(*in_fact)
    said = [one for entry in plan for one in entry["opens"] if not any(text in one["text"] for text in CONDITIONS)]
    found = [each for one in said for each in _requests(one["request"], tried, in_fact[1])]
    found += [one._replace(path=f"{one.path.rstrip('/')}/.below") for one in found]
    are_cut = any(entry["opens_count"] > len(entry["opens"]) for entry in plan)
    missing = [] if are_cut else list(unsaid(tried, found, in_fact, told))
    return [*missing[:_MOST_SHOWN], *(_denied(said, tried, in_fact, told) if shows_all else ())]


def _denied(said: Iterable[Mapping[str, Any]], tried: Sequence[Request], in_fact: Ends, told: Ends) -> Iterator[str]:
    """What is said and does not open, or opens in another way."""
    for one in said:
        found = _requests(one["request"], tried, in_fact[1])
        # A task reads all rules if it opens something to networks that it does not know.
        kinds = {kind_of_opening(each, ends) for each in found for ends in (told, in_fact)}
        if kinds and one["kind"] not in kinds and not one["request"].startswith(ONE_OF_AN_EDGE):
            yield f"{DENIED}: {one['kind']} {one['request']} ({one['text']})"


def _requests(text: str, tried: Sequence[Request], now: Traffic) -> list[Request]:
    """The request that an opening names; all at the hostport, or to the edge, if that is one of a TLS edge."""
    if "/" not in text:
        return [one for one in tried if text in (one.hostport, f"{ONE_OF_AN_EDGE}{now.way(one).taker}")]
    method, _space, url = text.rpartition(" ")
    address, _slash, path = url.removeprefix("https://").partition("/")
    return [Request(address if ":" in address else f"{address}:443", f"/{path}", method or "GET")]
