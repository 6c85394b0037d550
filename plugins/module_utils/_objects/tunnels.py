# SPDX-License-Identifier: GPL-3.0-or-later
"""Online tunnels: API reference, sections 2.1 and 4.1."""

from __future__ import annotations

from typing import Any

from .._errors import reading
from .._model.schema import TUNNEL
from .._transport.addresses import path_of
from .._transport.client import Client


def online_tunnels(client: Client, tunnel_id: str | None = None) -> list[dict[str, Any]]:
    """Return all tunnels of the account that are online, in the order of the service, which is usually newest first.

    With an ID, return this tunnel alone, if it is online.
    """
    path = path_of("tunnels")
    one = [client.get_object(path_of("tunnels", tunnel_id))] if tunnel_id else []
    wires = one or client.list_all(path, "tunnels", identity="id")
    with reading(path):
        tunnels = [TUNNEL.read(wire, f"tunnels[{number}]") for number, wire in enumerate(wires) if wire is not None]
    return [TUNNEL.shown(one) for one in tunnels]
