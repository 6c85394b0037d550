# SPDX-License-Identifier: GPL-3.0-or-later
"""The request form of the objects that hold modules: edges, routes, event sources (the description, section 4)."""

from __future__ import annotations

from typing import Literal

from .fields import Description, Filled, Hostports, MayBeLeftOut, Metadata, Strict
from .modules import (
    OIDC,
    SAML,
    Backend,
    CircuitBreaker,
    Compression,
    HeaderRewriting,
    IPRestriction,
    MutualTLS,
    OAuth,
    Policy,
    TLSTerminationAtEdge,
    UserAgentFilter,
    WebhookVerification,
    WebsocketTCPConverter,
)

MatchType = Literal["exact_path", "path_prefix"]


class HTTPSEdgeFields(Strict):
    """Create and PATCH take the same fields; a null module is refused, since PATCH can't delete one (rule 3)."""

    description: Description = ""
    metadata: Metadata = ""
    hostports: Hostports
    mutual_tls: MayBeLeftOut[MutualTLS] = None
    tls_termination: MayBeLeftOut[TLSTerminationAtEdge] = None


class RouteFields(Strict):
    match_type: MayBeLeftOut[MatchType] = None
    match: MayBeLeftOut[Filled] = None
    description: Description = ""
    metadata: Metadata = ""
    backend: MayBeLeftOut[Backend] = None
    ip_restriction: MayBeLeftOut[IPRestriction] = None
    circuit_breaker: MayBeLeftOut[CircuitBreaker] = None
    compression: MayBeLeftOut[Compression] = None
    request_headers: MayBeLeftOut[HeaderRewriting] = None
    response_headers: MayBeLeftOut[HeaderRewriting] = None
    webhook_verification: MayBeLeftOut[WebhookVerification] = None
    oauth: MayBeLeftOut[OAuth] = None
    saml: MayBeLeftOut[SAML] = None
    oidc: MayBeLeftOut[OIDC] = None
    websocket_tcp_converter: MayBeLeftOut[WebsocketTCPConverter] = None
    user_agent_filter: MayBeLeftOut[UserAgentFilter] = None
    policy: MayBeLeftOut[Policy] = None


class NewRoute(RouteFields):
    match_type: MatchType
    match: Filled


class NewEventSource(Strict):
    type: Filled


class EventSourceUpdate(Strict):
    """The documented shape is an empty object."""
