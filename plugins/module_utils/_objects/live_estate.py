# SPDX-License-Identifier: GPL-3.0-or-later
"""The live configuration of an account, as far as a task asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, TypeVar

from .._applying.parallel import run_in_parallel
from .._definition import Client, Options
from .._exposure.declared import read_tunnels
from .._exposure.doubts import NOT_LISTED
from .._exposure.judged import Estate, NotJudged, https_edge, tls_edge
from .._model.schema import SUBSCRIPTION_PREFIX, TLS_EDGE_PREFIX
from .._planning.plan import State
from .._values.option_error import OptionErrors, with_paths
from .collection_of_objects import CONCURRENCY
from .common_options import identifier_errors
from .event_sources import listed_sources

LIVE_OPTIONS: dict[str, Any] = {
    "https_edges": {"type": "bool", "default": True},
    "tls_edges": {"type": "list", "elements": "str", "default": []},
    "event_subscriptions": {"type": "list", "elements": "str", "default": []},
}

Value = TypeVar("Value")


def live_errors(options: Options, check_mode: bool) -> OptionErrors:
    for name, prefix in (("tls_edges", TLS_EDGE_PREFIX), ("event_subscriptions", SUBSCRIPTION_PREFIX)):
        for where, identifier in with_paths(options.get(name), name):
            yield from identifier_errors({where: identifier}, where, prefix, check_mode)


def collected_at() -> dict[str, str]:
    """Return when what is read from now on is true, as a return value. What has changed before is seen for sure."""
    return {"collected_at": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}


def live_subscriptions(client: Client, ids: Sequence[str]) -> dict[str, list[str]]:
    return by_id(lambda one: sorted(listed_sources(client, one, "event_subscriptions")), ids)


def by_id(read: Callable[[str], Value], ids: Sequence[str]) -> dict[str, Value]:
    """Read each of these IDs once, several at a time."""
    once = list(dict.fromkeys(ids))
    return dict(zip(once, run_in_parallel(read, once, CONCURRENCY)))


def live_estate(
    options: Options,
    edges: Sequence[State],
    tls_edges: Mapping[str, tuple[Mapping[str, State | None], bool]],
    subscriptions: Mapping[str, Sequence[str]],
    tunnels: Sequence[Mapping[str, Any]],
) -> Estate:
    """Return what was read because of the options, and what these leave out."""
    left_out = [name for name in ("https_edges", "tunnels") if not options[name]]
    not_read = [NotJudged(name.replace("_", " "), name, "The task does not read them.") for name in left_out]
    return Estate(
        edges=[https_edge(f"https_edges[{number}]", one, one["routes"]) for number, one in enumerate(edges)],
        tls_edges=[
            tls_edge(f"tls_edges[{number}]", {**states}, edge_id, is_known=is_known)
            for number, (edge_id, (states, is_known)) in enumerate(tls_edges.items())
        ],
        subscriptions=subscriptions,
        tunnels=read_tunnels(tunnels),
        parts=frozenset({name for name in (*LIVE_OPTIONS, "tunnels") if options[name]}),
        not_judged=[*NOT_LISTED, *not_read],
    )
