# SPDX-License-Identifier: GPL-3.0-or-later
"""Online tunnels: API reference, sections 2.1 and 4.1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._errors import reading
from .._model.schema import TUNNEL
from .._transport.addresses import path_of
from .._transport.client import Client


def online_tunnels(client: Client) -> list[dict[str, Any]]:
    """Return all tunnels of the account that are online, in the order of the service, which is usually newest first."""
    return _read(client.list_all(path_of("tunnels"), "tunnels", identity="id"))


def _read(wires: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    with reading(path_of("tunnels")):
        return [TUNNEL.shown(TUNNEL.read(wire, f"tunnels[{number}]")) for number, wire in enumerate(wires)]
