# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of one request, as a result: what takes it, what a visitor must have, and what is not sure. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._access.probe import Request
from .._access.trace import Way, is_settled, ways
from .._model.protection import CLOSED, PUBLIC
from .doubts import ACTIONS, HOLLOW, UNKNOWN_ROUTES
from .judged_estate import Estate
from .shown_access import locks, place_of
from .subjects import Edge, Route, Subject

_UNSETTLED = (
    "The API does not define how it resolves empty segments, dots, and encoded characters in a path, so another route "
    "may take this request."
)
_NOT_SERVED = (
    "Nothing that was read serves this host and port. The API reference defines no list of TLS edges, and no hostports "
    "of them, so one of them may."
)


def traced(estate: Estate, text: str, request: Request) -> dict[str, Any]:
    """Return the way of a request, whose text has the form of a URL, as it is assumed."""
    assumed, *others = ways(estate.account, request)
    subject = _subject(assumed)
    place = place_of(subject) if subject else dict.fromkeys(("object", "edge", "route", "backend_id"))
    return {
        "request": text,
        **place,
        "locks": locks(subject, is_options=request.is_options) if subject else [],
        "access": _access(assumed),
        "unsure": [*_doubts(subject, is_settled(request)), *map(_other, others)],
    }


def _subject(way: Way) -> Subject | None:
    """Return what takes a request, or else the edge that serves its host."""
    part = way.taker[1] if way.taker else way.edge.own if way.edge else None
    found: Subject | None = part.subject if part else None
    return found


def _access(way: Way) -> list[str]:
    return [CLOSED] if way.access is None else way.access.classes or [PUBLIC]


def _other(way: Way) -> str:
    subject = _subject(way) if way.taker else None
    taken = f"{subject.name} takes it: {' and '.join(_access(way))}" if subject else "nothing takes it"
    return f"{way.condition[0].upper()}{way.condition[1:]}, {taken}."


def _doubts(subject: Subject | None, is_settled_path: bool) -> Iterator[str]:
    if not is_settled_path:
        yield _UNSETTLED
    if subject is None:
        yield _NOT_SERVED
    if isinstance(subject, Edge) and not subject.knows_routes:
        yield UNKNOWN_ROUTES
    if isinstance(subject, Route) and subject.has_actions:
        yield ACTIONS
    for one in (subject, subject.edge if isinstance(subject, Route) else None):
        yield from (f"{name}: {HOLLOW}" for name in (one.hollow if one else ()))
