# SPDX-License-Identifier: GPL-3.0-or-later
"""The live configuration, in the format that `estate` accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, TypeVar

from .._applying.outcome import Outcome
from .._applying.parallel import run_in_parallel
from .._definition import Options, PluginDefinition
from .._model.declaration import declaration, without_secrets
from .._model.free_form import is_described
from .._model.objects import Object
from .._model.option_error import OptionErrors, list_of
from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE, SUBSCRIPTION_PREFIX, TLS_EDGE_MODULES, TLS_EDGE_PREFIX
from .._planning.object_export import exported_objects, with_references
from .._planning.plan import State
from .._transport.client import Client
from .collection_of_objects import check_identified, collection_errors, listed_objects
from .common_options import identifier_errors
from .estate import DEFINITION as ESTATE
from .event_sources import listed_sources
from .https_edge import listed_edges, state_of
from .members_of_lists import CONCURRENCY, completed
from .object_errors import own_module_errors
from .tls_edge_module import ModuleReading, edge_doubt, is_proven, read_modules

LIVE_OPTIONS: dict[str, Any] = {
    "https_edges": {"type": "bool", "default": True},
    "tls_edges": {"type": "list", "elements": "str", "default": []},
    "event_subscriptions": {"type": "list", "elements": "str", "default": []},
}

_SHOWN_REJECTIONS = 20

Value = TypeVar("Value")


def live_errors(options: Options, check_mode: bool) -> OptionErrors:
    for name, prefix in (("tls_edges", TLS_EDGE_PREFIX), ("event_subscriptions", SUBSCRIPTION_PREFIX)):
        for number, identifier in enumerate(list_of(options.get(name))):
            where = f"{name}[{number}]"
            yield from identifier_errors({where: identifier}, where, prefix, check_mode)


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from live_errors(options, check_mode)
    for number, collection in enumerate(list_of(options.get("objects"))):
        yield from collection_errors(collection, f"objects[{number}]")
        yield from own_module_errors(collection, f"objects[{number}]")


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    started = collected_at()
    estate: dict[str, Any] = {}
    not_found: list[str] = []
    if options["https_edges"]:
        estate["https_edges"] = _edges(live_edges(client))
    if options["tls_edges"]:
        tls_edges = live_tls_edges(client, options["tls_edges"])
        estate["tls_edges"] = [_tls_edge(edge_id, found) for edge_id, found in tls_edges.items()]
        not_found = [edge_id for edge_id, found in tls_edges.items() if not is_proven(found)]
    if options["event_subscriptions"]:
        estate["event_subscriptions"] = [
            {"subscription_id": subscription_id, "sources": types}
            for subscription_id, types in live_subscriptions(client, options["event_subscriptions"]).items()
        ]
    if options["objects"]:
        lists = _by_id(lambda one: _objects(client, one), options["objects"])
        objects, names = exported_objects(lists, _declared_elsewhere(estate))
        estate = {"objects": objects, **with_references(estate, names)}
    return Outcome(
        objects={"estate": estate, "tls_edges_not_found": not_found, **started},
        warnings=[*map(edge_doubt, not_found), *_rejection_warnings(estate, check_mode)],
    )


def collected_at() -> dict[str, str]:
    """Return when what is read from now on is true, as a return value. What has changed before is seen for sure."""
    return {"collected_at": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}


def _objects(client: Client, collection: str) -> list[dict[str, Any]]:
    """Return the objects of a collection, oldest first."""
    wires = completed(client, collection, listed_objects(client, collection)[::-1], is_described)
    for wire in wires:
        check_identified(wire, collection)
    return wires


def _declared_elsewhere(estate: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the fields of objects, by ID, that other parts of the export declare."""
    modules = {edge["edge_id"]: tuple(TLS_EDGE_MODULES) for edge in estate.get("tls_edges", ())}
    return {**modules, **{one["subscription_id"]: ("sources",) for one in estate.get("event_subscriptions", ())}}


def _rejection_warnings(estate: dict[str, Any], check_mode: bool) -> Iterator[str]:
    """Yield a warning for each current value that cannot be declared, so that applying the export fails."""
    option_errors = list(ESTATE.option_errors(estate, check_mode)) if estate else []
    for option_error in option_errors[:_SHOWN_REJECTIONS]:
        yield f"The service holds a value that the module estate does not accept: {option_error}."
    if len(option_errors) > _SHOWN_REJECTIONS:
        yield f"{len(option_errors) - _SHOWN_REJECTIONS} more such values are not shown."


def live_edges(client: Client, fields: Collection[str] | None = None, concurrency: int = CONCURRENCY) -> list[State]:
    """Return the edges with these fields, or all, and with their routes, oldest first."""
    wires = reversed(listed_edges(client, fields, concurrency))
    return [state for wire in wires if (state := state_of(wire)) is not None]


def live_tls_edges(client: Client, ids: Sequence[str]) -> dict[str, dict[str, ModuleReading]]:
    """Return the traffic modules of TLS edges, by the ID of the edge."""
    return _by_id(lambda edge_id: read_modules(client, edge_id), ids)


def live_subscriptions(client: Client, ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the event types of event subscriptions, by the ID of the subscription."""
    return _by_id(lambda one: sorted(listed_sources(client, one, "event_subscriptions")), ids)


def _by_id(read: Callable[[str], Value], ids: Sequence[str]) -> dict[str, Value]:
    once = list(dict.fromkeys(ids))
    return dict(zip(once, run_in_parallel(read, once, CONCURRENCY)))


def _edges(states: Sequence[State]) -> list[dict[str, Any]]:
    served = Counter(hostport for state in states for hostport in state["hostports"])
    return [
        {
            **_identified(state, not state["hostports"] or any(served[one] > 1 for one in state["hostports"])),
            **_declared(HTTPS_EDGE, state),
            "routes": _routes([route for route in state["routes"] if route is not None]),
        }
        for state in states
    ]


def _routes(states: list[Any]) -> list[dict[str, Any]]:
    keys = [(state["match_type"], state["match"]) for state in states]
    counts = Counter(keys)
    return [
        {**_identified(state, not all(key) or counts[key] > 1), **_declared(HTTPS_EDGE_ROUTE, state)}
        for key, state in zip(keys, states)
    ]


def _identified(state: Any, is_needed: bool) -> dict[str, Any]:
    """Return the ID, if nothing else identifies the object."""
    return {"id": state["id"]} if is_needed else {}


def _tls_edge(edge_id: str, found: Mapping[str, ModuleReading]) -> dict[str, Any]:
    modules = {
        name: _declared(TLS_EDGE_MODULES[name], one.state) for name, one in found.items() if one.state is not None
    }
    return {"edge_id": edge_id, **modules}


def _declared(kind: Object, state: Any) -> dict[str, Any]:
    return without_secrets(kind, declaration(kind, state) or {})


DEFINITION = PluginDefinition(
    options={"objects": {"type": "list", "elements": "str", "default": []}, **LIVE_OPTIONS},
    option_errors=_option_errors,
    perform=_perform,
    writes=False,
)
