# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules: what each of them means, why it matters, and how to fix it. docs/exposure_rules.md is made from this."""

from __future__ import annotations

from .finding import Rule
from .rules_of_backends import backends_open_elsewhere
from .rules_of_edges import mutual_tls_without_authorities, old_tls
from .rules_of_logins import (
    any_users_of_identity_providers,
    logins_for_everyone,
    plain_http_issuers,
    unauthenticated_preflights,
    webhooks_without_secret,
)
from .rules_of_routes import (
    credentials_in_headers,
    disabled_protections,
    holes_below_protected_prefixes,
    restrictions_without_policies,
    routes_without_backend,
)
from .rules_of_subscriptions import unheard_changes
from .rules_of_tunnels import service_ports_in_the_open

_EDGES, _TUNNELS, _SUBSCRIPTIONS = "https_edges", "tunnels", "event_subscriptions"

RULES = (
    Rule(
        "hole_below_protected_prefix",
        "high",
        _EDGES,
        holes_below_protected_prefixes,
        "A public route is below the prefix of a route that requires something, such as `/admin` below `/`.",
        "A protected prefix is usually meant to protect everything below it. A more specific route does not inherit "
        "its traffic modules.",
        "Declare the traffic modules of the outer route on this route as well.",
    ),
    Rule(
        "protection_disabled",
        "high",
        _EDGES,
        disabled_protections,
        "A traffic module that would restrict access is set but disabled, and nothing else restricts access.",
        "A protection that was disabled for a test is easily forgotten, and the configuration still looks protected.",
        "Enable the traffic module, or remove it if everyone is meant to get through.",
    ),
    Rule(
        "login_for_everyone",
        "high",
        _EDGES,
        logins_for_everyone,
        "An identity provider of `oauth` is used without any address, domain, team, or organization, and neither a "
        "certificate nor a network is required.",
        "Everyone can create an account at such a provider, so the login keeps nobody out.",
        "List those who may log in, for example in `email_domains`.",
    ),
    Rule(
        "webhook_without_secret",
        "high",
        _EDGES,
        webhooks_without_secret,
        "`webhook_verification` is enabled with an empty secret. Providers that sign with a certificate are exempt.",
        "Without the secret, requests of the provider cannot be distinguished from forged ones.",
        "Set the secret that the provider signs with.",
    ),
    Rule(
        "mutual_tls_without_authorities",
        "high",
        _EDGES,
        mutual_tls_without_authorities,
        "`mutual_tls` is enabled without certificate authorities.",
        "Nothing defines which clients are trusted. The service may accept any certificate, or none.",
        "List the certificate authorities of your clients in `certificate_authority_ids`.",
    ),
    Rule(
        "restriction_without_policies",
        "high",
        _EDGES,
        restrictions_without_policies,
        "`ip_restriction` is enabled without IP policies, on a route or on a TLS edge.",
        "Nothing defines which addresses are allowed. The service may accept all of them, or none.",
        "List the IP policies in `ip_policy_ids`.",
    ),
    Rule(
        "plain_http_issuer",
        "high",
        _EDGES,
        plain_http_issuers,
        "The issuer of `oidc` has a URL that starts with `http://`.",
        "An attacker in the network in between can present their own keys, and log in as any user.",
        "Use the `https` URL of the issuer.",
    ),
    Rule(
        "backend_open_elsewhere",
        "medium",
        _EDGES,
        backends_open_elsewhere,
        "A backend is protected on a route of one edge, and a public route of another edge leads to the same paths of "
        "it.",
        "Unless the backend itself distinguishes the host names, the public route bypasses the protection.",
        "Protect the public route as well, use another backend for it, or restrict it to paths that may be public.",
    ),
    Rule(
        "old_tls",
        "medium",
        _EDGES,
        old_tls,
        "`min_version` of `tls_termination` allows TLS 1.0, TLS 1.1, or SSL, on an HTTPS edge or on a TLS edge.",
        "These versions are considered broken, and no current client needs them.",
        "Require TLS 1.2 or newer, or an empty `min_version`, with which the service chooses a safe version.",
    ),
    Rule(
        "credential_in_header",
        "medium",
        _EDGES,
        credentials_in_headers,
        "`request_headers` or `response_headers` adds a header whose name is that of a credential, with a fixed value.",
        "Everyone who gets through uses this credential, and everyone who can read the configuration can read it.",
        "Let the backend authenticate the visitor, or restrict who gets through and who can read the configuration.",
    ),
    Rule(
        "service_port_in_the_open",
        "medium",
        _TUNNELS,
        service_ports_in_the_open,
        "A tunnel with a public address forwards to the usual port of a service for administrators or applications, "
        "such as SSH, RDP, a database, or Docker.",
        "Scanners find such ports within minutes, and no traffic modules of an edge protect them.",
        "Restrict the addresses in the configuration of the agent, or reach the service through a TLS edge with an IP "
        "restriction.",
    ),
    Rule(
        "any_user_of_idp",
        "low",
        _EDGES,
        any_users_of_identity_providers,
        "`saml` is enabled without `authorized_groups`, and neither a certificate nor a network is required.",
        "Every user that the identity provider lets in gets through, including guests and service accounts.",
        "List the groups in `authorized_groups`, unless the identity provider itself decides who may use this "
        "application.",
    ),
    Rule(
        "preflight_unauthenticated",
        "low",
        _EDGES,
        unauthenticated_preflights,
        "`options_passthrough` of a login is true, and neither a certificate nor a network is required.",
        "OPTIONS requests of everyone reach the backend, which must not do anything but respond.",
        "Set `options_passthrough: false`, unless browsers call the route from pages of another origin.",
    ),
    Rule(
        "route_without_backend",
        "low",
        _EDGES,
        routes_without_backend,
        "A route has no backend, and no policy with actions that could respond instead.",
        "The route takes requests that a less specific route would handle, and none of them reaches a backend.",
        "Declare `backend`, or delete the route.",
    ),
    Rule(
        "changes_unheard",
        "low",
        _SUBSCRIPTIONS,
        unheard_changes,
        "No event subscription that was read has an event source about API keys, credentials, certificate authorities, "
        "IP policies, or event subscriptions and their destinations.",
        "If somebody takes over the account and changes who gets in, nobody is notified.",
        "Add event sources such as `api_key_created.v0` and `ip_policy_updated.v0` to a subscription that people read.",
    ),
)

RULE_NAMES = tuple(rule.name for rule in RULES)
