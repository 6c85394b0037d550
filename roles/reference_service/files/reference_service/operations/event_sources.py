# SPDX-License-Identifier: GPL-3.0-or-later
"""Event sources of an event subscription (API reference, sections 2.6, 4.5, and 6)."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Query, Response

from ..models.objects import EventSourceUpdate, NewEventSource
from ..models.response_models import EventSourceList, EventSourceResponse
from ..store import Stored
from ..switches import Switches
from ..values.rejection_codes import Code
from ..values.rejections import Rejection, invalid
from .account_rules import check_creation, wait_to_create
from .paging import next_page, overlaps
from .service import Call, ThisCall, as_json, no_content
from .strict_route import StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["event sources"])

_OTHERS = ("http_request_complete", "tcp_connection_closed", "agent_session_start", "agent_session_stop")
_AUDITED = """
api_key certificate_authority domain event_destination event_subscription ip_policy ip_policy_rule ip_restriction
ssh_certificate_authority ssh_host_certificate ssh_public_key ssh_user_certificate tcp_address tls_certificate
tunnel_credential
"""
_OF_AUDITED = (f"{resource}_{verb}" for resource in _AUDITED.split() for verb in ("created", "updated", "deleted"))
_EVENT_TYPES = frozenset(f"{name}.v0" for name in (*_OTHERS, *_OF_AUDITED))

_PATH = "/event_subscriptions/{subscription_id}/sources"
_SUBSCRIPTION = ("event_subscription", "subscription_id")


def check_event_types(switches: Switches, event_types: Iterable[str]) -> None:
    for each in event_types:
        if switches.unknown_event_types == "refused" and each not in _EVENT_TYPES:
            raise invalid(f"type: {each!r} is not in the event catalog", Code.EVENT_TYPE)


def _with_source(call: Call) -> tuple[Stored, str]:
    """Return the subscription and the type of its source in the path of the request."""
    held, event_type = call.held(*_SUBSCRIPTION), call.path["type"]
    if event_type not in held.document["sources"]:
        raise Rejection(404, Code.NOT_FOUND, f"The subscription {held.id} has no source of type {event_type!r}.")
    return held, event_type


@router.post(_PATH, status_code=201, response_model=EventSourceResponse)
async def create_event_source(call: ThisCall, body: NewEventSource) -> Response:
    check_event_types(call.switches, [body.type])
    await wait_to_create(call)
    with call.store.writing():
        held = call.held(*_SUBSCRIPTION)
        check_creation(call, "sources")
        if body.type in held.document["sources"]:
            raise invalid(f"type: the subscription already has a source of type {body.type!r}", Code.SOURCE_EXISTS)
        call.store.replace(held.id, {**held.document, "sources": [*held.document["sources"], body.type]})
    return as_json(call.responses.event_source(held.id, body.type), 201)


@router.get(_PATH, response_model=EventSourceList)
async def list_event_sources(
    call: ThisCall,
    before_id: Annotated[str | None, Query(include_in_schema=False)] = None,
    limit: Annotated[int | None, Query(ge=1, le=100, include_in_schema=False)] = None,
) -> Response:
    """The API reference documents no query parameters. They are accepted only if the service itself returns pages."""
    held = call.held(*_SUBSCRIPTION)
    types: list[str] = held.document["sources"]
    path = _PATH.format(subscription_id=held.id)
    uri: str | None = None if call.switches.sources_uri == "null" else call.responses.uri(path)
    if call.switches.sources_uri == "next_page":
        if before_id not in (None, *types):
            raise invalid(f"before_id: there is no source of type {before_id!r}")
        size = limit or call.switches.page_size
        rest = types if before_id is None else types[types.index(before_id) + (not overlaps(call, size)) :]
        types, uri = rest[:size], next_page(call, path, rest[size - 1], size) if len(rest) > size else None
    elif before_id is not None or limit is not None:
        raise invalid("the list of event sources does not accept query parameters")
    sources = [call.responses.event_source(held.id, each) for each in types]
    if call.switches.lists == "reordered":
        sources.reverse()
    return as_json(call.responses.listing("sources", sources, uri=uri))


@router.get(_PATH + "/{type}", response_model=EventSourceResponse)
async def read_event_source(call: ThisCall) -> Response:
    held, event_type = _with_source(call)
    return as_json(call.responses.event_source(held.id, event_type))


@router.patch(_PATH + "/{type}", response_model=EventSourceResponse)
async def update_event_source(call: ThisCall, body: EventSourceUpdate) -> Response:
    """Change nothing: the documented body is an empty object."""
    return await read_event_source(call)


@router.delete(_PATH + "/{type}", status_code=204)
async def delete_event_source(call: ThisCall) -> Response:
    with call.store.writing():
        held, event_type = _with_source(call)
        rest = [each for each in held.document["sources"] if each != event_type]
        call.store.replace(held.id, {**held.document, "sources": rest})
    return no_content()
