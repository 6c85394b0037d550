# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTPS edges, and the traffic modules of edges (API reference, sections 2.2, 2.5, 4.2, and 4.3).

Listing edges and the traffic modules of HTTPS edges are extensions. A TLS edge itself has no operations here.
"""

from __future__ import annotations

from fastapi import APIRouter, Response

from .account_rules import check_creation, check_references, check_reserved, claim, wait_to_create
from .addressed import ThisHTTPSEdge, https_edge, tls_edge
from .json_response import as_json, no_content
from .module_operations import add_module_operations
from .objects import HTTPS_EDGE_MODULES, TLS_EDGE_MODULES, HTTPSEdgeFields
from .paging import BeforeId, Limit, page_of
from .response_models import HTTPSEdgeList, HTTPSEdgeResponse
from .service import Call, ThisCall
from .store import Document, Store, Stored
from .strict_route import EXTENSION, StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["HTTPS edges"])
tls_router = APIRouter(route_class=StrictRoute, tags=["TLS edges"])

_PATH = "edges/https"


def add_edge(store: Store, document: Document, identifier: str | None = None, slow_releases: int = 0) -> Stored:
    """Store a new edge. Raises `Rejection` if another edge has one of its hostports."""
    edge = store.add("https_edge", document, identifier=identifier)
    claim(store, _PATH, edge, slow_releases)
    return edge


def _response(call: Call, edge: Stored) -> Document:
    return call.responses.https_edge(edge, call.store.children([edge.id])[edge.id])


@router.post("/edges/https", status_code=201, response_model=HTTPSEdgeResponse)
async def create_https_edge(call: ThisCall, body: HTTPSEdgeFields) -> Response:
    await wait_to_create(call)
    with call.store.writing():
        check_creation(call, "edges")
        document = body.model_dump(exclude_unset=True)
        check_references(call, HTTPSEdgeFields, document)
        check_reserved(call, document.get("hostports", ()))
        edge = add_edge(call.store, document, slow_releases=call.switches.slow_releases)
    return as_json(_response(call, edge), 201)


@router.get("/edges/https", response_model=HTTPSEdgeList, openapi_extra=EXTENSION)
async def list_https_edges(call: ThisCall, before_id: BeforeId = None, limit: Limit = None) -> Response:
    found, following = page_of(call, "https_edge", "/edges/https", before_id, limit)
    routes = call.store.children(each.id for each in found)
    edges = [call.responses.https_edge(each, routes[each.id]) for each in found]
    return as_json(
        call.responses.listing("https_edges", edges, uri=call.responses.uri("/edges/https"), next_page_uri=following)
    )


@router.get("/edges/https/{id}", response_model=HTTPSEdgeResponse)
async def read_https_edge(call: ThisCall, edge: ThisHTTPSEdge) -> Response:
    return as_json(_response(call, edge.read(call)))


@router.patch("/edges/https/{id}", response_model=HTTPSEdgeResponse)
async def update_https_edge(call: ThisCall, edge: ThisHTTPSEdge, body: HTTPSEdgeFields) -> Response:
    """Keep omitted fields, and replace traffic modules as a whole."""
    with call.store.writing():
        held = edge.read(call)
        given = body.model_dump(exclude_unset=True)
        check_references(call, HTTPSEdgeFields, given)
        check_reserved(call, given.get("hostports", ()))
        held.document.update(given)
        claim(call.store, _PATH, held, call.switches.slow_releases)
        call.store.replace(held.id, held.document)
    return as_json(_response(call, held))


@router.delete("/edges/https/{id}", status_code=204)
async def delete_https_edge(call: ThisCall, edge: ThisHTTPSEdge) -> Response:
    """Delete an edge with its routes."""
    with call.store.writing():
        call.store.remove(edge.read(call).id)
    return no_content()


for _name, _model in HTTPS_EDGE_MODULES.items():
    add_module_operations(router, f"/edges/https/{{id}}/{_name}", _name, _model, https_edge, openapi_extra=EXTENSION)
for _name, _model in TLS_EDGE_MODULES.items():
    add_module_operations(tls_router, f"/edges/tls/{{id}}/{_name}", _name, _model, tls_edge)
