# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the IDs of new objects into the plans of those that belong or refer to them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._planning.placeholders import with_ids
from .._planning.plan import Ids, Operation, Plan
from .._transport.addresses import path_of


def bound(plan: Plan, ids: Ids) -> Plan:
    """Return the plan with these IDs in place of their placeholders.

    Raises UnusableIdentifier for an ID that cannot be part of a path.
    """
    segments, kind = _segments(ids), plan.target.kind.with_values(lambda value: with_ids(value, ids))
    path, collection = (_with_segments(one, segments) for one in (plan.target.path, plan.target.collection))
    return replace(
        plan,
        target=replace(plan.target, kind=kind, path=path, collection=collection),
        desired=with_ids(plan.desired, ids),
        after=with_ids(plan.after, ids),
        operations=tuple(bound_operations(plan.operations, ids)),
    )


def bound_operations(operations: Sequence[Operation], ids: Ids) -> list[Operation]:
    segments = _segments(ids)
    return [with_other_ids(operation, ids, segments) for operation in operations]


def _segments(ids: Ids) -> dict[str, str]:
    return {planned: path_of(identifier)[1:] for planned, identifier in ids.items()}


def with_other_ids(operation: Operation, ids: Ids, segments: Ids) -> Operation:
    """Return an operation with other IDs in its body, and other segments in its path."""
    return replace(operation, path=_with_segments(operation.path, segments), body=with_ids(operation.body, ids))


def _with_segments(path: str, segments: Ids) -> str:
    return "/".join(segments.get(segment, segment) for segment in path.split("/"))
