# SPDX-License-Identifier: GPL-3.0-or-later
"""The live configuration, in the format that `estate` accepts."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from .._definition import Client, Options, Outcome, PluginDefinition
from .._model.declaration import declaration
from .._model.free_form import OF_THE_SERVICE
from .._model.masking import WHOLE, Masks
from .._model.objects import Object
from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE, TLS_EDGE_MODULES
from .._model.traffic_rules import has_other_rules
from .._objects import live_estate
from .._objects.collection_of_objects import check_identified, collection_errors, listed_objects, whole_objects
from .._objects.estate_options import estate_errors
from .._objects.https_edges import OTHER_RULES, live_edges, policies_with_other_rules
from .._objects.object_errors import own_module_errors
from .._objects.tls_edges import edge_doubt, read_modules
from .._planning.object_export import exported_objects, with_references
from .._planning.plan import State
from .._values.kinds import MASK
from .._values.option_error import OptionError, OptionErrors, join, list_of

_ADVICE = (
    f" {OTHER_RULES} If you declare it as it is, the service keeps them. Before you change the policy, or create its "
    "route again, add these rules as `inbound` and `outbound`."
)
_SECRET = "contains a secret of this task"
_NEEDED = (*OF_THE_SERVICE, "updated_at", "edge_id", "match_type", "match")
_SHOWN_REJECTIONS = 20


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from live_estate.live_errors(options, check_mode)
    for number, collection in enumerate(list_of(options.get("objects"))):
        yield from collection_errors(collection, f"objects[{number}]")
        yield from own_module_errors(collection, f"objects[{number}]")
        if collection == "tunnels":
            text = "nobody can create or change tunnels, so they cannot be declared; use `edgeops.ingress.tunnel_info`"
            yield OptionError(f"objects[{number}]", text)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    started = live_estate.collected_at()
    estate: dict[str, Any] = {}
    left_out: list[str] = []
    readable = partial(_without_secrets, client.masks, left_out)
    edges = live_edges(client) if options["https_edges"] else []
    if options["https_edges"]:
        edges = [_with_routes(readable, edge, f"https_edges[{number}]") for number, edge in enumerate(edges)]
        estate["https_edges"] = _edges(edges)
    tls_edges = live_estate.by_id(partial(read_modules, client), options["tls_edges"])
    if tls_edges:
        estate["tls_edges"] = [_tls_edge(edge_id, states) for edge_id, (states, _is_found) in tls_edges.items()]
    not_found = [edge_id for edge_id, (_states, is_found) in tls_edges.items() if not is_found]
    if options["event_subscriptions"]:
        estate["event_subscriptions"] = [
            {"subscription_id": subscription_id, "sources": types}
            for subscription_id, types in live_estate.live_subscriptions(client, options["event_subscriptions"]).items()
        ]
    if options["objects"]:
        number, lists = itertools.count(), live_estate.by_id(partial(_objects, client), options["objects"])
        lists = {one: [readable(wire, f"objects[{next(number)}]") for wire in lists[one]] for one in lists}
        objects, names = exported_objects(lists, _declared_elsewhere(estate))
        estate = {"objects": objects, **with_references(estate, names)}
    masked = _masked_paths(estate, client.masks.value(estate))
    return Outcome(
        objects={"estate": estate, "tls_edges_not_found": not_found, **started},
        warnings=[
            *map(edge_doubt, not_found),
            *(f"{path}{_ADVICE}" for path in policies_with_other_rules(edges)),
            *(f"{path} {_SECRET}, so it is left out. If you declare the result, it stays." for path in left_out),
            *(f"{path} {_SECRET}, which is masked. Correct the value before you apply the result." for path in masked),
            *_rejection_warnings(estate, check_mode),
        ],
    )


def _objects(client: Client, collection: str) -> list[dict[str, Any]]:
    """Return the objects of a collection, oldest first."""
    wires = whole_objects(client, collection, listed_objects(client, collection)[::-1])
    for wire in wires:
        check_identified(wire, collection)
    return wires


def _without_secrets(masks: Masks, left_out: list[str], one: dict[str, Any], path: str) -> dict[str, Any]:
    """Return a live object without its strings that contain a secret of the task. Declared, a mask would replace them.

    What is not declared of an object stays as it is. What identifies it is needed.
    """
    strings = {name: value for name, value in one.items() if isinstance(value, str) and name not in _NEEDED}
    names = list(_masked_paths(strings, masks.value(strings)))
    left_out += [join(path, name) for name in names]
    return {**one, **dict.fromkeys(names, "")}


def _with_routes(readable: Callable[[State, str], State], edge: State, path: str) -> State:
    own = readable(edge, path)
    return {**own, "routes": [readable(one, f"{path}.routes[{number}]") for number, one in enumerate(edge["routes"])]}


def _masked_paths(value: Any, shown: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of the strings that are masked where the value is shown."""
    if isinstance(value, dict) and value != shown:
        for (name, member), other in zip(value.items(), shown.values()):
            yield from _masked_paths(member, other, join(path, name))
    elif isinstance(value, list) and value != shown:
        for number, (member, other) in enumerate(zip(value, shown)):
            yield from _masked_paths(member, other, f"{path}[{number}]")
    elif value != shown and (shown == WHOLE or MASK in str(shown)):
        yield path


