# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that a PATCH empties because it does not contain them: noticed, sent again, and remembered.

Some services replace an object although they should update it, and some clear only its strings. A task cannot know this
in advance. If it always sent what it has read, it would revert what somebody else changes in the meantime: on every
service, and without anybody noticing. So the object before a PATCH is compared with the object after it. This costs an
additional request, on services that empty fields only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

from .._errors import IngressError, OutcomeUnknown, Request, RequestError, UnexpectedResponse
from .._model.free_form import RESPONSE, FreeFormObject
from .._model.named_secrets import masked
from .._model.objects import Object
from .._planning.plan import Operation, Plan, State, with_fields
from .._transport.client import Client
from .sending import state_after
from .unknown_outcomes import send_until_known, took_effect


@dataclass(frozen=True)
class Update:
    """An operation as it is `sent`, with the state before it, and how to `read` its object.

    It may empty the fields that are `at_risk`, as far as was known before it was sent.
    """

    plan: Plan
    operation: Operation
    sent: Operation
    before: Any
    at_risk: list[str]
    read: Callable[[], Any]

    def lost(self, state: State) -> list[str]:
        """Return the fields that are empty in this state, and were not before."""
        return self.plan.kind.emptied(self.before, state, self.operation.body) if self.at_risk else []

    def current(self) -> Any:
        """Return the current state, None if it cannot be read."""
        try:
            return self.read()
        except IngressError:
            return None


class EmptiedFields:
    """What the responses of a service have shown so far about the fields that some services clear.

    All plans of a task share it. What else an object loses is noticed for each object: services differ there.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._are_cleared: bool | None = None

    def update(self, plan: Plan, operation: Operation, before: State | None, read: Callable[[], Any]) -> Update:
        """Return the update that contains the current values of what the service would clear."""
        kind, names, sent = plan.kind, list[str](), operation
        are_kept = bool(kind.cleared_by_some) and self._are_cleared is False
        if operation.method == "PATCH" and before is not None and not are_kept:
            names = kind.at_risk(before, operation.body)
        if kind.cleared_by_some and self._are_cleared and before is not None and names:
            sent, names = with_fields(operation, {name: before[name] for name in names}), []
        return Update(plan, operation, sent, before, names, read)

    def note(self, update: Update, *, are_cleared: bool) -> None:
        if update.plan.kind.cleared_by_some:
            self._are_cleared = self._are_cleared or are_cleared

    def restored(self, update: Update, state: Any, done: list[Operation], *, is_known: bool) -> Any:
        """Return the state once what the update has emptied is restored. The operation for that is then `done`."""
        if not update.at_risk or state is None:
            return state
        if not is_known or update.lost(state):
            state = update.read() or state  # What a response lacks is unknown.
        if lost := update.lost(state):
            self.note(update, are_cleared=True)
            state, again = self._sent_again(update, state, lost)
            done.append(again)
        elif took_effect(update.plan, update.operation, state):
            self.note(update, are_cleared=False)
        return state

    def _sent_again(self, update: Update, state: Any, lost: list[str]) -> tuple[Any, Operation]:
        again, unknown = _sending_again(update, state, lost)

        def read(response: Any) -> Any:
            found = None if response is None else state_after(update.plan, again, state, response)
            return found if found is not None and not update.lost(found) else update.read() or found or state

        try:
            found = send_until_known(self._client, again, read)
        except RequestError as error:
            found = update.current() if isinstance(error, OutcomeUnknown) else None
            if found is None or update.lost(found):
                note = _what_is_lost(update, lost)
                raise error.with_note(f"{note[0].upper()}{note[1:]}") from None
        if missing := [*update.lost(found), *unknown]:
            raise UnexpectedResponse(_what_is_lost(update, missing), Request(again.method, again.path))
        return found, again

    def after_all(self, update: Update, error: OutcomeUnknown, done: list[Operation]) -> OutcomeUnknown:
        """Return an error that is final, with what the update may have emptied, unless that could be restored."""
        if not update.at_risk:
            return error
        state = update.current()
        if state is None or not update.lost(state):
            # The update may still arrive. Only of texts is it likely that it clears them: some services always do.
            is_kept = state is not None and (
                not update.plan.kind.cleared_by_some or took_effect(update.plan, update.operation, state)
            )
            return error if is_kept else error.with_note(_what_may_be_lost(update))
        try:
            self.restored(update, state, done, is_known=True)
        except IngressError as failure:
            return error.with_note(str(failure))
        return error


def _sending_again(update: Update, state: State, lost: Collection[str]) -> tuple[Operation, list[str]]:
    """Return the operation that sends again what an update has emptied, and the paths of what cannot be sent.

    It contains what the update did: a service that empties what it does not get would now empty that.
    """
    kind, before, operation = update.plan.kind, update.before, update.operation
    values, unknown = {name: before[name] for name in lost if name in kind.named}, list[str]()
    if isinstance(kind, FreeFormObject):
        from .._planning.unsent_fields import restoring  # noqa: PLC0415 # Most tasks never need it.

        values, unknown = restoring(kind, before, state, operation.body)
        # A secret may be masked in responses, so it cannot be restored.
        secret = kind.lost_secret(before, {**operation.body, **values}, is_whole=False)
        unknown = list(dict.fromkeys([*unknown, *([secret] if secret else [])]))
    names = " and ".join(lost)
    reason = f"sends {names} again, which the service cleared because the change did not contain them"
    return replace(with_fields(operation, values), reason=reason, undo=None, restores=True), unknown


def _what_is_lost(update: Update, lost: Collection[str]) -> str:
    """Return what is said about fields that are still empty, because the next run would not miss them."""
    kind, before = update.plan.kind, update.before
    current = before.get(RESPONSE) or {name: kind.named[name].kind.shown(before[name]) for name in kind.cleared_by_some}
    known = {name: current[name] for name in lost if name in current}
    secret = kind.terms.secret if isinstance(kind, FreeFormObject) else None
    values = json.dumps(masked(known, secret) if secret else known, ensure_ascii=False)
    what = f"the previous values: {values}" if known else "this secret"
    always = " To keep all of it in the future, declare the fields, and list them in `always_send`."
    return (
        f"the update has emptied {' and '.join(lost)}, which it did not contain, and sending this again did not "
        f"restore it. Restore {what}.{_how_to_find(kind, before, lost)}{always if RESPONSE in before else ''}"
    )


def _what_may_be_lost(update: Update) -> str:
    shown = " and ".join(f"`{name}`" for name in update.at_risk)
    return (
        f"The change before did not contain {shown}, which the service may have cleared. Check, and declare that."
        f"{_how_to_find(update.plan.kind, update.before, update.at_risk)}"
    )


def _how_to_find(kind: Object, state: State, lost: Collection[str]) -> str:
    """Return how to go on with an object that may have lost what finds it, so that no run creates another one."""
    finding = [f.name for f in kind.fields if f.identifies and f.name in lost]
    return (
        f" Without {' and '.join(finding)}, a task does not find the object, and creates another one. Until it is "
        f"restored, set `id` to {state['id']} instead of `find_by`."
        if finding
        else ""
    )
