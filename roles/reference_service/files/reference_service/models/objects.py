# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects in requests: edges with their traffic modules, routes, and event sources (API reference, section 4)."""

from __future__ import annotations

import functools
from typing import Annotated, Literal

from pydantic import BaseModel

from ..values.fields import Description, Hostports, Metadata, NonEmpty, Omittable, Shape, Strict, model_in
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

MatchType = Annotated[Literal["exact_path", "path_prefix"], Shape.VALUE]


class HTTPSEdgeFields(Strict):
    """The fields of POST and PATCH. A null traffic module is rejected, because PATCH cannot remove it (rule 3)."""

    description: Description = ""
    metadata: Metadata = ""
    hostports: Hostports
    mutual_tls: Omittable[MutualTLS] = None
    tls_termination: Omittable[TLSTerminationAtEdge] = None


class TLSEdgeFields(Strict):
    """The traffic modules of a TLS edge. No operation creates one, but the control API does."""

    ip_restriction: Omittable[IPRestriction] = None
    tls_termination: Omittable[TLSTermination] = None


class RouteFields(Strict):
    match_type: Omittable[MatchType] = None
    match: Omittable[NonEmpty] = None
    description: Description = ""
    metadata: Metadata = ""
    backend: Omittable[Backend] = None
    ip_restriction: Omittable[IPRestriction] = None
    circuit_breaker: Omittable[CircuitBreaker] = None
    compression: Omittable[Compression] = None
    request_headers: Omittable[HeaderRewriting] = None
    response_headers: Omittable[HeaderRewriting] = None
    webhook_verification: Omittable[WebhookVerification] = None
    oauth: Omittable[OAuth] = None
    saml: Omittable[SAML] = None
    oidc: Omittable[OIDC] = None
    websocket_tcp_converter: Omittable[WebsocketTCPConverter] = None
    user_agent_filter: Omittable[UserAgentFilter] = None
    policy: Omittable[Policy] = None


class NewRoute(RouteFields):
    match_type: MatchType
    match: Annotated[NonEmpty, Shape.VALUE]


@functools.cache
def modules_of(owner: type[BaseModel]) -> dict[str, type[Module]]:
    """Return the traffic modules among the fields of an object, by their names."""
    models = {name: model_in(field.annotation) for name, field in owner.model_fields.items()}
    return {name: model for name, model in models.items() if model is not None and issubclass(model, Module)}


HTTPS_EDGE_MODULES = modules_of(HTTPSEdgeFields)
ROUTE_MODULES = modules_of(RouteFields)
TLS_EDGE_MODULES = modules_of(TLSEdgeFields)


class NewEventSource(Strict):
    type: NonEmpty


class EventSourceUpdate(Strict):
    """An empty object, as documented."""
