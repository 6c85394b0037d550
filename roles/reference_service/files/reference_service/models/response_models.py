# SPDX-License-Identifier: GPL-3.0-or-later
"""The models of all responses with the default switches, for the OpenAPI document, derived from those of requests.

If the response of a traffic module has the fields of its request, the request model serves for both.
"""

import functools
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, create_model
from pydantic.fields import FieldInfo

from ..values.fields import References, Shape, model_in
from .modules import SAML, Module, TLSTermination
from .objects import NewRoute


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


class SAMLResponse(SAML):
    entity_id: str
    assertion_consumer_service_url: str
    single_logout_url: str
    request_signing_certificate_pem: str
    metadata_url: str


_DIFFERENT: dict[str, type[BaseModel]] = {"tls_termination": TLSTermination, "saml": SAMLResponse}
"""Traffic modules whose responses have fields that their requests do not have."""


class EventSourceResponse(Response):
    type: str
    uri: str


class EventSourceList(Response):
    sources: list[EventSourceResponse]
    uri: str | None


class _Stored(Response):
    id: str
    uri: str
    created_at: AwareDatetime


def response_of(kind: str, request_model: type[BaseModel], **more: Any) -> Any:
    """Return the model of a stored object in responses, with the fields of its creation and Refs in place of IDs.

    The service itself writes the fields in `more`, whose values are their types.
    """
    fields = {name: (written, ...) for name, written in more.items()}
    return create_model(f"{_camel_case(kind)}Response", __base__=_Stored, **{**_fields_of(request_model), **fields})


@functools.cache
def module_response(name: str, request_model: type[Module]) -> type[BaseModel]:
    """Return the model of a traffic module in responses."""
    if name in _DIFFERENT or not any(map(_reference, request_model.model_fields.values())):
        return _DIFFERENT.get(name, request_model)
    return create_model(f"{request_model.__name__}Response", __base__=Response, **_fields_of(request_model))


def _fields_of(request_model: type[BaseModel]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, info in request_model.model_fields.items():
        if Shape.HIDDEN in info.metadata:
            continue
        module = model_in(info.annotation)
        if reference := _reference(info):
            fields[reference.response_name] = (list[Ref] if reference.many else Ref | None, ...)
        elif module is not None and issubclass(module, Module):
            fields[name] = (module_response(name, module) | None, ...)
        else:
            fields[name] = (info.annotation, ...)
    return fields


def _reference(info: FieldInfo) -> References | None:
    found = (each for each in info.metadata if isinstance(each, References))
    return None if Shape.AS_SENT in info.metadata else next(found, None)


def list_of(kind: str, members: str, member: type[BaseModel]) -> type[BaseModel]:
    fields: dict[str, Any] = {members: (list[member], ...), "uri": (str, ...), "next_page_uri": (str | None, ...)}  # type: ignore[valid-type]
    return create_model(f"{_camel_case(kind)}List", __base__=Response, **fields)


def _camel_case(kind: str) -> str:
    return "".join(word if word.isupper() else word.capitalize() for word in kind.split("_"))


RouteResponse = response_of("route", NewRoute, edge_id=str)
TunnelList = list_of("tunnel", "tunnels", TunnelResponse)

REJECTIONS: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": reason}
    for status, reason in (
        (400, "The request is invalid. The message names the field."),
        (401, "The API key is missing or invalid."),
        (403, "The API key or the account is not allowed to do this."),
        (404, "The object or the operation does not exist."),
        (409, "Another object refers to the object."),
        (429, "Too many requests in the last minute."),
    )
}
