# SPDX-License-Identifier: GPL-3.0-or-later
"""The models of all responses with the default switches, for the OpenAPI document.

If the response of a traffic module has the fields of its request, the request model serves for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, create_model

from .fields import References, Shape, model_in
from .modules import SAML, Module, TLSTermination
from .objects import HTTPS_EDGE_MODULES, ROUTE_MODULES, MatchType


class Response(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Ref(Response):
    id: str
    uri: str


class ErrorDetails(Response):
    operation_id: str


class Error(Response):
    status_code: int
    error_code: str | None = None
    msg: str
    details: ErrorDetails


class TunnelResponse(Response):
    id: str
    started_at: AwareDatetime
    tunnel_session: Ref
    public_url: str | None = None
    metadata: str | None = None
    proto: Literal["http", "https", "tcp", "tls"] | None = None
    region: str | None = None
    endpoint: Ref | None = None
    labels: dict[str, str] | None = None
    backends: list[Ref] | None = None
    forwards_to: str | None = None


class TunnelList(Response):
    tunnels: list[TunnelResponse]
    uri: str
    next_page_uri: str | None


class MutualTLSResponse(Response):
    enabled: bool
    certificate_authorities: list[Ref]


class BackendResponse(Response):
    enabled: bool
    backend: Ref | None


class IPRestrictionResponse(Response):
    enabled: bool
    ip_policies: list[Ref]


class SAMLResponse(SAML):
    entity_id: str
    assertion_consumer_service_url: str
    single_logout_url: str
    request_signing_certificate_pem: str
    metadata_url: str


_DIFFERENT: dict[str, type[BaseModel]] = {
    "mutual_tls": MutualTLSResponse,
    "tls_termination": TLSTermination,
    "backend": BackendResponse,
    "ip_restriction": IPRestrictionResponse,
    "saml": SAMLResponse,
}


def module_response(name: str, request_model: type[BaseModel]) -> type[BaseModel]:
    """Return the model of a traffic module in responses."""
    return _DIFFERENT.get(name, request_model)


def _with_modules(owner: type[Response], modules: Mapping[str, type[BaseModel]]) -> Any:
    fields: dict[str, Any] = {name: (module_response(name, model) | None, ...) for name, model in modules.items()}
    return create_model(owner.__name__, __base__=owner, **fields)


class _RouteWithoutModules(Response):
    edge_id: str
    id: str
    created_at: AwareDatetime
    match_type: MatchType
    match: str
    uri: str
    description: str
    metadata: str


_Route: Any = _with_modules(_RouteWithoutModules, ROUTE_MODULES)


class RouteResponse(_Route):  # type: ignore[misc] # a model that is created from the fields of the request
    pass


class _HTTPSEdgeWithoutModules(Response):
    id: str
    description: str
    metadata: str
    created_at: AwareDatetime
    uri: str
    hostports: list[str]


_HTTPSEdge: Any = _with_modules(_HTTPSEdgeWithoutModules, HTTPS_EDGE_MODULES)


class HTTPSEdgeResponse(_HTTPSEdge):  # type: ignore[misc] # a model that is created from the fields of the request
    routes: list[RouteResponse]


class HTTPSEdgeList(Response):
    https_edges: list[HTTPSEdgeResponse]
    uri: str
    next_page_uri: str | None


class EventSourceResponse(Response):
    type: str
    uri: str


class EventSourceList(Response):
    sources: list[EventSourceResponse]
    uri: str | None


class _Plain(Response):
    id: str
    uri: str
    created_at: AwareDatetime


_IN_RESPONSES = {"sources": (list[EventSourceResponse], ...)}
"""Fields of plain objects that are different in responses, and are not references."""


def response_of(kind: str, request_model: type[BaseModel], chosen: Iterable[str] = ()) -> type[BaseModel]:
    """Return the model of a plain object in responses, with the fields of its creation and Refs in place of IDs.

    The service itself has `chosen` these strings.
    """
    fields: dict[str, Any] = dict.fromkeys(chosen, (str | None, ...))
    for name, info in request_model.model_fields.items():
        if Shape.HIDDEN in info.metadata:
            continue
        reference = next((each for each in info.metadata if isinstance(each, References) and not each.is_plain), None)
        module = model_in(info.annotation)
        if reference is not None:
            fields[reference.response_name] = (list[Ref] if reference.many else Ref | None, ...)
        elif module is not None and issubclass(module, Module):
            fields[name] = (module_response(name, module) | None, ...)
        elif name not in fields:
            fields[name] = _IN_RESPONSES.get(name, (info.annotation, ...))
    return create_model(f"{_camel_case(kind)}Answer", __base__=_Plain, **fields)


def list_of(kind: str, members: str, member: type[BaseModel]) -> type[BaseModel]:
    fields: dict[str, Any] = {members: (list[member], ...), "uri": (str, ...), "next_page_uri": (str | None, ...)}  # type: ignore[valid-type]
    return create_model(f"{_camel_case(kind)}List", __base__=Response, **fields)


def _camel_case(kind: str) -> str:
    return "".join(word if word.isupper() else word.capitalize() for word in kind.split("_"))


_REASONS = {
    400: "The request is invalid. The message names the field.",
    401: "The API key is missing or invalid.",
    403: "The API key or the account is not allowed to do this.",
    404: "The object or the operation does not exist.",
    409: "Another object refers to the object.",
    429: "Too many requests in the last minute.",
}

REJECTIONS: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": reason} for status, reason in _REASONS.items()
}
