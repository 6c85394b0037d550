# SPDX-License-Identifier: GPL-3.0-or-later
"""IDs and times as the service creates them (API reference, sections 1 and 2)."""

from __future__ import annotations

import datetime
import secrets
import string

PREFIXES = {
    "tunnel": "tn_",
    "tunnel_session": "ts_",
    "endpoint": "ep_",
    "tls_edge": "edgtls_",
    "https_edge": "edghts_",
    "route": "edghtsrt_",
    "event_subscription": "esb_",
    "ip_policy": "ipp_",
    "ip_policy_rule": "ipr_",
    "http_response_backend": "bkdhr_",
    "tunnel_group_backend": "bkdtg_",
    "static_address_backend": "bkdsa_",
    "failover_backend": "bkdfo_",
    "certificate_authority": "ca_",
    "event_destination": "ed_",
    "operation": "op_",
}

_ALPHABET = string.ascii_letters + string.digits


def new_id(kind: str) -> str:
    return PREFIXES[kind] + "".join(secrets.choice(_ALPHABET) for _position in range(26))


def now() -> str:
    """Return the current time in RFC 3339, UTC, in seconds."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
