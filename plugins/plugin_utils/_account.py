# SPDX-License-Identifier: GPL-3.0-or-later
"""What distinguishes accounts in caches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ..module_utils._transport.connection import Connection


def account_digest(options: Mapping[str, Any]) -> str:
    """Return what distinguishes the cache entries of accounts. It does not reveal the API key."""
    connection = Connection.of(options)
    account = [connection.base_url, connection.version_header, connection.api_version, connection.api_key]
    return hashlib.sha256(json.dumps(account).encode()).hexdigest()[:16]
