# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes of an HTTPS edge and their traffic modules (API reference, sections 2.3, 2.4, and 4.4, with extensions)."""

from collections.abc import Iterable

from fastapi import APIRouter, Response

from ..models.modules import SIGN_IN_MODULES
from ..models.objects import ROUTE_MODULES, NewRoute, RouteFields
from ..models.response_models import RouteResponse
from ..store import Document, Stored
from ..values.ids import new_id
from ..values.rejection_codes import Code
from ..values.rejections import invalid
from .account_rules import check_creation, check_references, wait_to_create
from .module_operations import add_module_operations
from .service import Call, Service, ThisCall, as_json, no_content
from .strict_route import EXTENSION, StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["routes"])

_PATH = "/edges/https/{edge_id}/routes/{id}"


def add_route(of: Call | Service, edge_id: str, document: Document, identifier: str | None = None) -> Stored:
    """Store a new route. Raises `Rejection` if its match is taken, or it would exceed a limit of sign-in modules."""
    added = of.store.add("route", document, identifier or new_id("edghtsrt_"), edge_id)
    _check_match(of, added)
    _check_logins(of, added, document)
    return added


def _others(of: Call | Service, route: Stored) -> list[Stored]:
    """Return the other routes of the edge."""
    edge_id = str(route.parent)
    return [each for each in of.store.children([edge_id])[edge_id] if each.id != route.id]


def _check_match(of: Call | Service, route: Stored) -> None:
    compared = ("match",) if of.switches.match_unique == "alone" else ("match_type", "match")
    for other in _others(of, route):
        if all(other.document[name] == route.document[name] for name in compared):
            words = " and ".join(f"{name} {route.document[name]!r}" for name in compared)
            raise invalid(f"The edge already has a route with {words}: {other.id}.", Code.MATCH_TAKEN)


def _check_logins(of: Call | Service, route: Stored, given: Iterable[str]) -> None:
    """Raise `Rejection` if a route has too many sign-in modules after a request with these fields."""
    held, which = [name for name in SIGN_IN_MODULES if name in route.document], of.switches.one_login_per_edge
    if of.switches.one_auth_module and len(held) > 1 and any(name in given for name in held):
        message = f"A route can have only one of oauth, oidc, and saml, not {' and '.join(held)}."
        raise invalid(message, Code.ONE_SIGN_IN)
    if not which or not any(name in given for name in _counted_logins(which, route)):
        return
    for other in _others(of, route):
        if counted := _counted_logins(which, other):
            words = f"{'an enabled one' if which == 'enabled' else 'any'} of oauth, oidc, and saml"
            message = f"Only one route of an edge can have {words}; {other.id} has {counted[0]}."
            raise invalid(message, Code.ONE_LOGIN_PER_EDGE)


def _counted_logins(which: bool | str, route: Stored) -> list[str]:
    """Return the sign-in modules of a route that count for the limit of its edge: all, or the enabled ones."""
    held = [name for name in SIGN_IN_MODULES if name in route.document]
    return [name for name in held if which != "enabled" or route.document[name].get("enabled", True)]


@router.post("/edges/https/{edge_id}/routes", status_code=201, response_model=RouteResponse)
async def create_route(call: ThisCall, body: NewRoute) -> Response:
    await wait_to_create(call)
    with call.store.writing():
        edge = call.held("https_edge", "edge_id")
        check_creation(call, "routes")
        document = body.model_dump(exclude_unset=True)
        check_references(call, RouteFields, document)
        added = add_route(call, edge.id, document)
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
        _check_match(call, held)
        _check_logins(call, held, given)
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
        router, f"{_PATH}/{_name}", _module, ROUTE_MODULES[_module], "route", _check_logins, **_options
    )
