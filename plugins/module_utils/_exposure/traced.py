# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of one request, as a result: what takes it, what a visitor must have, and what is not sure. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._access.trace import Way, is_settled, request_of, ways
from .._model.objects import join
from .doubts import ACTIONS, HOLLOW, UNKNOWN_ROUTES, UNSETTLED
from .judged_estate import Estate
from .subjects import Edge, Route, Subject


def traced(estate: Estate, text: str) -> dict[str, Any]:
    """Return the way of a request, which has the form of a URL, as it is assumed."""
    request = request_of(text)
    assert request is not None
    assumed, *others = ways(estate.account, request)
    subject = _subject(estate, assumed)
    route = subject if isinstance(subject, Route) else None
    edge = route.edge if route else subject
    hostports = {"hostports": list(edge.state["hostports"])} if isinstance(edge, Edge) else {}
    return {
        "request": text,
        "object": subject.name if subject else None,
        "edge": {"id": edge.id, **hostports} if edge else None,
        "route": {name: route.state[name] for name in ("match_type", "match")} if route else None,
        "locks": [
            {"path": join(estate.by_part[one.part].path, one.module), "requires": one.requires, "admits": one.admits}
            for one in assumed.locks
        ],
        "access": _access(assumed),
        "backend_id": route.backend_id if route else None,
        "unsure": [
            *_doubts(assumed, subject, is_settled(request)),
            *(_other(estate, one) for one in others),
        ],
    }


def _subject(estate: Estate, way: Way) -> Subject | None:
    return estate.by_part[way.taker[1]] if way.taker else None


def _access(way: Way) -> list[str]:
    return ["closed"] if way.access is None else way.access.classes or ["public"]


def _other(estate: Estate, way: Way) -> str:
    subject = _subject(estate, way)
    taken = f"{subject.name} takes it: {' and '.join(_access(way))}" if subject else "nothing takes it"
    return f"{way.condition[0].upper()}{way.condition[1:]}, {taken}."


def _doubts(way: Way, subject: Subject | None, is_settled_path: bool) -> Iterator[str]:
    if not is_settled_path:
        yield UNSETTLED
    if isinstance(subject, Edge):
        yield UNKNOWN_ROUTES
    if any(one.requires == "policy" for one in way.locks):
        yield ACTIONS
    for one in (subject, subject.edge if isinstance(subject, Route) else None):
        yield from (f"{name}: {HOLLOW}" for name in (one.hollow if one else ()))
