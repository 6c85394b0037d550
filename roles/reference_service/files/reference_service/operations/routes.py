# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes of an HTTPS edge and their traffic modules (API reference, sections 2.3, 2.4, and 4.4, with extensions)."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter, Response

from ..models.modules import SIGN_IN_MODULES
from ..models.objects import ROUTE_MODULES, NewRoute, RouteFields
from ..models.response_models import RouteResponse
from ..store import Document, Store, Stored
from ..switches import Switches
from ..values.rejection_codes import Code
from ..values.rejections import invalid
from .account_rules import check_creation, check_references, wait_to_create
from .module_operations import add_module_operations
from .service import Call, ThisCall, as_json, no_content
from .strict_route import EXTENSION, StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["routes"])

_PATH = "/edges/https/{edge_id}/routes/{id}"


def add_route(
    store: Store, switches: Switches, edge_id: str, document: Document, identifier: str | None = None
) -> Stored:
    """Store a new route. Raises `Rejection` if its match is taken, or it would exceed a limit of sign-in modules."""
    _check_match(store, switches, edge_id, document)
    _check_logins(store, switches, document, document, edge_id)
    return store.add("route", document, identifier=identifier, parent=edge_id)


def _check_match(store: Store, switches: Switches, edge_id: str, document: Document, own_id: str | None = None) -> None:
    compared = ("match",) if switches.match_unique == "alone" else ("match_type", "match")
    for other in store.children([edge_id])[edge_id]:
        if other.id != own_id and all(other.document[name] == document[name] for name in compared):
            words = " and ".join(f"{name} {document[name]!r}" for name in compared)
            raise invalid(f"The edge already has a route with {words}: {other.id}.", Code.MATCH_TAKEN)


def _check_logins(
    store: Store, switches: Switches, document: Document, given: Iterable[str], edge_id: str, own_id: str | None = None
) -> None:
    """Raise `Rejection` if a route has too many sign-in modules after a request with these fields."""
    held, which = [name for name in SIGN_IN_MODULES if name in document], switches.one_login_per_edge
    if switches.one_auth_module and len(held) > 1 and any(name in given for name in held):
        message = f"A route can have only one of oauth, oidc, and saml, not {' and '.join(held)}."
        raise invalid(message, Code.ONE_SIGN_IN)
    if not which or not any(name in given for name in _counted_logins(which, document)):
        return
    for other in store.children([edge_id])[edge_id]:
        if other.id != own_id and (counted := _counted_logins(which, other.document)):
            words = f"{'an enabled one' if which == 'enabled' else 'any'} of oauth, oidc, and saml"
            message = f"Only one route of an edge can have {words}; {other.id} has {counted[0]}."
            raise invalid(message, Code.ONE_LOGIN_PER_EDGE)


def _counted_logins(which: bool | str, document: Document) -> list[str]:
    """Return the sign-in modules of a route that count for the limit of its edge: all, or the enabled ones."""
    held = [name for name in SIGN_IN_MODULES if name in document]
    return [name for name in held if which != "enabled" or document[name].get("enabled", True)]


def _check_changed(call: Call, changed: Stored, given: Iterable[str]) -> None:
    """Check a route as it would be after a request with these fields."""
    _check_logins(call.store, call.switches, changed.document, given, str(changed.parent), own_id=changed.id)


@router.post("/edges/https/{edge_id}/routes", status_code=201, response_model=RouteResponse)
async def create_route(call: ThisCall, body: NewRoute) -> Response:
    await wait_to_create(call)
    with call.store.writing():
        edge = call.held("https_edge", "edge_id")
        check_creation(call, "routes")
        document = body.model_dump(exclude_unset=True)
        check_references(call, RouteFields, document)
        added = add_route(call.store, call.switches, edge.id, document)
    return as_json(call.responses.route(added), 201)


@router.get(_PATH, response_model=RouteResponse, openapi_extra=EXTENSION)
async def read_route(call: ThisCall) -> Response:
    return as_json(call.responses.route(call.held("route")))


@router.patch(_PATH, response_model=RouteResponse)
async def update_route(call: ThisCall, body: RouteFields) -> Response:
    """Keep omitted fields, and replace traffic modules as a whole."""
    given = body.model_dump(exclude_unset=True)
    with call.store.writing():
        held = call.held("route")
        if call.switches.patch_forgets_text:
            for name in ("description", "metadata"):
                held.document.pop(name, None)
        check_references(call, RouteFields, given)
        held.document.update(given)
        _check_match(call.store, call.switches, str(held.parent), held.document, own_id=held.id)
        _check_changed(call, held, given)
        call.store.replace(held.id, held.document)
    return as_json(call.responses.route(held))


@router.delete(_PATH, status_code=204, openapi_extra=EXTENSION)
async def delete_route(call: ThisCall) -> Response:
    with call.store.writing():
        call.store.remove(call.held("route").id)
    return no_content()


# Some services use the name traffic_policy in the path of the operations. In a route, the name is always policy.
for _name in (*ROUTE_MODULES, "traffic_policy"):
    _module, _shown = ("policy", False) if _name == "traffic_policy" else (_name, True)
    _options = {"openapi_extra": EXTENSION, "include_in_schema": _shown}
    add_module_operations(
        router, f"{_PATH}/{_name}", _module, ROUTE_MODULES[_module], "route", _check_changed, **_options
    )
