# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of an account that are read separately, so that an error in one of them does not hide changes in others.

A part consists of units, which can also be read one by one: tunnels, HTTPS edges with their routes, and event sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from ...module_utils._definition import Options
from ...module_utils._errors import Missing, Request, UnexpectedResponse
from ...module_utils._exposure.judged import TLS, TUNNEL, Subject
from ...module_utils._model import schema
from ...module_utils._objects.event_sources import listed_sources, read_source
from ...module_utils._objects.https_edges import live_edges, read_edge, state_of
from ...module_utils._objects.tls_edges import read_modules
from ...module_utils._objects.tunnels import online_tunnels
from ...module_utils._transport.addresses import path_of
from ...module_utils._transport.client import Client
from .objects import Entries, edge_entries, source_entries, tls_edge_entries, tunnel_entries

Units = dict[str, Any]


class Part:
    """A part. Its `name` identifies it in the state file, and in the events about its errors.

    It `is_list` if it can be incomplete, and `is_doubtful` once it was read with a 404 that may say that something does
    not exist, or not. Once it was read, `units` are what it consists of, and `entries` what is compared of each.
    """

    option: ClassVar[str]
    is_list: ClassVar[bool] = True
    entries_of: Callable[[str, Any], Entries]

    def __init__(self, name: str = "") -> None:
        self.id = name
        self.name = f"{self.option}/{name}" if name else self.option
        self.is_doubtful = False
        self.units: Units = {}
        self.entries: dict[str, Entries] = {}

    def read(self, client: Client, is_known: bool) -> None:
        """Read all units. If the part `is_known`, it was read before."""
        for unit, found in self._all(client, is_known).items():
            self.put(unit, found)

    def read_one(self, client: Client, unit: str) -> None:
        """Read one unit, or remove it, if the service says that it does not exist."""
        self.put(unit, self._one(client, unit))

    def put(self, unit: str, found: Any) -> None:
        if found is None:
            self.units.pop(unit, None)
            self.entries.pop(unit, None)
        else:
            self.units[unit], self.entries[unit] = found, self.entries_of(unit, found)

    def _all(self, client: Client, is_known: bool) -> Units:
        raise NotImplementedError

    def _one(self, client: Client, unit: str) -> Any:
        raise NotImplementedError


class Tunnels(Part):
    option = "tunnels"
    entries_of = staticmethod(tunnel_entries)
    path = path_of("tunnels")

    def _all(self, client: Client, is_known: bool) -> Units:
        return {_identified(one, self.path): one for one in online_tunnels(client)}

    def _one(self, client: Client, unit: str) -> Any:
        path = path_of("tunnels", unit)
        wire = client.get_object(path)
        if wire is not None and wire.get("id") != unit:
            raise UnexpectedResponse("expected this tunnel, got another object.", Request("GET", path))
        return None if wire is None else schema.TUNNEL.shown(schema.TUNNEL.read(wire, "tunnel"))


class Edges(Part):
    option = "https_edges"
    entries_of = staticmethod(edge_entries)
    path = path_of("edges", "https")

    def _all(self, client: Client, is_known: bool) -> Units:
        # One at a time, because Python waits for the threads of a pool before it exits.
        return {_checked(one)["id"]: one for one in live_edges(client, concurrency=1)}

    def _one(self, client: Client, unit: str) -> Any:
        state = state_of(read_edge(client, unit))
        return None if state is None else _checked(state)


class TlsEdge(Part):
    """One TLS edge. The service does not say whether it exists, so it never disappears."""

    option = "tls_edges"
    is_list = False
    entries_of = staticmethod(tls_edge_entries)

    def _all(self, client: Client, is_known: bool) -> Units:
        states, is_proven = read_modules(client, self.id)
        self.is_doubtful = not is_proven
        return {self.id: (states, is_proven)}


class Sources(Part):
    """The event sources of one event subscription."""

    option = "event_subscriptions"
    entries_of = staticmethod(source_entries)

    def _all(self, client: Client, is_known: bool) -> Units:
        try:
            return dict.fromkeys(listed_sources(client, self.id, self.option), self.id)
        except Missing:
            if not is_known:
                raise
            self.is_doubtful = True  # Perhaps it was deleted with its sources.
            return {}

    def _one(self, client: Client, unit: str) -> Any:
        return None if read_source(client, self.id, unit) is None else self.id


def parts_of(options: Options) -> Iterator[Part]:
    if options["tunnels"]:
        yield Tunnels()
    if options["https_edges"]:
        yield Edges()
    for kind in (TlsEdge, Sources):
        yield from map(kind, dict.fromkeys(options[kind.option]))


def part_of(subject: Subject | None) -> str:
    """Return the name of the part that an object with a finding belongs to.

    A finding without an object is about all event subscriptions together.
    """
    if subject and subject.kind == TLS:
        return TlsEdge(subject.state["id"]).name
    if subject and subject.kind == TUNNEL:
        return Tunnels().name
    return Edges().name if subject else Sources.option


def _identified(found: Mapping[str, Any], path: str) -> str:
    identifier: str = found["id"]
    if not identifier:
        raise UnexpectedResponse("expected objects with IDs, got one without.", Request("GET", path))
    return identifier


def _checked(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an edge of which everything can be identified."""
    _identified(state, Edges.path)
    ids = [_identified(route, Edges.path) for route in state["routes"]]
    if len(ids) != len(set(ids)):
        raise UnexpectedResponse("expected different routes, got one of them twice.", Request("GET", Edges.path))
    return state
