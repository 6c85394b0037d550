# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of the inventory of tunnels: its own options, their checks, and the tunnels that become hosts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..addresses import path_of
from ..client import Client
from ..errors import UnexpectedAnswer
from ..host_filters import filter_faults
from ..outcome import Outcome
from ..tunnel_host import Tunnel, name_in, prefix_faults
from ..work import Options, Work
from .tunnel import online_tunnels

_PATH = path_of("tunnels")


def tunnel_inventory(known: Sequence[Tunnel] | None = None) -> Work:
    """The work of one inventory. Where its tunnels are `known`, from a cache, the service is not asked."""

    def perform(client: Client, options: Options, check_mode: bool) -> Outcome:
        tunnels = online_tunnels(client) if known is None else known
        return Outcome(objects={"tunnels": list(_by_id(tunnels).values())})

    return Work(
        options={
            "hostname": {"type": "str"},
            "hostvars_prefix": {"type": "str", "default": ""},
            "filters": {"type": "list", "elements": "raw", "default": []},
        },
        faults=_faults,
        perform=perform,
        writes=False,
    )


def _faults(options: Options, check_mode: bool) -> Iterator[str]:
    yield from prefix_faults(options.get("hostvars_prefix"))
    yield from filter_faults(options.get("filters"))


def _by_id(tunnels: Sequence[Tunnel]) -> dict[str, Tunnel]:
    found: dict[str, Tunnel] = {}
    for number, tunnel in enumerate(tunnels):
        identifier = tunnel["id"]
        if not identifier or name_in(identifier) != identifier:
            raise UnexpectedAnswer(
                f"GET {_PATH}: tunnels[{number}] has no id that could be the name of a host.", "GET", _PATH
            )
        found.setdefault(identifier, tunnel)
    return found
