# SPDX-License-Identifier: GPL-3.0-or-later
"""The two modules of a TLS edge: sections 2.5 and 4.2 of the description. A PUT replaces the module as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from .. import plan
from ..addresses import path_of
from ..apply import converge
from ..arguments import STATE, identifier_faults
from ..client import Client
from ..schema import TLS_EDGE_MODULES, TLS_EDGE_PREFIX
from ..work import Options, Work


def tls_edge_module(name: str) -> Work:
    """The work on the module of that name."""
    kind = TLS_EDGE_MODULES[name]

    def faults(options: Options, check_mode: bool) -> Iterator[str]:
        yield from identifier_faults(options, "edge_id", TLS_EDGE_PREFIX, check_mode)
        yield from kind.faults(options, "")
        if options.get("state") == "present" and all(options.get(f.name) is None for f in kind.declarable):
            names = ", ".join(f.name for f in kind.declarable)
            yield f"{name}: nothing is declared; give some of {names}, or take the module off with state: absent"

    def look(client: Client, options: Options) -> plan.Plan:
        edge_id = options["edge_id"]
        path = path_of("edges", "tls", edge_id, name)
        have = kind.read(client.get_or_none(path), "")
        subject = f"{name} of TLS edge {edge_id}"
        if options["state"] == "absent":
            return plan.absent(subject, kind, path, have)
        return plan.replaced(subject, kind, path, have, options)

    return Work(
        options={"edge_id": {"type": "str", "required": True}, "state": STATE, **kind.options()},
        faults=faults,
        perform=lambda client, options, check_mode: converge(client, lambda: look(client, options), name, check_mode),
    )


IP_RESTRICTION = tls_edge_module("ip_restriction")
TLS_TERMINATION = tls_edge_module("tls_termination")
