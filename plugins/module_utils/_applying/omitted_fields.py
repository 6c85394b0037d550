# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that a PATCH omits, and that some services clear for that reason: noticed, restored, and remembered.

A task cannot know this of a service in advance. If it always sent these fields as it has read them, it would revert
what somebody else changes in the meantime: on every service, and without anybody noticing. So they are omitted until a
response shows a loss, which costs the first PATCH of a task an additional request, on services that clear them only.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from .._errors import Request, UnexpectedResponse
from .._model.objects import Object
from .._planning.plan import Operation, State, always_sent


class OmittedFields:
    """What the responses of a service have shown so far. All plans of a task share it."""

    def __init__(self) -> None:
        self._are_cleared: bool | None = None

    def completed(self, kind: Object, operation: Operation, state: State | None) -> Operation:
        """Return the operation with the current values of what the service would clear."""
        omitted = _omitted(kind, operation, state) if self._are_cleared else {}
        return replace(operation, body={**operation.body, **omitted}) if omitted else operation

    def at_stake(self, kind: Object, operation: Operation, state: State | None) -> Mapping[str, Any]:
        """Return the values, in the `state` before an operation, that it may clear as far as is known.

        Ask before the operation is sent: what other responses show in the meantime does not change what it contains.
        """
        return {} if self._are_cleared is False else _omitted(kind, operation, state)

    def note(self, *, are_cleared: bool) -> None:
        self._are_cleared = self._are_cleared or are_cleared


def _omitted(kind: Object, operation: Operation, state: State | None) -> dict[str, Any]:
    if operation.method != "PATCH" or state is None:
        return {}
    return {name: state[name] for name in kind.cleared_by_some if name not in operation.body and state[name]}


def all_cleared(values: Mapping[str, Any], state: State) -> bool:
    """Return whether all of these are gone. If only some of them are, somebody else has removed those."""
    return not any(state[name] for name in values)


def restoring(kind: Object, operation: Operation, values: Mapping[str, Any], state: State) -> Operation:
    """Return the operation that sends again what another one has cleared. It is as `early` as the other one."""
    names = " and ".join(values)
    reason = f"sends {names} again, which the service cleared because the change did not contain them"
    kept = {name: state[name] for name in kind.cleared_by_some if state[name]}
    body = {**always_sent(kind, state), **kept, **values}
    return replace(operation, reason=reason, body=body, undo=None, restores=True)


def check_restored(operation: Operation, values: Mapping[str, Any], state: State | None) -> None:
    """Raise UnexpectedResponse if the service still does not return what was to be restored."""
    if state is not None and all_cleared(values, state):
        request = Request(operation.method, operation.path)
        raise UnexpectedResponse("the values were restored, but are still missing.", request).with_note(
            what_is_lost(values)
        )


def what_is_lost(values: Mapping[str, Any]) -> str:
    names = " and ".join(f"`{name}`" for name in values)
    return (
        f"The service cleared {names}, because the change before did not contain that. Declare the previous values, "
        "and run the task again."
    )


def what_may_be_lost(kind: Object, state: State, values: Collection[str]) -> str:
    names = " and ".join(f"`{name}`" for name in values)
    return (
        f"The change before did not contain {names}, which the service may have cleared. Check, and declare that."
        f"{how_to_find(kind, state, values)}"
    )


def how_to_find(kind: Object, state: State, lost: Collection[str]) -> str:
    """Return how to go on with an object that may have lost what finds it, so that no run creates another one."""
    finding = [f.name for f in kind.fields if f.identifies and f.name in lost]
    return (
        f" Without {' and '.join(finding)}, a task does not find the object, and creates another one. Until it is "
        f"restored, set `id` to {state['id']} instead of `find_by`."
        if finding
        else ""
    )
