# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings before and after a change: which of them are new, or worse than they were. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._access.routing import prefixes_of
from .finding import Finding
from .judged_estate import Edge, Route, Subject
from .routings import area_of

Key = tuple[str, str]
"""The rule and the path of a finding."""


def created(now: Sequence[Finding], then: Sequence[Finding]) -> set[Key]:
    """Return the findings that are new, concern more, or are about objects that more visitors reach."""
    earlier = {one.key: one for one in then}
    lost: dict[int, list[Route]] = {}
    return {one.key for one in now if one.key not in earlier or _is_worse(one, earlier[one.key], lost)}


def _is_worse(now: Finding, then: Finding, lost: dict[int, list[Route]]) -> bool:
    concerns_more = not set(now.hit.also) <= set(then.hit.also)
    if concerns_more or now.hit.degree > then.hit.degree or now.hit.cause != then.hit.cause:
        return True
    subject, old = now.hit.subject, then.hit.subject
    if subject is None or old is None:
        return False
    if isinstance(subject, Route) and isinstance(old, Route):
        if id(subject.edge) not in lost:
            lost[id(subject.edge)] = _lost(subject.edge, old.edge)
        if _reached(subject) != _reached(old) or any(_is_inside(route, subject) for route in lost[id(subject.edge)]):
            return True
    if isinstance(subject, Edge) and isinstance(old, Edge) and now.hit.also:
        reached, before = ({_reached(route) for route in edge.routes if route.is_open} for edge in (subject, old))
        if reached - before:
            return True
    is_opened = (old.is_closed and not subject.is_closed) or (subject.is_open and not old.is_open)
    is_served_more = not _hostports(subject) <= _hostports(old)
    return is_opened or is_served_more or not old.required.keys() <= subject.required.keys()


def _lost(now: Edge, then: Edge) -> list[Route]:
    """Return the routes that are gone and did not let everyone through: others take over what they took."""
    left = {_reached(route)[:2] for route in now.routes}
    return [route for route in then.routes if not route.is_open and _reached(route)[:2] not in left]


def _reached(route: Route) -> tuple[Any, ...]:
    """Return which requests a route takes, and for which backend."""
    return route.state["match_type"], route.state["match"], route.backend_id


def _is_inside(inner: Route, outer: Route) -> bool:
    area, around = area_of(inner), area_of(outer)
    if area is None or around is None or area.host != around.host or around.is_exact:
        return False
    return around.path in prefixes_of(area.path)


def _hostports(subject: Subject) -> set[str]:
    return set((subject.edge if isinstance(subject, Route) else subject).state.get("hostports", ()))
