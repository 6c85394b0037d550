# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that a PATCH empties because it does not contain them: noticed, sent again, and sent with the next ones.

Some services replace an object although they should update it, and some clear only its strings. A task cannot know this
in advance. If it always sent what it has read, it would revert what somebody else changes in the meantime: on every
service, and without anybody noticing. So the object before a PATCH is compared with the object after it. This costs an
additional request, on services that empty fields only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .._errors import IngressError, OutcomeUnknown, Request, RequestError, UnexpectedResponse
from .._model.free_form import RESPONSE, FreeFormObject
from .._model.named_secrets import masked
from .._model.objects import Object
from .._planning.plan import Operation, Plan, State, with_fields
from .._transport.client import Client
from .sending import state_after, took_effect
from .unknown_outcomes import send_until_known


@dataclass(frozen=True)
class Update:
    """An operation of a plan that lacks `omitted` fields, with the state before it, and how to `read` its object.

    All updates of a task share `clears`: which of the strings that some services clear this service has cleared, or
    kept. What else an object loses is noticed for each object: services differ there.
    """

    client: Client
    plan: Plan
    operation: Operation
    before: Any
    omitted: Sequence[str]
    read: Callable[[], Any]
    clears: dict[str, bool]

    @cached_property
    def at_risk(self) -> list[str]:
        """The fields that the service may empty, as far as is known before anything is sent."""
        return [name for name in self.omitted if not self.plan.kind.cleared_by_some or name not in self.clears]

    @property
    def sent(self) -> Operation:
        """The operation with the current values of what the service is known to clear."""
        known = [name for name in self.omitted if name not in self.at_risk and self.clears[name]]
        return with_fields(self.operation, {name: self.before[name] for name in known}) if known else self.operation

    def lost(self, state: State) -> list[str]:
        """Return the fields that are empty in this state, and were not before."""
        return self.plan.kind.emptied(self.before, state, self.sent.body) if self.at_risk else []

    def current(self) -> Any:
        try:
            return self.read()
        except IngressError:
            return None

    def restored(self, state: Any, done: list[Operation], *, is_known: bool) -> Any:
        """Return the state once what the update has emptied is restored. The operation for that is then `done`."""
        if not self.at_risk:
            return state
        # What a response lacks is unknown, and all of an object that is to be deleted if there is no response.
        if not is_known or state is None or self.lost(state):
            state = self.read() or state
        if state is None:
            return None
        lost = self.lost(state)
        if self.plan.kind.cleared_by_some and (lost or took_effect(self.plan, self.operation, state)):
            self.clears.update({name: name in lost or self.clears.get(name, False) for name in self.at_risk})
        return self._sent_again(state, lost, done) if lost else state

    def _sent_again(self, state: Any, lost: list[str], done: list[Operation]) -> Any:
        again, unknown = _sending_again(self, state, lost)

        def read(response: Any) -> Any:
            found = None if response is None else state_after(self.plan, again, state, response)
            return found if found is not None and not self.lost(found) else self.read() or found or state

        try:
            found = send_until_known(self.client, again, read)
        except RequestError as error:
            found = self.current() if isinstance(error, OutcomeUnknown) else None
            if found is None or self.lost(found):
                note = _what_is_lost(self, lost)
                raise error.with_note(f"{note[0].upper()}{note[1:]}") from None
        if missing := [*self.lost(found), *unknown]:
            raise UnexpectedResponse(_what_is_lost(self, missing), Request(again.method, again.path))
        done.append(again)
        return found

    def after_all(self, error: OutcomeUnknown, done: list[Operation]) -> OutcomeUnknown:
        """Return an error that is final, with what the update may have emptied, unless that could be restored."""
        if not self.at_risk:
            return error
        state, are_texts = self.current(), bool(self.plan.kind.cleared_by_some)
        if state is None or not self.lost(state):
            # The update may still arrive. Only of texts is it likely that it clears them: some services always do.
            is_kept = took_effect(self.plan, self.operation, state) if are_texts else state is not None
            return error if is_kept else error.with_note(_what_may_be_lost(self))
        try:
            self.restored(state, done, is_known=True)
        except IngressError as failure:
            return error.with_note(str(failure))
        return error


def _sending_again(update: Update, state: State, lost: Collection[str]) -> tuple[Operation, list[str]]:
    """Return the operation that sends again what an update has emptied, and the paths of what cannot be sent.

    It contains what the update did: a service that empties what it does not get would now empty that.
    """
    kind, before, operation = update.plan.kind, update.before, update.sent
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
    problem = f" Without {' and '.join(finding)}, a task does not find the object, and creates another one."
    return f"{problem} Until it is restored, set `id` to {state['id']} instead of `find_by`." if finding else ""
