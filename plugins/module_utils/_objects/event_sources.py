# SPDX-License-Identifier: GPL-3.0-or-later
"""Event sources of subscriptions: API reference, sections 2.6 and 4.5. A source only has a type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from .._definition import Client, Options
from .._errors import Missing, NotFound, Request, UnexpectedResponse, UnexpectedType, reading
from .._model.schema import EVENT_SOURCE, SUBSCRIPTION_PREFIX
from .._planning.changes import PURGED, plan_absent, plan_present
from .._planning.plan import Plan, Target, planned
from .._planning.undeclared import NOT_PURGED, Remainder, Undeclared
from .._transport.addresses import path_of
from .._values.escapes import visible
from .._values.event_catalog import EVENT_TYPES, event_type_errors
from .._values.identifiers import is_placeholder
from .._values.option_error import OptionErrors, list_of, with_paths
from .._values.option_wording import quoted
from .common_options import duplicate_errors, identifier_errors, limit_errors, path_errors

ALLOW_UNKNOWN_TYPE: dict[str, Any] = {"type": "bool", "default": False}
OPTIONS = {"subscription_id": {"type": "str", "required": True}, "allow_unknown_type": ALLOW_UNKNOWN_TYPE}


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
        current = EVENT_SOURCE.read(wire, "")
        if current is not None:
            found = _type_of(current)
            if found.lower() != event_type.lower():
                problem = f"unexpected response (type: expected {quoted(event_type)}, got {quoted(found)})."
                raise UnexpectedResponse(problem, Request("GET", path))
            current = {**current, "type": event_type}
    return plan_absent(target, current, absent) if absent else plan_present(target, current, {"type": event_type})


def _type_of(source: Mapping[str, Any]) -> str:
    """Return the type of a source as it is read.

    Some services omit it, though the URI ends with it as well, or return it in another letter case.
    """
    _before, is_below, last = str(source["uri"]).rpartition("/sources/")
    found = str(source["type"] or (is_below and last))
    return found.lower() if found.lower() in EVENT_TYPES else found


def source_errors(options: Options, check_mode: bool) -> OptionErrors:
    """Yield the errors in the options of one event source, or of several as a set."""
    allow_unknown_type = bool(options.get("allow_unknown_type"))
    yield from identifier_errors(options, "subscription_id", SUBSCRIPTION_PREFIX, check_mode)
    if isinstance(options.get("type"), str):
        yield from type_errors(options["type"], allow_unknown_type, "type")
    yield from sources_errors(options.get("types"), allow_unknown_type, "types")
    yield from limit_errors(options)


def type_errors(event_type: str, allow_unknown_type: bool, path: str) -> OptionErrors:
    yield from path_errors(event_type, path) if allow_unknown_type else event_type_errors(event_type, path)


def read_source(client: Client, subscription_id: str, event_type: str) -> Any:
    """Return the source as the service returns it, or None, as for a subscription that check mode would create."""
    return None if is_placeholder(subscription_id) else client.get_object(sources_path(subscription_id, event_type))


def sources_errors(types: Any, allow_unknown_type: bool, path: str) -> OptionErrors:
    for where, name in with_paths(types, path):
        yield from type_errors(name, allow_unknown_type, where)
    yield from duplicate_errors([(name,) for name in list_of(types)], path)


def listed_sources(client: Client, subscription_id: str, option: str = "subscription_id") -> dict[str, Any]:
    """Return the sources of a subscription by their type. Raise Missing if the subscription does not exist.

    `option` is the option that contains the ID. A subscription that check mode would create has no sources.
    """
    if is_placeholder(subscription_id):
        return {}
    try:
        listed = client.list_all(sources_path(subscription_id), "sources", next_key="uri", identity="type")
    except NotFound as rejection:
        raise Missing(f"Event subscription {subscription_id} does not exist. Check `{option}`.") from rejection
    found: dict[str, Any] = {}
    with reading(sources_path(subscription_id)):
        for number, wire in enumerate(listed):
            event_type = _type_of(EVENT_SOURCE.read(wire, f"sources[{number}]"))
            if not event_type:
                raise UnexpectedType(f"sources[{number}].type", "the name of an event type", wire.get("type"))
            found[event_type] = {**wire, "type": event_type}
    return found


def source_plans(
    subscription_id: str, types: Sequence[str], purge: bool, option: str, listed: Mapping[str, Any]
) -> tuple[list[Plan], list[Remainder]]:
    """Return the plans for the `listed` sources of a subscription, and what they leave undeclared.

    `option` is the list that declares the sources. Types in another letter case are the same ones.
    """
    known = {name.lower(): listed[name] for name in listed}
    declared = {name.lower() for name in types}

    def plan_of(name: str, absent: str = "", option: str = "") -> Plan:
        make = partial(source_plan, subscription_id, name, known.get(name.lower()), absent, option)
        return planned(make, source_target(subscription_id, name, option), purge=bool(absent))

    plans = [plan_of(name) for name in types]
    others = [name for name in listed if name.lower() not in declared]
    if not purge:
        why = NOT_PURGED.format("event sources")
        return plans, [Undeclared(source_target(subscription_id, one, option), why, {"type": one}) for one in others]
    return [*plans, *(plan_of(name, PURGED, option) for name in others)], []
