# SPDX-License-Identifier: GPL-3.0-or-later
"""The event catalog: the event types of the service. API reference, section 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from .._errors import UNSET_VARIABLE
from .option_error import OptionError, OptionErrors
from .option_wording import did_you_mean


@dataclass(frozen=True)
class EventType:
    name: str
    family: str
    resource: str


_AUDITED = (
    "api_key certificate_authority domain event_destination event_subscription ip_policy ip_policy_rule ip_restriction "
    "ssh_certificate_authority ssh_host_certificate ssh_public_key ssh_user_certificate tcp_address tls_certificate "
    "tunnel_credential"
)

EVENT_CATALOG = (
    EventType("http_request_complete.v0", "traffic", "http_request"),
    EventType("tcp_connection_closed.v0", "traffic", "tcp_connection"),
    EventType("agent_session_start.v0", "audit", "agent_session"),
    EventType("agent_session_stop.v0", "audit", "agent_session"),
    *(
        EventType(f"{resource}_{happening}.v0", "audit", resource)
        for resource in _AUDITED.split()
        for happening in ("created", "updated", "deleted")
    ),
)

EVENT_TYPES = tuple(event.name for event in EVENT_CATALOG)


def event_type_errors(name: str, path: str) -> OptionErrors:
    if not name:
        yield OptionError(path, f"is empty; {UNSET_VARIABLE}")
    elif name not in EVENT_TYPES:
        error = unknown_name(name, "event type", EVENT_TYPES)
        link = " To" if error.endswith("?") else "; to"
        yield OptionError(path, f"{error}{link} use it anyway, set `allow_unknown_type: true`")


def unknown_name(name: str, noun: str, known: Sequence[str]) -> str:
    return f"unknown {noun} {name!r}{suggestion(name, known)}"


def suggestion(name: str, known: Sequence[str]) -> str:
    return did_you_mean(get_close_matches(name, known, n=3, cutoff=0.5))
