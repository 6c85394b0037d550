# SPDX-License-Identifier: GPL-3.0-or-later
"""A world with everything that can be declared, richly filled, and the same world after changes."""

from __future__ import annotations

from typing import Any

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

FIRST: dict[str, dict[str, Any]] = {
    "backend": {"backend_id": "bkd_one"},
    "ip_restriction": {"ip_policy_ids": ["ipp_one", "ipp_two"]},
    "circuit_breaker": {
        "tripped_duration": 30,
        "rolling_window": 60,
        "num_buckets": 128,
        "volume_threshold": 0,
        "error_threshold_percentage": 1,
    },
    "compression": {"enabled": True},
    "request_headers": {"add": {"X-One": "1", "x-two": "Two"}, "remove": ["X-Three", "x-FOUR"]},
    "response_headers": {"add": {"X-Frame-Options": "DENY"}, "remove": ["Server"]},
    "webhook_verification": {"provider": "slack", "secret": "whsec_one"},
    "oauth": {
        "provider": {
            "github": {
                "client_id": "client",
                "client_secret": "oauth_secret_one",
                "scopes": ["repo", "user"],
                "email_addresses": ["a@example.com"],
                "email_domains": ["example.com", "example.org"],
                "teams": ["org/one", "org/two"],
                "organizations": ["org"],
            }
        },
        "options_passthrough": True,
        "cookie_prefix": "mine.",
        "inactivity_timeout": 60,
        "maximum_duration": 3600,
        "auth_check_interval": 2**32 - 1,
    },
    "saml": {
        "idp_metadata": "<EntityDescriptor>é</EntityDescriptor>",
        "force_authn": True,
        "allow_idp_initiated": False,
        "authorized_groups": ["staff", "admins"],
        "nameid_format": "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
        "maximum_duration": 60,
    },
    "oidc": {
        "issuer": "https://id.example.com",
        "client_id": "client",
        "client_secret": "oidc_secret_one",
        "scopes": ["openid", "profile"],
        "cookie_prefix": "oidc.",
    },
    "websocket_tcp_converter": {"enabled": False},
    "user_agent_filter": {"allow": ["Mozilla", "curl"], "deny": ["wget"]},
    "policy": {
        "inbound": {
            "name": "one rule",
            "expressions": ["req.method == 'GET'", "conn.client_ip != '::1'"],
            "actions": {"type": "deny", "config": {"status_code": 403, "why": ["a", "b"]}},
        },
        "outbound": [
            {"expressions": ["true"], "actions": [{"type": "log"}, {"type": "add-headers", "config": {"a": {}}}]}
        ],
    },
}

CHANGED: dict[str, dict[str, Any]] = {
    "backend": {"backend_id": "bkd_two", "enabled": False},
    "ip_restriction": {"ip_policy_ids": ["ipp_three"]},
    "circuit_breaker": {"num_buckets": 1, "error_threshold_percentage": 0.25},
    "compression": {"enabled": False},
    "request_headers": {"add": {"X-One": "one"}},
    "response_headers": {"remove": ["Server", "X-Powered-By"]},
    "webhook_verification": {"provider": "stripe", "secret": "whsec_two"},
    "oauth": {"provider": {"google": {"email_domains": ["example.net"]}}, "maximum_duration": 0},
    "saml": {"idp_metadata": "<Other/>", "authorized_groups": []},
    "oidc": {"issuer": "https://new.example.com", "client_id": "new", "client_secret": "oidc_secret_two", "scopes": []},
    "websocket_tcp_converter": {"enabled": True},
    "user_agent_filter": {"deny": ["wget", "nc"], "enabled": False},
    "policy": {"outbound": {"name": "another", "actions": [{"type": "deny"}]}},
}

AUTH_MODULES = ("oauth", "oidc", "saml")


def _together(modules: dict[str, dict[str, Any]], auth_module: str) -> dict[str, Any]:
    """All modules that some service lets be on one route."""
    return {name: options for name, options in modules.items() if name == auth_module or name not in AUTH_MODULES}


def _world(modules: dict[str, dict[str, Any]], text: str, edge: dict[str, Any], tls: list[dict[str, Any]]) -> Any:
    routes = {f"/{name}": _together(modules, name) for name in AUTH_MODULES}
    texts = {"description": text, "metadata": {"text": text}}
    return [
        ("https_edge", {"id": EDGE, **texts, **edge}),
        *(
            ("https_edge_route", {"edge_id": EDGE, "match_type": "path_prefix", "match": match, **texts, **options})
            for match, options in routes.items()
        ),
        ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, **tls[0]}),
        ("tls_edge_tls_termination", {"edge_id": TLS_EDGE, **tls[1]}),
    ]


def _source(event_type: str, state: str) -> tuple[str, dict[str, Any]]:
    return "event_source", {"subscription_id": SUBSCRIPTION, "type": event_type, "state": state}


FIRST_WORLD: list[tuple[str, dict[str, Any]]] = [
    *_world(
        FIRST,
        "first é",
        {
            "hostports": HOSTPORTS[::-1],
            "mutual_tls": {"certificate_authority_ids": ["ca_one", "ca_two"]},
            "tls_termination": {"min_version": "1.3"},
        },
        [{"ip_policy_ids": ["ipp_one", "ipp_two"]}, {"terminate_at": "edge", "min_version": "1.3"}],
    ),
    _source("ip_policy_created.v0", "present"),
]

CHANGED_WORLD: list[tuple[str, dict[str, Any]]] = [
    *_world(
        CHANGED,
        "",
        {
            "hostports": [HOSTPORTS[0], "new.example.com:443"],
            "mutual_tls": {"certificate_authority_ids": ["ca_three"], "enabled": False},
            "tls_termination": {"enabled": False},
        },
        [{"ip_policy_ids": []}, {"terminate_at": "upstream"}],
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
