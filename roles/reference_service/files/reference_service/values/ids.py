# SPDX-License-Identifier: GPL-3.0-or-later
"""IDs and times as the service creates them (API reference, sections 1 and 2)."""

import datetime
import secrets
import string

_ALPHABET = string.ascii_letters + string.digits


def new_id(prefix: str) -> str:
    return prefix + "".join(secrets.choice(_ALPHABET) for _position in range(26))


def now() -> str:
    """Return the current time in RFC 3339, UTC, in seconds."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
