# SPDX-License-Identifier: GPL-3.0-or-later
"""All event sources of a subscription as a set, read by the list operation of section 4.5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .. import plan
from ..apply import converge
from ..arguments import (
    ALLOW_EMPTY,
    MAX_DELETIONS,
    duplicate_faults,
    emptied_faults,
    given_name,
    identifier_faults,
    range_faults,
)
from ..client import Client
from ..errors import NotThere, WrongShape, reading
from ..outcome import Outcome, outcome_of_many
from ..placeholders import is_placeholder
from ..schema import EVENT_SOURCE, SUBSCRIPTION_PREFIX
from ..work import Options, Work
from .event_source import (
    ALLOW_UNKNOWN_TYPE,
    source_plan,
    source_subject,
    sources_path,
    type_faults,
    unknown_subscription,
)


def sources_faults(types: Any, allow_unknown_type: bool, path: str) -> Iterator[str]:
    """What is wrong with a list of declared event types."""
    names = [name for name in types if isinstance(name, str)] if isinstance(types, list) else []
    for number, name in enumerate(names):
        yield from type_faults(name, allow_unknown_type, f"{path}[{number}]")
    yield from duplicate_faults([(name,) for name in names], path)


def listed_sources(client: Client, subscription_id: str) -> dict[str, Any]:
    """The sources of a subscription by their type. Raises Missing where there is no such subscription.

    One that a dry run would create has none.
    """
    if is_placeholder(subscription_id):
        return {}
    try:
        listed = client.listed(
            sources_path(subscription_id), "sources", next_key="uri", or_own_address=True, identity="type"
        )
    except NotThere as refusal:
        if refusal.status != 404:  # noqa: PLR2004
            raise
        raise unknown_subscription(subscription_id) from refusal
    with reading(sources_path(subscription_id)):
        return {_type_of(wire, f"sources[{number}]"): wire for number, wire in enumerate(listed)}


def _type_of(wire: Any, path: str) -> str:
    event_type: str = EVENT_SOURCE.read(wire, path)["type"]
    if not event_type:
        raise WrongShape(f"{path}.type", "the name of an event type", wire.get("type"))
    return event_type


def source_plans(client: Client, subscription_id: str, types: Sequence[str], purge: bool) -> list[plan.Plan]:
    """The plans for the sources of a subscription, read by their list."""
    have = listed_sources(client, subscription_id)
    plans = [source_plan(subscription_id, name, have.get(name)) for name in types]
    if purge:
        plans += [_purge(subscription_id, name, wire) for name, wire in have.items() if name not in types]
    return plans


def _purge(subscription_id: str, event_type: str, wire: Any) -> plan.Plan:
    return plan.planned_purge(
        lambda: source_plan(subscription_id, event_type, wire, absent=plan.PURGED),
        source_subject(subscription_id, event_type),
        EVENT_SOURCE,
        (subscription_id, event_type),
    )


def _faults(options: Options, check_mode: bool) -> Iterator[str]:
    yield from identifier_faults(options, "subscription_id", SUBSCRIPTION_PREFIX, check_mode)
    name = given_name(options, "types", "sources")
    yield from sources_faults(options.get("types"), bool(options.get("allow_unknown_type")), name)
    yield from emptied_faults(options, name)
    yield from range_faults(options, "max_deletions", 0)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    all_done = converge(
        client,
        lambda: source_plans(client, options["subscription_id"], options["types"], options["purge"]),
        check_mode,
        options["max_deletions"],
    )
    return outcome_of_many(all_done, {"event_sources": [done.shown for done in all_done if done.final is not None]})


WORK = Work(
    options={
        "subscription_id": {"type": "str", "required": True},
        "types": {"type": "list", "elements": "str", "required": True, "aliases": ["sources"]},
        "allow_unknown_type": ALLOW_UNKNOWN_TYPE,
        "purge": {"type": "bool", "default": False},
        "allow_empty": ALLOW_EMPTY,
        "max_deletions": MAX_DELETIONS,
    },
    faults=_faults,
    perform=_perform,
)
