# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings before and after a change: which of them are new, or worse than they were. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from .._access.openings import Opened
from .finding import Finding
from .subjects import Edge, Route, Subject, TlsEdge

Key = tuple[str, str]
"""The rule and the path of a finding."""


def created(now: Sequence[Finding], then: Sequence[Finding], opened: Iterable[Opened]) -> set[Key]:
    """Return the findings that are new, concern more, or are about objects that more visitors reach."""
    earlier = {one.key: one for one in then}
    reached = {identifier for one in opened for identifier in _ids(one)}
    return {one.key for one in now if one.key not in earlier or _is_worse(one, earlier[one.key], reached)}


def _ids(one: Opened) -> Iterable[Any]:
    """Yield the IDs of the edge and of the route that take a request."""
    edge, route = one.taker
    parts = (*edge.parts, route)
    yield from (part.existing[-1].state.get("id") for part in parts if part.existing)
    yield edge.identifier


def _is_worse(now: Finding, then: Finding, reached: Collection[Any]) -> bool:
    concerns_more = not set(now.hit.also) <= set(then.hit.also)
    if concerns_more or now.hit.degree > then.hit.degree or now.hit.cause != then.hit.cause:
        return True
    subject, old = _concerned(now), _concerned(then)
    backends = {_backend(one) for one in subject} - {_backend(one) for one in old}
    return bool(backends) or any(_identifier(one) in reached for one in subject)


def _concerned(finding: Finding) -> list[Subject]:
    """Return the object of a finding, and the routes of an edge if it is about them."""
    subject = finding.hit.subject
    routes = subject.routes if isinstance(subject, Edge) and finding.hit.also else []
    return [*routes, *([] if subject is None else [subject])]


def _backend(subject: Subject) -> str | None:
    return subject.backend_id if isinstance(subject, Route) and not subject.is_closed else None


def _identifier(subject: Subject) -> Any:
    return subject.edge_id if isinstance(subject, TlsEdge) else subject.state.get("id")
