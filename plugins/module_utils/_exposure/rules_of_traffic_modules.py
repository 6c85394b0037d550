# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about how traffic modules are set: whom they really keep out, and what they add or lack. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from .._access.locks import lacks_secret
from .._access.parts import START
from .._model.identity_providers import unrestricted
from .._model.named_secrets import is_secret_name
from .._model.schema import ROUTE_MODULES
from .._values.kinds import Mark
from .finding import Hit, Hits, rule
from .judged import Estate, NotJudged, Subject

_STRONGER = {"certificate", "network"}
"""What keeps out strangers even if everyone can log in."""


@rule(
    "high",
    why="Everyone can create an account at such a provider, so the login keeps nobody out.",
    fix="List those who may log in, for example in `email_domains`.",
)
def login_for_everyone(estate: Estate) -> Hits:
    """An identity provider of `oauth` is used without any address, domain, team, or organization, and neither a
    certificate nor a network is required.
    """
    kind: Any = ROUTE_MODULES["oauth"].named["provider"].kind
    for route, oauth in _with("oauth", _reachable_by_strangers(estate)):
        providers = oauth["provider"]
        for name in unrestricted(kind, providers) if providers else ():
            message = f"Everyone who has an account at {name} can log in."
            yield Hit(route, f"oauth.provider.{name}", message)
        if unclear := sorted(getattr(providers, "unclear", ())):
            why = f"The service does not show whether the identity providers {', '.join(unclear)} are in use."
            yield route.not_judged("oauth.provider", why)


@rule(
    "high",
    why="Without the secret, requests of the provider cannot be distinguished from forged ones.",
    fix="Set the secret that the provider signs with.",
)
def webhook_without_secret(estate: Estate) -> Hits:
    """`webhook_verification` is enabled with an empty secret. Providers that sign with a certificate are exempt."""
    for route, webhook in _with("webhook_verification", estate.open_routes):
        if not lacks_secret({**webhook, "secret": ""}):
            continue
        if webhook["secret"] is Mark.UNKNOWN:
            why = "Nothing shows whether there is a secret: services can hide it, and exports omit it."
            yield route.not_judged("webhook_verification.secret", why)
        elif lacks_secret(webhook):
            message = "webhook_verification is enabled without a secret, so nobody's signature can be verified."
            yield Hit(route, "webhook_verification.secret", message)


@rule(
    "high",
    why="Nothing defines who may get in. The service may accept everyone, or nobody.",
    fix="List those who may get in.",
)
def restriction_without_entries(estate: Estate) -> Iterator[Hit]:
    """A traffic module that admits only those whom it lists, such as `mutual_tls` or `ip_restriction`, is enabled with
    an empty list.
    """
    for subject in (*estate.edges, *estate.open_routes, *estate.without_routes):
        for name in subject.hollow:
            module: Any = subject.table.named[name].kind
            lists = [f.name for f in module.fields if f.restricts]
            if lists and not any(f.required for f in module.fields):
                message = f"{name} is enabled without any entry in {' or '.join(lists)}."
                yield Hit(subject, f"{name}.{lists[0]}", message)


@rule(
    "high",
    why="The restriction looks like a protection, but keeps out hardly anybody.",
    fix="Allow only the networks of those who may get in, or remove the restriction if everyone is meant to.",
)
def policy_allows_everyone(estate: Estate) -> Hits:
    """`ip_restriction` is enabled with an IP policy, or with several together, whose rules let more than half of the
    public IPv4 or IPv6 addresses through.
    """
    restricted = list(_with("ip_restriction", (*estate.open_routes, *estate.without_routes)))
    policies = dict.fromkeys(one for _subject, restriction in restricted for one in restriction["ip_policy_ids"])
    known = {one for one in policies if estate.ip_policies.knows(one)}
    admitting = cache(lambda listed: _admitting_everyone(estate, listed))
    for subject, restriction in restricted:
        if everywhere := admitting(tuple(sorted(known & set(restriction["ip_policy_ids"])))):
            named = f"IP polic{'y' if len(everywhere) == 1 else 'ies'} {' and '.join(everywhere)}"
            message = f"The rules of the {named} let almost everyone through."
            yield Hit(subject, "ip_restriction.ip_policy_ids", message, cause=" ".join(everywhere))
    for policy in (one for one in policies if one not in known):
        why = "Not all of its rules are known. It is assumed that they do not let everyone through."
        yield NotJudged(f"IP policy {policy}", "objects", why)


def _admitting_everyone(estate: Estate, policies: Sequence[str]) -> list[str]:
    """Return the policies that let most addresses of the internet through: each of them, or all of them together."""

    def admit(*ids: str) -> bool:
        return estate.ip_policies.addresses(frozenset(ids), START).is_almost_everybody

    # It is not known on which services what one policy denies counts if another one allows it.
    return [one for one in policies if admit(one)] or (list(policies) if admit(*policies) else [])


@rule(
    "high",
    why="An attacker in the network in between can present their own keys, and log in as any user.",
    fix="Use the `https` URL of the issuer.",
)
def plain_http_issuer(estate: Estate) -> Iterator[Hit]:
    """The issuer of `oidc` has a URL that starts with `http://`."""
    for route, oidc in _with("oidc", estate.open_routes):
        if oidc["issuer"].strip().lower().startswith("http://"):
            message = "The issuer is contacted over HTTP without TLS."
            encrypted = f"https://{oidc['issuer'].strip()[len('http://') :]}"
            yield Hit(route, "oidc.issuer", message, {"oidc": {"issuer": encrypted}}, cause=oidc["issuer"])


