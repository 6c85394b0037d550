# SPDX-License-Identifier: GPL-3.0-or-later
"""All fields of all resources and modules: API reference, sections 2.1 to 2.6, with the limits of section 8.

Argument specs, checks, request bodies, comparison, and masks are derived from these tables. A new field is a line here,
a new module of routes an entry in ROUTE_MODULES. docs/contributing/extending.md lists the other files to edit.
"""

from __future__ import annotations

import re
from dataclasses import replace

from .._values import identifiers
from .._values.hostports import Hostports
from .._values.identifiers import IP_POLICY_PREFIX, KINDS
from .._values.kinds import Boolean, Fraction, Integer, Seconds, StringSet, Text, TextOfFile
from .field import Field
from .identity_providers import IdentityProviders
from .named_strings import Headers, Metadata, Secret, string_map_in
from .objects import Object
from .references import Listing, OnlyRead, Reference, References, ref_in, refs_in
from .traffic_rules import Policy, Rules

EDGE_PREFIX = identifiers.EDGE_PREFIX
ROUTE_PREFIX = identifiers.ROUTE_PREFIX
TLS_EDGE_PREFIX = identifiers.TLS_EDGE_PREFIX
SUBSCRIPTION_PREFIX = identifiers.SUBSCRIPTION_PREFIX
TUNNEL_PREFIX = identifiers.TUNNEL_PREFIX

DESCRIPTION = Field("description", Text(max_bytes=255))
METADATA = Field("metadata", Metadata(max_bytes=4096))
# The API reference states no default for `enabled` of the user agent filter, but one for that of all modules
# (section 1). It is always sent, so that a default of the service cannot leave a declared traffic module disabled.
ENABLED = Field("enabled", Boolean(), default=True)


def _module(*fields: Field, protects: str = "", name: str = "") -> Object:
    return Object(fields=(ENABLED, *fields), module=True, protects=protects, name=name)


def _read_only(*names: str) -> tuple[Field, ...]:
    return tuple(Field(name, Text(), read_only=True) for name in names)


IP_RESTRICTION = _module(
    Field("ip_policy_ids", References(of=KINDS[IP_POLICY_PREFIX]), response="ip_policies", restricts=True),
    protects="network",
)

# Section 2.4. The service chooses the omitted fields of a session.
_SESSION = (
    Field("options_passthrough", Boolean()),
    # By default, it is the name of the service with a dot.
    Field("cookie_prefix", Text(filled=r"[^.]+\.")),
    Field("inactivity_timeout", Seconds()),
    Field("maximum_duration", Seconds()),
)


def _identity_provider(*more: str) -> Object:
    return Object(
        fields=(
            Field("client_id", Text(), cleared=True, needs=("client_secret",)),
            Field("client_secret", Secret(), cleared=True, needs=("client_id",)),
            Field("scopes", StringSet(), needs=("client_id", "client_secret")),
            *(Field(name, StringSet(fold=True), restricts=True) for name in ("email_addresses", "email_domains")),
            *(Field(name, StringSet(), restricts=True) for name in more),
        )
    )


_OTHERS = ("facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon")
_IDENTITY_PROVIDERS = IdentityProviders(
    fields=(
        Field("github", _identity_provider("teams", "organizations"), cleared=True),
        *(Field(name, _identity_provider(), cleared=True) for name in _OTHERS),
    )
)

# The API reference lists the accepted values of neither.
_MIN_VERSION = Text(known=("1.0", "1.1", "1.2", "1.3"))
_WEBHOOK_PROVIDERS = (
    *("bitbucket", "circleci", "docusign", "dropbox", "facebook", "github", "gitlab", "heroku", "hubspot", "intercom"),
    *("mailgun", "pagerduty", "sendgrid", "shopify", "slack", "sns", "square", "stripe", "twilio", "zendesk"),
)

_HEADER_CHANGES = _module(Field("add", Headers()), Field("remove", StringSet(fold=True)))

