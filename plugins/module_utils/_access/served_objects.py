# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects without modules of their own that serve traffic, such as TLS edges and endpoints, as edges with routes. Pure.

The API reference only refers to them. Their collections and fields are those of the services that have them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .._errors import IngressError
from .._model.field import Field
from .._model.objects import Object
from .._model.schema import EDGE_MODULES, RESTRICTIONS, ROUTE_MODULES, TLS_EDGE_MODULES
from .._planning.changes import restricted
from .._planning.plan import Plan, State
from .._values.hostports import host_key
from .._values.json_strings import meaning
from .._values.kinds import Mark

_MODULES = {**EDGE_MODULES, **TLS_EDGE_MODULES, **ROUTE_MODULES}
_SERVED = ("backend", "ip_restriction", "mutual_tls", "tls_termination", "policy")
SERVED_OBJECT = Object(name="object", closed_by="backend", fields=tuple(Field(one, _MODULES[one]) for one in _SERVED))
_DECLARED = Object(fields=(Field("body", SERVED_OBJECT),))
TLS_EDGE = Object(fields=tuple(Field(name, kind) for name, kind in TLS_EDGE_MODULES.items()))

PORTS = {"https": 443, "http": 80, "tls": 443}


def served_state(wire: Mapping[str, Any]) -> State:
    """Return what counts of such an object, as returned or as declared. What has an unexpected form is unknown.

    An empty hostport stands for those that are not known. Services leave out what is empty, or return null for it.
    """
    state: State = {f.name: _module(f.name, wire.get(f.name)) for f in SERVED_OBJECT.fields if f.name != "policy"}
    if "url" in wire:
        # An endpoint leads to the agent that started it.
        state["backend"] = {"enabled": True, "backend_id": str(wire.get("id"))}
    url, hosts = wire.get("url"), wire.get("hostports")
    if url not in (None, ""):
        hosts = [_hostport(url) if isinstance(url, str) else url]
    found = hosts if isinstance(hosts, list) else [] if hosts is None else [None]
    known = {host_key(one) if isinstance(one, str) else "" for one in found}
    return {**state, "policy": _policy(wire.get("traffic_policy")), "hostports": sorted(known)}


def check_restrictions(plan: Plan) -> None:
    """Raise Contradiction if the plan of such an object sends a restriction that lets everyone in, and is new or has
    restricted somebody.

    What is sent replaces the current restriction as a whole, although only what is declared of it is compared.
    """
    sent = {name: value for operation in plan.operations for name, value in (operation.body or {}).items()}
    state = served_state(sent)
    named = [name for name in RESTRICTIONS if isinstance(sent.get(name), dict) and state[name] is not Mark.KEEP]
    after = {"body": {name: state[name] or SERVED_OBJECT.named[name].kind.normal({}) for name in named}}
    current = None if plan.before is None else served_state(plan.kind.shown(plan.before))
    before = current and {"body": {name: None if one is Mark.KEEP else one for name, one in current.items()}}
    target = replace(plan.target, kind=_DECLARED)
    changes = tuple(f"body.{name}" for name in named)
    restricted(replace(plan, target=target, before=before, after=after, changes=changes), after, allow_empty=False)


def _module(name: str, wire: Any) -> Any:
    kind: Any = SERVED_OBJECT.named[name].kind
    own = kind.named[next(f.name for f in kind.declarable if f.name != "enabled")]
    try:
        is_declared = isinstance(wire, dict) and (wire.get(own.name) is not None or own.response not in wire)
        if own.response and is_declared and own.name in wire:
            # A declaration has IDs where a response has Refs. Where it is shown, it may contain those of the service.
            return kind.predict(None, kind.normal({**wire, own.name: own.kind.read(wire[own.name], own.name)}))
        return kind.read(wire, name)
    except IngressError:
        return Mark.KEEP


def _policy(given: Any) -> Any:
    """Return the traffic policy, whose rules have forms of their own, as one that acts on requests."""
    is_off = isinstance(given, dict) and given.get("enabled") is False
    text = given.get("value", given) if isinstance(given, dict) else given
    if not text:
        return None
    text = text if isinstance(text, str) else json.dumps(text, sort_keys=True, default=str)
    return {"enabled": not is_off, "inbound": [{"actions": [meaning(text)]}], "outbound": []}


def _hostport(url: str) -> str:
    scheme, _slashes, address = url.rpartition("://")
    host = address.partition("/")[0]
    has_port = ":" in host and not host.endswith("]")
    return host if has_port else f"{host}:{PORTS.get(scheme.lower(), 443)}"
