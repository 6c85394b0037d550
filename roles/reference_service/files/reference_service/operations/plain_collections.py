# SPDX-License-Identifier: GPL-3.0-or-later
"""Collections of objects whose operations are alike: HTTPS edges (API reference, sections 2.2 and 4.3), and plain
stores of objects that the API reference only refers to. Those are extensions, as is listing edges.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel
from starlette.routing import Match
from starlette.types import Scope

from ..models.collections_table import COLLECTIONS, PlainCollection
from ..models.response_models import EventSourceResponse, RouteResponse, list_of, response_of
from ..responses.chosen_values import NAMES, new_token
from ..store import Document, Stored
from ..values.ids import new_id
from ..values.rejections import called
from .account_rules import check_creation, check_references, check_reserved, check_unused, claim, wait_to_create
from .event_sources import check_event_types
from .paging import BeforeId, Limit, page_of
from .service import Call, ThisCall, as_json, no_content
from .strict_route import EXTENSION, StrictRoute

_EMPTY: dict[str, Document] = {"event_subscription": {"sources": []}}


def _document(of: PlainCollection, call: Call, body: BaseModel) -> Document:
    """Return the document of a request. Raises `Rejection` if the service cannot store it."""
    document = body.model_dump(exclude_unset=True)
    check_references(call, of.new, document, of_edge=of.is_of_edges)
    if of.kind == "event_subscription" and "sources" in document:
        document["sources"] = [each["type"] for each in document["sources"]]
        check_event_types(call.switches, document["sources"])
    return document


def _claim(of: PlainCollection, call: Call, stored: Stored) -> None:
    """Raise `Rejection` if an object has what another one has, or if a hostport is not reserved."""
    if of.is_of_edges:
        check_reserved(call, stored.document.get("hostports", ()))
    claim(call.store, stored, call.switches.slow_releases)


def _response(of: PlainCollection, call: Call, stored: Stored, token: str | None = None) -> Document:
    if of.kind == "event_subscription":
        return call.responses.event_subscription(of, stored)
    if of.kind == "https_edge":
        return call.responses.https_edge(of, stored, call.store.children([stored.id])[stored.id])
    return call.responses.plain(of, stored, token)


def _kept(of: PlainCollection, call: Call, held: Document) -> Document:
    """Return what an update keeps of the fields that it does not contain."""
    if of.kind == "https_edge":
        return held
    emptied = {"nothing": (), "backends": ("backends",), "everything": held.keys() - of.constant - of.required}
    return {name: value for name, value in held.items() if name not in emptied[call.switches.patch_empties]}


def _operations(of: PlainCollection) -> tuple[Callable[..., Any], ...]:
    """Return the operations of a collection: create, list, read, update, and delete."""

    async def create(call: ThisCall, body: Any) -> Response:
        await wait_to_create(call)
        with call.store.writing():
            check_creation(call, "edges" if of.kind == "https_edge" else "objects")
            document = {**_EMPTY.get(of.kind, {}), **_document(of, call, body)}
            stored = call.store.add(of.kind, document, new_id(of.prefix))
            _claim(of, call, stored)
        return as_json(_response(of, call, stored, new_token(of.kind)), 201)

    async def list_(call: ThisCall, before_id: BeforeId = None, limit: Limit = None) -> Response:
        return page_of(call, of.kind, f"/{of.path}", of.members, partial(_response, of, call), before_id, limit)

    async def read(call: ThisCall) -> Response:
        return as_json(_response(of, call, call.held(of.kind)))

    async def update(call: ThisCall, body: Any) -> Response:
        """Keep omitted fields, as far as the switches say so, and replace the others as a whole."""
        with call.store.writing():
            found, given = call.held(of.kind), _document(of, call, body)
            held = replace(found, document={**_EMPTY.get(of.kind, {}), **_kept(of, call, found.document), **given})
            _claim(of, call, held)
            call.store.replace(held.id, held.document)
        return as_json(_response(of, call, held))

    async def delete(call: ThisCall) -> Response:
        """Delete an object to which no other object refers."""
        with call.store.writing():
            held = call.held(of.kind)
            check_unused(call, held)
            call.store.remove(held.id)
        return no_content()

    create.__annotations__["body"], update.__annotations__["body"] = of.new, of.fields
    return create, list_, read, update, delete


class _OwnPath(APIRouter):
    """The framework would try the more than hundred operations of all collections with each request, twice."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return super().matches(scope) if scope["path"].startswith(self.prefix) else (Match.NONE, {})


def _router(of: PlainCollection) -> APIRouter:
    router = _OwnPath(prefix=f"/{of.path}", route_class=StrictRoute)
    more: dict[str, Any] = dict.fromkeys(NAMES.get(of.kind, ()), str | None)
    is_edge = of.kind == "https_edge"
    if of.kind == "event_subscription":
        more = {"sources": list[EventSourceResponse]}
    response = response_of(of.kind, of.new, **({"routes": list[RouteResponse]} if is_edge else more))
    listed = list_of(of.kind, of.members, response)
    kinds: tuple[tuple[str, str, str, int, Any], ...] = (
        ("create", "POST", "", 201, response),
        ("list", "GET", "", 200, listed),
        ("read", "GET", "/{id}", 200, response),
        ("update", "PATCH", "/{id}", 200, response),
        ("delete", "DELETE", "/{id}", 204, None),
    )
    for operation, (verb, method, path, status, model) in zip(_operations(of), kinds, strict=True):
        router.add_api_route(
            path,
            operation,
            methods=[method],
            name=f"{verb}_{of.kind}",
            status_code=status,
            response_model=model,
            tags=[called(of.members)],
            openapi_extra=None if is_edge and verb != "list" else EXTENSION,
        )
    return router


routers = [_router(each) for each in COLLECTIONS]
