# SPDX-License-Identifier: GPL-3.0-or-later
"""The invariant of a run: nobody gets through, at any moment of it, who gets through neither before nor after; and
whether a plan says what it opens: all of it, and nothing else; and what a service holds after a run, in a form in which
two runs of the same change can be compared. Pure.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from visitors import ALL, Crowd, Passers, Request, Seen, Traffic, Way, requests

OPENED = "opened"
"""What complaints of an opened way begin with."""

UNSAID = "an opening is not said"
DENIED = "an opening is said that there is not"

CONDITIONS = ("if a match that names", "if prefixes also", "if another route", "if a wildcard")
"""What openings say of services that choose routes in another way than is assumed."""

_MOST_SHOWN = 3

ONE_OF_AN_EDGE = "TLS edge "
"""What the request of an opening begins with if nothing is known of the edge but a traffic module."""


def let_in(now: Traffic, ends: Iterable[Traffic], tried: Iterable[Request]) -> Iterator[tuple[str, Passers]]:
    """Yield the requests with which somebody gets through who does not at any of the ends, and the routes.

    A route may lead to a backend only as it leads to that backend at one of the ends. One that does not exist at one
    end leads nowhere there, so a new one must be as strict as in the end.
    """
    ways = [(str(one), now.way(one).passers, [end.way(one).passers for end in ends]) for one in tried]
    for way, passers in now.by_route.items():
        ways.append((f"route {' to '.join(way)}", passers, [end.by_route.get(way, 0) for end in ends]))
    for what, passers, others in ways:
        if through := passers & ~reduce(or_, others, 0):
            yield what, through


class Ends:
    """The states that a moment is compared with: before and after a run, and whatever else is allowed to be seen.

    Objects that a run creates get another ID in each run. `known` are the IDs that are the same in all of them; every
    other object is known by its description. What the task has not `seen` is not held against it: that a policy loses
    its last rule.
    """

    def __init__(self, crowd: Crowd, known: frozenset[str], *states: Mapping[str, Any], seen: Seen = ALL) -> None:
        self._crowd, self._known, self._seen = crowd, known, seen
        self._in_fact = Ends(crowd, known, *states) if seen != ALL else None
        self.ends = [self._traffic(state) for state in states]
        self._tried = requests(*self.ends)

    def opened(self, state: Mapping[str, Any]) -> dict[str, str]:
        """What is open at a moment, and at neither end: complaints, by what they are about."""
        found = {
            what: f"{OPENED}: {what} lets in {self._crowd.shown(them)}"
            for what, them in let_in(self._traffic(state), self.ends, self._tried)
        }
        if not found or self._in_fact is None:
            return found
        return {what: one for what, one in self._in_fact.opened(state).items() if what in found}

    def _traffic(self, state: Mapping[str, Any]) -> Traffic:
        return Traffic(self._crowd, state, names_of(state, self._known), self._seen)


def names_of(state: Mapping[str, Any], known: frozenset[str]) -> dict[str, str]:
    """The names of the objects whose ID is made up in each run: their descriptions, or what else differs."""
    names: dict[str, str] = {}
    for edge in state["https_edges"]:
        names[edge["id"]] = edge["id"] if edge["id"] in known else edge.get("description") or "a new edge"
        for route in edge["routes"]:
            names[route["id"]] = route.get("description") or f"the new {route['match']} of {names[edge['id']]}"
    objects = [*state.get("tls_edges", ()), *(one for members in state.get("objects", {}).values() for one in members)]
    for one in objects:
        names[one["id"]] = one.get("description") or one["id"]
    return {identifier: name for identifier, name in names.items() if identifier not in known}


def settled(
    state: Mapping[str, Any], known: frozenset[str], closed: frozenset[str] = frozenset(), has_text_fields: bool = True
) -> Any:
    """The edges and the objects, without what the service makes up, and without what a request can omit.

    Of the routes with the IDs in `closed`, it does not matter whether their backends are enabled. Descriptions do not
    matter unless it `has_text_fields`.
    """
    held = {name: copy.deepcopy(state.get(name)) for name in ("https_edges", "tls_edges", "objects")}
    for route in (route for edge in held["https_edges"] for route in edge["routes"]):
        if route["id"] in closed and "backend" in route:
            route["backend"]["enabled"] = None
        if not has_text_fields:
            route["description"] = ""
    return _meaning(held, names_of(state, known))


def _by_name(members: list[Any], names: Mapping[str, str]) -> list[Any]:
    return sorted((_meaning(one, names) for one in members), key=lambda one: str(one["id"]))


def _meaning(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        are_objects = any(isinstance(one, dict) for one in value)
        return _by_name(value, names) if are_objects else sorted(names.get(one, one) for one in value)
    if not isinstance(value, dict):
        return names.get(value, value) if isinstance(value, str) else value
    kept = {name: _meaning(one, names) for name, one in value.items() if name != "created_at"}
    return {name: one for name, one in kept.items() if (one or one is False) and (name, one) != ("enabled", True)}


def kind_of_opening(request: Request, ends: Sequence[Traffic]) -> str:
    """How a request opens; empty if it does not."""
    was, now = (end.way(request) for end in ends)
    if not now.passers & ~was.passers:
        return ""
    if not was.taker:
        return "new"
    asked_for = ends[0].crowd.asked_for
    lost = asked_for(was.passers) - asked_for(now.passers)
    return "reopened" if not was.passers else "unlocked" if lost else "others"


def _loss(request: Request, ends: Sequence[Traffic]) -> tuple[Way, Way, str, frozenset[str]]:
    """What becomes of a request, whoever gets through with it before, and what it no longer has to show."""
    was, now = (end.way(request) for end in ends)
    asked_for = ends[0].crowd.asked_for
    lost = asked_for(was.passers) - asked_for(now.passers)
    return was._replace(passers=0), now, kind_of_opening(request, ends), lost


def unsaid(
    tried: Iterable[Request], said: Iterable[Request], in_fact: Sequence[Traffic], told: Sequence[Traffic]
) -> Iterator[str]:
    """What opens in fact, and for one who knows no more than the task, and is not said.

    Of all requests of which the same becomes, then and now, it is enough to say one. What is said without a method
    holds for OPTIONS as well, if that loses the same.
    """
    places = {tuple(end.way(one) for end in in_fact) for one in said}
    losses = {_loss(one, in_fact) for one in said if one.method == "GET"}
    for one in tried:
        is_said = tuple(end.way(one) for end in in_fact) in places
        if not is_said and not (one.method == "OPTIONS" and _loss(one, in_fact) in losses):
            kinds = [kind_of_opening(one, ends) for ends in (in_fact, told)]
            yield from [f"{UNSAID}: {one} is {kinds[0]}"] if all(kinds) else []


def complaints_of_openings(
    plan: Sequence[Mapping[str, Any]], in_fact: Sequence[Traffic], told: Sequence[Traffic], *, shows_all: bool = True
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


def _denied(
    said: Iterable[Mapping[str, Any]], tried: Sequence[Request], in_fact: Sequence[Traffic], told: Sequence[Traffic]
) -> Iterator[str]:
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
