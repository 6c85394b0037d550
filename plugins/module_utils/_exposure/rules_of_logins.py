# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about logins and signed requests of routes: whom they really keep out. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .._model.kinds import Mark
from .._model.objects import Object
from .access import lacks_secret
from .finding import Hit, Hits, not_judged
from .subjects import Estate, Route

_STRONGER = {"certificate", "network"}
"""What keeps out strangers even if everyone can log in."""


def logins_for_everyone(estate: Estate) -> Hits:
    for route in _reachable_by_strangers(estate):
        oauth = route.enabled("oauth")
        providers = oauth["provider"] if oauth else None
        for name, provider in (providers or {}).items():
            if provider is not None and not _restricts(route, name, provider):
                message = f"Everyone who has an account at {name} can log in."
                yield Hit(route, f"oauth.provider.{name}", message)
        if unclear := sorted(getattr(providers, "unclear", ())):
            why = f"The service does not show whether the identity providers {', '.join(unclear)} are in use."
            yield not_judged(route, "oauth.provider", why)


def _restricts(route: Route, name: str, provider: Mapping[str, Any]) -> bool:
    """Return whether a provider in use admits only some of its users."""
    kind: Any = route.table.named["oauth"].kind
    table: Object = kind.named["provider"].kind.named[name].kind
    return any(any(provider[f.name]) for f in table.fields if f.restricts)


def any_users_of_identity_providers(estate: Estate) -> Iterator[Hit]:
    for route in _reachable_by_strangers(estate):
        saml = route.enabled("saml")
        if saml is not None and not any(saml["authorized_groups"]) and "saml" not in route.hollow:
            message = "Every user of the identity provider can log in, because there are no authorized groups."
            yield Hit(route, "saml.authorized_groups", message)


def plain_http_issuers(estate: Estate) -> Iterator[Hit]:
    for route in _open_to_somebody(estate):
        oidc = route.enabled("oidc")
        if oidc is not None and oidc["issuer"].strip().lower().startswith("http://"):
            message = "The issuer is contacted over HTTP without TLS."
            yield Hit(route, "oidc.issuer", message, cause=oidc["issuer"])


def unauthenticated_preflights(estate: Estate) -> Iterator[Hit]:
    for route in _reachable_by_strangers(estate):
        for name in route.table.exclusive:
            login = route.enabled(name)
            if login is not None and login["options_passthrough"]:
                message = f"OPTIONS requests reach the backend without a login, because of {name}.options_passthrough."
                fix_options = {name: {"options_passthrough": False}}
                yield Hit(route, f"{name}.options_passthrough", message, fix_options)


def webhooks_without_secret(estate: Estate) -> Hits:
    for route in _open_to_somebody(estate):
        webhook = route.enabled("webhook_verification")
        if webhook is None or not lacks_secret({**webhook, "secret": ""}):
            continue
        if webhook["secret"] is Mark.UNKNOWN:
            why = "Nothing shows whether there is a secret: services can hide it, and exports omit it."
            yield not_judged(route, "webhook_verification.secret", why)
        elif lacks_secret(webhook):
            message = "webhook_verification is enabled without a secret, so nobody's signature can be verified."
            yield Hit(route, "webhook_verification.secret", message)


def _open_to_somebody(estate: Estate) -> Iterator[Route]:
    return (route for route in estate.routes if not route.is_closed)


def _reachable_by_strangers(estate: Estate) -> Iterator[Route]:
    """Yield the routes that rely on the login. A policy might admit only some of those who can log in."""
    for route in _open_to_somebody(estate):
        if _STRONGER.isdisjoint(route.required) and not route.has_actions:
            yield route
