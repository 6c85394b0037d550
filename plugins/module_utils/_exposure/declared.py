# SPDX-License-Identifier: GPL-3.0-or-later
"""Declarations, as `estate` accepts and `estate_info` returns them, as what new objects would be. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._access.parts import Part
from .._access.policies import Policies, rule_of
from .._access.served_objects import TLS_EDGE, served_state
from .._model.objects import Object
from .._model.protection import IP_POLICIES, IP_RULES, SERVING
from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE, TUNNEL
from .._planning.plan import State
from .._values.identifiers import PREFIX
from .._values.kinds import MASK, Mark
from .judged import Estate, Subject, https_edge, served_object, tls_edge, tunnel

Given = Mapping[str, Any]


def declared_estate(estate: Given, tunnels: Sequence[Given] | None = None) -> Estate:
    """Return a declared estate with tunnels as `tunnel_info` returns them; None if they were not read."""
    numbered = enumerate(estate.get("objects") or ())
    objects = [(f"objects[{number}]", one) for number, one in numbered if one.get("state") != "absent"]
    rules = [_fields(one) for _path, one in objects if one["collection"] == IP_RULES]
    policies = [one for _path, one in objects if one["collection"] == IP_POLICIES and not one.get("id")]
    parts = {name for name in ("https_edges", "tls_edges", "event_subscriptions") if estate.get(name) is not None}
    return Estate(
        edges=[_edge(f"https_edges[{number}]", one) for number, one in enumerate(estate.get("https_edges") or ())],
        tls_edges=[
            tls_edge(f"tls_edges[{number}]", _state(TLS_EDGE, one), str(one["edge_id"]))
            for number, one in enumerate(estate.get("tls_edges") or ())
        ],
        served=[
            served_object(path, served_state(_fields(one)), f"{one['collection']} {one['name']}", one.get("id"))
            for path, one in objects
            if one["collection"] in SERVING
        ],
        subscriptions={str(one["subscription_id"]): one["sources"] for one in estate.get("event_subscriptions") or ()},
        tunnels=read_tunnels(tunnels or ()),
        parts=frozenset(parts if tunnels is None else {*parts, "tunnels"}),
        ip_policies=Policies((Part([rule_of(one)]) for one in rules), (f"{PREFIX}{one['name']}" for one in policies)),
    )


def _fields(declared: Given) -> Given:
    return {**(declared.get("find_by") or {}), **(declared.get("body") or {})}


def read_tunnels(tunnels: Sequence[Given]) -> list[Subject]:
    """Return tunnels as `tunnel_info` returns them; what is missing is empty."""
    return [tunnel(f"tunnels[{number}]", TUNNEL.read(one, "")) for number, one in enumerate(tunnels)]


def _edge(path: str, given: Given) -> Subject:
    routes = given.get("routes")
    # One that exists keeps the hostports that are not declared.
    knows_hostports = not given.get("id") or given.get("hostports") is not None
    known = {"knows_routes": routes is not None, "knows_hostports": knows_hostports}
    return https_edge(path, _state(HTTPS_EDGE, given), map(_route, routes or ()), **known)


def _route(given: Given) -> State:
    state = _state(HTTPS_EDGE_ROUTE, given)
    declared = (given.get("webhook_verification") or {}).get("secret")
    if state["webhook_verification"] is not None and declared in (None, MASK):
        # An export contains no secrets, so an omitted one may exist.
        state["webhook_verification"] = {**state["webhook_verification"], "secret": Mark.UNKNOWN}
    return state


def _state(kind: Object, given: Given) -> State:
    """Return the normal form of a new object that is declared like this."""
    state: State = kind.predict(None, kind.normal(given))
    return {**state, "id": given.get("id") or ""}
