# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits how much a task deletes, including what is planned while it runs."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from .._errors import ChangeWithheld, TooManyDeletions
from .._planning.diff import diff
from .._planning.plan import Operation, Plan


class Deletions:
    """The deletions of a task, of which `most` are allowed; those that were `planned` from the start come first.

    Several threads may use it at a time.
    """

    def __init__(self, most: int | None = None, planned: Iterable[Operation] = ()) -> None:
        self._most = most
        self._allowed = {operation.path for operation in planned}
        self._lock = threading.Lock()

    def allow(self, operation: Operation) -> None:
        """Raise ChangeWithheld for a deletion that was planned later and exceeds the limit."""
        if self._most is None or operation.method != "DELETE":
            return
        with self._lock:
            if operation.path not in self._allowed and len(self._allowed) >= self._most:
                raise ChangeWithheld(
                    f"DELETE {operation.path}: not sent, because `max_deletions` is {self._most} and is used up. This "
                    "deletion was not in the original plan: the service changed while the task was running. Run the "
                    "task again."
                )
            self._allowed.add(operation.path)


def limit_deletions(plans: Sequence[Plan], most: int) -> Deletions:
    """Return the limit for a task with these plans. Raises TooManyDeletions if they already exceed it."""
    planned = [(plan, op) for plan in plans for op in plan.operations if op.method == "DELETE"]
    if len(planned) > most:
        deletions = [{"object": plan.subject, **op.shown()} for plan, op in planned]
        raise TooManyDeletions(deletions, most, [diff(plan) for plan in plans if plan.operations])
    return Deletions(most, [op for _plan, op in planned])


UNLIMITED = Deletions()
