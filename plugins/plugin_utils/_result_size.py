# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps what Ansible prints of a result short. What other tasks can read stays complete. Pure."""

from __future__ import annotations

import json
from typing import Any

PRINTED = 20_000
"""How long a result may be that is printed, in characters. Ansible prints it in a single line."""

_NOT_PRINTED = frozenset({"diff", "invocation", "exception", "warnings", "deprecations"})
"""Ansible prints these elsewhere, or only with much verbosity."""


def printed_length(result: dict[str, Any]) -> int:
    return _length({name: value for name, value in result.items() if name not in _NOT_PRINTED})


def can_be_read(task: Any) -> bool:
    """Return whether anything in the playbook can read the result of a task, even if it fails.

    Since ansible-core 2.21, conditions of the task itself can read a result that is not registered.
    """
    block = task._parent
    while block is not None and not getattr(block, "rescue", ()):
        block = block._parent
    return bool(task.register or task.failed_when or task.until or block is not None)


def without_longest_lists(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result that is short enough, and says in `omitted` how many members each omitted list has."""
    excess = printed_length(result) - PRINTED
    lists = {name: value for name, value in result.items() if isinstance(value, list) and name not in _NOT_PRINTED}
    omitted: dict[str, int] = {}
    for name in sorted(lists, key=lambda name: _length(lists[name]), reverse=True):
        if excess > 0:
            omitted[name] = len(lists[name])
            excess -= _length(lists[name])
    kept = {name: value for name, value in result.items() if name not in omitted}
    return {**kept, "omitted": omitted} if omitted else kept


def _length(value: Any) -> int:
    return len(json.dumps(value, default=str))
