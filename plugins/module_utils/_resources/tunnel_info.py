# SPDX-License-Identifier: GPL-3.0-or-later
"""Online tunnels, which are only read: API reference, sections 2.1 and 4.1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._errors import reading
from .._model.schema import TUNNEL, TUNNEL_PREFIX
from .._transport.addresses import path_of
from .._transport.client import Client
from .common_options import identifier_errors


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    if options["id"]:
        tunnels = _read(filter(None, [client.get_object(path_of("tunnels", options["id"]))]))
    else:
        tunnels = online_tunnels(client)
    return Outcome(objects={"tunnels": [tunnel for tunnel in tunnels if _matches(tunnel, options)]})


def online_tunnels(client: Client) -> list[dict[str, Any]]:
    """Return all tunnels of the account that are online, in the order of the service, which is usually newest first."""
    return _read(client.list_all(path_of("tunnels"), "tunnels", identity="id"))


def _read(wires: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    with reading(path_of("tunnels")):
        return [TUNNEL.shown(TUNNEL.read(wire, f"tunnels[{number}]")) for number, wire in enumerate(wires)]


def _matches(tunnel: dict[str, Any], options: Options) -> bool:
    plain = ("proto", "region", "metadata")
    return all(options[name] in (None, tunnel[name]) for name in plain) and all(
        tunnel["labels"].get(name) == str(value) for name, value in (options["labels"] or {}).items()
    )


DEFINITION = PluginDefinition(
    options={
        "id": {"type": "str"},
        "proto": {"type": "str", "choices": ["http", "https", "tcp", "tls"]},
        "region": {"type": "str"},
        "labels": {"type": "dict"},
        "metadata": {"type": "str"},
    },
    option_errors=lambda options, check_mode: identifier_errors(options, "id", TUNNEL_PREFIX, check_mode),
    perform=_perform,
    writes=False,
)
