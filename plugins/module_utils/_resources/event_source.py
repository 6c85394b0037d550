# SPDX-License-Identifier: GPL-3.0-or-later
"""Event sources of a subscription: API reference, sections 2.6 and 4.5. A source only has a type."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._applying.carry_out import carry_out_one
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._errors import Missing, UnsupportedRequest, reading
from .._model.escapes import visible
from .._model.event_catalog import event_type_errors
from .._model.identifiers import is_placeholder
from .._model.option_error import OptionErrors
from .._model.schema import EVENT_SOURCE, SUBSCRIPTION_PREFIX
from .._planning.changes import ABSENT, plan_absent, plan_present
from .._planning.plan import Plan, Target
from .._transport.addresses import path_of
from .._transport.client import Client
from .common_options import STATE, identifier_errors, path_errors

ALLOW_UNKNOWN_TYPE: dict[str, Any] = {"type": "bool", "default": False}


def sources_path(subscription_id: str, *event_type: str) -> str:
    return path_of("event_subscriptions", subscription_id, "sources", *event_type)


def source_target(subscription_id: str, event_type: str, option: str = "") -> Target:
    """Return an event source as the target of a plan; its path is added when it is planned."""
    name, key = visible(f"{event_type} of {subscription_id}"), (subscription_id, event_type)
    collection = sources_path(subscription_id)
    return Target(name, EVENT_SOURCE, key, collection=collection, unique=True, parent=subscription_id, option=option)


def source_plan(subscription_id: str, event_type: str, wire: Any, absent: str = "", option: str = "") -> Plan:
    """Return the plan for one source; `wire` is what the service returns, `absent` the reason to delete it, if any.

    `option` is the list that declares its siblings. Raise UnusableIdentifier if the type, which the service may have
    listed, cannot be part of a path.
    """
    path = sources_path(subscription_id, event_type)
    target = replace(source_target(subscription_id, event_type, option), path=path)
    with reading(target.path):
        current = None if wire is None else {**EVENT_SOURCE.read(wire, ""), "type": event_type}
    return plan_absent(target, current, absent) if absent else plan_present(target, current, {"type": event_type})


def source_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from identifier_errors(options, "subscription_id", SUBSCRIPTION_PREFIX, check_mode)
    if isinstance(options.get("type"), str):
        yield from type_errors(options["type"], bool(options.get("allow_unknown_type")), "type")


def type_errors(event_type: str, allow_unknown_type: bool, path: str) -> OptionErrors:
    """Yield the errors in a declared event type."""
    yield from path_errors(event_type, path) if allow_unknown_type else event_type_errors(event_type, path)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    return carry_out_one(client, lambda: _read_and_plan(client, options, check_mode), "event_source", check_mode)


def _read_and_plan(client: Client, options: Options, check_mode: bool) -> Plan:
    subscription_id, event_type = options["subscription_id"], options["type"]
    wire = read_source(client, subscription_id, event_type)
    if options["state"] == "absent":
        # The source does not exist, whether or not the subscription does.
        return source_plan(subscription_id, event_type, wire, ABSENT)
    made = source_plan(subscription_id, event_type, wire)
    if wire is not None or is_placeholder(subscription_id) or (check_mode and _lists_sources(client, subscription_id)):
        return made
    doubt = (
        f"Event subscription {subscription_id} might not exist: this source of it does not. Check `subscription_id`."
    )
    return replace(made, doubt=doubt)


def read_source(client: Client, subscription_id: str, event_type: str) -> Any:
    """Return the source as the service returns it, or None, as for a subscription that check mode would create."""
    return None if is_placeholder(subscription_id) else client.get_object(sources_path(subscription_id, event_type))


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


def unknown_subscription(subscription_id: str, option: str = "subscription_id") -> Missing:
    return Missing(f"Event subscription {subscription_id} does not exist. Check `{option}`.")


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
