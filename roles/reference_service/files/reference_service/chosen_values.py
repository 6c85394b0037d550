# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service itself chooses for an object: names, addresses, and a token that only its creation shows."""

from __future__ import annotations

import zlib
from typing import Any

from .ids import new_id
from .store import Stored

_WITH_TOKEN = ("api_keys", "credentials")
NAMES = {
    **dict.fromkeys(_WITH_TOKEN, ("token",)),
    "reserved_addrs": ("addr",),
    "reserved_domains": ("domain", "cname_target"),
}
"""The fields of responses that the service chooses, by collection."""


def new_token(path: str) -> str | None:
    """Return the token of a new object, or None if objects of this collection have none."""
    return new_id("", "token_") if path in _WITH_TOKEN else None


def chosen_by_service(path: str, stored: Stored, token: str | None) -> dict[str, Any]:
    """Return the fields of the object in a response that no request contains. `token` is that of a new object."""
    if path in _WITH_TOKEN:
        return {"token": token}
    if path == "reserved_addrs":
        return {"addr": reserved_name(path, stored)}
    if path == "reserved_domains":
        name = reserved_name(path, stored)
        return {"domain": name, "cname_target": f"{name}.cname.example.net"}
    return {}


def reserved_name(path: str, stored: Stored) -> str:
    """Return the address or the domain that an object reserves. The same object always has the same one."""
    if path == "reserved_addrs":
        number = zlib.crc32(stored.id.encode())
        return f"{number % 8 + 1}.tcp.example.io:{20_000 + number // 8 % 40_000}"
    return str(stored.document.get("domain") or f"{stored.id.rpartition('_')[2].lower()}.example.app")
