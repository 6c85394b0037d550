# SPDX-License-Identifier: GPL-3.0-or-later
"""All event sources of a subscription."""

from __future__ import annotations

from collections.abc import Sequence

from .._applying.carry_out import carry_out_set
from .._definition import Client, Options, Outcome, PluginDefinition
from .._model.schema import EVENT_SOURCE
from .._objects import common_options, event_sources
from .._planning.plan import Plan
from .._planning.undeclared import Remainder


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    subscription_id, types = options["subscription_id"], options["types"]

    def planned() -> tuple[Sequence[Plan], Sequence[Remainder]]:
        listed = event_sources.listed_sources(client, subscription_id)
        return event_sources.source_plans(subscription_id, types, options["purge"], "types", listed)

    limits = common_options.limits_of(options, common_options.emptied_set(options, "types", EVENT_SOURCE))
    return carry_out_set(client, options, check_mode, "event_sources", planned, limits)


DEFINITION = PluginDefinition(
    options={
        **event_sources.OPTIONS,
        "types": {"type": "list", "elements": "str", "required": True},
        "purge": {"type": "bool", "default": False},
        **common_options.SET_OPTIONS,
    },
    option_errors=event_sources.source_errors,
    perform=_perform,
)
