# SPDX-License-Identifier: GPL-3.0-or-later
"""The event sources of a subscription: one in a task of its own, all as a set, and what is only read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from .._applying.carry_out import carry_out_one, carry_out_set
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._errors import Missing, UnsupportedRequest, reading
from .._model.identifiers import is_placeholder
from .._model.schema import EVENT_SOURCE
from .._objects import event_sources
from .._objects.common_options import SET_OPTIONS, STATE, emptied_set, limits_of
from .._planning.changes import ABSENT
from .._planning.plan import Plan
from .._planning.undeclared import Remainder
from .._transport.client import Client

_OPTIONS: dict[str, Any] = {
    "subscription_id": {"type": "str", "required": True},
    "allow_unknown_type": event_sources.ALLOW_UNKNOWN_TYPE,
}


def _one(client: Client, options: Options, check_mode: bool) -> Outcome:
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


def _set(client: Client, options: Options, check_mode: bool) -> Outcome:
    subscription_id, types = options["subscription_id"], options["types"]

    def planned() -> tuple[Sequence[Plan], Sequence[Remainder]]:
        listed = event_sources.listed_sources(client, subscription_id)
        return event_sources.source_plans(subscription_id, types, options["purge"], "types", listed)

    limits = limits_of(options, emptied_set(options, "types", EVENT_SOURCE))
    return carry_out_set(client, options, check_mode, "event_sources", planned, limits)


def _read(client: Client, options: Options, check_mode: bool) -> Outcome:
    subscription_id, event_type = options["subscription_id"], options["type"]
    wires: Iterable[Any] = ()
    if event_type:
        wires = [event_sources.read_source(client, subscription_id, event_type)]
    else:
        with suppress(Missing):
            wires = event_sources.listed_sources(client, subscription_id).values()
    with reading(event_sources.sources_path(subscription_id)):
        sources = [EVENT_SOURCE.shown(EVENT_SOURCE.read(wire, "")) for wire in wires if wire is not None]
    return Outcome(objects={"event_sources": sources})


ONE = PluginDefinition(
    options={**_OPTIONS, "type": {"type": "str", "required": True}, "state": STATE},
    option_errors=event_sources.source_errors,
    perform=_one,
)

SET = PluginDefinition(
    options={
        **_OPTIONS,
        "types": {"type": "list", "elements": "str", "required": True, "aliases": ["sources"]},
        "purge": {"type": "bool", "default": False},
        **SET_OPTIONS,
    },
    option_errors=event_sources.source_errors,
    perform=_set,
)

INFO = PluginDefinition(
    options={**_OPTIONS, "type": {"type": "str"}},
    option_errors=event_sources.source_errors,
    perform=_read,
    writes=False,
)
