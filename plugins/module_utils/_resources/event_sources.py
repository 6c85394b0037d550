# SPDX-License-Identifier: GPL-3.0-or-later
"""All event sources of a subscription as a set."""

from __future__ import annotations

from functools import partial

from .._applying.carry_out import ObjectSet, carry_out_set
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._model.option_error import OptionErrors
from .._model.schema import EVENT_SOURCE, SUBSCRIPTION_PREFIX
from .._objects.common_options import SET_OPTIONS, emptied_set, given_name, identifier_errors, limit_errors, limits_of
from .._objects.event_sources import ALLOW_UNKNOWN_TYPE, listed_sources, source_plans, sources_errors
from .._transport.client import Client


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from identifier_errors(options, "subscription_id", SUBSCRIPTION_PREFIX, check_mode)
    name = given_name(options, "types", "sources")
    yield from sources_errors(options.get("types"), bool(options.get("allow_unknown_type")), name)
    yield from limit_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    subscription_id = options["subscription_id"]
    read = partial(listed_sources, client, subscription_id)
    plan = partial(source_plans, subscription_id, options["types"], options["purge"], "types")
    limits = limits_of(options, emptied_set(options, "types", EVENT_SOURCE))
    return carry_out_set(client, options, check_mode, ObjectSet("event_sources", read, plan), limits)


DEFINITION = PluginDefinition(
    options={
        "subscription_id": {"type": "str", "required": True},
        "types": {"type": "list", "elements": "str", "required": True, "aliases": ["sources"]},
        "allow_unknown_type": ALLOW_UNKNOWN_TYPE,
        "purge": {"type": "bool", "default": False},
        **SET_OPTIONS,
    },
    option_errors=_option_errors,
    perform=_perform,
)
