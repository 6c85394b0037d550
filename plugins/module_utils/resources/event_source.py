# SPDX-License-Identifier: GPL-3.0-or-later
"""Event sources of a subscription: sections 2.6 and 4.5 of the description. A source has a type, no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .. import plan
from ..addresses import path_of
from ..apply import converge
from ..arguments import STATE, identifier_faults
from ..client import Client
from ..errors import reading
from ..event_catalogue import event_type_faults
from ..outcome import Outcome, outcome_of_one
from ..schema import EVENT_SOURCE, SUBSCRIPTION_PREFIX
from ..work import Options, Work

ALLOW_UNKNOWN_TYPE: dict[str, Any] = {"type": "bool", "default": False}


def sources_path(subscription_id: str, *event_type: str) -> str:
    return path_of("event_subscriptions", subscription_id, "sources", *event_type)


def source_plan(subscription_id: str, event_type: str, wire: Any, absent: str = "") -> plan.Plan:
    """The plan for one source, of which `wire` is what the service shows; `absent` is the reason why it is to go."""
    path = sources_path(subscription_id, event_type)
    with reading(path):
        have = None if wire is None else {**EVENT_SOURCE.read(wire, ""), "type": event_type}
    subject = f"event_source {event_type} of {subscription_id}"
    if absent:
        made = plan.absent(subject, EVENT_SOURCE, path, have, absent)
    else:
        place = plan.Place(sources_path(subscription_id), path)
        made = plan.present(subject, EVENT_SOURCE, place, have, {"type": event_type})
    return replace(made, key=(subscription_id, event_type), unique=True)


def source_faults(options: Options, check_mode: bool) -> Iterator[str]:
    yield from identifier_faults(options, "subscription_id", SUBSCRIPTION_PREFIX, check_mode)
    if isinstance(options.get("type"), str) and not options.get("allow_unknown_type"):
        yield from event_type_faults(options["type"], "type")


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    subscription_id, event_type = options["subscription_id"], options["type"]
    absent = "is to be absent" if options["state"] == "absent" else ""
    path = sources_path(subscription_id, event_type)
    [done] = converge(
        client, lambda: [source_plan(subscription_id, event_type, client.object_at(path), absent)], check_mode
    )
    return outcome_of_one(done, "event_source")


WORK = Work(
    options={
        "subscription_id": {"type": "str", "required": True},
        "type": {"type": "str", "required": True},
        "allow_unknown_type": ALLOW_UNKNOWN_TYPE,
        "state": STATE,
    },
    faults=source_faults,
    perform=_perform,
)