def _declared_elsewhere(estate: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the fields of objects, by ID, that other parts of the export declare."""
    modules = {edge["edge_id"]: tuple(TLS_EDGE_MODULES) for edge in estate.get("tls_edges", ())}
    return {**modules, **{one["subscription_id"]: ("sources",) for one in estate.get("event_subscriptions", ())}}


def _rejection_warnings(estate: dict[str, Any], check_mode: bool) -> Iterator[str]:
    """Yield a warning for each current value that cannot be declared, so that applying the export fails."""
    option_errors = list(estate_errors(estate, check_mode)) if estate else []
    for option_error in option_errors[:_SHOWN_REJECTIONS]:
        yield f"The service holds a value that the module estate does not accept: {option_error}."
    if len(option_errors) > _SHOWN_REJECTIONS:
        yield f"{len(option_errors) - _SHOWN_REJECTIONS} more such values are not shown."


def _edges(states: Sequence[State]) -> list[dict[str, Any]]:
    served = Counter(hostport for state in states for hostport in state["hostports"])
    edges = []
    for state in states:
        needs_id = not state["hostports"] or any(served[one] > 1 for one in state["hostports"])
        edges.append({**_declared(HTTPS_EDGE, state, needs_id), "routes": _routes(state["routes"])})
    return edges


def _routes(states: list[Any]) -> list[dict[str, Any]]:
    keys = [(state["match_type"], state["match"]) for state in states]
    counts = Counter(keys)
    routes = [_declared(HTTPS_EDGE_ROUTE, state, not all(key) or counts[key] > 1) for key, state in zip(keys, states)]
    for route, state in zip(routes, states):
        if has_other_rules(state["policy"]) and not any(map(state["policy"].get, ("enabled", "inbound", "outbound"))):
            # This alone keeps the rules, also if something else changes.
            route["policy"] = {"enabled": False}
    return routes


def _tls_edge(edge_id: str, states: Mapping[str, State | None]) -> dict[str, Any]:
    modules = {name: _declared(TLS_EDGE_MODULES[name], one) for name, one in states.items() if one is not None}
    return {"edge_id": edge_id, **modules}


def _declared(kind: Object, state: Any, needs_id: bool = False) -> dict[str, Any]:
    """Return the declaration of an object, with its ID if nothing else identifies it."""
    own_id = {"id": state["id"]} if needs_id else {}
    return {**own_id, **(declaration(kind, state, with_secrets=False) or {})}


DEFINITION = PluginDefinition(
    options={"objects": {"type": "list", "elements": "str", "default": []}, **live_estate.LIVE_OPTIONS},
    option_errors=_option_errors,
    perform=_perform,
    writes=False,
)
