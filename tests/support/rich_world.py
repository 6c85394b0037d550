# SPDX-License-Identifier: GPL-3.0-or-later
"""A world with everything that can be declared, richly filled, and the same world after changes."""

from __future__ import annotations

from typing import Any

import reference_fields
from reference_fields import changed_values, first_values

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

FIRST = first_values(reference_fields.ROUTE)
CHANGED = changed_values(reference_fields.ROUTE)
AUTH_MODULES = ("oauth", "oidc", "saml")


def _together(modules: dict[str, dict[str, Any]], auth_module: str) -> dict[str, Any]:
    """All modules that some service lets be on one route."""
    return {name: options for name, options in modules.items() if name == auth_module or name not in AUTH_MODULES}


def _world(modules: dict[str, dict[str, Any]], text: str, edge: dict[str, Any], tls: dict[str, dict[str, Any]]) -> Any:
    routes = {f"/{name}": _together(modules, name) for name in AUTH_MODULES}
    text_fields = {"description": text, "metadata": {"text": text}}
    return [
        ("https_edge", {"id": EDGE, **text_fields, **edge}),
        *(
            (
                "https_edge_route",
                {"edge_id": EDGE, "match_type": "path_prefix", "match": match, **text_fields, **options},
            )
            for match, options in routes.items()
        ),
        ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, **tls["ip_restriction"]}),
        ("tls_edge_tls_termination", {"edge_id": TLS_EDGE, **tls["tls_termination"]}),
    ]


def _source(event_type: str, state: str) -> tuple[str, dict[str, Any]]:
    return "event_source", {"subscription_id": SUBSCRIPTION, "type": event_type, "state": state}


FIRST_WORLD: list[tuple[str, dict[str, Any]]] = [
    *_world(
        FIRST,
        "first é",
        {"hostports": HOSTPORTS[::-1], **first_values(reference_fields.EDGE)},
        first_values(reference_fields.TLS_EDGE),
    ),
    _source("ip_policy_created.v0", "present"),
]

CHANGED_WORLD: list[tuple[str, dict[str, Any]]] = [
    *_world(
        CHANGED,
        "",
        {
            "hostports": [HOSTPORTS[0], "new.example.com:443"],
            "purge_hostports": True,
            **changed_values(reference_fields.EDGE),
        },
        changed_values(reference_fields.TLS_EDGE),
    ),
    _source("domain_created.v0", "absent"),
]

BARE_WORLD: list[tuple[str, dict[str, Any]]] = [
    *(
        (
            module,
            {**{name: options[name] for name in ("id", "edge_id", "match_type", "match") if name in options}, **bare},
        )
        for module, options in FIRST_WORLD
        for bare in [{"state": "absent"} if module.startswith("tls") else {"purge_modules": True}]
        if module != "event_source"
    ),
    _source("ip_policy_created.v0", "absent"),
]
