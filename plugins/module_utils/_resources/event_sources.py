# SPDX-License-Identifier: GPL-3.0-or-later
"""All event sources of a subscription as a set: API reference, section 4.5."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from .._applying.carry_out import carry_out_set
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._errors import NotFound, UnexpectedType, reading
from .._model.identifiers import is_placeholder
from .._model.option_error import OptionErrors, list_of
from .._model.schema import EVENT_SOURCE, SUBSCRIPTION_PREFIX
from .._planning.changes import PURGED
from .._planning.plan import Plan, planned, planned_purge
from .._planning.undeclared import NOT_PURGED, Remainder, Undeclared
from .._transport.client import Client
from .common_options import (
    SET_OPTIONS,
    duplicate_errors,
    emptied_set,
    given_name,
    identifier_errors,
    limit_errors,
    limits_of,
)
from .event_source import (
    ALLOW_UNKNOWN_TYPE,
    source_plan,
    source_target,
    sources_path,
    type_errors,
    unknown_subscription,
)


def sources_errors(types: Any, allow_unknown_type: bool, path: str) -> OptionErrors:
    """Yield the errors in a list of declared event types."""
    names = [name for name in list_of(types) if isinstance(name, str)]
    for number, name in enumerate(names):
        yield from type_errors(name, allow_unknown_type, f"{path}[{number}]")
    yield from duplicate_errors([(name,) for name in names], path)


def listed_sources(client: Client, subscription_id: str, option: str = "subscription_id") -> dict[str, Any]:
    """Return the sources of a subscription by their type. Raise Missing if the subscription does not exist.

    `option` is the option that contains the ID. A subscription that check mode would create has no sources.
    """
    if is_placeholder(subscription_id):
        return {}
    try:
        listed = client.list_all(sources_path(subscription_id), "sources", next_key="uri", identity="type")
    except NotFound as rejection:
        raise unknown_subscription(subscription_id, option) from rejection
    with reading(sources_path(subscription_id)):
        return {_type_of(wire, f"sources[{number}]"): wire for number, wire in enumerate(listed)}


def _type_of(wire: Any, path: str) -> str:
    event_type: str = EVENT_SOURCE.read(wire, path)["type"]
    if not event_type:
        raise UnexpectedType(f"{path}.type", "the name of an event type", wire.get("type"))
    return event_type


def source_plans(
    client: Client, subscription_id: str, types: Sequence[str], purge: bool, option: str = "types"
) -> tuple[list[Plan], list[Remainder]]:
    """Return the plans for the sources of a subscription, which are read as a list, and what they leave undeclared.

    `option` is the list that declares the sources.
    """
    listed = listed_sources(client, subscription_id)
    plans = [
        planned(partial(source_plan, subscription_id, name, listed.get(name)), source_target(subscription_id, name))
        for name in types
    ]
    undeclared = [(name, wire) for name, wire in listed.items() if name not in types]
    if not purge:
        why = NOT_PURGED.format("event sources")
        return plans, [
            Undeclared(source_target(subscription_id, name), option, why, {"type": name}) for name, _wire in undeclared
        ]
    purges = [
        planned_purge(
            partial(source_plan, subscription_id, name, wire, PURGED, option),
            source_target(subscription_id, name, option),
        )
        for name, wire in undeclared
    ]
    return [*plans, *purges], []


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from identifier_errors(options, "subscription_id", SUBSCRIPTION_PREFIX, check_mode)
    name = given_name(options, "types", "sources")
    yield from sources_errors(options.get("types"), bool(options.get("allow_unknown_type")), name)
    yield from limit_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    read = partial(source_plans, client, options["subscription_id"], options["types"], options["purge"])
    limits = limits_of(options, emptied_set(options, "types", EVENT_SOURCE))
    return carry_out_set(client, options, "event_sources", read, limits, check_mode)


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