ROUTE_MODULES = {
    "backend": _module(
        # In another spelling, it would count as not set, and its route as closed.
        Field("backend_id", Reference(of="a backend"), response="backend", required=True, aliases=("backend_id", "id"))
    ),
    "ip_restriction": IP_RESTRICTION,
    "circuit_breaker": _module(
        # No circuit breaker works with these numbers at 0, so services return their defaults instead.
        Field("tripped_duration", Seconds(filled=10)),
        Field("rolling_window", Seconds(filled=10)),
        Field("num_buckets", Integer(maximum=128, filled=10)),
        Field("volume_threshold", Integer(filled=10)),
        Field("error_threshold_percentage", Fraction(filled=0.5)),
    ),
    "compression": _module(),
    "request_headers": _HEADER_CHANGES,
    "response_headers": _HEADER_CHANGES,
    "webhook_verification": _module(
        Field("provider", Text(fold=True, known=_WEBHOOK_PROVIDERS), required=True),
        # SNS signs its requests with a certificate.
        Field("secret", Secret(), required_unless=("provider", "sns")),
        protects="signature",
    ),
    "oauth": _module(
        Field("provider", _IDENTITY_PROVIDERS, required=True),
        *_SESSION,
        Field("auth_check_interval", Seconds()),
        protects="login",
    ),
    "saml": _module(
        *_SESSION,
        Field("idp_metadata", TextOfFile(), required=True),
        Field("force_authn", Boolean()),
        Field("allow_idp_initiated", Boolean()),
        Field("authorized_groups", StringSet(), restricts=True),
        Field("nameid_format", Text(filled=re.escape("urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"))),
        *_read_only("entity_id", "assertion_consumer_service_url", "single_logout_url"),
        *_read_only("request_signing_certificate_pem", "metadata_url"),
        protects="login",
    ),
    "oidc": _module(
        *_SESSION,
        Field("issuer", Text(), required=True),
        Field("client_id", Text(), required=True),
        Field("client_secret", Secret()),
        Field("scopes", StringSet()),
        protects="login",
    ),
    "websocket_tcp_converter": _module(),
    "user_agent_filter": _module(Field("allow", StringSet()), Field("deny", StringSet())),
    "policy": Policy(
        # What its actions do is not known: they may restrict access.
        fields=(ENABLED, Field("inbound", Rules()), Field("outbound", Rules())),
        module=True,
        protects="policy",
    ),
}

_ALIASES = {"policy": ("traffic_policy",)}
"""Other names of traffic modules on some services, in responses and in the paths of requests."""

# Section 2.3
HTTPS_EDGE_ROUTE = Object(
    noun="route",
    name="https_edge_route",
    resource=True,
    exclusive=("oauth", "oidc", "saml"),
    closed_by="backend",
    # What a change does to a route is meant for the requests that it matches.
    always_sent=("match_type", "match"),
    # A recorded service did this for two years. Others keep what a PATCH of a route omits.
    cleared_by_some=("description", "metadata"),
    fields=(
        *_read_only("id", "edge_id"),
        Field("match_type", Text(choices=("exact_path", "path_prefix")), identifies=True),
        Field("match", Text(), identifies=True, unique=True),
        DESCRIPTION,
        METADATA,
        *(Field(name, kind, aliases=_ALIASES.get(name, ())) for name, kind in ROUTE_MODULES.items()),
        *_read_only("created_at", "uri"),
    ),
)

# Section 2.2. The edge terminates TLS itself: services return terminate_at there, and reject it in requests.
EDGE_MODULES = {
    "mutual_tls": _module(
        Field(
            "certificate_authority_ids",
            References(of="a certificate authority"),
            response="certificate_authorities",
            restricts=True,
        ),
        protects="certificate",
    ),
    "tls_termination": _module(*_read_only("terminate_at"), Field("min_version", _MIN_VERSION)),
}

HTTPS_EDGE = Object(
    noun="edge",
    name="https_edge",
    resource=True,
    fields=(
        *_read_only("id"),
        DESCRIPTION,
        METADATA,
        Field("hostports", Hostports(), identifies=True, unique=True),
        *(Field(name, kind) for name, kind in EDGE_MODULES.items()),
        Field("routes", Listing(of=HTTPS_EDGE_ROUTE), read_only=True),
        *_read_only("created_at", "uri"),
    ),
)

# Section 2.5
TLS_EDGE_MODULES = {
    "ip_restriction": replace(IP_RESTRICTION, name="tls_edge_ip_restriction"),
    "tls_termination": _module(
        Field("terminate_at", Text(choices=("edge", "upstream"))),
        Field("min_version", _MIN_VERSION, forbidden_when=("terminate_at", "upstream")),
        name="tls_edge_tls_termination",
    ),
}

RESTRICTIONS = {
    name: f for name, kind in {**TLS_EDGE_MODULES, **EDGE_MODULES}.items() for f in kind.fields if f.restricts
}
"""The traffic modules of edges that list who gets in, each with its list. Bodies of TLS and TCP edges have them too."""

REFS = {f.response: f.name for kind in {**ROUTE_MODULES, **EDGE_MODULES}.values() for f in kind.fields if f.response}
"""The fields of responses that contain Refs of other objects, each with its name in requests, which have their IDs."""

# Section 2.6
EVENT_SOURCE = Object(
    noun="event source",
    name="event_source",
    resource=True,
    fields=(Field("type", Text(), identifies=True), *_read_only("uri")),
)

# Section 2.1
TUNNEL = Object(
    fields=(
        *_read_only("id", "public_url", "started_at", "metadata", "proto", "region"),
        Field("tunnel_session", OnlyRead(ref_in), read_only=True),
        Field("endpoint", OnlyRead(ref_in), read_only=True),
        Field("labels", OnlyRead(string_map_in), read_only=True),
        Field("backends", OnlyRead(refs_in), read_only=True),
        *_read_only("forwards_to"),
    )
)
