# SPDX-License-Identifier: GPL-3.0-or-later
"""A source of an event subscription, in a task of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._applying.carry_out import OneObject, carry_out_one
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._errors import UnsupportedRequest
from .._model.identifiers import is_placeholder
from .._objects.common_options import STATE
from .._objects.event_sources import (
    ALLOW_UNKNOWN_TYPE,
    read_source,
    source_errors,
    source_plan,
    sources_path,
    unknown_subscription,
)
from .._planning.changes import ABSENT
from .._planning.plan import Plan
from .._transport.client import Client


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    subscription_id, event_type = options["subscription_id"], options["type"]
    is_absent = options["state"] == "absent"

    def read() -> tuple[Any, bool]:
        """Return the source, and whether the subscription is known to exist, as far as that matters."""
        wire = read_source(client, subscription_id, event_type)
        is_known = is_absent or wire is not None or is_placeholder(subscription_id)
        return wire, is_known or (check_mode and _lists_sources(client, subscription_id))

    def plan(found: tuple[Any, bool]) -> Plan:
        wire, is_known = found
        made = source_plan(subscription_id, event_type, wire, ABSENT if is_absent else "")
        doubt = f"Event subscription {subscription_id} might not exist: this source of it does not."
        return made if is_known else replace(made, doubt=f"{doubt} Check `subscription_id`.")

    return carry_out_one(client, check_mode, OneObject("event_source", read, plan))


def _lists_sources(client: Client, subscription_id: str) -> bool:
    """Return whether the service lists the sources of the subscription. Raise Missing if the subscription is unknown.

    A 404 for one source does not say whether the subscription exists; a 404 for the list does.
    """
    try:
        found = client.get_object(sources_path(subscription_id))
    except UnsupportedRequest:
        return False
    if found is None:
        raise unknown_subscription(subscription_id)
    return True


DEFINITION = PluginDefinition(
    options={
        "subscription_id": {"type": "str", "required": True},
        "type": {"type": "str", "required": True},
        "allow_unknown_type": ALLOW_UNKNOWN_TYPE,
        "state": STATE,
    },
    option_errors=source_errors,
    perform=_perform,
)
