# SPDX-License-Identifier: GPL-3.0-or-later
"""An event source of a subscription in a task of its own."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from .._applying.carry_out import carry_out_one
from .._definition import Client, Options, Outcome, PluginDefinition
from .._errors import UnsupportedRequest
from .._objects import common_options, event_sources
from .._planning.changes import ABSENT
from .._planning.plan import Plan
from .._values.identifiers import is_placeholder


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    subscription_id, event_type = options["subscription_id"], options["type"]
    is_absent = options["state"] == "absent"

    def planned() -> Plan:
        wire = event_sources.read_source(client, subscription_id, event_type)
        made = event_sources.source_plan(subscription_id, event_type, wire, ABSENT if is_absent else "")
        if is_absent or wire is not None or is_placeholder(subscription_id):
            return made
        if check_mode:
            # A 404 for one source does not say whether the subscription exists; a 404 for the list does.
            with suppress(UnsupportedRequest):
                event_sources.listed_sources(client, subscription_id)
                return made
        doubt = f"Event subscription {subscription_id} might not exist: this source of it does not."
        return replace(made, doubt=f"{doubt} Check `subscription_id`.")

    return carry_out_one(client, check_mode, "event_source", planned)


DEFINITION = PluginDefinition(
    options={**event_sources.OPTIONS, "type": {"type": "str", "required": True}, "state": common_options.STATE},
    option_errors=event_sources.source_errors,
    perform=_perform,
)
