# SPDX-License-Identifier: GPL-3.0-or-later
"""What routes and edges have, as it is declared: where a route leads, and what its visitors need."""

from __future__ import annotations

from typing import Any


def module(**settings: Any) -> dict[str, Any]:
    return {"enabled": True, **settings}


def to(backend: str, **locks: Any) -> dict[str, Any]:
    """What a route has that leads to a backend."""
    return {"backend": module(backend_id=backend), **locks}


def network(*ids: str) -> dict[str, Any]:
    return {"ip_restriction": module(ip_policy_ids=list(ids))}


def oauth(**settings: Any) -> dict[str, Any]:
    return {"oauth": module(provider={"google": settings})}


def oidc(issuer: str, **settings: Any) -> dict[str, Any]:
    return {"oidc": module(issuer=f"https://{issuer}.example.com", client_id="app", client_secret="shared", **settings)}


def saml(metadata: str, *groups: str) -> dict[str, Any]:
    return {"saml": module(idp_metadata=f"<{metadata}/>", authorized_groups=list(groups))}


def signature(provider: str) -> dict[str, Any]:
    return {"webhook_verification": module(provider=provider, secret="shared")}


def actions(*names: str) -> dict[str, Any]:
    rules = [{"name": name, "expressions": [], "actions": [{"type": "deny", "config": {}}]} for name in names]
    return {"policy": module(inbound=rules, outbound=[])}


def disabled(state: dict[str, Any]) -> dict[str, Any]:
    return {name: {**settings, "enabled": False} for name, settings in state.items()}


def certificates(*ids: str) -> dict[str, Any]:
    return {"mutual_tls": module(certificate_authority_ids=list(ids))} if ids else {}
