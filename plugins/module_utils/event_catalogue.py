# SPDX-License-Identifier: GPL-3.0-or-later
"""The events that the platform emits: section 6 of the description."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

TRAFFIC_EVENTS = ("http_request_complete.v0", "tcp_connection_closed.v0")

_AGENT_SESSION_EVENTS = ("agent_session_start.v0", "agent_session_stop.v0")
_AUDITED = (
    "api_key",
    "certificate_authority",
    "domain",
    "event_destination",
    "event_subscription",
    "ip_policy",
    "ip_policy_rule",
    "ip_restriction",
    "ssh_certificate_authority",
    "ssh_host_certificate",
    "ssh_public_key",
    "ssh_user_certificate",
    "tcp_address",
    "tls_certificate",
    "tunnel_credential",
)
AUDIT_EVENTS = (
    *_AGENT_SESSION_EVENTS,
    *(f"{prefix}_{happening}.v0" for prefix in _AUDITED for happening in ("created", "updated", "deleted")),
)

EVENT_TYPES = (*TRAFFIC_EVENTS, *AUDIT_EVENTS)


def event_type_faults(name: str, path: str) -> Iterator[str]:
    """What is wrong with an event's name, with the names that it may have been meant for."""
    if name not in EVENT_TYPES:
        near = get_close_matches(name, EVENT_TYPES, n=3, cutoff=0.5)
        hint = f"; near to it are {', '.join(near)}" if near else ""
        yield f"{path}: {name!r} is no event of the catalogue{hint} (allow_unknown_type lets any name pass)"
