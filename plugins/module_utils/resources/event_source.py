# SPDX-License-Identifier: GPL-3.0-or-later
"""Event sources of a subscription: sections 2.6 and 4.5 of the description. A source has a type, no more."""

from __future__ import annotations

from collections.abc import Iterator

from .. import plan
from ..addresses import path_of
from ..apply import Outcome, converge
from ..arguments import STATE, identifier_faults
from ..client import Client
from ..event_catalogue import event_type_faults
from ..schema import EVENT_SOURCE, SUBSCRIPTION_PREFIX
from ..work import Options, Work


def _faults(options: Options, check_mode: bool) -> Iterator[str]:
    yield from identifier_faults(options, "subscription_id", SUBSCRIPTION_PREFIX, check_mode)
    if isinstance(options.get("type"), str) and not options.get("allow_unknown_type"):
        yield from event_type_faults(options["type"], "type")


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    return converge(client, lambda: _look(client, options), "event_source", check_mode)


def _look(client: Client, options: Options) -> plan.Plan:
    subscription_id, event_type = options["subscription_id"], options["type"]
    collection = path_of("event_subscriptions", subscription_id, "sources")
    path = path_of("event_subscriptions", subscription_id, "sources", event_type)
    wire = client.get_or_none(path)
    have = None if wire is None else {**EVENT_SOURCE.read(wire, ""), "type": event_type}
    subject = f"event_source {event_type} of {subscription_id}"
    if options["state"] == "absent":
        return plan.absent(subject, EVENT_SOURCE, path, have)
    return plan.present(subject, EVENT_SOURCE, plan.Place(collection, path), have, {"type": event_type})


WORK = Work(
    options={
        "subscription_id": {"type": "str", "required": True},
        "type": {"type": "str", "required": True},
        "allow_unknown_type": {"type": "bool", "default": False},
        "state": STATE,
    },
    faults=_faults,
    perform=_perform,
)
