# SPDX-License-Identifier: GPL-3.0-or-later
"""Restores what an update has emptied although it did not contain it.

Some services replace an object although they should update it. Nobody knows which, so each update is checked.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from .._errors import IngressError, OutcomeUnknown, UnexpectedResponse
from .._model.free_form import RESPONSE, FreeFormObject
from .._model.named_secrets import masked
from .._model.objects import Object
from .._planning.plan import Operation
from .._planning.unsent_fields import restoring
from .._transport.client import Client
from .omitted_fields import how_to_find
from .sending import request_of
from .unknown_outcomes import send_until_known


def repaired(
    client: Client, kind: Object, operation: Operation, before: Any, state: Any
) -> tuple[Any, Operation | None]:
    """Return the state of an object in which nothing is lost, and the operation that was needed for this, if any.

    Raises UnexpectedResponse with the fields that could not be restored, because the next run would not miss them.
    """
    if not isinstance(kind, FreeFormObject) or state is None:
        return state, None
    state, lost = _confirmed(client, kind, operation, before, state)
    if not lost:
        return state, None
    # A service that empties what is not sent may also have reset other values, and would now empty what was sent.
    unsent, unknown = restoring(kind, before, state, operation.body)
    body = {**operation.body, **unsent}
    repair = replace(operation, reason=f"the service emptied what was not sent: {', '.join(lost)}", body=body)

    def read(response: Any) -> tuple[Any, list[str]]:
        return _confirmed(client, kind, operation, before, kind.read(response, "") or state)

    try:
        try:
            state, lost = send_until_known(client, repair, read)
        except OutcomeUnknown as error:
            # The state before is equal to itself, so this reads the object.
            now, still_lost = _confirmed(client, kind, operation, before, before)
            if now is before or still_lost:
                raise error from None
            state, lost = now, still_lost
    except IngressError as error:
        raise _not_restored(kind, operation, before, lost, f" ({error})") from None
    # A secret may be masked in responses, so it cannot be restored.
    secret = kind.lost_secret(before, body, is_whole=False)
    if lost or secret or unknown:
        lost = list(dict.fromkeys([*lost, *unknown, *([secret] if secret else [])]))
        raise _not_restored(kind, operation, before, lost)
    return state, repair


def _confirmed(
    client: Client, kind: FreeFormObject, operation: Operation, before: Any, state: Any
) -> tuple[Any, list[str]]:
    """Return the state and what is lost in it. The response to an update may be incomplete, so the object decides."""
    lost = kind.emptied(before, state, operation.body)
    is_doubtful = kind.may_be_emptied(before, state, operation.body)
    if is_doubtful and (found := client.get_object(operation.path)) is not None:
        state = kind.read(found, "")
        lost = kind.emptied(before, state, operation.body)
    return state, lost


def _not_restored(
    kind: FreeFormObject, operation: Operation, before: Any, lost: list[str], why: str = ""
) -> UnexpectedResponse:
    known = {name: before[RESPONSE][name] for name in lost if name in before[RESPONSE]}
    values = json.dumps(masked(known, kind.terms.secret), ensure_ascii=False)
    return UnexpectedResponse(
        f"the update has emptied {' and '.join(lost)}, which it did not contain, and sending this again did not "
        f"restore it{why}. Restore {f'the previous values: {values}' if known else 'this secret'}."
        f"{how_to_find(kind, before, lost)} To keep all of it in the future, declare the fields, and list them in "
        "`always_send`.",
        request_of(operation),
    )
