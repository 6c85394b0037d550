# SPDX-License-Identifier: GPL-3.0-or-later
"""The event sources of a subscription, which are only read."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._errors import Missing, reading
from .._model.schema import EVENT_SOURCE
from .._objects.event_sources import ALLOW_UNKNOWN_TYPE, listed_sources, read_source, source_errors, sources_path
from .._transport.client import Client


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    subscription_id, event_type = options["subscription_id"], options["type"]
    wires: Iterable[Any] = ()
    if event_type:
        wires = [read_source(client, subscription_id, event_type)]
    else:
        with suppress(Missing):
            wires = listed_sources(client, subscription_id).values()
    with reading(sources_path(subscription_id)):
        sources = [EVENT_SOURCE.shown(EVENT_SOURCE.read(wire, "")) for wire in wires if wire is not None]
    return Outcome(objects={"event_sources": sources})


DEFINITION = PluginDefinition(
    options={
        "subscription_id": {"type": "str", "required": True},
        "type": {"type": "str"},
        "allow_unknown_type": ALLOW_UNKNOWN_TYPE,
    },
    option_errors=source_errors,
    perform=_perform,
    writes=False,
)
