# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects in requests: edges with their traffic modules, routes, and event sources (API reference, section 4)."""

import functools
from typing import Annotated, Literal

from pydantic import BaseModel

from ..values.fields import Description, Hostports, Metadata, NonEmpty, Omittable, Shape, Strict, model_in
from . import modules

MatchType = Annotated[Literal["exact_path", "path_prefix"], Shape.VALUE]


class HTTPSEdgeFields(Strict):
    """The fields of POST and PATCH. A null traffic module is rejected, because PATCH cannot remove it (rule 3)."""

    description: Description = ""
    metadata: Metadata = ""
    hostports: Hostports
    mutual_tls: Omittable[modules.MutualTLS] = None
    tls_termination: Omittable[modules.TLSTerminationAtEdge] = None


class RouteFields(Strict):
    match_type: Omittable[MatchType] = None
    match: Omittable[NonEmpty] = None
    description: Description = ""
    metadata: Metadata = ""
    backend: Omittable[modules.Backend] = None
    ip_restriction: Omittable[modules.IPRestriction] = None
    circuit_breaker: Omittable[modules.CircuitBreaker] = None
    compression: Omittable[modules.Compression] = None
    request_headers: Omittable[modules.HeaderRewriting] = None
    response_headers: Omittable[modules.HeaderRewriting] = None
    webhook_verification: Omittable[modules.WebhookVerification] = None
    oauth: Omittable[modules.OAuth] = None
    saml: Omittable[modules.SAML] = None
    oidc: Omittable[modules.OIDC] = None
    websocket_tcp_converter: Omittable[modules.WebsocketTCPConverter] = None
    user_agent_filter: Omittable[modules.UserAgentFilter] = None
    policy: Omittable[modules.Policy] = None


class NewRoute(RouteFields):
    match_type: MatchType
    match: Annotated[NonEmpty, Shape.VALUE]


@functools.cache
def modules_of(owner: type[BaseModel]) -> dict[str, type[modules.Module]]:
    """Return the traffic modules among the fields of an object, by their names."""
    models = {name: model_in(field.annotation) for name, field in owner.model_fields.items()}
    return {name: model for name, model in models.items() if model is not None and issubclass(model, modules.Module)}


ROUTE_MODULES = modules_of(RouteFields)


class NewEventSource(Strict):
    type: NonEmpty


class EventSourceUpdate(Strict):
    """An empty object, as documented."""
