# SPDX-License-Identifier: GPL-3.0-or-later
"""Event sources of a subscription, read."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from .._definition import Client, Options, Outcome, PluginDefinition
from .._errors import Missing, reading
from .._model.schema import EVENT_SOURCE
from .._objects import event_sources


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
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


DEFINITION = PluginDefinition(
    options={**event_sources.OPTIONS, "type": {"type": "str"}},
    option_errors=event_sources.source_errors,
    perform=_perform,
    writes=False,
)
