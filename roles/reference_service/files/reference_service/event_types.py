# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of the event catalog (API reference, section 6)."""

from __future__ import annotations

_TRAFFIC = ("http_request_complete", "tcp_connection_closed")
_AGENT_SESSION = ("agent_session_start", "agent_session_stop")
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

EVENT_TYPES = frozenset(
    f"{name}.v0"
    for name in (
        *_TRAFFIC,
        *_AGENT_SESSION,
        *(f"{resource}_{verb}" for resource in _AUDITED for verb in ("created", "updated", "deleted")),
    )
)
