# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about event subscriptions: whether one of them receives events about changes that matter. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from .._model.event_catalog import EVENT_CATALOG
from .finding import Hit
from .subjects import Estate

_RESOURCES = (
    "api_key certificate_authority event_destination event_subscription ip_policy ip_policy_rule ip_restriction "
    "ssh_certificate_authority ssh_public_key tunnel_credential"
)
SECURITY_EVENTS = frozenset(event.name for event in EVENT_CATALOG if event.resource in _RESOURCES.split())
"""The events about who may do what: keys, credentials, policies, and the subscriptions themselves."""


def unheard_changes(estate: Estate) -> Iterator[Hit]:
    heard = {event for events in estate.subscriptions.values() for event in events}
    if estate.subscriptions and SECURITY_EVENTS.isdisjoint(heard):
        message = "No event subscription that was read receives events about API keys, credentials, or IP policies."
        yield Hit(None, "event_subscriptions", message)
