# SPDX-License-Identifier: GPL-3.0-or-later
"""A world with everything that can be declared, richly filled, and the same world after changes."""

from __future__ import annotations

from typing import Any

from reference_fields import EDGE as EDGE_MODULES
from reference_fields import EDGE_ITSELF, ROUTE, ROUTE_ITSELF, all_declared, declared
from reference_fields import TLS_EDGE as TLS_MODULES

EDGE = "edghts_world"
TLS_EDGE = "edgtls_world"
SUBSCRIPTION = "esb_world"
HOSTPORTS = ["Www.Example.com:443", "api.example.com:8443"]

SEED: dict[str, Any] = {
    "https_edges": [
        {"id": EDGE, "hostports": HOSTPORTS},
        {"id": "edghts_other", "hostports": ["other.example.com:443"]},
    ],
    "tls_edges": [{"id": TLS_EDGE}],
    "event_subscriptions": [{"id": SUBSCRIPTION, "sources": ["domain_created.v0"]}],
}

FIRST = all_declared(ROUTE, "first")
CHANGED = all_declared(ROUTE, "changed")
AUTH_MODULES = ("oauth", "oidc", "saml")


def _together(modules: dict[str, dict[str, Any]], auth_module: str) -> dict[str, Any]:
    return {name: options for name, options in modules.items() if name == auth_module or name not in AUTH_MODULES}


def _world(which: str, modules: dict[str, dict[str, Any]], names: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    edge = {**declared(EDGE_ITSELF, which), **all_declared(EDGE_MODULES, which)}
    route = {"edge_id": EDGE, "match_type": "path_prefix", "allow_empty": True, **declared(ROUTE_ITSELF, which)}
    tls = all_declared(TLS_MODULES, which)
    return [
        ("https_edge", {"id": EDGE, **names, **edge}),
        *(("https_edge_route", {**route, "match": f"/{name}", **_together(modules, name)}) for name in AUTH_MODULES),
        ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, **tls["ip_restriction"], "allow_empty": True}),
        ("tls_edge_tls_termination", {"edge_id": TLS_EDGE, **tls["tls_termination"]}),
    ]


def _source(event_type: str, state: str) -> tuple[str, dict[str, Any]]:
    return "event_source", {"subscription_id": SUBSCRIPTION, "type": event_type, "state": state}


FIRST_WORLD: list[tuple[str, dict[str, Any]]] = [
    *_world("first", FIRST, {"hostports": HOSTPORTS[::-1]}),
    _source("ip_policy_created.v0", "present"),
]

CHANGED_WORLD: list[tuple[str, dict[str, Any]]] = [
    *_world("changed", CHANGED, {"hostports": [HOSTPORTS[0], "new.example.com:443"], "purge_hostports": True}),
    _source("domain_created.v0", "absent"),
]


def _bare(module: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The task that removes the traffic modules of another one."""
    place = {name: options[name] for name in ("id", "edge_id", "match_type", "match") if name in options}
    return module, {**place, **({"state": "absent"} if module.startswith("tls") else {"purge_modules": True})}


BARE_WORLD = [*(_bare(*task) for task in FIRST_WORLD[:-1]), _source("ip_policy_created.v0", "absent")]