_VERSION = re.compile(
    r"(?P<before>(?:(?:tls|(?P<ssl>ssl))[ _-]?v?)?)(?P<major>\d)(?:(?P<between>[._]?)(?P<minor>\d))?", re.IGNORECASE
)
_LEAST = (1, 2)


@rule(
    "medium",
    why="These versions are considered broken, and no current client needs them.",
    fix="Require TLS 1.2 or newer, or an empty `min_version`, with which the service chooses a safe version.",
)
def old_tls(estate: Estate) -> Hits:
    """`min_version` of `tls_termination` allows TLS 1.0, TLS 1.1, or SSL, on an HTTPS edge or on a TLS edge."""
    for subject, termination in _with("tls_termination", (*estate.edges, *estate.without_routes)):
        given = termination["min_version"]
        if not given:
            continue  # The service chooses a safe version.
        found = _VERSION.fullmatch(given.strip())
        option = "tls_termination.min_version"
        if found is None:
            yield subject.not_judged(option, "The API does not list the TLS versions, and this one is not understood.")
            continue
        is_ssl, version = bool(found["ssl"]), (int(found["major"]), int(found["minor"] or 0))
        if is_ssl or version < _LEAST:
            message = f"Clients can connect with {given}, which is obsolete."
            # Spelled like the given one, if possible. Empty stands for the choice of the service.
            oldest = f"{found['before']}{_LEAST[0]}{found['between']}{_LEAST[1]}"
            fix_options = {"tls_termination": {"min_version": "" if is_ssl or not found["minor"] else oldest}}
            yield Hit(subject, option, message, fix_options, degree=(int(is_ssl), -version[0], -version[1]))


_NOT_A_CREDENTIAL = re.compile(r"set-cookie|.*(?:csrf|xsrf)[-_]?token", re.IGNORECASE)

_COMPUTED = "${"
"""Begins a variable, so the value is computed for each request."""


@rule(
    "medium",
    why="Everyone who gets through uses this credential, and everyone who can read the configuration can read it.",
    fix="Let the backend authenticate the visitor, or restrict who gets through and who can read the configuration.",
)
def credential_in_header(estate: Estate) -> Hits:
    """`request_headers` or `response_headers` adds a header whose name is that of a credential, with a fixed value."""
    for route in estate.open_routes:
        for name, target in (("request_headers", "each request"), ("response_headers", "each response")):
            module = route.enabled(name)
            added = module["add"] if module else {}
            for header in (one for one in added if is_secret_name(one) and not _NOT_A_CREDENTIAL.fullmatch(one)):
                everyone = ", and everyone gets through" if route.is_open else ""
                message = f"The header {header}, which is added to {target}, looks like a credential{everyone}."
                if added[header] is Mark.UNKNOWN:
                    yield route.not_judged(f"{name}.add.{header}", "Its value is masked, and may be computed.")
                elif added[header] and _COMPUTED not in added[header]:
                    yield Hit(route, f"{name}.add.{header}", message)


@rule(
    "low",
    why="Every user that the identity provider lets in gets through, including guests and service accounts.",
    fix=(
        "List the groups in `authorized_groups`, unless the identity provider itself decides who may use this "
        "application."
    ),
)
def any_user_of_idp(estate: Estate) -> Iterator[Hit]:
    """`saml` is enabled without `authorized_groups`, and neither a certificate nor a network is required."""
    for route, saml in _with("saml", _reachable_by_strangers(estate)):
        if not any(saml["authorized_groups"]) and "saml" not in route.hollow:
            message = "Every user of the identity provider can log in, because there are no authorized groups."
            yield Hit(route, "saml.authorized_groups", message)


@rule(
    "low",
    why="OPTIONS requests of everyone reach the backend, which must not do anything but respond.",
    fix="Set `options_passthrough: false`, unless browsers call the route from pages of another origin.",
)
def preflight_unauthenticated(estate: Estate) -> Iterator[Hit]:
    """`options_passthrough` of a login is true, and neither a certificate nor a network is required."""
    for route in _reachable_by_strangers(estate):
        for name in route.table.exclusive:
            if (route.enabled(name) or {}).get("options_passthrough"):
                message = f"OPTIONS requests reach the backend without a login, because of {name}.options_passthrough."
                fix_options = {name: {"options_passthrough": False}}
                yield Hit(route, f"{name}.options_passthrough", message, fix_options)


@rule(
    "low",
    why="The route takes requests that a less specific route would handle, and none of them reaches a backend.",
    fix="Declare `backend`, or delete the route.",
)
def route_without_backend(estate: Estate) -> Iterator[Hit]:
    """A route has no backend, and no policy with actions that could respond instead."""
    for route in estate.routes:
        # A policy may respond to requests itself.
        if route.is_closed and not route.backend_id and not route.has_actions:
            yield Hit(route, "backend", "The route has no backend, so requests for it lead nowhere.")


def _with(module: str, subjects: Iterable[Subject]) -> Iterator[tuple[Subject, Mapping[str, Any]]]:
    """Yield the objects on which this traffic module is enabled, with its settings."""
    for subject in subjects:
        if (settings := subject.enabled(module)) is not None:
            yield subject, settings


def _reachable_by_strangers(estate: Estate) -> list[Subject]:
    """Return the routes that rely on the login. A policy might admit only some of those who can log in."""
    return [one for one in estate.open_routes if _STRONGER.isdisjoint(one.required) and not one.has_actions]
