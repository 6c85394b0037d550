# SPDX-License-Identifier: GPL-3.0-or-later
"""What plans open: the requests with which somebody gets through who does not get through before. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from .._model.protection import CHECKS, needs_of
from .._planning.plan import NEW, OTHERS, REOPENED, UNLOCKED, Opening, Plan
from .._values.escapes import visible
from .access import Access, admits_within
from .account import Account, Edge
from .addresses import Addresses
from .locks import POLICY, Dimension
from .parts import START, At, Part, View
from .probes import Probe, Request, probes, shown_request
from .route_probes import route_probes
from .routing import ASSUMED, Reading, without_probe

_POLICY = "the rules of its traffic policy"
_MOST_SHOWN = 5


class Opened(NamedTuple):
    """What opens, the plans without which it would not, and who takes the request then and now."""

    request: Request
    reading: Reading
    kind: str
    text: str
    causes: Sequence[int]
    was: tuple[Edge, Part[View]] | None
    taker: tuple[Edge, Part[View]]
    now: Access

    @property
    def opening(self) -> Opening:
        text = ", ".join(filter(None, (self.text, self.reading.value)))
        return Opening(self.kind, shown_request(self.request, self.taker[0]), text, self.now.digest)


def opened(account: Account, plans: Sequence[Plan]) -> Iterator[Opened]:
    end = {position: len(plan.operations) for position, plan in enumerate(plans)}
    all_probes: list[Probe] = [*probes(account), *(one for one in route_probes(account) if one.is_unclear)]
    for probe in all_probes:
        now, then = probe.access(end), probe.access(START)
        taker, was = probe.taker(end), probe.taker(START)
        if now is not None and taker is not None and not now.is_within(then):
            kind, text = NEW, f"nothing took it before, and {_who(now)}"
            if was is not None and was[1].at(START) is not None:
                kind, text = REOPENED, f"nobody got through before, and {_who(now)}"
                if then is not None:
                    kind, text = _difference(then.admitted, now.admitted)
                if was[1] is not taker[1]:
                    text += f"; {_match_of(taker[1], end)} takes it from {_match_of(was[1], START)}"
            causes = _causes(probe, end, then)
            yield Opened(probe.request, probe.reading, kind, text, causes, was, taker, now)


def opens_to_unknown(found: Iterable[Opened]) -> bool:
    """Return whether something opens to addresses that only the rules of IP policies tell."""
    return any(isinstance(them, Addresses) and them.unknown for one in found for them in one.now.admitted.values())


def with_openings(plans: Sequence[Plan], found: Iterable[Opened]) -> list[Plan]:
    """Return the plans, each with what would not open without it."""
    by_plan: dict[int, dict[object, Opening]] = defaultdict(dict)
    # What also opens below a path, or with another reading, is said once, in the way that is certain if there is one.
    for one in sorted(found, key=lambda one: one.reading != ASSUMED):
        for position in one.causes:
            where = one.request.hostport or one.taker[0]
            key = (where, without_probe(one.request.path), one.text, one.now.digest)
            by_plan[position].setdefault(key, one.opening)
    return [replace(plan, opens=tuple(by_plan[position].values())) for position, plan in enumerate(plans)]


def _causes(probe: Probe, end: At, then: Access | None) -> list[int]:
    """Return the plans without which a request would not open; if there are none, those that suffice alone."""

    def opens(at: At) -> bool:
        now = probe.access(at)
        return now is not None and not now.is_within(then)

    positions = [position for position in probe.positions if end[position]]
    needed = [position for position in positions if not opens({**end, position: 0})]
    return needed or [position for position in positions if opens({position: end[position]})] or positions


def _who(now: Access) -> str:
    if now.admitted and not now.classes:
        return "nobody knows who gets through now"
    return f"it requires {needs_of(now.classes)} now" if now.classes else "everyone gets through now"


def _match_of(route: Part[View], at: At) -> str:
    view = route.at(at)
    state = view.state if view else {}
    return visible(f"{state['match_type']} {state['match']}") if "match" in state else "another edge"


def _difference(then: Mapping[Dimension, Any], now: Mapping[Dimension, Any]) -> tuple[str, str]:
    gone = [name for name in then if name not in now]
    kept = {name[0] for name in now}
    lost = list(dict.fromkeys(CHECKS.get(name[0], _POLICY) for name in gone if name[0] not in kept))
    if lost:
        return UNLOCKED, f"no longer requires {' and '.join(lost)}"
    grown = [name for name, them in then.items() if name in now and not admits_within(now[name], them)]
    others = [one for name in grown for one in _beyond(name, now[name], then[name])]
    others += [f"{name[1]} in place of {gone_one[1]}" for gone_one in gone for name in now if name[0] == gone_one[0]]
    known = [visible(one) for one in dict.fromkeys(others)]
    more = [f"{len(known) - _MOST_SHOWN} more"] if len(known) > _MOST_SHOWN else []
    return OTHERS, f"also admits {', '.join([*known[:_MOST_SHOWN], *more])}"


def _beyond(name: Dimension, now: Any, then: Any) -> Iterator[str]:
    if name[0] == POLICY:
        yield "whom other actions of its traffic policy let through"
    elif isinstance(now, Addresses):
        yield from now.beyond(then) or ["other addresses"]
    else:
        yield from sorted(" ".join(member) or "everyone" for member in now if not admits_within({member}, then))
