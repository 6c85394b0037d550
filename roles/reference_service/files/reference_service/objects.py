# SPDX-License-Identifier: GPL-3.0-or-later
"""The request form of the objects that hold modules: edges, routes, event sources (the description, section 4)."""

from __future__ import annotations

from typing import Literal

from .fields import Description, Filled, Hostports, MayBeLeftOut, Metadata, Strict, model_in
from .modules import (
    OIDC,
    SAML,
    Backend,
    CircuitBreaker,
    Compression,
    HeaderRewriting,
    IPRestriction,
    Module,
    MutualTLS,
    OAuth,
    Policy,
    TLSTermination,
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


class TLSEdgeFields(Strict):
    """The traffic modules of a TLS edge. No operation creates one, but the control API does."""

    ip_restriction: MayBeLeftOut[IPRestriction] = None
    tls_termination: MayBeLeftOut[TLSTermination] = None


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


def _modules_of(owner: type[Strict]) -> dict[str, type[Module]]:
    """Return the traffic modules among the fields of an object, by their names."""
    models = {name: model_in(field.annotation) for name, field in owner.model_fields.items()}
    return {name: model for name, model in models.items() if model is not None and issubclass(model, Module)}


HTTPS_EDGE_MODULES = _modules_of(HTTPSEdgeFields)
ROUTE_MODULES = _modules_of(RouteFields)
TLS_EDGE_MODULES = _modules_of(TLSEdgeFields)


class NewEventSource(Strict):
    type: Filled


class EventSourceUpdate(Strict):
    """The documented shape is an empty object."""
